// SPDX-License-Identifier: MIT
#include "formulation/tree/tree_choice.hpp"

#include <algorithm>
#include <cmath>

#include "model/place/place.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Vector3d;
using Joint = Link::Joint;

/// As in ReducedMotion: a dependent coordinate that moves this many times as fast as an independent one is reason to
/// choose anew.
constexpr double largest_good_slope = 1.5;

/// The place of the largest of so many numbers.
int largest(const double* x, int count) {
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<int>(std::max_element(x, x + count, by_size) - x);
}

}  // namespace

TreeChoice::TreeChoice(const JointTree& tree) : tree_(&tree), chosen_(tree.links.size(), 0) {}

Vector3d TreeChoice::along(const Link& link, const double* q) const {
  if (link.parent == Link::ground) return link.along;
  double A[9];
  model::rotation_matrix(q + tree_->links[static_cast<std::size_t>(link.parent)].body + 3, A);
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A) * link.along;
}

std::vector<int> TreeChoice::choose(const double* q) const {
  std::vector<int> out;
  for (const Link& link : tree_->links) {
    if (link.turns()) out.push_back(link.angle);
    if (link.slides()) out.push_back(link.body + largest(along(link, q).data(), 3));
    if (link.joint == Joint::Free) out.insert(out.end(), {link.body, link.body + 1, link.body + 2});
    if (!link.keeps_parameters()) continue;
    const int without = largest(q + link.body + 3, 4);
    for (int i = 0; i < 4; ++i) {
      if (i != without) out.push_back(link.body + 3 + i);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool TreeChoice::serves(const double* q) const {
  const auto is_good = [](const double* x, int count, int chosen) {
    return std::abs(x[largest(x, count)]) <= largest_good_slope * std::abs(x[chosen]);
  };
  for (std::size_t k = 0; k < tree_->links.size(); ++k) {
    const Link& link = tree_->links[k];
    if (link.keeps_parameters() && !is_good(q + link.body + 3, 4, chosen_[k])) return false;
    if (link.slides() && !is_good(along(link, q).data(), 3, chosen_[k])) return false;
  }
  return true;
}

void TreeChoice::set(const std::vector<int>& independent) {
  for (std::size_t k = 0; k < tree_->links.size(); ++k) {
    const Link& link = tree_->links[k];
    const auto is_independent = [&](int i) { return std::binary_search(independent.begin(), independent.end(), i); };
    for (int i = 0; i < 4 && link.keeps_parameters(); ++i) {
      if (!is_independent(link.body + 3 + i)) chosen_[k] = i;
    }
    for (int i = 0; i < 3 && link.slides(); ++i) {
      if (is_independent(link.body + i)) chosen_[k] = i;
    }
  }
}

}  // namespace perilune::formulation
