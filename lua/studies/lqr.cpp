// SPDX-License-Identifier: MIT
// Gains of state feedback.
#include "analysis/regulator/following_gains.hpp"

#include <algorithm>
#include <cstdio>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::Vector;

Vector read_rectangle(Args& args, const char* field, int rows, int& columns) {
  const std::vector<Vector> entries = args.rows(field);
  if (entries.empty() || entries[0].empty()) args.fail(std::string(field) + " is empty");
  columns = static_cast<int>(entries[0].size());
  if (rows == 0) rows = columns;  // a square
  if (static_cast<int>(entries.size()) != rows) {
    args.fail(std::string(field) + " must have " + std::to_string(rows) + " rows, got " +
              std::to_string(entries.size()));
  }
  Vector out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].size() != entries[0].size()) {
      args.fail(std::string(field) + ": row " + std::to_string(i + 1) + " has " + std::to_string(entries[i].size()) +
                " numbers, the first has " + std::to_string(columns));
    }
    out.insert(out.end(), entries[i].begin(), entries[i].end());
  }
  return out;
}

bool is_plain(const Vector& entries) {
  return std::all_of(entries.begin(), entries.end(), [](const expr::Symbol& x) { return x.is_number(); });
}

MatrixXd numbers_of(const Vector& entries, int rows, int columns) {
  MatrixXd out(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) out(i, j) = entries[static_cast<std::size_t>(i * columns + j)].number();
  }
  return out;
}

Vector symbols_of(const MatrixXd& M) {
  Vector out;
  for (Index i = 0; i < M.rows(); ++i) {
    for (Index j = 0; j < M.cols(); ++j) out.emplace_back(M(i, j));
  }
  return out;
}

void push_matrix(lua_State* L, const ModelPtr& model, const Vector& entries, int columns) {
  lua_newtable(L);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto column = static_cast<lua_Integer>(k) % columns;
    if (column == 0) lua_newtable(L);
    push_symbol(L, model, entries[k]);
    lua_rawseti(L, -2, column + 1);
    if (column + 1 == columns) lua_rawseti(L, -2, static_cast<lua_Integer>(k) / columns + 1);
  }
}

std::string text_of(const analysis::Regulator& found, bool follows) {
  std::string text = std::string("state feedback u = -K x, ") +
                     (follows ? "where the parameters were when it was designed, K =" : "K =");
  char number[80];
  for (Index i = 0; i < found.gain.rows(); ++i) {
    text += "\n ";
    for (Index j = 0; j < found.gain.cols(); ++j) {
      std::snprintf(number, sizeof number, " %13.6g", found.gain(i, j));
      text += number;
    }
  }
  std::snprintf(number, sizeof number, "\nslowest eigenvalue %.6g 1/s", found.eigenvalues.front().real());
  return text + number;
}

int lqr(lua_State* L) {
  Args args(L);
  analysis::RegulatorEntries given;
  given.A = read_rectangle(args, "A", 0, given.states);
  given.B = read_rectangle(args, "B", given.states, given.inputs);
  const int n = given.states, m = given.inputs;
  given.Q = args.matrix("Q", static_cast<std::size_t>(n));
  given.R = args.matrix("R", static_cast<std::size_t>(m));
  args.check_all_read();
  analysis::FollowingGains gains;
  const bool follows = !is_plain(given.A) || !is_plain(given.B) || !is_plain(given.Q) || !is_plain(given.R);
  try {
    if (!follows) {
      gains.now = analysis::lqr(numbers_of(given.A, n, n), numbers_of(given.B, n, m), numbers_of(given.Q, n, n),
                                numbers_of(given.R, m, m));
      gains.gain = symbols_of(gains.now.gain);
      gains.riccati = symbols_of(gains.now.riccati);
    } else {
      gains = analysis::following_gains(*args.model()->engine, "mbs.lqr", given);
    }
  } catch (const NumericalError&) {
    throw;
  } catch (const Error& error) {
    args.fail(error.what());
  }
  const analysis::Regulator& found = gains.now;
  lua_newtable(L);
  push_matrix(L, args.model(), gains.gain, n);
  lua_setfield(L, -2, "gain");
  push_matrix(L, args.model(), gains.riccati, n);
  lua_setfield(L, -2, "riccati");
  set_number(L, "residual", found.residual);
  lua_createtable(L, static_cast<int>(found.eigenvalues.size()), 0);
  for (std::size_t k = 0; k < found.eigenvalues.size(); ++k) {
    lua_newtable(L);
    set_number(L, "real", found.eigenvalues[k].real());
    set_number(L, "imaginary", found.eigenvalues[k].imag());
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "eigenvalues");
  set_text(L, "text", text_of(found, follows));
  print_as_text(L, "perilune.regulator");
  return 1;
}

}  // namespace

std::span<const Constructor> lqr_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.lqr",
       .object = "lqr",
       .returns = "table",
       .summary = "Gains of state feedback: u = -K x for x' = A x + B u, so that the integral of x^T Q x + u^T R u is\n"
                  "least. Returns a table that prints: gain (the rows of K), riccati (the rows of P; the least\n"
                  "integral is x^T P x), eigenvalues of A - B K (real, imaginary), residual (of the Riccati equation,\n"
                  "relative to its terms). Refused where an input is missing to stabilize all motions. Entries may be\n"
                  "expressions of parameters: gain and riccati are expressions then, which follow the parameters with\n"
                  "exact derivatives, so that weights and masses can be designed together; the rest is of the present\n"
                  "values. Runs refuse parameters too far from these for the gains to follow; a gain's value does not.",
       .fields =
           {{.name = "A", .type = Type::Rows, .text = "its rows, n of n numbers", .unit = "1/s", .required = true},
            {.name = "B",
             .type = Type::Rows,
             .text = "its rows, n of as many numbers as there are inputs",
             .unit = "yours",
             .required = true},
            {.name = "Q", .type = Type::Matrix, .text = "weights of states", .unit = "yours", .required = true},
            {.name = "R", .type = Type::Matrix, .text = "weights of inputs", .unit = "yours", .required = true}},
       .equations = "A^T P + P A - P B R^-1 B^T P + Q = 0, K = R^-1 B^T P, by the stable invariant subspace of the\n"
                    "Hamiltonian matrix (Laub, IEEE Trans. Automatic Control 24, 1979); with parameters by its sign\n"
                    "(Roberts, Int. J. Control 32, 1980)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 2 }\n"
                  "local found = mbs.lqr { A = {{0, 1}, {0, 0}}, B = {{0}, {1 / 2}}, Q = {100, 1}, R = {1} }\n"
                  "local K = found.gain[1]\n"
                  "m:force { on = P, law = function(s) return -K[1] * s.x - K[2] * s.vx, 0 end }\n"
                  "print(found)",
       .see_also = {"state_space", "linearize", "pid", "state"},
       .function = guarded<lqr>},
  };
  return constructors;
}

}  // namespace perilune::lua
