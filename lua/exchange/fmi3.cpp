// SPDX-License-Identifier: MIT
// The functions of FMI 3.0 that a host calls (fmi-standard.org/docs/3.0, chapters 2 to 4).
#include <algorithm>
#include <memory>

#include "base/file_access.hpp"
#include "exchange/host.hpp"

namespace perilune::lua {

namespace {

fmi3Instance instantiate(Kind kind, fmi3String name, fmi3String token, fmi3String resources,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  auto host = std::make_unique<Host>(Host{environment, log, nullptr});
  try {
    if (!resources) throw Error("no path of resources was given");
    discard_written_files();  // of this library: the script writes nothing again
    host->instance = std::make_unique<Instance>(kind, name ? name : "", token ? token : "", resources);
    return host.release();
  } catch (const std::exception& error) {
    host->say(fmi3Error, error.what());
    return nullptr;
  }
}

}  // namespace

}  // namespace perilune::lua

using namespace perilune::lua;  // NOLINT(google-build-using-namespace): the functions below are C
using References = const fmi3ValueReference*;

PERILUNE_FMI const char* fmi3GetVersion() { return "3.0"; }

PERILUNE_FMI fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean, std::size_t, const fmi3String*) {
  return instance ? fmi3OK : fmi3Error;
}

PERILUNE_FMI fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                       fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment environment,
                                                       fmi3LogMessageCallback log) {
  return instantiate(Kind::ModelExchange, name, token, resources, environment, log);
}

PERILUNE_FMI fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean, References,
                                                      std::size_t, fmi3InstanceEnvironment environment,
                                                      fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  return instantiate(Kind::CoSimulation, name, token, resources, environment, log);
}

PERILUNE_FMI fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                            fmi3Boolean, fmi3InstanceEnvironment environment,
                                                            fmi3LogMessageCallback log,
                                                            void (*)(fmi3InstanceEnvironment), void (*)(), void (*)()) {
  Host{environment, log, nullptr}.say(fmi3Error, "the unit is for model exchange and co-simulation");
  return nullptr;
}

PERILUNE_FMI void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Host*>(instance); }

PERILUNE_FMI fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                                    fmi3Boolean stop_time_defined, fmi3Float64 stop) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Instantiated}, "fmi3EnterInitializationMode");
    unit.set_start_time(start);
    if (stop_time_defined) unit.set_stop_time(stop);
    unit.set_mode(Mode::Initialization);
  });
}

PERILUNE_FMI fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization}, "fmi3ExitInitializationMode");
    unit.plant();  // starts, unless it has been asked for something before
    unit.set_mode(unit.kind() == Kind::ModelExchange ? Mode::Event : Mode::Step);
  });
}

PERILUNE_FMI fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call(instance, [&](Instance& unit) {
    require(unit.kind() == Kind::ModelExchange, "co-simulation of this unit has no Event Mode");
    require_mode(unit, {Mode::Continuous, Mode::Event}, "fmi3EnterEventMode");
    unit.set_mode(Mode::Event);
  });
}

PERILUNE_FMI fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, running, "fmi3Terminate");
    unit.set_mode(Mode::Terminated);
  });
}

PERILUNE_FMI fmi3Status fmi3Reset(fmi3Instance instance) {
  return call(instance, [](Instance& unit) { unit.reset(); });
}

PERILUNE_FMI fmi3Status fmi3GetFloat64(fmi3Instance instance, References references, std::size_t count,
                                       fmi3Float64* values, std::size_t value_count) {
  return call(instance, [&](Instance& unit) {
    require(count == value_count, "fmi3GetFloat64: all variables are scalar, so that there are as many values");
    for (std::size_t k = 0; k < count; ++k) values[k] = unit.get(references[k]);
  });
}

PERILUNE_FMI fmi3Status fmi3SetFloat64(fmi3Instance instance, References references, std::size_t count,
                                       const fmi3Float64* values, std::size_t value_count) {
  return call(instance, [&](Instance& unit) {
    require(count == value_count, "fmi3SetFloat64: all variables are scalar, so that there are as many values");
    for (std::size_t k = 0; k < count; ++k) unit.set(references[k], values[k]);
  });
}

PERILUNE_FMI fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, [&](Instance& unit) {
    require(state != nullptr, "fmi3GetFMUState: no place for the state was given");
    auto* to = static_cast<Instance::Saved*>(*state);
    if (to) {
      *to = unit.save();
    } else {
      *state = new Instance::Saved(unit.save());
    }
  });
}

PERILUNE_FMI fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call(instance, [&](Instance& unit) {
    require(state != nullptr, "fmi3SetFMUState: no state was given");
    unit.restore(*static_cast<const Instance::Saved*>(state));
  });
}

PERILUNE_FMI fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  if (!state) return fmi3OK;
  delete static_cast<Instance::Saved*>(*state);
  *state = nullptr;
  return fmi3OK;
}

PERILUNE_FMI fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return call(instance, [&](Instance&) {
    require(state && size, "fmi3SerializedFMUStateSize: no state was given");
    *size = bytes_of(*static_cast<const Instance::Saved*>(state)).size();
  });
}

PERILUNE_FMI fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte* bytes,
                                              std::size_t size) {
  return call(instance, [&](Instance&) {
    require(state != nullptr, "fmi3SerializeFMUState: no state was given");
    const std::vector<fmi3Byte> whole = bytes_of(*static_cast<const Instance::Saved*>(state));
    require(size >= whole.size(), "fmi3SerializeFMUState: the state needs more bytes");
    std::copy(whole.begin(), whole.end(), bytes);
  });
}

PERILUNE_FMI fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte* bytes, std::size_t size,
                                                fmi3FMUState* state) {
  return call(instance, [&](Instance& unit) {
    require(state != nullptr, "fmi3DeserializeFMUState: no place for the state was given");
    *state = new Instance::Saved(saved_of({bytes, size}, unit.plant()));
  });
}

namespace perilune::lua {
namespace {

void require_derivatives(const Instance& unit) {
  require(unit.kind() == Kind::ModelExchange, "derivatives are for model exchange");
  require_mode(unit, {Mode::Event, Mode::Continuous}, "a derivative");
}

}  // namespace
}  // namespace perilune::lua

PERILUNE_FMI fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, References unknowns,
                                                     std::size_t unknown_count, References knowns,
                                                     std::size_t known_count, const fmi3Float64* seed,
                                                     std::size_t seed_count, fmi3Float64* product,
                                                     std::size_t product_count) {
  return call(instance, [&](Instance& unit) {
    require_derivatives(unit);
    require(seed_count == known_count && product_count == unknown_count,
            "fmi3GetDirectionalDerivative: there is one number for each variable");
    unit.tangent({unknowns, unknown_count}, {knowns, known_count}, seed, product);
  });
}

PERILUNE_FMI fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, References unknowns, std::size_t unknown_count,
                                                 References knowns, std::size_t known_count, const fmi3Float64* seed,
                                                 std::size_t seed_count, fmi3Float64* product,
                                                 std::size_t product_count) {
  return call(instance, [&](Instance& unit) {
    require_derivatives(unit);
    require(seed_count == unknown_count && product_count == known_count,
            "fmi3GetAdjointDerivative: there is one number for each variable");
    unit.adjoint({unknowns, unknown_count}, {knowns, known_count}, seed, product);
  });
}

PERILUNE_FMI fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return call(instance, [](Instance& unit) { require_mode(unit, {Mode::Event}, "fmi3EvaluateDiscreteStates"); });
}

PERILUNE_FMI fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* need_update,
                                                 fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                                 fmi3Boolean* values_changed, fmi3Boolean* next_time_defined,
                                                 fmi3Float64* next_time) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Event}, "fmi3UpdateDiscreteStates");
    perilune::exchange::Plant& plant = unit.plant();
    plant.settle_sides();
    const bool are_others = plant.choose_coordinates();
    *need_update = *terminate = *next_time_defined = false;
    *values_changed = *nominals_changed = are_others;
    if (next_time) *next_time = 0;
  });
}

PERILUNE_FMI fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return call(instance, [](Instance& unit) {
    require_mode(unit, {Mode::Event}, "fmi3EnterContinuousTimeMode");
    unit.set_mode(Mode::Continuous);
  });
}

PERILUNE_FMI fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean, fmi3Boolean* enter_event_mode,
                                                    fmi3Boolean* terminate) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Continuous}, "fmi3CompletedIntegratorStep");
    *terminate = false;
    *enter_event_mode = !unit.plant().has_good_coordinates();
    unit.warn(unit.plant().limits_passed());
  });
}

PERILUNE_FMI fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 t) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Event, Mode::Continuous}, "fmi3SetTime");
    unit.plant().set_time(t);
  });
}

PERILUNE_FMI fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64* states, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Continuous}, "fmi3SetContinuousStates");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3SetContinuousStates: another number of states");
    unit.plant().set(states);
  });
}

PERILUNE_FMI fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64* states, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetContinuousStates");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3GetContinuousStates: another number of states");
    for (std::size_t k = 0; k < count; ++k) states[k] = unit.plant().entry(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64* rates,
                                                          std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetContinuousStateDerivatives");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3GetContinuousStateDerivatives: another number of states");
    for (std::size_t k = 0; k < count; ++k) rates[k] = unit.plant().rate(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64* indicators, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetEventIndicators");
    require(count == static_cast<std::size_t>(unit.plant().indicator_count()),
            "fmi3GetEventIndicators: another number of indicators");
    for (std::size_t k = 0; k < count; ++k) indicators[k] = unit.plant().indicator(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64* nominals,
                                                          std::size_t count) {
  return call(instance, [&](Instance&) { std::fill_n(nominals, count, 1.0); });
}

PERILUNE_FMI fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](Instance& unit) { *count = static_cast<std::size_t>(unit.indicator_count()); });
}

PERILUNE_FMI fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](Instance& unit) { *count = unit.state_count(); });
}

PERILUNE_FMI fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean,
                                   fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early,
                                   fmi3Float64* last_time) {
  return call(instance, [&](Instance& unit) {
    *event_needed = *terminate = *early = false;
    require_mode(unit, {Mode::Step}, "fmi3DoStep");
    perilune::exchange::Plant& plant = unit.plant();
    *last_time = plant.time();
    require(h > 0, "fmi3DoStep: the step must be positive");
    unit.require_time(t);
    unit.require_end(t + h);
    unit.warn(plant.advance(t + h));
    *last_time = plant.time();
  });
}
