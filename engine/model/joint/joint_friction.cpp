// SPDX-License-Identifier: MIT
#include "model/joint/joint_friction.hpp"

#include <map>

#include "error.hpp"
#include "model/force/control.hpp"
#include "model/friction/bristles.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

/// Friction on one face: along each of its directions, its power, and what its bristles store.
struct FaceFriction {
  Vector along;
  Symbol power = 0.0, stored = 0.0;
  std::vector<std::pair<int, Symbol>> states = {};  // coordinate and rate
};

class Rubber {
 public:
  Rubber(Model& model, std::string who, const std::string& name, const JointFriction& friction)
      : model_(model), who_(std::move(who)), name_(name), friction_(friction) {}

  FaceFriction on(const Face& face) {
    if (friction_.force) return by_function(face);
    if (const auto* law = std::get_if<SlipLaw>(&friction_.law)) return by_slip(face, *law);
    if (const auto* law = std::get_if<BristleLaw>(&friction_.law)) return by_bristles(face, *law);
    return by_anchor(face, std::get<StaticFriction>(friction_.law));
  }

 private:
  FaceFriction by_function(const Face& face) const {
    if (face.directions.size() > 1) {
      throw Error(who_ + ": a function is for friction along one direction; where several slip together, use a law " +
                  "such as mbs.brown_mcphee { ... }");
    }
    const Symbol& slip = face.directions[0].slip;
    const Symbol force = friction_.force(slip, face.load);
    return {{-force}, force * slip};
  }

  FaceFriction by_slip(const Face& face, const SlipLaw& law) const {
    Symbol square = 0.0;
    for (const SlipDirection& each : face.directions) square += each.slip * each.slip;
    const Symbol c = law.coefficient(square, face.load, LawSwitches(model_, name_, 1.0));
    FaceFriction out{{}, c * square};
    for (const SlipDirection& each : face.directions) out.along.push_back(-(c * each.slip));
    return out;
  }

  /// The equations of a contact's static friction (contact.cpp), with the joint's load. What the load decides is no
  /// switch: reactions are found with the accelerations, not before.
  FaceFriction by_anchor(const Face& face, const StaticFriction& law) {
    FaceFriction out;
    Vector pull;
    Symbol square = 0.0;
    std::vector<Symbol> stretches;
    for (const SlipDirection& each : face.directions) {
      if (!each.way) {
        throw Error(who_ + ": static friction needs a way that it has slipped, which a ball or a cross or a turning " +
                    "table does not have; use a law of slip such as mbs.brown_mcphee { ... }");
      }
      stretches.push_back(add_state("stretch", "m", 0.0, count_, out));
      pull.push_back(law.stiffness * stretches.back() + law.damping * each.slip);
      square += pull.back() * pull.back();
    }
    Symbol share = 1.0;
    if (law.coefficient) {
      const Symbol limit = *law.coefficient * face.load, slides = less(limit * limit, square);
      share = Symbol::where(slides, limit / sqrt(Symbol::where(slides, square, 1.0)), 1.0);
    }
    const Symbol is_static = in_statics(model_), quickness = law.stiffness / law.damping;
    for (std::size_t k = 0; k < pull.size(); ++k) {
      const SlipDirection& direction = face.directions[k];
      out.along.push_back(-(share * pull[k]));
      const Symbol rate = -(out.along[k] + law.stiffness * stretches[k]) / law.damping;
      const Symbol moved = *direction.way - declared_value(model_, *direction.way);
      out.states[k].second = Symbol::where(is_static, quickness * (moved - stretches[k]), rate);
      out.power -= out.along[k] * direction.slip + law.stiffness * stretches[k] * rate;
      out.stored += 0.5 * law.stiffness * stretches[k] * stretches[k];
    }
    return out;
  }

  FaceFriction by_bristles(const Face& face, const BristleLaw& law) {
    FaceFriction out;
    Vector slip, bends, moved;
    for (const SlipDirection& each : face.directions) {
      slip.push_back(each.slip);
      bends.push_back(add_state("stretch", "m", 0.0, count_, out));
      moved.push_back(each.way ? *each.way - declared_value(model_, *each.way) : Symbol(0.0));
    }
    std::optional<Symbol> dwell;
    if (law.has_dwell) dwell = add_state("dwell", "", 1.0, dwell_count_, out);
    const LawSwitches switches(model_, name_, 1.0);
    const Bristles bristles = bristles_of(model_, law, {slip, bends, face.load, dwell, switches}, bends, 1.0, moved);
    out.along = bristles.force;
    for (std::size_t k = 0; k < bends.size(); ++k) {
      out.states[k].second = bristles.laws[k];
      out.power -= out.along[k] * slip[k] + law.stiffness * bends[k] * bristles.rates[k];
      out.stored += 0.5 * law.stiffness * bends[k] * bends[k];
    }
    if (dwell) out.states.back().second = bristles.dwelling;
    return out;
  }

  /// A state of this face: "stretch", and from the second one on "stretch2". Its rate is set later.
  Symbol add_state(const std::string& what, const char* unit, double start, int& count, FaceFriction& face) {
    const std::string title = what + (count++ == 0 ? "" : std::to_string(count));
    const int state = model_.add_coordinate(name_, title, unit, 0.0, start, Role::State);
    const Symbol value = symbol_of(model_, model_.coordinates()[static_cast<std::size_t>(state)].velocity);
    add_signal(model_, name_, title, unit, value);
    face.states.push_back({state, 0.0});
    return value;
  }

  Model& model_;
  std::string who_;
  const std::string& name_;
  const JointFriction& friction_;
  int count_ = 0, dwell_count_ = 0;
};

}  // namespace

void add_joint_friction(Model& model, const std::string& kind, const std::string& name, const Place& a, const Place& b,
                        const JointFriction& friction, const Symbol* lead) {
  const std::string who = kind + " \"" + name + "\"";
  require(model, who, friction.checks);
  const JointKind* joint = find_joint_kind(kind);
  Rubbing rubbing = rubbing_of(model, joint ? joint->rub : Rub::Nowhere, who, name, a, b, friction.bearing, lead);
  if (friction.load) {
    // All that rubs at the first face's place.
    rubbing.faces.resize(1);
    rubbing.faces[0].load = friction.load(rubbing.force, rubbing.torque);
  } else if (const auto preload = friction.bearing.find("preload"); preload != friction.bearing.end()) {
    rubbing.faces[0].load = rubbing.faces[0].load + preload->second;
  }
  Rubber rubber(model, who, name, friction);
  GeneralizedForce force(model);
  std::map<std::string, std::pair<Symbol, const char*>> totals;  // by signal, with its unit
  Symbol load = 0.0, power = 0.0, stored = 0.0;
  std::vector<std::pair<int, Symbol>> states;
  for (const Face& face : rubbing.faces) {
    const FaceFriction each = rubber.on(face);
    for (std::size_t k = 0; k < face.directions.size(); ++k) {
      force.add_along_rate(face.directions[k].slip, each.along[k]);
      for (const FrictionShare& share : face.directions[k].shares) {
        auto& total = totals.try_emplace(share.signal, 0.0, share.unit).first->second;
        total.first += share.lever * each.along[k];
      }
    }
    load += face.load;
    power += each.power;
    stored += each.stored;
    states.insert(states.end(), each.states.begin(), each.states.end());
  }
  Element element = law_element(model, name, "friction", with_switches(model, name, force));
  if (const NodeId energy = stored.in(model.graph()); !model.graph().is_constant(energy)) element.potential = energy;
  model.add_element(std::move(element));
  for (const auto& [coordinate, rate] : states) add_state_law(model, name, coordinate, rate);
  for (const auto& [signal, total] : totals) add_acting_signal(model, name, signal, total.second, total.first);
  add_acting_signal(model, name, "load", "N", load);
  add_signal(model, name, "slip", "m/s", rubbing.slip);
  add_acting_signal(model, name, "dissipation", "W", power);
}

}  // namespace perilune::model
