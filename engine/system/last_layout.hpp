// SPDX-License-Identifier: MIT
// Where the entries of a system's matrices stand: the same for all runs with other values of parameters.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::system {

/// Keeps the layout that was made last. Runs of one mechanism follow each other mostly, so that they make it once. One
/// per thread.
class LastLayout {
 public:
  /// `coordinates`: what the layout depends on beside the system.
  template <class Make>
  std::shared_ptr<const linalg::MatrixLayout> of(const std::shared_ptr<const System>& system,
                                                 const std::vector<int>& coordinates, Make&& make) {
    if (!layout_ || system_.lock() != system || coordinates_ != coordinates) {
      layout_ = std::forward<Make>(make)();
      system_ = system;
      coordinates_ = coordinates;
    }
    return layout_;
  }

 private:
  std::weak_ptr<const System> system_;  // a new system may stand where one was that is gone
  std::vector<int> coordinates_;
  std::shared_ptr<const linalg::MatrixLayout> layout_;
};

}  // namespace perilune::system
