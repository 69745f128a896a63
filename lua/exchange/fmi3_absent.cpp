// SPDX-License-Identifier: MIT
// Functions of FMI 3.0 for what units of mechanisms do not have: other types of variables, clocks, structural
// parameters, Event Mode of co-simulation.
#include "exchange/host.hpp"

namespace perilune::lua {

namespace {

fmi3Status none(fmi3Instance handle, std::size_t count, const char* type) {
  return call(handle, [&](Instance&) {
    require(count == 0, (std::string("the unit has no variables of type ") + type).c_str());
  });
}

fmi3Status not_offered(fmi3Instance handle, const char* what) {
  return call(handle, [&](Instance&) { throw Error(std::string("the unit has no ") + what); });
}

}  // namespace

}  // namespace perilune::lua

using namespace perilune::lua;  // NOLINT(google-build-using-namespace): the functions below are C
using References = const fmi3ValueReference*;

// Types of which the unit has no variables.
// NOLINTBEGIN(bugprone-macro-parentheses): these are types
#define PERILUNE_NO_VARIABLES(Type, Value)                                                                           \
  PERILUNE_FMI fmi3Status fmi3Get##Type(fmi3Instance instance, References, std::size_t count, Value*, std::size_t) { \
    return none(instance, count, #Type);                                                                             \
  }                                                                                                                  \
  PERILUNE_FMI fmi3Status fmi3Set##Type(fmi3Instance instance, References, std::size_t count, const Value*,          \
                                        std::size_t) {                                                               \
    return none(instance, count, #Type);                                                                             \
  }
PERILUNE_NO_VARIABLES(Float32, float)
PERILUNE_NO_VARIABLES(Int8, std::int8_t)
PERILUNE_NO_VARIABLES(UInt8, std::uint8_t)
PERILUNE_NO_VARIABLES(Int16, std::int16_t)
PERILUNE_NO_VARIABLES(UInt16, std::uint16_t)
PERILUNE_NO_VARIABLES(Int32, std::int32_t)
PERILUNE_NO_VARIABLES(UInt32, std::uint32_t)
PERILUNE_NO_VARIABLES(Int64, std::int64_t)
PERILUNE_NO_VARIABLES(UInt64, std::uint64_t)
PERILUNE_NO_VARIABLES(Boolean, bool)
PERILUNE_NO_VARIABLES(String, fmi3String)
#undef PERILUNE_NO_VARIABLES
// NOLINTEND(bugprone-macro-parentheses)

PERILUNE_FMI fmi3Status fmi3GetBinary(fmi3Instance instance, References, std::size_t count, std::size_t*, fmi3Binary*,
                                      std::size_t) {
  return none(instance, count, "Binary");
}
PERILUNE_FMI fmi3Status fmi3SetBinary(fmi3Instance instance, References, std::size_t count, const std::size_t*,
                                      const fmi3Binary*, std::size_t) {
  return none(instance, count, "Binary");
}
PERILUNE_FMI fmi3Status fmi3GetClock(fmi3Instance instance, References, std::size_t count, fmi3Clock*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3SetClock(fmi3Instance instance, References, std::size_t count, const fmi3Clock*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, References, std::size_t count, fmi3Float64*,
                                               fmi3IntervalQualifier*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, References, std::size_t count, fmi3UInt64*,
                                                fmi3UInt64*, fmi3IntervalQualifier*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, References, std::size_t count, fmi3Float64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3GetShiftFraction(fmi3Instance instance, References, std::size_t count, fmi3UInt64*,
                                             fmi3UInt64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, References, std::size_t count,
                                               const fmi3Float64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, References, std::size_t count, const fmi3UInt64*,
                                                const fmi3UInt64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, References, std::size_t count, const fmi3Float64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3SetShiftFraction(fmi3Instance instance, References, std::size_t count, const fmi3UInt64*,
                                             const fmi3UInt64*) {
  return none(instance, count, "Clock");
}
PERILUNE_FMI fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return not_offered(instance, "model partitions");
}
PERILUNE_FMI fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return not_offered(instance, "structural parameters");
}
PERILUNE_FMI fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return not_offered(instance, "structural parameters");
}
PERILUNE_FMI fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference, std::size_t*) {
  return not_offered(instance, "dependencies of single elements: every output may depend on every state and input");
}
PERILUNE_FMI fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference, std::size_t*,
                                                    fmi3ValueReference*, std::size_t*, fmi3DependencyKind*,
                                                    std::size_t) {
  return not_offered(instance, "dependencies of single elements: every output may depend on every state and input");
}
PERILUNE_FMI fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, References, std::size_t count, const fmi3Int32*,
                                                 fmi3Float64*, std::size_t) {
  return count == 0 ? fmi3OK : not_offered(instance, "derivatives of outputs by time");
}
PERILUNE_FMI fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return not_offered(instance, "Event Mode of co-simulation to come from");
}
