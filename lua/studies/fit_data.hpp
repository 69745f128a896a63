// SPDX-License-Identifier: MIT
// What m:fit compares: signals of the model, and measurements of them.
#pragma once
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "studies/experiments.hpp"
#include "system/measure.hpp"

namespace perilune::lua {

struct FitSignal {
  std::string name, unit;  // the column's; the signal's, empty where none is known
  expr::NodeId node = expr::no_node;
  std::string times = "t";   // the column of its times
  double deviation = 0;      // of a measurement; 0: to be found from what the fit leaves
  double delay = 0;          // s, of the sensor
  int delay_parameter = -1;  // in place of it
  double most_delay = 0;     // s, that the fit may try
};

struct FitSignals {
  std::vector<FitSignal> list;
  std::shared_ptr<const system::Measure> functions;  // one for each
};

/// Measurements of one signal in one experiment.
struct FitSeries {
  std::string name;
  std::size_t experiment = 0, signal = 0;
  std::vector<double> t, y;  // times rise
  std::size_t left_out = 0;  // measurements that a delayed sensor made of what was before the start
};

/// Reads the field "signals". `over`: parameters that the fit varies.
FitSignals read_fit_signals(Args& args, lua_State* L, const std::vector<int>& over);

/// Reads the table of columns on top of the stack, and pops it: a series for each signal. `label`: what the table is,
/// for messages. The times must not be before `start`.
std::vector<FitSeries> pop_fit_data(Args& args, lua_State* L, const std::string& label, const FitSignals& signals,
                                    double start);

}  // namespace perilune::lua
