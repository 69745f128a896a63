// SPDX-License-Identifier: MIT
#include "optimize/fit/fit_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "format/text.hpp"
#include "optimize/fit/distributions.hpp"
#include "optimize/variables.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double without_end = std::numeric_limits<double>::infinity();

void check_fit(const Fit& fit) {
  const Index n = fit.x.size(), m = fit.residuals.size();
  check_variables(fit.x, fit.lower, fit.upper);
  if (static_cast<Index>(fit.names.size()) != n)
    throw Error("The fit has " + std::to_string(n) + " variables but " + std::to_string(fit.names.size()) +
                " names; give one name per variable.");
  if (m == 0) throw Error("The fit has no residuals; give it at least one measured value.");
  if (fit.jacobian.rows() != m || fit.jacobian.cols() != n)
    throw Error("The fit has " + std::to_string(m) + " residuals and " + std::to_string(n) +
                " variables, but its Jacobian has " + std::to_string(fit.jacobian.rows()) + " rows and " +
                std::to_string(fit.jacobian.cols()) + " columns; write one row per residual, one column per variable.");
  if (!fit.residuals.allFinite() || !fit.jacobian.allFinite())
    throw Error("The residuals of the fit, or their Jacobian, are not finite; statistics need an answer.");
  check_loss(fit.loss);
}

// The magnitude of a variable in sentences about relative changes; where it is zero, how far it may move.
VectorXd sizes_of(const Fit& fit) {
  const VectorXd scales = variable_scales(fit.x, fit.lower, fit.upper);
  return fit.x.cwiseAbs().cwiseEqual(0).select(scales, fit.x.cwiseAbs());
}

Determined determined_by(double x, double lower, double upper) {
  if (lower == upper) return Determined::Fixed;
  if (x <= lower) return Determined::AtLowerBound;
  return x >= upper ? Determined::AtUpperBound : Determined::ByData;
}

bool is_at_bound(Determined how) { return how == Determined::AtLowerBound || how == Determined::AtUpperBound; }

// The variance that (J^T J)^-1 is to be multiplied with.
double variance_of(const Fit& fit, double degrees_of_freedom) {
  if (degrees_of_freedom <= 0) return unknown;
  if (fit.loss.kind == RobustLoss::Kind::None) return fit.residuals.squaredNorm() / degrees_of_freedom;
  double slopes = 0, curvatures = 0;
  for (const double residual : fit.residuals) {
    const double ratio = residual / fit.loss.scale, z = ratio * ratio;
    const LossValue rho = loss_value(fit.loss, z);
    const double slope = rho.first * residual;
    slopes += slope * slope;
    curvatures += rho.first + 2 * z * rho.second;
  }
  const double mean = curvatures / static_cast<double>(fit.residuals.size());
  return mean > 0 ? slopes / degrees_of_freedom / (mean * mean) : unknown;
}

VectorXd spread_out(const VectorXd& of_free, const std::vector<Index>& free, Index n) {
  VectorXd whole = VectorXd::Zero(n);
  for (std::size_t k = 0; k < free.size(); ++k) whole[free[k]] = of_free[static_cast<Index>(k)];
  return whole;
}

// Of the unit covariance, so that it exists for a perfect fit, too.
MatrixXd correlation_of(const std::vector<Index>& free, const FitStatistics& out, Index n) {
  MatrixXd correlation = MatrixXd::Identity(n, n);
  const MatrixXd& unit = out.directions.unit_covariance;
  for (Index a = 0; a < unit.rows(); ++a)
    for (Index b = 0; b < unit.rows(); ++b)
      if (a != b) correlation(free[a], free[b]) = unit(a, b) / std::sqrt(unit(a, a)) / std::sqrt(unit(b, b));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const bool is_known = out.determined[i] <= Determined::Fixed && out.determined[j] <= Determined::Fixed;
      if (i != j && !is_known) correlation(i, j) = unknown;
    }
  return correlation;
}

void set_errors(const Fit& fit, const std::vector<Index>& free, FitStatistics& out) {
  const Index n = fit.x.size();
  const double variance = out.deviation * out.deviation;
  out.covariance = MatrixXd::Zero(n, n);
  for (std::size_t a = 0; a < free.size(); ++a)
    for (std::size_t b = 0; b < free.size(); ++b)
      out.covariance(free[a], free[b]) =
          variance * out.directions.unit_covariance(static_cast<Index>(a), static_cast<Index>(b));
  out.standard_errors.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Determined how = out.determined[i];
    if (is_at_bound(how) || how == Determined::NotAtAll) {
      out.covariance.row(i).setConstant(unknown);
      out.covariance.col(i).setConstant(unknown);
      if (how == Determined::NotAtAll) out.covariance(i, i) = without_end;
    }
    out.standard_errors[i] = std::sqrt(out.covariance(i, i));
  }
  out.half_width = out.degrees_of_freedom > 0 ? student_t_half_width(fit.confidence, out.degrees_of_freedom) : unknown;
  out.lowest = fit.x - out.half_width * out.standard_errors;
  out.highest = fit.x + out.half_width * out.standard_errors;
  for (Index i = 0; i < n; ++i)
    if (out.determined[i] == Determined::Fixed) out.lowest[i] = out.highest[i] = fit.x[i];
}

// "raising mass by 1 % and lowering inertia by 1 %" for 1 * mass - 1 * inertia.
std::string as_changes(const VectorXd& coefficients, const std::vector<std::string>& names) {
  std::string text;
  for (Index i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    text += (text.empty() ? "" : " and ") + std::string(coefficients[i] > 0 ? "raising " : "lowering ") +
            names[static_cast<std::size_t>(i)] + " by " + format::significant(std::abs(coefficients[i]), 3) + " %";
  }
  return text;
}

// A variable near zero, as an offset, is told badly by its own size, and still well enough: its bounds say what it may
// be.
bool is_small_for_its_bounds(const Fit& fit, const Combination& weak, const FitStatistics& found) {
  constexpr double part = 0.5, little = 0.05;
  for (Index i = 0; i < weak.coefficients.size(); ++i) {
    if (std::abs(weak.coefficients[i]) < part) continue;
    if (!(found.standard_errors[i] <= little * (fit.upper[i] - fit.lower[i]))) return false;
    if (!std::isfinite(fit.upper[i] - fit.lower[i])) return false;
  }
  return true;
}

// What the data cannot tell, or hardly, once variables at their bounds are free, too: a bound settles it, not the data,
// and the errors of the others, which are conditional on it, look better than what is known.
void warn_of_settled(const Fit& fit, FitStatistics& out) {
  std::vector<Index> loose;
  std::vector<std::string> names;
  bool has_bound = false;
  for (Index i = 0; i < fit.x.size(); ++i) {
    if (out.determined[i] == Determined::Fixed) continue;
    has_bound = has_bound || is_at_bound(out.determined[i]);
    loose.push_back(i);
    names.push_back(fit.names[static_cast<std::size_t>(i)]);
  }
  if (!has_bound || fit.jacobian.rows() < static_cast<Index>(loose.size())) return;
  const VectorXd sizes = sizes_of(fit)(loose);
  const Identifiability found = identify(fit.jacobian(Eigen::all, loose), sizes, names, out.deviation);
  for (const auto* combinations : {&found.lost, &found.weak})
    for (const Combination& one : *combinations) {
      Index held = -1;
      bool has_other = false;
      for (std::size_t k = 0; k < loose.size(); ++k) {
        if (one.coefficients[static_cast<Index>(k)] == 0) continue;
        if (is_at_bound(out.determined[loose[k]])) {
          held = loose[k];
        } else {
          has_other = true;
        }
      }
      if (held < 0 || !has_other) continue;
      out.warnings.push_back(std::string("The data ") + (combinations == &found.lost ? "cannot" : "hardly") + " tell " +
                             one.text + " where " + fit.names[static_cast<std::size_t>(held)] +
                             " may leave its bound (relative singular value " +
                             format::significant(one.singular_value, 2) +
                             "): the bound settles it, and the +- of the others hold only while it stays there; fix a "
                             "variable of it, or measure what depends on it.");
    }
}

void warn(const Fit& fit, FitStatistics& out) {
  for (Index i = 0; i < fit.x.size(); ++i) {
    const Determined how = out.determined[i];
    if (!is_at_bound(how)) continue;
    const bool is_lower = how == Determined::AtLowerBound;
    out.warnings.push_back(fit.names[static_cast<std::size_t>(i)] + " is at its " + (is_lower ? "lower" : "upper") +
                           " bound " + format::significant(fit.x[i], 6) +
                           ": it has no standard error, and those of the others hold while it stays there; widen the "
                           "bound if it is not meant.");
  }
  warn_of_settled(fit, out);
  for (const Combination& lost : out.directions.lost)
    out.warnings.push_back("The data cannot tell " + lost.text + ": " + as_changes(lost.coefficients, fit.names) +
                           " changes no residual (relative singular value " +
                           format::significant(lost.singular_value, 2) +
                           "); fix a variable of it, or measure what depends on it.");
  for (const Combination& weak : out.directions.weak)
    out.warnings.push_back(
        "The data hardly tell " + weak.text + ": one standard error along it changes a variable by " +
        format::significant(100 * weak.reach, 3) + " % of its size (relative singular value " +
        format::significant(weak.singular_value, 2) + "); fix a variable of it, or measure what depends on it.");
  if (out.degrees_of_freedom == 0)
    out.warnings.push_back(
        "There are as many variables as residuals, so the scatter of the data is unknown and there "
        "are no standard errors; give more measured values.");
  else if (std::isnan(out.deviation))
    out.warnings.push_back(
        "Most residuals are beyond the scale of the robust loss, so there are no standard errors; "
        "raise the scale to the size of an ordinary residual.");
  for (const Whiteness& series : out.whiteness)
    if (!series.warning.empty()) out.warnings.push_back(series.warning);
}

}  // namespace

FitStatistics fit_statistics(const Fit& fit) {
  check_fit(fit);
  const Index n = fit.x.size();
  FitStatistics out;
  std::vector<Index> free;
  for (Index i = 0; i < n; ++i) {
    out.determined.push_back(determined_by(fit.x[i], fit.lower[i], fit.upper[i]));
    if (out.determined.back() == Determined::ByData) free.push_back(i);
  }
  const MatrixXd jacobian = fit.jacobian(Eigen::all, free);
  const VectorXd sizes = sizes_of(fit)(free);
  std::vector<std::string> names;
  for (const Index i : free) names.push_back(fit.names[static_cast<std::size_t>(i)]);

  // What is weak depends on the deviation, which depends on how many directions are lost.
  const std::size_t lost = identify(jacobian, sizes, names, unknown).lost.size();
  const auto told = static_cast<int>(free.size() - lost);
  out.degrees_of_freedom = static_cast<int>(fit.residuals.size()) - told;
  out.deviation = std::sqrt(variance_of(fit, out.degrees_of_freedom));
  out.directions = identify(jacobian, sizes, names, out.deviation);
  for (std::size_t k = 0; k < free.size(); ++k)
    if (out.directions.is_lost[k]) out.determined[free[k]] = Determined::NotAtAll;
  for (auto* combinations : {&out.directions.lost, &out.directions.weak})
    for (Combination& one : *combinations) one.coefficients = spread_out(one.coefficients, free, n);

  set_errors(fit, free, out);
  std::erase_if(out.directions.weak, [&](const Combination& one) { return is_small_for_its_bounds(fit, one, out); });
  out.correlation = correlation_of(free, out, n);
  if (!fit.series.empty()) out.whiteness = whiteness(fit.series, fit.residuals);
  warn(fit, out);
  return out;
}

}  // namespace perilune::optimize
