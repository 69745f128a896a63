// SPDX-License-Identifier: MIT
#include "formulation/tree/drive.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/decompositions.hpp"
#include "model/joint/relation.hpp"

namespace perilune::formulation {

bool Drive::is_one(const system::Elements& elements) {
  return dynamic_cast<const model::RelationKernel*>(elements.kernel.get()) != nullptr && elements.batch.count == 1;
}

Drive::Drive(const system::Elements& elements)
    : kernel_(elements.kernel),
      batch_(elements.batch),
      multiplier_(batch_.multipliers.front()),
      slopes_(batch_.coordinates.size()),
      scratch_(kernel_->scratch_size()) {
  batch_.multipliers = {0};
  batch_.mn.resize(slopes_.size());
  for (std::size_t i = 0; i < slopes_.size(); ++i) batch_.mn[i] = static_cast<int>(i);
}

void Drive::evaluate(double t, const double* q, const double* v, const system::Data& data) {
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  model::Blocks blocks;
  blocks.phi = &value_;
  blocks.phi_rate = &rate_;
  blocks.phi_bias = &bias_;
  blocks.jacobian = slopes_.data();
  blocks.scratch = scratch_.data();
  kernel_->evaluate(batch_, {t, q, v, nullptr, nullptr}, data.packed.data(), blocks);
}

bool Drive::is_relative(std::span<const int> bodies, bool is_planar, const double* q, std::size_t n,
                        const system::Data& data) {
  using Eigen::Quaterniond, Eigen::Vector3d;
  constexpr double rounding = 1e-9;
  const std::vector<double> still(n, 0.0);
  std::vector<double> here(q, q + n), there;
  const int count = is_planar ? 3 : 7;
  for (int trial = 0; trial < 4; ++trial) {
    // Another relative position each time: what holds at these holds everywhere.
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (int i = 0; i < count; ++i) {
        here[static_cast<std::size_t>(bodies[b] + i)] +=
            trial == 0 ? 0 : 0.1 * std::sin(1.7 * trial + 2.3 * static_cast<double>(b) + 0.9 * i);
      }
    }
    there = here;
    const double angle = 0.7 + 0.4 * trial, c = std::cos(angle), s = std::sin(angle);
    const Quaterniond turn(c, 0.6 * s, 0.48 * s, 0.64 * s);
    for (const int body : bodies) {
      double* x = there.data() + body;
      if (is_planar) {
        const double x0 = c * x[0] - s * x[1] + 0.31, y0 = s * x[0] + c * x[1] - 0.77;
        x[0] = x0;
        x[1] = y0;
        x[2] += angle;
        continue;
      }
      const Vector3d r = turn * Vector3d(x[0], x[1], x[2]) + Vector3d(0.31, -0.77, 0.53);
      const Quaterniond p = turn * Quaterniond(x[3], x[4], x[5], x[6]);
      std::copy_n(r.data(), 3, x);
      x[3] = p.w();
      x[4] = p.x();
      x[5] = p.y();
      x[6] = p.z();
    }
    double reach = 1;
    for (const int body : bodies) {
      for (int i = 0; i < count; ++i) reach = std::max(reach, std::abs(here[static_cast<std::size_t>(body + i)]));
    }
    const double t = 0.3 * trial;
    evaluate(t, here.data(), still.data(), data);
    const double before = value_;
    evaluate(t, there.data(), still.data(), data);
    if (!(std::abs(value_ - before) <= rounding * (reach + std::abs(before)))) return false;
  }
  return true;
}

bool DriveStep::is_small(double q, double v, int corrections) const {
  const double rounding = corrections < 3 ? 1e-14 : 1e-10;
  return std::abs(position) <= rounding * (1 + std::abs(q)) && std::abs(velocity) <= rounding * (1 + std::abs(v));
}

}  // namespace perilune::formulation
