// SPDX-License-Identifier: MIT
// What System::evaluate_metric gives, for several sets of data and states at once, one in each lane: with the bits that
// it has for each alone. Elements that are not made for lanes take their turn for each lane alone.
#pragma once
#include <array>
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

  /// The numbers of one lane until they are set again; they have to live as long as somebody asks for it.
  void set_data(std::size_t lane, const Data& data);
  using Lanes = std::array<bool, expr::lane_count>;
  /// Of all lanes that are asked for; in the others stands whatever.
  void evaluate(const model::LaneKinematics& at, const Lanes& asked);

  /// Rows of what evaluate() leaves; a workspace has the same numbers side by side from its first one on.
  std::size_t mass() const { return 0; }
  std::size_t force() const { return nn_; }
  std::size_t jacobian() const { return nn_ + n_; }
  std::size_t phi() const { return jacobian() + mn_; }
  std::size_t phi_rate() const { return phi() + m_; }
  std::size_t phi_bias() const { return phi_rate() + m_; }
  std::size_t count() const { return phi_bias() + m_; }
  expr::LaneArray& values() { return values_; }
  const expr::LaneArray& values() const { return values_; }
  expr::Registers registers() const { return registers_; }

 private:
  std::shared_ptr<const System> system_;
  expr::Registers registers_;
  std::size_t n_, m_, nn_, mn_;
  struct Moving {
    std::shared_ptr<const model::Kernel> kernel;
    model::Batch batch;
    model::EvaluateLanes evaluate;  // empty: not made for lanes
    std::vector<std::size_t> rows;  // then: all that they change
  };
  std::vector<std::size_t> rows_of(const Moving& elements) const;
  void evaluate_alone(const Moving& elements, const model::LaneKinematics& at, std::size_t lane);

  std::vector<Moving> moving_;
  expr::LaneArray packed_, constant_, values_;
  std::array<const Data*, expr::lane_count> data_{};
  Workspace alone_;
  std::vector<double> state_;  // q and v of one lane
};

}  // namespace perilune::system
