// SPDX-License-Identifier: MIT
// The functions of FMI 3.0 that a host calls (fmi-standard.org/docs/3.0, chapters 2 to 4).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/file_access.hpp"
#include "exchange/host.hpp"

namespace perilune::lua {

namespace {

fmi3Instance instantiate(Kind kind, fmi3String name, fmi3String token, fmi3String resources, bool is_logging,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  auto host = std::make_unique<Host>(Host{environment, log, nullptr, is_logging});
  try {
    if (!resources) throw Error("no path of resources was given");
    // Scripts are run one after the other: which files they read is kept for the whole process.
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
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

PERILUNE_FMI fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean is_on, std::size_t count,
                                            const fmi3String* categories) {
  return call_always(instance, [&](Instance&) {
    if (count > 0) require_given("fmi3SetDebugLogging", categories);
    bool names_warnings = count == 0;
    for (std::size_t k = 0; k < count; ++k) {
      require_given("fmi3SetDebugLogging", categories[k]);
      const bool is_of_warnings = std::strcmp(categories[k], Host::warning_category) == 0;
      require(is_of_warnings || std::strcmp(categories[k], Host::error_category) == 0,
              "fmi3SetDebugLogging: the categories are logStatusWarning and logStatusError");
      names_warnings = names_warnings || is_of_warnings;
    }
    static_cast<Host*>(instance)->warns = is_on && names_warnings;
  });
}

PERILUNE_FMI fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                       fmi3Boolean, fmi3Boolean is_logging,
                                                       fmi3InstanceEnvironment environment,
                                                       fmi3LogMessageCallback log) {
  return instantiate(Kind::ModelExchange, name, token, resources, is_logging, environment, log);
}

PERILUNE_FMI fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean, fmi3Boolean is_logging, fmi3Boolean uses_event_mode,
                                                      fmi3Boolean, References, std::size_t,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                      fmi3IntermediateUpdateCallback) {
  if (uses_event_mode) {
    Host{environment, log, nullptr}.say(fmi3Error, "co-simulation of this unit has no Event Mode");
    return nullptr;
  }
  return instantiate(Kind::CoSimulation, name, token, resources, is_logging, environment, log);
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
    require(std::isfinite(start), "fmi3EnterInitializationMode: the start time is no finite number");
    require(!stop_time_defined || stop >= start, "fmi3EnterInitializationMode: the stop time is before the start time");
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
  return call_back(instance, [](Instance& unit) { unit.reset(); });
}

PERILUNE_FMI fmi3Status fmi3GetFloat64(fmi3Instance instance, References references, std::size_t count,
                                       fmi3Float64* values, std::size_t value_count) {
  return call(instance, [&](Instance& unit) {
    require(count == value_count, "fmi3GetFloat64: all variables are scalar, so that there are as many values");
    if (count > 0) require_given("fmi3GetFloat64", references, values);
    for (std::size_t k = 0; k < count; ++k) values[k] = unit.get(references[k]);
  });
}

PERILUNE_FMI fmi3Status fmi3SetFloat64(fmi3Instance instance, References references, std::size_t count,
                                       const fmi3Float64* values, std::size_t value_count) {
  return call(instance, [&](Instance& unit) {
    require(count == value_count, "fmi3SetFloat64: all variables are scalar, so that there are as many values");
    if (count > 0) require_given("fmi3SetFloat64", references, values);
    unit.set({references, count}, values);
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
  return call_back(instance, [&](Instance& unit) {
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
  return call_always(instance, [&](Instance&) {
    require(state && size, "fmi3SerializedFMUStateSize: no state was given");
    *size = bytes_of(*static_cast<const Instance::Saved*>(state)).size();
  });
}

PERILUNE_FMI fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte* bytes,
                                              std::size_t size) {
  return call_always(instance, [&](Instance&) {
    require(state != nullptr, "fmi3SerializeFMUState: no state was given");
    require_given("fmi3SerializeFMUState", bytes);
    const std::vector<fmi3Byte> whole = bytes_of(*static_cast<const Instance::Saved*>(state));
    require(size >= whole.size(), "fmi3SerializeFMUState: the state needs more bytes");
    std::copy(whole.begin(), whole.end(), bytes);
  });
}

PERILUNE_FMI fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte* bytes, std::size_t size,
                                                fmi3FMUState* state) {
  return call_always(instance, [&](Instance& unit) {
    require(state != nullptr, "fmi3DeserializeFMUState: no place for the state was given");
    require_given("fmi3DeserializeFMUState", bytes);
    *state = new Instance::Saved(saved_of({bytes, size}, unit.unstarted_plant()));
  });
}

namespace perilune::lua {
namespace {

void require_derivatives(const Instance& unit) {
  require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous, Mode::Step}, "a derivative");
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
    if (unknown_count > 0) require_given("fmi3GetDirectionalDerivative", unknowns);
    if (known_count > 0) require_given("fmi3GetDirectionalDerivative", knowns);
    if (seed_count > 0) require_given("fmi3GetDirectionalDerivative", seed);
    if (product_count > 0) require_given("fmi3GetDirectionalDerivative", product);
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
    if (unknown_count > 0) require_given("fmi3GetAdjointDerivative", unknowns);
    if (known_count > 0) require_given("fmi3GetAdjointDerivative", knowns);
    if (seed_count > 0) require_given("fmi3GetAdjointDerivative", seed);
    if (product_count > 0) require_given("fmi3GetAdjointDerivative", product);
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
    require_given("fmi3UpdateDiscreteStates", need_update, terminate, nominals_changed, values_changed,
                  next_time_defined, next_time);
    perilune::exchange::Plant& plant = unit.plant();
    auto passed = plant.pass_event();
    unit.warn(std::move(passed.warnings));
    *need_update = *terminate = false;
    *values_changed = passed.has_other_values;
    *nominals_changed = passed.has_other_coordinates;
    const double next = plant.next_tick();
    *next_time_defined = std::isfinite(next);
    *next_time = *next_time_defined ? next : 0;
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
    require_given("fmi3CompletedIntegratorStep", enter_event_mode, terminate);
    *terminate = false;
    *enter_event_mode = !unit.plant().has_good_coordinates() || unit.plant().is_tick_due();
    unit.warn(unit.plant().limits_passed());
  });
}

PERILUNE_FMI fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 t) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Event, Mode::Continuous}, "fmi3SetTime");
    require(std::isfinite(t), "fmi3SetTime: the time is no finite number");
    unit.plant().set_time(t);
  });
}

PERILUNE_FMI fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64* states, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Continuous}, "fmi3SetContinuousStates");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3SetContinuousStates: another number of states");
    if (count > 0) require_given("fmi3SetContinuousStates", states);
    unit.plant().set(states);
  });
}

PERILUNE_FMI fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64* states, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetContinuousStates");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3GetContinuousStates: another number of states");
    if (count > 0) require_given("fmi3GetContinuousStates", states);
    for (std::size_t k = 0; k < count; ++k) states[k] = unit.plant().entry(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64* rates,
                                                          std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetContinuousStateDerivatives");
    require(count == static_cast<std::size_t>(unit.plant().size()),
            "fmi3GetContinuousStateDerivatives: another number of states");
    if (count > 0) require_given("fmi3GetContinuousStateDerivatives", rates);
    for (std::size_t k = 0; k < count; ++k) rates[k] = unit.plant().rate(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64* indicators, std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require_mode(unit, {Mode::Initialization, Mode::Event, Mode::Continuous}, "fmi3GetEventIndicators");
    require(count == static_cast<std::size_t>(unit.plant().indicator_count()),
            "fmi3GetEventIndicators: another number of indicators");
    if (count > 0) require_given("fmi3GetEventIndicators", indicators);
    for (std::size_t k = 0; k < count; ++k) indicators[k] = unit.plant().indicator(static_cast<int>(k));
  });
}

PERILUNE_FMI fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64* nominals,
                                                          std::size_t count) {
  return call(instance, [&](Instance& unit) {
    require(unit.kind() == Kind::ModelExchange, "fmi3GetNominalsOfContinuousStates is for model exchange");
    require(count == unit.state_count(), "fmi3GetNominalsOfContinuousStates: another number of states");
    if (count > 0) require_given("fmi3GetNominalsOfContinuousStates", nominals);
    std::fill_n(nominals, count, 1.0);
  });
}

PERILUNE_FMI fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](Instance& unit) {
    require(unit.kind() == Kind::ModelExchange, "fmi3GetNumberOfEventIndicators is for model exchange");
    require_given("fmi3GetNumberOfEventIndicators", count);
    *count = static_cast<std::size_t>(unit.indicator_count());
  });
}

PERILUNE_FMI fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](Instance& unit) {
    require(unit.kind() == Kind::ModelExchange, "fmi3GetNumberOfContinuousStates is for model exchange");
    require_given("fmi3GetNumberOfContinuousStates", count);
    *count = unit.state_count();
  });
}

PERILUNE_FMI fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean,
                                   fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early,
                                   fmi3Float64* last_time) {
  return call(instance, [&](Instance& unit) {
    require_given("fmi3DoStep", event_needed, terminate, early, last_time);
    *event_needed = *terminate = *early = false;
    require_mode(unit, {Mode::Step}, "fmi3DoStep");
    perilune::exchange::Plant& plant = unit.plant();
    *last_time = plant.time();
    require(h > 0 && std::isfinite(h), "fmi3DoStep: the step must be positive and finite");
    unit.require_time(t);
    require(t + h > t, "fmi3DoStep: the step is too short for the time to change");
    unit.require_end(t + h);
    require(!plant.state().is_over, "fmi3DoStep: the motion is over, with the last of its phases");
    unit.warn(plant.advance(t + h));
    *last_time = plant.time();
    *terminate = plant.state().is_over;
  });
}
