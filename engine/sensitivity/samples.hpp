// SPDX-License-Identifier: MIT
// Functions of a motion at given times, with their derivatives by parameters: what measurements are compared with.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// One number to be read off a motion. Times lie within the run.
struct Sample {
  double t = 0;
  int function = 0;         ///< output of the measure
  bool wants_rate = false;  ///< also its derivative by time
};

struct Samples {
  std::vector<double> values;       ///< by sample
  std::vector<double> rates;        ///< by sample; 0 where none was wanted
  std::vector<double> derivatives;  ///< [sample][parameter] at fixed times; empty if none were wanted
  std::vector<std::string> warnings;
};

/// Simulates once. Between mesh points positions and velocities are those of the quintic polynomial through both
/// (Mesh::interpolate), accelerations and multipliers solve the equations of motion there; the derivatives are exact
/// ones of these very numbers, by the discrete direct method. Rates of functions that read accelerations or multipliers
/// are differences of fourth order.
/// `samples`: in the order of time. `over`: parameter numbers, in whose order derivatives come; null: none. The problem
/// has no objectives, phases or stop condition. Throws NumericalError when the simulation does not complete,
/// Interrupted on Ctrl-C.
Samples sample(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>* over,
               const Measure& functions, std::span<const Sample> samples);

}  // namespace perilune::sensitivity
