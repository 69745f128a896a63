// SPDX-License-Identifier: MIT
// Gains of state feedback.
#include "analysis/lqr.hpp"

#include <cstdio>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

double plain_entry(const Args& args, const char* field, const expr::Symbol& x) {
  if (x.is_number()) return x.number();
  args.fail(std::string(field) + " must have plain numbers; the gains do not follow parameters, take their .value");
}

MatrixXd read_rectangle(Args& args, const char* field, Index rows) {
  const std::vector<model::Vector> entries = args.rows(field);
  if (entries.empty() || entries[0].empty()) args.fail(std::string(field) + " is empty");
  const auto columns = static_cast<Index>(entries[0].size());
  if (rows == 0) rows = columns;  // a square
  if (static_cast<Index>(entries.size()) != rows) {
    args.fail(std::string(field) + " must have " + std::to_string(rows) + " rows, got " +
              std::to_string(entries.size()));
  }
  MatrixXd out(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    const model::Vector& row = entries[static_cast<std::size_t>(i)];
    if (static_cast<Index>(row.size()) != columns) {
      args.fail(std::string(field) + ": row " + std::to_string(i + 1) + " has " + std::to_string(row.size()) +
                " numbers, the first has " + std::to_string(columns));
    }
    for (Index j = 0; j < columns; ++j) out(i, j) = plain_entry(args, field, row[static_cast<std::size_t>(j)]);
  }
  return out;
}

MatrixXd read_square(Args& args, const char* field, Index size) {
  const model::Vector entries = args.matrix(field, static_cast<std::size_t>(size));
  MatrixXd out(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      out(i, j) = plain_entry(args, field, entries[static_cast<std::size_t>(i * size + j)]);
    }
  }
  return out;
}

std::string text_of(const analysis::Regulator& found) {
  std::string text = "state feedback u = -K x, K =";
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
  const MatrixXd A = read_rectangle(args, "A", 0), B = read_rectangle(args, "B", A.rows());
  const MatrixXd Q = read_square(args, "Q", A.rows()), R = read_square(args, "R", B.cols());
  args.check_all_read();
  analysis::Regulator found;
  try {
    found = analysis::lqr(A, B, Q, R);
  } catch (const NumericalError&) {
    throw;
  } catch (const Error& error) {
    args.fail(error.what());
  }
  lua_newtable(L);
  push_rows(L, found.gain);
  lua_setfield(L, -2, "gain");
  push_rows(L, found.riccati);
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
  set_text(L, "text", text_of(found));
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
                  "relative to its terms). Refused where an input is missing to stabilize all motions.",
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
                    "Hamiltonian matrix (Laub, IEEE Trans. Automatic Control 24, 1979)",
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
