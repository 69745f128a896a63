// SPDX-License-Identifier: MIT
#include "formulation/reduced/recursive_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace perilune::formulation {

void RecursivePoints::set_remark(const std::string& why) {
  remark_ = "joint_coordinates goes by coordinate_partitioning here: " + why +
            "; a script that names no formulation gets a faster one";
}

Recursion* RecursivePoints::tree(const double* q) {
  if (is_sought_) return tree_.get();
  is_sought_ = true;
  auto found = recursion_of(system_, data_, q);
  if (auto* tree = std::get_if<std::unique_ptr<Recursion>>(&found)) {
    tree_ = std::move(*tree);
    if (!choice_.empty()) tree_->set(choice_);
  } else {
    set_remark(std::get<std::string>(found));
  }
  return tree_.get();
}

void RecursivePoints::set_choice(const std::vector<int>& choice) {
  if (tree_) {
    tree_->set(choice);
  } else if (!is_sought_) {
    choice_ = choice;
  }
}

const system::Workspace& RecursivePoints::visited(Dynamics& dynamics) const {
  if (unvisited_) {
    const Node& x = *unvisited_;
    dynamics.evaluate(x.t, x.q, x.v, x.a, x.lambda);
    unvisited_.reset();
  }
  return dynamics.workspace();
}

bool RecursivePoints::find(const Node& x, Dynamics& dynamics, bool with_multipliers) {
  unvisited_.reset();
  with_multipliers = with_multipliers || !is_checked_;
  found_last_ = tree(x.q) && tree_->point(x, with_multipliers);
  if (!found_last_) return false;
  if (!with_multipliers) {
    std::fill_n(x.lambda, system_->constraint_count(), std::numeric_limits<double>::quiet_NaN());
  }
  unvisited_ = x;
  if (!is_checked_ && !satisfies_equations(x, dynamics)) {
    tree_.reset();
    set_remark("the recursion does not fulfil the system's own equations");
    forget();
    return false;
  }
  is_checked_ = true;
  return true;
}

bool RecursivePoints::linearize(const Node& at, Dynamics& dynamics, bool was_just_found) {
  if (!tree(at.q)) return false;
  if (was_just_found && found_last_) return tree_->linearize(at, true);
  // Recursions find the point anew, to rounding; what was found is others' to keep.
  const auto n = static_cast<std::size_t>(system_->coordinate_count());
  const auto m = static_cast<std::size_t>(system_->constraint_count());
  again_.resize(3 * n + m);
  std::copy_n(at.q, n, again_.data());
  std::copy_n(at.v, n, again_.data() + n);
  std::copy_n(at.a, n, again_.data() + 2 * n);
  std::copy_n(at.lambda, m, again_.data() + 3 * n);
  Node x = at;
  x.q = again_.data();
  x.v = x.u = x.q + n;
  x.a = x.v + n;
  x.lambda = x.a + n;
  if (!is_checked_ && !find(x, dynamics, true)) return false;
  return tree_->linearize(x, false);
}

bool RecursivePoints::satisfies_equations(const Node& x, Dynamics& dynamics) const {
  constexpr double allowed = 1e-8;  // relative: far above rounding, far below any mistake
  const system::Workspace& w = visited(dynamics);
  const auto n = static_cast<std::size_t>(system_->coordinate_count()),
             m = static_cast<std::size_t>(system_->constraint_count());
  std::vector<double> r(n + m);
  system_->residual(w, x.a, x.lambda, r.data());
  std::copy_n(w.phi_bias.data(), m, r.data() + n);
  system_->mn().multiply(w.jacobian.data(), x.a, r.data() + n);
  const auto largest = [](std::span<const double> list) {
    double size = 0;
    for (const double value : list) size = std::max(size, std::abs(value));
    return size;
  };
  // In balance accelerations are what rounding leaves of forces.
  std::vector<double> load(w.force.begin(), w.force.end());
  double by_load = 0;
  system_->mn().multiply_transposed(w.jacobian.data(), x.lambda, load.data());
  std::size_t entry = 0;
  system_->nn().for_each([&](int i, int j) {
    const double mass = w.mass[entry++], force = std::abs(w.force[static_cast<std::size_t>(i)]);
    if (i == j && mass > 0) by_load = std::max(by_load, (std::abs(load[static_cast<std::size_t>(i)]) + force) / mass);
  });
  const double pull = largest(w.force) + largest({x.lambda, m}),
               acceleration = largest({x.a, n}) + largest(w.phi_bias) + by_load, reach = largest({x.q, n}),
               speed = largest({x.v, n});
  return largest({r.data(), n}) <= allowed * pull && largest({r.data() + n, m}) <= allowed * acceleration &&
         largest(w.phi) <= allowed * reach && largest(w.phi_rate) <= allowed * speed;
}

}  // namespace perilune::formulation
