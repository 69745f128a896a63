// SPDX-License-Identifier: MIT
// Keeps the nodes of a run, to visit them again in reverse.
#pragma once
#include <span>
#include <vector>

#include "blocks.hpp"
#include "integrator/march.hpp"

namespace perilune::sensitivity {

class NodeRecord final : public integrator::StepListener {
 public:
  /// Whether whoever visits the nodes reads their multipliers, beside derivatives that need them.
  enum class Multipliers { Read, Unread };
  explicit NodeRecord(const formulation::Motion& motion, Multipliers multipliers = Multipliers::Read);

  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override { current_factors_.clear(); }
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  bool differentiates() const override { return true; }
  bool reads_multipliers() const override {
    return multipliers_ == Multipliers::Read || !motion_.differentiates_without_multipliers();
  }

  /// Node 0 of a record that begins in the middle of a run.
  void begin_with(const formulation::Node& x);
  /// Forgets all nodes; the next one is number `first`.
  void restart(std::size_t first);
  /// Nodes kept.
  std::size_t size() const { return factor_of_.size(); }
  /// Nodes are numbered through: the initial point is 0, its copies are left out.
  formulation::Node node(std::size_t index);
  /// Factorization of a point, where it was kept.
  std::span<const double> factor(std::size_t index) const;

 private:
  static constexpr std::size_t most_factor_numbers = 32'000'000;  // 256 MB
  void append(const formulation::Node& x);

  const formulation::Motion& motion_;
  Multipliers multipliers_;
  std::size_t n_, m_, node_size_;
  std::size_t first_ = 0;  // number of the first node kept
  Blocks<double> nodes_;   // time, numbers
  Stretches<double> factors_;
  Blocks<std::span<const double>> factor_of_;
  std::vector<double> current_factors_;
  std::vector<std::size_t> current_ends_;
};

}  // namespace perilune::sensitivity
