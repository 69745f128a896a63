// SPDX-License-Identifier: MIT
// One HTML page with the mechanism that swings in modes of its small motions.
#pragma once
#include <iosfwd>
#include <memory>
#include <vector>

#include "analysis/small_motion/linearization.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace perilune::output {

/// Where small motions are about.
struct SwingState {
  std::shared_ptr<model::Model> model;  // a snapshot
  std::shared_ptr<const system::System> system;
  std::shared_ptr<const system::Data> data;
  std::vector<double> q;
};

/// The factor of a mode's shape, by coordinate, with which what moves most moves by a tenth of the mechanism's size
/// (the diagonal of the box around it), and no body turns by more than 0.35 rad. 0 where nothing moves: the mode is one
/// of first-order states.
double swing_amplitude(const SwingState& state, const std::vector<std::complex<double>>& shape);

/// Writes the page with these of the modes (numbers from 0), one of which is seen at a time, beside the position that
/// they are about: q = q0 + amplitude Re(shape exp(i phase)), to the first order, Euler parameters brought to unit
/// length. Parts that move with different phases do so here; what decays or grows does not. Beams are coloured by the
/// distance to where they are at rest, over the largest one. Throws Error where a mode moves nothing.
void write_mode_page(const SwingState& state, const analysis::Linearization& found,
                     const std::vector<std::size_t>& numbers, std::ostream& out);

}  // namespace perilune::output
