// SPDX-License-Identifier: MIT
// Settings that simulations, gradients and optimizations share, and what scripts hold of their results.
#pragma once
#include <functional>
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "analysis/equilibrium.hpp"
#include "analysis/mobility.hpp"
#include "optimize/design.hpp"
#include "sensitivity/gradient.hpp"
#include "simulation/trajectory.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// What an objective is of, with switches for its conditions; no_node: it has no such part.
struct ObjectiveParts {
  std::string name;
  expr::NodeId terminal = expr::no_node, integral = expr::no_node, extremum = expr::no_node;
  bool is_minimum = false;  // of the extremum
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  std::optional<simulation::SmoothMaximum> smooth = {};
};

struct ObjectiveHandle {
  ModelPtr model;
  ObjectiveParts parts;
  mutable std::shared_ptr<const simulation::Objective> objective;
  mutable int removals = 0;  // of the model when `objective` was made
};
/// The objective as the model is now: objects may have been removed since it was declared. Throws Error where it reads
/// one of these.
std::shared_ptr<const simulation::Objective> objective_of(const ObjectiveHandle& handle);

void push_objective(lua_State* L, ObjectiveHandle handle);

struct RunHandle {
  ModelPtr model;  // as it is now; trajectory->model() is as it was
  std::shared_ptr<const simulation::Trajectory> trajectory;
  double seconds;
  std::shared_ptr<const analysis::Equilibrium> equilibrium = nullptr;  // of m:equilibrium only
};

/// A state that an analysis starts from in place of the declared one.
struct GivenState {
  double t;
  std::vector<double> q, v;
  bool is_equilibrium = false;     // of m:equilibrium
  std::vector<double> parameters;  // with which it was found
};

/// Reads the fields of with_settings and the phases; what is not given is taken from the model's last simulation, then
/// from the schema. Compiles the model. `from_start`: the start time where none is given. `own_end`: in
/// place of t, stop and phases, which the constructor does not have.
simulation::Problem read_problem(Args& args, lua_State* L, std::optional<double> from_start = std::nullopt,
                                 std::optional<double> own_end = std::nullopt);
/// Whether the script named a formulation, now or in the last simulation. Before read_problem.
bool has_given_formulation(Args& args);
/// Makes it the model's last simulation. `is_from_run`: it starts where another run ended, at its time.
void remember(Args& args, lua_State* L, const simulation::Problem& problem, bool is_from_run);
/// The field "from": the state of that run at its end, or at `t` within it.
std::optional<GivenState> read_from(Args& args, lua_State* L, std::optional<double> t);
/// The field "independent", as numbers of coordinates.
std::vector<int> read_independent(Args& args, lua_State* L);
/// Throws Error for a table with holes, where a list would end, or with other keys.
void check_list(const Args& args, lua_State* L, std::string_view field, int index);
/// One objective or a list of them. `is_list` tells which.
std::vector<std::shared_ptr<const simulation::Objective>> read_objectives(Args& args, lua_State* L,
                                                                          std::string_view field, bool& is_list);
/// Numbers of the parameters in the field; all of them if it was not given.
std::vector<int> read_parameters(Args& args, lua_State* L, std::string_view field);
std::vector<std::string> read_names(Args& args, lua_State* L, std::string_view field);

/// The fields of the schema that read_problem reads, after an experiment's own.
std::vector<Field> with_settings(std::vector<Field> own);
/// The same but for t and stop, where something else says when a run ends.
std::vector<Field> with_settings_but_end(std::vector<Field> own);
/// These parameters as a design varies them.
std::vector<optimize::Variable> design_variables(const model::Model& engine, const std::vector<int>& over);

void push_run(lua_State* L, RunHandle run);
/// What a run has beside methods.
std::vector<std::string> run_members(const RunHandle& run);

/// Of parameters whose derivatives all vanish: a warning for each that nothing in the model reads, as where a script
/// takes the number of a parameter for the parameter.
void warn_of_idle_parameters(lua_State* L, const model::Model& engine, const std::vector<int>& without_effect);
/// Those that neither the objectives nor the end of the run read, where the model may not either.
std::vector<int> unread(const simulation::Problem& problem, const std::vector<int>& parameters);

/// Whether stability, not accuracy, chose most steps of an explicit method, and there were many.
bool is_stiff(const integrator::Statistics& statistics);

/// The printable table of one objective, with derivatives by the parameters `over`.
void push_gradient(lua_State* L, const model::Model& engine, const std::string& name,
                   const sensitivity::Gradient& gradient, const std::vector<int>& over, std::size_t objective,
                   const sensitivity::Method& method);

/// A progress line on the terminal's standard error for what takes longer than half a second; removed at the end.
class ProgressLine {
 public:
  /// Of a run between these times (s).
  ProgressLine(double start, double end);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Lives no longer than the line.
  integrator::Progress listener();

 private:
  void show(double t, double h, const integrator::Statistics& statistics);

  double start_, end_, began_, last_ = 0;
  bool is_seen_, is_shown_ = false;
};

/// The data with which an analysis starts: as declared, or at the state of a run.
std::shared_ptr<const system::Data> data_at(const ModelPtr& model, const system::System& system,
                                            const std::optional<GivenState>& from);

/// At the assembled position, of the declared state or that of a run, at time t (s).
analysis::Mobility find_mobility(const ModelPtr& model, const std::optional<GivenState>& from, double t,
                                 const std::vector<int>& independent);
/// "model "door": 1 degree of freedom, ...", and what is redundant or singular on further lines.
std::string mobility_text(const model::Model& engine, const analysis::Mobility& found);

/// Pushes the extrema over time among the objectives of a run, by name: value, t, error.
void push_peaks(lua_State* L, const simulation::Trajectory& trajectory);

/// The table on top of the stack prints as its field "text".
void print_as_text(lua_State* L, const char* kind);

// The functions that analysis.cpp lists in the schema.
int mobility(lua_State* L);
int linearize(lua_State* L);
int equilibrium_path(lua_State* L);

// The functions that experiment.cpp lists in the schema.
int make_objective(lua_State* L);
int simulate(lua_State* L);
int gradient(lua_State* L);
int check_gradient(lua_State* L);
int hessian(lua_State* L);

}  // namespace perilune::lua
