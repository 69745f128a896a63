// SPDX-License-Identifier: MIT
// The mass matrix alone at points where nothing else of the system is asked for: evaluating all clears and copies the
// arrays of forces, constraints and their patterns, which costs more than the masses.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "system/system.hpp"

namespace perilune::system {

class Masses {
 public:
  Masses(const System& system, const Data& data)
      : slots_(system.mass().slots()),
        mass_(data.constant.begin(), data.constant.begin() + static_cast<std::ptrdiff_t>(system.nn().size())),
        force_(static_cast<std::size_t>(system.coordinate_count()), 0.0),
        scratch_(system.scratch_size()) {
    for (const int slot : slots_) constant_.push_back(mass_[static_cast<std::size_t>(slot)]);
    for (Elements& each : system.elements()) {
      if (each.kernel->has_mass() && !each.kernel->is_constant()) elements_.push_back(std::move(each));
    }
    blocks_.mass = mass_.data();
    blocks_.force = force_.data();  // which nobody reads
    blocks_.scratch = scratch_.data();
  }
  Masses(const Masses&) = delete;
  Masses& operator=(const Masses&) = delete;

  /// By the pattern System::nn(), of the data that it was made with.
  std::span<const double> operator()(double t, const double* q, const double* v, const Data& data) {
    for (std::size_t k = 0; k < slots_.size(); ++k) mass_[static_cast<std::size_t>(slots_[k])] = constant_[k];
    for (const Elements& each : elements_) {
      each.kernel->evaluate(each.batch, {t, q, v, nullptr, nullptr}, data.packed.data(), blocks_);
    }
    return mass_;
  }

 private:
  const std::vector<int>& slots_;  // the system's
  std::vector<double> mass_, constant_, force_, scratch_;
  std::vector<Elements> elements_;
  model::Blocks blocks_;
};

}  // namespace perilune::system
