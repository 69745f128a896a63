// SPDX-License-Identifier: MIT
#include "sensitivity/limit_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "error.hpp"
#include "linalg/decompositions.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Return {
  VectorXd value;
  MatrixXd jacobian;
};

double residual_of(const VectorXd& x, const VectorXd& value) {
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(value[i] - x[i]) / std::max(1.0, std::abs(x[i])));
  }
  return largest;
}

/// Along a Newton step, as long as it comes nearer; nothing if it never does.
std::optional<std::pair<VectorXd, Return>> nearer(const VectorXd& x, const VectorXd& step, double residual,
                                                  const auto& evaluate) {
  for (double part = 1; part > 1e-3; part /= 2) {
    const VectorXd next = x + part * step;
    try {
      Return there = evaluate(next);
      if (residual_of(next, there.value) < residual) return std::pair(next, std::move(there));
    } catch (const NumericalError&) {  // the motion does not return from there
    }
  }
  return std::nullopt;
}

}  // namespace

LimitCycle find_limit_cycle(const Problem& problem, const std::vector<double>& parameters,
                            const std::vector<int>& over) {
  constexpr double converged = 1e-10;
  constexpr int most = 50;
  if (const std::string why_not = objection(problem, DiscreteDirect{}); !why_not.empty()) throw Error(why_not);
  const auto size = static_cast<Eigen::Index>(over.size());
  auto evaluate = [&](const VectorXd& x) {
    std::vector<double> rho = parameters;
    for (Eigen::Index i = 0; i < size; ++i) rho[static_cast<std::size_t>(over[static_cast<std::size_t>(i)])] = x[i];
    std::string unfinished;
    const Gradient g = problem.phases.empty() ? gradient(problem, rho, over, DiscreteDirect{})
                                              : direct_through_phases(problem, rho, over, &unfinished);
    if (!unfinished.empty()) {
      char text[120];
      std::snprintf(text, sizeof text, "\" has not ended by t = %.6g s, so that nothing returns; give a later t",
                    problem.end);
      throw NumericalError("phase \"" + unfinished + text);
    }
    Return out{Eigen::Map<const VectorXd>(g.values.data(), size), MatrixXd(size, size)};
    for (Eigen::Index i = 0; i < size; ++i) {
      out.jacobian.row(i) = Eigen::Map<const VectorXd>(g.derivatives[static_cast<std::size_t>(i)].data(), size);
    }
    return out;
  };
  VectorXd x(size);
  for (Eigen::Index i = 0; i < size; ++i)
    x[i] = parameters[static_cast<std::size_t>(over[static_cast<std::size_t>(i)])];
  Return at = evaluate(x);
  LimitCycle out;
  out.residual = residual_of(x, at.value);
  while (out.residual > converged && out.iterations < most) {
    const VectorXd step = (MatrixXd::Identity(size, size) - at.jacobian).fullPivLu().solve(at.value - x);
    auto next = nearer(x, step, out.residual, evaluate);
    if (!next) break;
    x = std::move(next->first);
    at = std::move(next->second);
    out.residual = residual_of(x, at.value);
    ++out.iterations;
  }
  if (!(out.residual <= converged)) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "no limit cycle was found: after %d steps of Newton's method the motion still returns %.3g off its "
                  "start; start nearer to it",
                  out.iterations, out.residual);
    throw NumericalError(text);
  }
  out.x.assign(x.data(), x.data() + size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) out.jacobian.push_back(at.jacobian(i, j));
  }
  const Eigen::VectorXcd eigenvalues = at.jacobian.eigenvalues();
  out.eigenvalues.assign(eigenvalues.data(), eigenvalues.data() + size);
  std::sort(out.eigenvalues.begin(), out.eigenvalues.end(), [](const auto& a, const auto& b) {
    const double difference = std::abs(a) - std::abs(b);
    return std::abs(difference) > 1e-12 ? difference > 0 : a.imag() > b.imag();
  });
  return out;
}

Gradient limit_cycle_gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& x,
                              const std::vector<int>& over, const Method& method) {
  constexpr double isolated = 1e-7;  // distance of an eigenvalue from 1
  std::vector<int> both = x;
  both.insert(both.end(), over.begin(), over.end());
  Gradient out = gradient(problem, parameters, both, method);
  const auto size = static_cast<Eigen::Index>(x.size()), rows = static_cast<Eigen::Index>(out.derivatives.size());
  MatrixXd slopes(rows, static_cast<Eigen::Index>(both.size()));
  for (Eigen::Index o = 0; o < rows; ++o) {
    slopes.row(o) = VectorXd::Map(out.derivatives[static_cast<std::size_t>(o)].data(), slopes.cols());
  }
  const MatrixXd jacobian = slopes.topLeftCorner(size, size);
  if ((jacobian.eigenvalues().array() - 1).abs().minCoeff() < isolated) {
    throw NumericalError(
        "the limit cycle has no derivatives: an eigenvalue of its return map is 1, so that others are as near to it as "
        "one likes");
  }
  const MatrixXd mu = (MatrixXd::Identity(size, size) - jacobian)
                          .transpose()
                          .fullPivLu()
                          .solve(slopes.bottomLeftCorner(rows - size, size).transpose());
  const MatrixXd total = slopes.bottomRightCorner(rows - size, slopes.cols() - size) +
                         mu.transpose() * slopes.topRightCorner(size, slopes.cols() - size);
  out.values.erase(out.values.begin(), out.values.begin() + size);
  out.derivatives.clear();
  for (Eigen::Index o = 0; o < total.rows(); ++o) {
    const VectorXd row = total.row(o);
    out.derivatives.emplace_back(row.data(), row.data() + row.size());
  }
  return out;
}

}  // namespace perilune::sensitivity
