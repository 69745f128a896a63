// Settings that simulations, gradients and optimizations share, and what scripts hold of their results.
#pragma once
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "args.hpp"
#include "result/trajectory.hpp"
#include "sensitivity/gradient.hpp"

namespace perilune::lua {

struct ObjectiveHandle {
  ModelPtr model;
  std::shared_ptr<const sensitivity::Objective> objective;
};

struct RunHandle {
  ModelPtr model;
  std::shared_ptr<const result::Trajectory> trajectory;
  double seconds;
};

/// Reads t, start, formulation, integrator and independent; what is not given is taken from the model's last
/// simulation, then from the schema. Compiles the model.
sensitivity::Problem read_problem(Args& args, lua_State* L);
/// One objective or a list of them. `is_list` tells which.
std::vector<std::shared_ptr<const sensitivity::Objective>> read_objectives(Args& args, lua_State* L,
                                                                           std::string_view field, bool& is_list);
/// Numbers of the parameters in the field; all of them if it was not given.
std::vector<int> read_parameters(Args& args, lua_State* L, std::string_view field);
std::vector<std::string> read_names(Args& args, lua_State* L, std::string_view field);

void push_run(lua_State* L, RunHandle run);

/// A progress line on the terminal's standard error for what takes longer than half a second; removed at the end.
class ProgressLine {
 public:
  explicit ProgressLine(double end);
  ~ProgressLine();
  void show(double t, double h, long steps);

 private:
  double end_, start_, last_ = 0;
  bool is_terminal_, is_shown_ = false;
};

/// Processor seconds so far.
double processor_seconds();

// The functions that experiment.cpp lists in the schema.
int make_objective(lua_State* L);
int simulate(lua_State* L);
int gradient(lua_State* L);
int optimize_parameters(lua_State* L);

}  // namespace perilune::lua
