// SPDX-License-Identifier: MIT
// Where joints rub: the load there by the joint's own reaction, and the slip.
//
// The reaction is what the constraints do to b at b's place, along a's axes: the force F and the torque T, linear in
// the joint's multipliers. A bearing of the length L is fixed to b; its middle is `offset` along the axis u from b's
// place, where the torque is T_m = T - offset u x F. Its two ends carry
//   F_n / 2 -+ (T_m x u) / L,
// F_n the part of F normal to u (Verulkar et al. 2023, eqs. 3a-d, where end 1 is at the joint's place:
// offset = L / 2). |x| stands for sqrt(x.x + e^2), which has a slope at zero.
//   journal: pi^3 / 24 (|end 1| + |end 2|), the factor of a parabolic pressure over half of the circumference
//   thrust face: |F_u|
//   slide: |x of end 1| + |y of end 1| + |x of end 2| + |y of end 2| + 2 |T_u / (2 b)|, b the half width
//   thread: the force along its normal, sqrt(1 + (lead / (2 pi r))^2) |lambda|, and the journal
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

enum class Rub {
  Nowhere,
  Hinge,   // journal and thrust face, turning
  Sleeve,  // journal, turning and sliding
  Thread,  // journal and flank of a thread, turning and sliding
  Slide,   // ends and edges, sliding
  Ball,    // |F| at the radius
  Cross,   // two hinges, the second along the axis of b
  Table,   // |F_u|; at four pads with a radius
  Bead,    // |F_n|
  Foot,    // |F_u|
};

/// A number that says how large a bearing is, or how hard it is pressed.
struct BearingField {
  enum class Kind { Size, Place, Load, Rounding };
  std::string_view name, text;
  Kind kind = Kind::Size;
  bool is_required = false;
};

/// Those of a bearing that rubs so.
std::vector<BearingField> bearing_fields(Rub rub, int dimension);
/// Of a joint's friction: names, as in "friction_x", and what help says of them.
struct FrictionSignal {
  std::string_view name, unit, text, also = {}, when = "with friction";
};
std::vector<FrictionSignal> friction_signals(Rub rub);
/// What help says of the load.
std::string_view load_text(Rub rub);

/// A part of a signal: friction along a direction times a lever.
struct FrictionShare {
  const char* signal;
  const char* unit;
  Symbol lever;  // m for a torque
};

struct SlipDirection {
  Symbol slip;                // m/s, linear in the velocities
  std::optional<Symbol> way;  // m, of which the slip is the rate; where there is one
  std::vector<FrictionShare> shares;
};

/// What slips as a whole under one load.
struct Face {
  Symbol load;  // N, not negative
  std::vector<SlipDirection> directions;
};

struct Rubbing {
  Vector force, torque;  // the reaction on b at b's place, along a's axes
  std::vector<Face> faces;
  Symbol slip;  // for the signal: signed where there is one direction
};

using Bearing = std::map<std::string, Symbol, std::less<>>;

/// Of a joint that is declared. Throws Error where the bearing lacks a size, or an end does not turn. who: "revolute
/// \"pin\"".
Rubbing rubbing_of(const Model& model, Rub rub, const std::string& who, const std::string& name, const Place& a,
                   const Place& b, const Bearing& bearing, const Symbol* lead);

}  // namespace perilune::model
