// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/carried_numbers.hpp"

#include <algorithm>

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// Of node j in the k-th backward difference, and the other way round: this matrix is its own inverse.
double weight(std::size_t k, std::size_t j) {
  double out = 1;
  for (std::size_t i = 0; i < j; ++i) out *= -static_cast<double>(k - i) / static_cast<double>(i + 1);
  return out;
}

}  // namespace

CarriedNumbers::Point::Point(const RecordedMotion& motion, const Carried::Block& of_q,
                             const std::optional<Carried::Block>& of_v)
    : q(of_q), v(of_v), linearized(motion.problem, motion.run), partition(linearized) {
  linearized.hold(motion.run.solution.steps.steps[q.mesh_point - 1].sides);
  linearized.at_mesh(q.mesh_point);
  partition.choose();
}

CarriedNumbers::CarriedNumbers(const RecordedMotion& motion, const Carried& carried) {
  const auto n = static_cast<Index>(motion.problem.system->coordinate_count()),
             m = static_cast<Index>(motion.problem.system->constraint_count());
  const std::vector<Carried::Block>& blocks = carried.blocks;
  for (std::size_t k = blocks.size(); k-- > 0;) {
    const bool is_state = k > 0 && blocks[k].what == What::Velocity && blocks[k - 1].what == What::Position &&
                          blocks[k].node == blocks[k - 1].node;
    const bool is_mesh = blocks[k].mesh_point > 0;
    if (motion.kept == Kept::Both && is_state && is_mesh) {
      points_.emplace_back(motion, blocks[k - 1], blocks[k]);
      --k;
    } else if (motion.kept != Kept::Nothing && blocks[k].what == What::Position && is_mesh) {
      points_.emplace_back(motion, blocks[k], std::nullopt);
    } else {
      History& history = histories_[blocks[k].what];
      history.size = blocks[k].what == What::Multiplier ? m : n;
      history.blocks.push_back(blocks[k]);
    }
  }
  for (const Point& point : points_) count_ += point.size();
  for (const auto& [what, of] : histories_) count_ += of.size * static_cast<Index>(of.blocks.size());
}

void CarriedNumbers::set(Backward& backward, std::size_t o, const VectorXd& numbers) const {
  Index at = 0;
  for (const Point& point : points_) {
    const Index d = point.partition.freedoms();
    for (Index first = 0; first < point.size(); first += d) {
      const VectorXd y = point.partition.spread(numbers.segment(at + first, d));
      std::copy(y.begin(), y.end(), backward.numbers_of(o, first == 0 ? point.q : *point.v));
    }
    at += point.size();
  }
  for (const auto& [what, of] : histories_) {
    for (std::size_t k = 0; k < of.blocks.size(); ++k, at += of.size) {
      for (std::size_t j = 0; j <= k; ++j) {
        double* y = backward.numbers_of(o, of.blocks[j]);
        for (Index i = 0; i < of.size; ++i) y[i] += weight(k, j) * numbers[at + i];
      }
    }
  }
  backward.wake(o);
}

VectorXd CarriedNumbers::take(Backward& backward, std::size_t o, double* data) const {
  VectorXd out = VectorXd::Zero(count_);
  Index at = 0;
  for (const Point& point : points_) {
    const VectorXd none = VectorXd::Zero(static_cast<Index>(point.partition.coordinates()));
    double *q = backward.numbers_of(o, point.q), *v = point.v ? backward.numbers_of(o, *point.v) : nullptr;
    out.segment(at, point.size()) = point.partition.reduce(q, v ? v : none.data(), data).head(point.size());
    std::fill_n(q, none.size(), 0.0);
    if (v) std::fill_n(v, none.size(), 0.0);
    at += point.size();
  }
  for (const auto& [what, of] : histories_) {
    for (std::size_t j = 0; j < of.blocks.size(); ++j) {
      double* numbers = backward.numbers_of(o, of.blocks[j]);
      const Eigen::Map<const VectorXd> y(numbers, of.size);
      for (std::size_t k = 0; k <= j; ++k) {
        out.segment(at + static_cast<Index>(k) * of.size, of.size) += weight(j, k) * y;
      }
      std::fill_n(numbers, of.size, 0.0);
    }
    at += of.size * static_cast<Index>(of.blocks.size());
  }
  return out;
}

template <class Visit>
void CarriedNumbers::visit_blocks(const Visit& visit) const {
  for (const Point& point : points_) {
    const auto n = static_cast<Index>(point.partition.coordinates());
    visit(point.q, n);
    if (point.v) visit(*point.v, n);
  }
  for (const auto& [what, of] : histories_) {
    for (const Carried::Block& block : of.blocks) visit(block, of.size);
  }
}

VectorXd CarriedNumbers::whole(Backward& backward, std::size_t o) const {
  Index size = 0, at = 0;
  visit_blocks([&](const Carried::Block&, Index count) { size += count; });
  VectorXd out(size);
  visit_blocks([&](const Carried::Block& block, Index count) {
    out.segment(at, count) = Eigen::Map<const VectorXd>(backward.numbers_of(o, block), count);
    at += count;
  });
  return out;
}

void CarriedNumbers::set_whole(Backward& backward, std::size_t o, const VectorXd& whole) const {
  Index at = 0;
  visit_blocks([&](const Carried::Block& block, Index count) {
    std::copy_n(whole.data() + at, count, backward.numbers_of(o, block));
    at += count;
  });
  backward.wake(o);
}

}  // namespace perilune::sensitivity
