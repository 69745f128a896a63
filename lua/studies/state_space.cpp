// SPDX-License-Identifier: MIT
// model:state_space, whose result is a table that prints, and that mbs.lqr takes.
#include "analysis/small_motion/state_space.hpp"

#include <cstdio>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

std::string matrix_text(const std::string& title, const Eigen::MatrixXd& M, const std::vector<std::string>& of_rows,
                        const std::vector<std::string>& of_columns) {
  TextRows rows{{title}};
  rows[0].insert(rows[0].end(), of_columns.begin(), of_columns.end());
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    rows.push_back({of_rows[static_cast<std::size_t>(i)]});
    for (Eigen::Index j = 0; j < M.cols(); ++j) {
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", M(i, j));
      rows.back().push_back(number);
    }
  }
  return aligned(rows);
}

std::vector<std::string> names_of(const expr::Graph& graph, const std::vector<expr::NodeId>& states) {
  std::vector<std::string> names;
  for (const expr::NodeId x : states) names.push_back(graph.to_string(x, 40));
  return names;
}

int state_space(lua_State* L) {
  Args args(L);
  const std::optional<double> wanted =
      args.given("t") ? std::optional(args.plain_number("t")) : (args.value("t"), std::nullopt);
  const std::optional<GivenState> from = read_from(args, L, wanted);
  const std::vector<int> independent = read_independent(args, L);
  const std::vector<expr::Symbol> states = args.measures("states");
  const std::vector<int> inputs = read_parameters(args, L, "inputs");
  args.check_all_read();
  const ModelPtr& model = args.model();
  const model::Model& engine = *model->engine;
  std::vector<std::string> input_names;
  for (const int i : inputs) input_names.push_back(engine.parameters()[static_cast<std::size_t>(i)].name);
  std::vector<expr::NodeId> outputs;
  for (const expr::Symbol& x : states) outputs.push_back(x.in(model->engine->graph()));
  const std::vector<std::string> state_names = names_of(engine.graph(), outputs);
  const auto system = model->compiled();
  const double t = wanted.value_or(from ? from->t : 0);
  const auto data = data_at(model, *system, from);
  const analysis::ConsistentState at = analysis::Assembly(system, independent).solve(t, *data);
  analysis::StateSpace found;
  try {
    found = analysis::state_space(*system, *data, t, at.q, at.v, system::Measure(engine, outputs), state_names, inputs,
                                  input_names);
  } catch (const NumericalError&) {
    throw;
  } catch (const Error& error) {
    args.fail(error.what());
  }
  // Laws and expressions, into which gains go, have their numbers in SI units.
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    found.B.col(static_cast<Eigen::Index>(k)) /= engine.parameters()[static_cast<std::size_t>(inputs[k])].size;
  }
  warn_of_idle_parameters(L, engine, found.idle_inputs);
  lua_newtable(L);
  push_rows(L, found.A);
  lua_setfield(L, -2, "A");
  push_rows(L, found.B);
  lua_setfield(L, -2, "B");
  set_names(L, "states", state_names);
  set_names(L, "inputs", input_names);
  set_text(L, "text",
           "x' = A x + B u of \"" + engine.name() + "\"\n" + matrix_text("A", found.A, state_names, state_names) +
               "\n" + matrix_text("B", found.B, state_names, input_names));
  print_as_text(L, "perilune.state_space");
  return 1;
}

}  // namespace

std::span<const Constructor> state_space_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:state_space",
       .object = "state_space",
       .returns = "table",
       .summary =
           "Small motions about a state at rest in balance as x' = A x + B u, what controllers are designed from. x\n"
           "are deviations of the states, expressions of positions, velocities and first-order states, as many as\n"
           "the small motions have numbers; u those of the inputs, parameters that forces read; all in SI units,\n"
           "whatever unit a parameter has. Returns a table that prints: A and B (lists of rows, for mbs.lqr), states\n"
           "and inputs (their names). Exact to rounding.",
       .fields = {{.name = "states", .type = Type::Measures, .text = "what x is made of", .required = true},
                  {.name = "inputs", .type = Type::Parameters, .text = "parameters that are u", .required = true},
                  {.name = "from",
                   .type = Type::Run,
                   .text = "a run or an equilibrium to start from",
                   .fallback = "the declared state"},
                  {.name = "t",
                   .type = Type::PlainNumber,
                   .text = "time within the run, or of the declared state",
                   .unit = "s",
                   .fallback = "end of the run, else 0"},
                  {.name = "independent",
                   .type = Type::Names,
                   .text = "coordinates that assembly must leave at their declared values",
                   .fallback = "{}"}},
       .equations =
           "With the numbers y of the small motions (help \"linearize\"), y' = A_y y + B_y u, and x = S y:\n"
           "A = S A_y S^-1, B = S B_y, where B_y has the accelerations by u at fixed positions and velocities.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local u = m:param { \"u\", 0, unit = \"N\" }\n"
                  "local cart = m:body { \"cart\", mass = 2, inertia = 1 }\n"
                  "m:translational { \"rail\", m.ground, cart, at = {0, 0}, axis = \"x\" }\n"
                  "local bob = m:point { \"bob\", at = {0, 0.6}, mass = 0.5 }\n"
                  "m:distance { \"rod\", cart, bob, length = 0.6 }\n"
                  "m:force { \"drive\", on = cart, force = {u, 0} }\n"
                  "local found = m:state_space { states = {cart.x, bob.x - cart.x, cart.vx, bob.vx - cart.vx},\n"
                  "                              inputs = {u} }\n"
                  "print(found)\n"
                  "print(mbs.lqr { A = found.A, B = found.B, Q = {10, 100, 1, 1}, R = {0.1} })",
       .see_also = {"linearize", "lqr", "equilibrium"},
       .function = guarded<state_space>},
  };
  return constructors;
}

}  // namespace perilune::lua
