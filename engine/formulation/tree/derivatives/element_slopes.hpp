// SPDX-License-Identifier: MIT
// Some elements of a system with arrays of their own for their derivatives: dense blocks, element by element, of
// R = M a + Phi_q^T lambda - Q and of constraints. So the rest of a system need not be linearized.
#pragma once
#include <memory>
#include <vector>

#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class ElementSlopes {
 public:
  /// All of these; `n`: coordinates of the system.
  ElementSlopes(const system::System& system, const system::Elements& elements);
  /// One of these.
  ElementSlopes(const system::System& system, const system::Elements& elements, int element);

  /// Whether it depends on any datum that the system differentiates by.
  static bool is_active(const system::Elements& elements, int element);

  /// Phi_q of constraints on positions.
  void evaluate(const Node& x, const system::Data& data);
  /// All derivatives, for any a and lambda in x.
  void linearize(const Node& x, const system::Data& data);

  /// z -= [R_q R_v R_d]^T w of what was linearized; z stacks q, v (n each) and data, w has n numbers.
  void subtract_transposed(const double* w, double* z) const;
  /// out -= R_q dq + R_v dv + R_d dd for `count` directions that stand side by side, stacked in z; n rows.
  void subtract_product(const double* z, int count, double* out) const;

  int nq() const { return nq_; }
  int nc() const { return nc_; }
  int nd() const { return nd_; }
  int coordinate(int i) const { return batch_.coordinates[static_cast<std::size_t>(i)]; }
  int multiplier(int row) const { return batch_.multipliers[static_cast<std::size_t>(row)]; }
  int datum(int j) const { return datum_[static_cast<std::size_t>(j)]; }
  // Of the first element, row by row.
  const double* jacobian(int row) const { return jacobian_.data() + row * nq_; }
  const double* jacobian_rate(int row) const { return jacobian_rate_.data() + row * nq_; }
  const double* jacobian_acceleration(int row) const { return jacobian_acceleration_.data() + row * nq_; }
  const double* stiffness(int i) const { return stiffness_.data() + i * nq_; }
  const double* residual_data(int i) const { return residual_data_.data() + i * nd_; }
  const double* phi_data(int row) const { return phi_data_.data() + row * nd_; }
  const double* phi_rate_data(int row) const { return phi_rate_data_.data() + row * nd_; }
  const double* phi_acceleration_data(int row) const { return phi_acceleration_data_.data() + row * nd_; }

 private:
  void make_room(const system::System& system);
  model::Kinematics at(const Node& x) const { return {x.t, x.q, x.v, x.a, x.lambda, nullptr, nullptr}; }

  std::shared_ptr<const model::Kernel> kernel_;
  model::Batch batch_, of_values_;  // the latter with multipliers of its own
  std::vector<int> datum_;
  int n_, nq_, nc_, nd_;
  bool has_data_ = false, has_damping_ = false;
  std::vector<double> stiffness_, damping_, residual_data_;
  std::vector<double> jacobian_, jacobian_rate_, jacobian_acceleration_, phi_data_, phi_rate_data_,
      phi_acceleration_data_, values_, scratch_;
  model::Blocks blocks_;
};

}  // namespace perilune::formulation
