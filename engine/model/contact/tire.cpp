// SPDX-License-Identifier: MIT
#include "model/contact/tire.hpp"

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

Symbol size(const Symbol& x) { return max(x, -x); }

std::string fault_of_tire(const double* v) {
  if (!(v[0] > 0)) return "stiffness must be positive, got " + text_of(v[0]);
  if (!(v[1] > 0)) return "radius must be positive, got " + text_of(v[1]);
  return v[2] >= 0 ? "" : "damping must not be negative, got " + text_of(v[2]);
}

std::string fault_of_slip(const double* v) {
  if (!(v[0] >= 0 && v[1] >= 0)) return "friction must not be negative";
  if (!(v[2] > 0)) return "critical_slip must be positive, got " + text_of(v[2]);
  if (!(v[3] > 0)) return "critical_angle must be positive, got " + text_of(v[3]);
  return v[4] > 0 ? "" : "least_speed must be positive, got " + text_of(v[4]);
}

struct Slip {
  Symbol longitudinal, angle;  // kappa, alpha
  Symbol force_x, force_y;     // along the wheel's path and across
  Vector force;                // on the wheel, in space
};

/// n: normal of the ground; axis: of the wheel; slides: velocity of the wheel's lowest point; rolls: of its centre, all
/// in space, against the ground.
Slip slip_of(const TireSlip& law, const LawSwitches& switches, const Symbol& normal_force, const Vector& n,
             const Vector& axis, const Vector& slides, const Vector& rolls) {
  const Vector along = unit(cross(axis, n)), across = cross(n, along);
  const Symbol path_speed = dot(along, rolls), least = law.least_speed;
  const Symbol is_fast = switches.is_negative("least_speed", least * least - path_speed * path_speed);
  const Symbol speed = Symbol::where(is_fast, size(path_speed), least);
  Slip slip;
  slip.longitudinal = -dot(along, slides) / speed;
  slip.angle = -atan2(dot(across, rolls), speed);
  const auto clipped = [&](const char* what, const Symbol& s) {
    const Symbol sign = Symbol::where(less(s, 0.0), -1.0, 1.0);  // which changes within the limits only
    return Symbol::where(switches.is_negative(what, 1.0 - s * s), sign, s);
  };
  const Symbol along_limit = slip.longitudinal / law.critical_slip, across_limit = slip.angle / law.critical_angle;
  const Symbol x = clipped("critical_slip", along_limit), y = clipped("critical_angle", across_limit);
  // Clipped or not: where one alone is beyond its limit, both are outside.
  const Symbol outside = switches.is_negative("ellipse", 1.0 - along_limit * along_limit - across_limit * across_limit);
  const Symbol square = x * x + y * y;
  const Symbol share = normal_force / sqrt(Symbol::where(outside, square, 1.0));
  slip.force_x = law.friction_x * x * share;
  slip.force_y = law.friction_y * y * share;
  slip.force = plus(times(slip.force_x, along), times(slip.force_y, across));
  return slip;
}

TerrainSwitches check_tire(Model& model, const std::string& name, const Tire& tire) {
  const std::string who = "tire \"" + name + "\"";
  if (model.dimension() != 3) throw Error(who + ": tires are for spatial models; in the plane use a contact");
  if (!turns(tire.wheel)) {
    throw Error(who + ": the wheel must be a body that turns, and \"" + tire.wheel.name + "\" is a " +
                kind_name(tire.wheel.kind));
  }
  Contact ground;
  ground.a = tire.ground;
  ground.b = {tire.wheel};
  ground.surface = tire.surface;
  ground.round.radius = tire.radius;
  check_pair("tire", name, tire.ground, tire.wheel);
  return check_contact(model, "tire", name, ground);
}

}  // namespace

void add_tire(Model& model, const std::string& name, const Tire& tire) {
  const std::string who = "tire \"" + name + "\"";
  const TerrainSwitches switches = check_tire(model, name, tire);
  require(model, who, {tire.stiffness, tire.radius, tire.damping}, fault_of_tire);
  if (const auto& s = tire.slip) {
    require(model, who, {s->friction_x, s->friction_y, s->critical_slip, s->critical_angle, s->least_speed},
            fault_of_slip);
  }
  const Gap centre = gap_of(model, switches, tire.ground, tire.surface, tire.wheel, {});
  const Symbol distance = centre.value, depth = tire.radius - distance;
  const auto start = present_values(model, {declared_value(model, distance), tire.radius});
  check_defined(who, tire.wheel, start[0]);
  if (!(start[0] > 0)) {
    throw Error(who + ": the centre of the wheel starts " + text_of(-start[0]) +
                " m under the ground; it must start above it, at about the radius of " + text_of(start[1]) + " m");
  }
  const Terrain* terrain = std::get_if<Terrain>(&tire.surface);
  const Vector normal = terrain && terrain->is_vertical ? axis_of(model, tire.ground, 2) : unit(centre.slope);
  const Vector forward = cross(in_space(model, tire.wheel, tire.axis), normal);
  if (tire.slip && !(present_values(model, {declared_value(model, dot(forward, forward))})[0] > 1e-6)) {
    throw Error(who + ": the axis of the wheel is normal to the ground, so that it has no path; lay it about level");
  }
  model.claim_name(name, "tire");
  const Vector arm = times(-distance, normal);
  const Vector arm_of_ground = plus(minus(position_of(model, tire.wheel), position_of(model, tire.ground)), arm);
  const Vector ground_moves = velocity_at(model, tire.ground, arm_of_ground);
  const Vector slides = minus(velocity_at(model, tire.wheel, arm), ground_moves);
  const Vector rolls = minus(velocity_of(model, tire.wheel), ground_moves);
  const Symbol depth_rate = -(dot(centre.slope, rolls) + centre.drift);
  const bool is_damped = !(tire.damping.is_number() && tire.damping.number() == 0);
  const Symbol touches = is_negative(model, name + ".gap", -depth);
  const Symbol total = tire.stiffness * depth + tire.damping * depth_rate;
  Symbol pushes = touches;
  if (is_damped) {
    pushes = Symbol::where(touches, LawSwitches(model, name, touches).is_negative("normal_force", -total), 0.0);
  }
  const Symbol elastic = Symbol::where(touches, tire.stiffness * depth, 0.0);
  const Symbol push = Symbol::where(pushes, total, 0.0);

  Vector on_wheel = times(push, normal);
  GeneralizedForce force(model);
  std::optional<Slip> slip;
  if (tire.slip) {
    slip = slip_of(*tire.slip, LawSwitches(model, name, pushes), push, normal, in_space(model, tire.wheel, tire.axis),
                   slides, rolls);
    on_wheel = plus(on_wheel, slip->force);
    force.add_torque(tire.wheel, moment(arm, slip->force));
  }
  force.add_force(tire.wheel, on_wheel);
  force.add_force(tire.ground, opposite(on_wheel));
  if (turns(tire.ground)) force.add_torque(tire.ground, opposite(moment(arm_of_ground, on_wheel)));
  Element element = law_element(model, name, "tire", force);
  element.potential = (0.5 * elastic * depth).in(model.graph());
  model.add_element(std::move(element));
  const Vector at = plus(position_of(model, tire.wheel), arm);
  model.record().touchings.push_back(std::make_shared<const Touching>(Touching{
      name, tire.ground, {tire.wheel}, tire.surface, {tire.radius}, acting(model, {{at, on_wheel}}), tire.axis}));

  add_signal(model, name, "deflection", "m", depth);
  auto add = [&](const char* signal, const char* unit, const Symbol& x) {
    add_acting_signal(model, name, signal, unit, x);
  };
  add("normal_force", "N", push);
  add("dissipation", "W", -(dot(on_wheel, slides) + elastic * depth_rate));
  if (!slip) return;
  add_signal(model, name, "slip", "", slip->longitudinal);
  add_signal(model, name, "slip_angle", "rad", slip->angle);
  add("longitudinal_force", "N", slip->force_x);
  add("lateral_force", "N", slip->force_y);
}

}  // namespace perilune::model
