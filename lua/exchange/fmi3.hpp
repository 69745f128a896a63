// SPDX-License-Identifier: MIT
// The types of the C interface of FMI 3.0 (fmi-standard.org/docs/3.0), as far as functions of ours are declared by
// them; the names are the standard's.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float64 = double;
using fmi3Int32 = std::int32_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;
using fmi3String = const char*;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum fmi3DependencyKind { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent };
enum fmi3IntervalQualifier { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                                fmi3Boolean, fmi3Boolean, fmi3Boolean*, fmi3Float64*);

// Those of the functions that this program calls itself, to try a unit.
using fmi3InstantiateCoSimulationType = fmi3Instance(fmi3String name, fmi3String token, fmi3String resources,
                                                     fmi3Boolean visible, fmi3Boolean logging,
                                                     fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                                     const fmi3ValueReference required[], std::size_t required_count,
                                                     fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                     fmi3IntermediateUpdateCallback);
using fmi3FreeInstanceType = void(fmi3Instance);
using fmi3EnterInitializationModeType = fmi3Status(fmi3Instance, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                                   fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop);
using fmi3ExitInitializationModeType = fmi3Status(fmi3Instance);
using fmi3GetFloat64Type = fmi3Status(fmi3Instance, const fmi3ValueReference[], std::size_t, fmi3Float64[],
                                      std::size_t);
}
