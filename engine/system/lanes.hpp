// SPDX-License-Identifier: MIT
// What System::evaluate_metric gives, for several sets of data and states at once, one in each lane: with the bits that
// it has for each alone.
#pragma once
#include <memory>
#include <vector>

#include "expr/lane_array.hpp"
#include "model/element/lane_elements.hpp"
#include "system/system.hpp"

namespace perilune::system {

class SystemLanes {
 public:
  /// With so many rows more for the caller, behind the others.
  SystemLanes(std::shared_ptr<const System> system, std::size_t more_rows);

  /// Whether evaluate() is offered: all elements are made for it. Else there are rows to be filled alone.
  bool has_elements() const { return has_elements_; }

  /// The numbers of one lane until they are set again.
  void set_data(std::size_t lane, const Data& data);
  /// Of all lanes, whatever stands in those that nobody asked for.
  void evaluate(const model::LaneKinematics& at);

  /// What evaluate() would leave in one lane, from where System::evaluate has left it.
  void set_values(std::size_t lane, const Workspace& from) { values_.put(0, lane, from.values.data(), count()); }

  /// Rows of what evaluate() leaves; a workspace has the same numbers side by side from its first one on.
  std::size_t mass() const { return 0; }
  std::size_t force() const { return nn_; }
  std::size_t jacobian() const { return nn_ + n_; }
  std::size_t phi() const { return jacobian() + mn_; }
  std::size_t phi_rate() const { return phi() + m_; }
  std::size_t phi_bias() const { return phi_rate() + m_; }
  std::size_t count() const { return phi_bias() + m_; }
  expr::LaneArray& values() { return values_; }
  expr::Registers registers() const { return registers_; }

 private:
  std::shared_ptr<const System> system_;
  expr::Registers registers_;
  std::size_t n_, m_, nn_, mn_;
  bool has_elements_ = true;
  struct Moving {
    model::Batch batch;
    model::EvaluateLanes evaluate;
    bool has_constraints;
  };
  std::vector<Moving> moving_;
  expr::LaneArray packed_, constant_, values_;
};

}  // namespace perilune::system
