// SPDX-License-Identifier: MIT
#include "formulation/tree/tree_choice.hpp"

#include <algorithm>
#include <cmath>

#include "model/body/spatial_body.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::Vector4d;
using Joint = Link::Joint;
using TwoColumns = Eigen::Matrix<double, 4, 2>;

/// As in ReducedMotion: a dependent coordinate that moves this many times as fast as an independent one is reason to
/// choose anew.
constexpr double largest_good_slope = 1.5;

/// The place of the largest of so many numbers.
int largest(const double* x, int count) {
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<int>(std::max_element(x, x + count, by_size) - x);
}

bool is_good(const double* x, int count, int chosen) {
  return std::abs(x[largest(x, count)]) <= largest_good_slope * std::abs(x[chosen]);
}

double determinant(const TwoColumns& t, int i, int j) { return t(i, 0) * t(j, 1) - t(i, 1) * t(j, 0); }

/// The pair of rows by which all others are at most once as fast.
std::array<int, 2> best_rows(const TwoColumns& t) {
  std::array<int, 2> best{0, 1};
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      if (std::abs(determinant(t, i, j)) > std::abs(determinant(t, best[0], best[1]))) best = {i, j};
    }
  }
  return best;
}

/// Rows by these two come to quotients of determinants.
bool are_good_rows(const TwoColumns& t, const std::array<int, 2>& rows) {
  const double least = std::abs(determinant(t, rows[0], rows[1])) * largest_good_slope;
  for (int k = 0; k < 4; ++k) {
    if (k == rows[0] || k == rows[1]) continue;
    if (!(std::abs(determinant(t, k, rows[0])) <= least && std::abs(determinant(t, k, rows[1])) <= least)) return false;
  }
  return true;
}

Matrix3d axes_of(const double* p) {
  double A[9];
  model::rotation_matrix(p, A);
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A);
}

}  // namespace

Vector4d parameter_rates(const double* p, const Matrix3d& A, const Vector3d& axis) {
  const Vector3d own = A.transpose() * axis;
  Vector4d rates;
  model::EulerRates::times_G_transposed(p, own.data(), rates.data());
  return 0.5 * rates;
}

std::vector<int> proposed_coordinates(const JointTree& tree) {
  std::vector<int> out;
  const auto add = [&](int first, int count) {
    for (int i = first; i < first + count; ++i) out.push_back(i);
  };
  for (const Link& link : tree.links) {
    if (link.joint == Joint::Free || link.slides() || link.joint == Joint::Table) add(link.body, 3);
    if (link.keeps_parameters() || link.turns_by_parameters()) add(link.body + 3, 4);
    if (link.turns()) out.push_back(link.angle);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool complete_parameters(double* p, double* rate, int left_out) {
  double rest = 1, product = 0;
  for (int i = 0; i < 4; ++i) {
    if (i == left_out) continue;
    rest -= p[i] * p[i];
    product += p[i] * rate[i];
  }
  if (!(rest > 0)) return false;
  p[left_out] = std::copysign(std::sqrt(rest), p[left_out]);
  rate[left_out] = -product / p[left_out];
  return true;
}

TreeChoice::TreeChoice(const JointTree& tree) : tree_(&tree), chosen_(tree.links.size()) {}

Vector3d TreeChoice::in_space(const Link& link, const Vector3d& on_parent, const double* q) const {
  if (link.parent == Link::ground) return on_parent;
  return axes_of(q + tree_->links[static_cast<std::size_t>(link.parent)].body + 3) * on_parent;
}

Vector4d TreeChoice::by_axis(const Link& link, const double* q) const {
  const double* p = q + link.body + 3;
  return parameter_rates(p, axes_of(p), in_space(link, link.axis, q));
}

TwoColumns TreeChoice::by_axes(const Link& link, const double* q) const {
  const double* p = q + link.body + 3;
  TwoColumns out;
  out << by_axis(link, q), parameter_rates(p, Matrix3d::Identity(), link.own_axis);
  return out;
}

std::vector<int> TreeChoice::choose(const double* q) const {
  std::vector<int> out;
  for (const Link& link : tree_->links) {
    const int r = link.body, p = link.body + 3;
    if (link.turns_freely()) out.push_back(link.angle);
    if (link.slides_freely()) out.push_back(r + largest(in_space(link, link.along, q).data(), 3));
    if (link.joint == Joint::Free) out.insert(out.end(), {r, r + 1, r + 2});
    if (link.joint == Joint::Cross) {
      for (const int i : best_rows(by_axes(link, q))) out.push_back(p + i);
    }
    if (link.joint == Joint::Table) {
      out.push_back(p + largest(by_axis(link, q).data(), 4));
      const int without = largest(in_space(link, link.along, q).data(), 3);
      for (int i = 0; i < 3; ++i) {
        if (i != without) out.push_back(r + i);
      }
    }
    if (!link.keeps_parameters()) continue;
    const int without = largest(q + p, 4);
    for (int i = 0; i < 4; ++i) {
      if (i != without) out.push_back(p + i);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool TreeChoice::serves(const double* q) const {
  for (std::size_t k = 0; k < tree_->links.size(); ++k) {
    const Link& link = tree_->links[k];
    const auto& [parameters, component] = chosen_[k];
    if (link.keeps_parameters() && !is_good(q + link.body + 3, 4, parameters[0])) return false;
    if (link.joint == Joint::Cross && !are_good_rows(by_axes(link, q), parameters)) return false;
    if (link.joint == Joint::Table && !is_good(by_axis(link, q).data(), 4, parameters[0])) return false;
    if ((link.slides_freely() || link.joint == Joint::Table) &&
        !is_good(in_space(link, link.along, q).data(), 3, component))
      return false;
  }
  return true;
}

void TreeChoice::set(const std::vector<int>& independent) {
  for (std::size_t k = 0; k < tree_->links.size(); ++k) {
    const Link& link = tree_->links[k];
    Chosen& own = chosen_[k];
    const auto is_independent = [&](int i) { return std::binary_search(independent.begin(), independent.end(), i); };
    std::size_t count = 0;
    for (int i = 0; i < 4 && (link.keeps_parameters() || link.turns_by_parameters()); ++i) {
      if (is_independent(link.body + 3 + i) == link.turns_by_parameters()) own.parameters[count++] = i;
    }
    for (int i = 0; i < 3 && (link.slides_freely() || link.joint == Joint::Table); ++i) {
      if (is_independent(link.body + i) == link.slides_freely()) own.component = i;
    }
  }
}

}  // namespace perilune::formulation
