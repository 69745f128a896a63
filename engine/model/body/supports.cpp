// SPDX-License-Identifier: MIT
#include "model/body/supports.hpp"

#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

void check_law(const Model& model, const std::string& name, const Symbol& law) {
  for (const NodeId id : model.graph().variables_of({law.in(model.graph())})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == expr::Quantity::Time || variable.quantity == expr::Quantity::Parameter) continue;
    throw Error("support \"" + name + "\": its law cannot read '" + variable.name +
                "', only time and parameters; what moves by forces is a body");
  }
}

Vector rates_at_start(const Model& model, const Vector& laws) {
  Vector out;
  for (const Symbol& x : laws) out.push_back(declared_value(model, time_derivative(model, x)));
  return out;
}

Vector at_start(const Model& model, const Vector& laws) {
  Vector out;
  for (const Symbol& x : laws) out.push_back(declared_value(model, x));
  return out;
}

/// The vector part of p^-1 e, of unit quaternions: half the small turn, in the body frame, by which e differs from p.
Vector half_turn_between(const Vector& p, const Vector& e) {
  const Vector p_axis{p[1], p[2], p[3]}, e_axis{e[1], e[2], e[3]};
  return minus(minus(model::times(p[0], e_axis), model::times(e[0], p_axis)), model::cross(p_axis, e_axis));
}

}  // namespace

Place add_support(Model& model, const std::string& name, const Support& support) {
  for (const Symbol& x : support.position) check_law(model, name, x);
  check_law(model, name, support.angle);
  const bool is_planar = model.dimension() == 2;
  const Vector at = at_start(model, support.position), velocity = rates_at_start(model, support.position);
  const Symbol angle = declared_value(model, support.angle), rate = rates_at_start(model, {support.angle})[0];
  const auto turned_by = [&](const Symbol& x) {
    return Vector{cos(0.5 * x), sin(0.5 * x) * support.axis[0], sin(0.5 * x) * support.axis[1],
                  sin(0.5 * x) * support.axis[2]};
  };
  Place body = is_planar ? add_planar_body(model, name, 0.0, 0.0, at, angle, velocity, rate)
                         : add_spatial_body(model, name, 0.0, std::vector<Symbol>(6, 0.0), at, turned_by(angle),
                                            velocity, model::times(rate, support.axis));
  const Vector q = coordinate_symbols(model, body.coordinates);
  Vector open;
  for (std::size_t k = 0; k < support.position.size(); ++k) open.push_back(q[k] - support.position[k]);
  if (is_planar) {
    open.push_back(q[2] - support.angle);
  } else {
    const Vector turn = half_turn_between(turned_by(support.angle), {q[3], q[4], q[5], q[6]});
    open.insert(open.end(), turn.begin(), turn.end());
  }
  static const std::vector<std::string> plane{"x", "y", "angle"}, space{"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  const std::vector<std::string>& names = is_planar ? plane : space;
  for (std::size_t k = 0; k < open.size(); ++k) {
    add_relation_element(model, name, "support", with_switches(model, name, open[k]), ("lambda_" + names[k]).c_str());
  }
  const auto of = [name](const Model& m, const std::string& row) {
    return symbol_of(m, m.signal(name + ".lambda_" + row));
  };
  for (std::size_t k = 0; k < support.position.size(); ++k) {
    const std::string axis = axis_names[k];
    add_signal(model, name, "force_" + axis, "N", [of, axis](const Model& m) { return -of(m, axis); });
    if (is_planar) continue;
    // A turn by delta changes what is held by half of it.
    add_signal(model, name, "torque_" + axis, "N m", [of, body, k](const Model& m) {
      return in_space(m, body, {-0.5 * of(m, "turn_x"), -0.5 * of(m, "turn_y"), -0.5 * of(m, "turn_z")})[k];
    });
  }
  if (is_planar) add_signal(model, name, "torque", "N m", [of](const Model& m) { return -of(m, "angle"); });
  return body;
}

}  // namespace perilune::model
