// SPDX-License-Identifier: MIT
#include "system/constraint_rank.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "error.hpp"

namespace perilune::system {

namespace {

// Constraints are solved to 1e-13 of the mechanism's size; what is left of a redundant row is of that order.
constexpr double dependent = 1e-9;
// A joint takes part in a redundancy when its share of the combination is more than rounding.
constexpr double share = 1e-6;

/// Makes angles comparable to lengths: an angle counts as the arc that it sweeps at the largest radius found.
std::vector<double> column_scales(const System& s, const Workspace& w) {
  double radius = 0;
  const auto& start = s.mn().row_start();
  const auto& column = s.mn().column();
  for (std::size_t row = 0; row + 1 < start.size(); ++row) {
    double length = 0, turn = 0;
    for (auto k = static_cast<std::size_t>(start[row]); k < static_cast<std::size_t>(start[row + 1]); ++k) {
      double& size = s.unit(column[k]) == "m" ? length : turn;
      size = std::max(size, std::abs(w.jacobian[k]));
    }
    // What angles, or lengths, add to a row may be rounding alone, as where they cancel.
    constexpr double rounding = 1e-9;  // m
    if (length > rounding * turn && turn > rounding * length) radius = std::max(radius, turn / length);
  }
  std::vector<double> scales(static_cast<std::size_t>(s.coordinate_count()), 1.0);
  for (int i = 0; radius > 0 && i < s.coordinate_count(); ++i) {
    if (s.unit(i) != "m") scales[static_cast<std::size_t>(i)] = 1 / radius;
  }
  return scales;
}

std::vector<double> row_lengths(const System& s, const Workspace& w, const std::vector<double>& scales) {
  std::vector<double> lengths(static_cast<std::size_t>(s.constraint_count()), 0.0);
  std::size_t k = 0;
  s.mn().for_each([&](int i, int j) {
    const double x = w.jacobian[k++] * scales[static_cast<std::size_t>(j)];
    lengths[static_cast<std::size_t>(i)] += x * x;
  });
  for (double& x : lengths) x = std::sqrt(x);
  return lengths;
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

ConstraintRank constraint_rank(const System& s, const Workspace& w) {
  ConstraintRank out;
  const std::vector<double> scales = column_scales(s, w);
  out.rows = linalg::row_rank(s.mn(), w.jacobian.data(), scales, dependent, s.velocity_rows());
  if (out.rows.weakest_row >= 0) out.weakest = s.constraint_name(out.rows.weakest_row);
  if (out.rows.dependent.empty()) return out;
  const std::vector<double> lengths = row_lengths(s, w, scales);
  for (const linalg::RowRank::Dependent& d : out.rows.dependent) {
    const std::string& joint = s.constraint_name(d.row);
    auto found =
        std::find_if(out.redundant.begin(), out.redundant.end(), [&](const Redundancy& r) { return r.joint == joint; });
    if (found == out.redundant.end()) found = out.redundant.insert(found, {joint, 0, {}});
    ++found->count;
    bool repeats_itself = false;
    for (const auto& [row, coefficient] : d.on) {
      const double size = std::abs(coefficient) * lengths[static_cast<std::size_t>(row)];
      if (s.is_internal_constraint(row) || size <= share * lengths[static_cast<std::size_t>(d.row)]) continue;
      repeats_itself = repeats_itself || s.constraint_name(row) == joint;
      if (s.constraint_name(row) != joint) add_name(found->with, s.constraint_name(row));
    }
    if (repeats_itself && found->with.empty()) found->with.push_back(joint);
  }
  return out;
}

// Tried at times and in states that have nothing special about them, as rest has, where friction vanishes whatever its
// load, and with loads small and large, as laws have thresholds.
std::vector<char> undetermined_rows(const linalg::RowRank& rank, std::size_t count) {
  std::vector<char> out(count, 0);
  for (const linalg::RowRank::Dependent& d : rank.dependent) {
    out[static_cast<std::size_t>(d.row)] = 1;
    for (const auto& [row, share] : d.on) {
      if (share != 0) out[static_cast<std::size_t>(row)] = 1;
    }
  }
  return out;
}

void require_determined_reads(const System& s, const Data& data, const std::vector<double>& q,
                              const linalg::RowRank& rank) {
  if (rank.dependent.empty() || s.nr().size() == 0) return;
  const auto n = static_cast<std::size_t>(s.coordinate_count()), m = static_cast<std::size_t>(s.constraint_count());
  Workspace w(s);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> v(n), a(n), lambda(m);
  double t = 0;
  const auto force = [&] {
    s.evaluate({t, q.data(), v.data(), a.data(), lambda.data()}, data, w);
    return std::vector<double>(w.force.begin(), w.force.end());
  };
  for (const linalg::RowRank::Dependent& d : rank.dependent) {
    for (int trial = 0; trial < 30; ++trial) {
      const double load = std::pow(10, trial % 6);
      t = 0.1 * std::pow(3, trial / 6) * (1.5 + any(random));
      for (std::vector<double>* numbers : {&v, &a, &lambda}) {
        for (double& x : *numbers) x = any(random) * (numbers == &lambda ? load : 1);
      }
      const std::vector<double> before = force();
      lambda[static_cast<std::size_t>(d.row)] += load;
      for (const auto& [row, share] : d.on) lambda[static_cast<std::size_t>(row)] -= share * load;
      const std::vector<double> after = force();
      for (std::size_t i = 0; i < n; ++i) {
        if (std::abs(after[i] - before[i]) <= 1e-9 * (load + std::abs(before[i]))) continue;
        throw NumericalError(
            "a force reads reactions of which redundant constraints leave some undetermined: those of " +
            s.describe_constraint(d.row) + " follow from others, and the force, as that of " + s.implicit_element() +
            ", would depend on how the load is shared; leave redundant constraints out of the model, "
            "or let the force read what is determined, such as the sum that two hinges carry");
      }
    }
  }
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + ("\"" + names[k] + "\"");
  }
  return text;
}

std::string describe(const std::vector<Redundancy>& redundant) {
  std::string text;
  for (std::size_t k = 0; k < redundant.size(); ++k) {
    const Redundancy& r = redundant[k];
    text += k == 0 ? "" : k + 1 == redundant.size() ? " and " : ", ";
    text += "\"" + r.joint + "\" (" + std::to_string(r.count) + (r.count == 1 ? " constraint" : " constraints");
    if (!r.with.empty()) {
      text += std::string(r.count == 1 ? " that follows from " : " that follow from ") + quoted_list(r.with);
    }
    text += ")";
  }
  return text;
}

}  // namespace perilune::system
