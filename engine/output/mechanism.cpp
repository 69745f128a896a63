// SPDX-License-Identifier: MIT
#include "output/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/declare.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/joint/relations.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

namespace perilune::output {

using model::Connection;
using model::Element;
using model::Model;
using model::NodeId;
using model::Place;
using model::present_values;

void Unsaid::add(const std::string& object, const std::string& reason) {
  std::vector<std::string>& all = reasons_[object];
  if (std::find(all.begin(), all.end(), reason) == all.end()) all.push_back(reason);
}

void Unsaid::check(const std::string& format) const {
  if (reasons_.empty()) return;
  std::string lines = "it would move otherwise than the model, as " + format + " is not written of this:";
  for (const auto& [object, reasons] : reasons_) {
    for (const std::string& reason : reasons) lines += "\n" + object + ": " + reason;
  }
  throw Error(lines);
}

const RigidBody& Mechanism::parent_of(std::size_t node) const {
  const int parent = topology.nodes[node].parent;
  return bodies[parent == model::Topology::none ? 0 : static_cast<std::size_t>(parent)];
}

const JointStart& Mechanism::joint_of(std::size_t node) const {
  return joints.at(static_cast<std::size_t>(topology.nodes[node].link));
}

void Mechanism::stand_up() {
  // Without a rotation matrix, as components are to keep their bits.
  const auto up = [](V3& v) { v = V3(v[0], 0 - v[2], v[1]); };
  const auto end_up = [&up](End& end) {
    up(end.at);
    for (int k = 0; k < 3; ++k) {
      V3 axis = end.axes.col(k);
      up(axis);
      end.axes.col(k) = axis;
    }
  };
  const Eigen::Quaterniond quarter(Eigen::AngleAxisd(std::numbers::pi / 2, V3::UnitX()));
  up(gravity);
  for (std::size_t k = 1; k < bodies.size(); ++k) {
    up(bodies[k].at), up(bodies[k].velocity);
    bodies[k].turn = quarter * bodies[k].turn;
  }
  for (auto& [tie, joint] : joints) end_up(joint.a), end_up(joint.b), up(joint.turning);
  for (LineSpring& spring : line_springs) end_up(spring.a), end_up(spring.b);
}

namespace {

constexpr const char* what_is_written = "; of what moves, rigid bodies, their joints and linear springs are written";

class MechanismReader {
 public:
  explicit MechanismReader(const Model& model) : model_(model) {
    out_.topology = model::topology_of(model);
    out_.is_planar = model.dimension() == 2;
    const std::vector<double> gravity = present_values(model, model.gravity());
    std::copy(gravity.begin(), gravity.end(), out_.gravity.data());
    out_.bodies.resize(out_.topology.nodes.size());
    out_.bodies[0].is_known = true;
    for (std::size_t k = 0; k < out_.bodies.size(); ++k) {
      out_.bodies[k].name = out_.topology.nodes[k].name;
      nodes_[out_.bodies[k].name] = k;
    }
    for (const Connection& c : model.record().connections) connections_[c.name] = &c;
    read_elements();
    for (std::size_t k = 1; k < out_.bodies.size(); ++k) {
      if (!out_.bodies[k].is_known && !out_.unsaid.contains(out_.bodies[k].name)) {
        out_.unsaid.add(out_.bodies[k].name, std::string("point without mass") + what_is_written);
      }
    }
    read_joints();
    read_springs();
  }

  Mechanism take() { return std::move(out_); }

 private:
  std::vector<double> numbers_of(const std::vector<NodeId>& nodes) const {
    model::Vector symbols;
    for (const NodeId id : nodes) symbols.push_back(model::symbol_of(model_, id));
    return present_values(model_, symbols);
  }

  V3 vector_of(const model::Vector& symbols) const {
    const std::vector<double> v = present_values(model_, symbols);
    return {v[0], v[1], out_.is_planar ? 0 : v[2]};
  }

  const Connection* joint_named(const std::string& name) const {
    const auto found = connections_.find(name);
    if (found == connections_.end()) return nullptr;
    const Connection& c = *found->second;
    return c.kind == "coincidence" || model::find_joint_kind(c.kind) ? &c : nullptr;
  }

  void read_elements() {
    // States of bristles and controllers are parts of what reads them, which says better what it is.
    std::map<std::string, bool> is_state_alone;
    for (const Element& e : model_.elements()) {
      if (e.is_removed) continue;
      const bool is_state = e.type == "state";
      is_state_alone.emplace(e.name, is_state).first->second &= is_state;
    }
    for (const Element& e : model_.elements()) {
      if (e.is_removed || e.type == "euler_normalization" || (e.type == "state" && !is_state_alone[e.name])) continue;
      const bool is_joint = joint_named(e.name) != nullptr;
      if (e.type == "spatial_body" || e.type == "spatial_body/offset") {
        read_body(e);
      } else if (e.type == "planar_body" || e.type == "planar_body/offset") {
        read_planar_body(e);
      } else if (e.type.starts_with("spring/")) {
        line_springs_.push_back(&e);
      } else if (model_.record().linear_springs.contains(e.name)) {
        continue;
      } else if (e.type == "spring" || e.type == "torsion spring") {
        out_.unsaid.add(e.name, e.type + " with a law, a curve or a polynomial; only linear ones are written");
      } else if (!is_joint || model::is_expression(e)) {
        std::string what = e.type.substr(0, e.type.find('/')) + (is_joint ? " of a joint" : "");
        std::replace(what.begin(), what.end(), '_', ' ');
        out_.unsaid.add(e.name, what + what_is_written);
      }
    }
  }

  void read_body(const Element& e) {
    const std::size_t k = nodes_.at(e.name);
    const auto x = present_values(model_, model::initial_coordinates(model_, e.coordinates));
    const auto v = present_values(model_, model::initial_velocities(model_, e.coordinates));
    RigidBody& body = out_.bodies[k];
    body.at = {x[0], x[1], x[2]}, body.velocity = {v[0], v[1], v[2]};
    body.turn = {x[3], x[4], x[5], x[6]};
    body.omega = 2 * (body.turn.conjugate() * Eigen::Quaterniond(v[3], v[4], v[5], v[6])).vec();
    const std::vector<double> numbers = numbers_of(e.data);
    body.mass = numbers[0];
    if (e.type != "spatial_body") body.center_of_mass = {numbers[1], numbers[2], numbers[3]};
    const double* j = numbers.data() + (e.type == "spatial_body" ? 1 : 4);
    body.inertia << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
    body.is_known = true;
  }

  void read_planar_body(const Element& e) {
    const auto x = present_values(model_, model::initial_coordinates(model_, e.coordinates));
    const auto v = present_values(model_, model::initial_velocities(model_, e.coordinates));
    RigidBody& body = out_.bodies[nodes_.at(e.name)];
    body.at = {x[0], x[1], 0}, body.velocity = {v[0], v[1], 0};
    body.angle = x[2], body.turn = Eigen::AngleAxisd(x[2], V3::UnitZ());
    body.omega = {0, 0, v[2]};
    const std::vector<double> numbers = numbers_of(e.data);
    body.mass = numbers[0];
    if (e.type != "planar_body") body.center_of_mass = {numbers[1], numbers[2], 0};
    // In the plane nothing reads the other two moments. These are those of a disc: they are positive, and none is more
    // than the sum of the others.
    const double j = numbers[e.type == "planar_body" ? 1 : 3];
    body.inertia = V3(j / 2, j / 2, j).asDiagonal();
    body.is_known = true;
  }

  /// None on what is no rigid body, which is unsaid by itself.
  std::optional<End> end_of(const Place& place) const {
    End end;
    if (place.kind != Place::Kind::Ground) {
      for (const model::MovingFrame& frame : model_.record().moving_frames) {
        if (model::is_same_object(frame.place, place)) end.body = nodes_.at(frame.place.name);
      }
      if (end.body == 0 || !out_.bodies[end.body].is_known) return {};
    }
    end.at = vector_of(model::initial_position(model_, place));
    for (int k = 0; k < model_.dimension(); ++k) end.axes.col(k) = vector_of(model::initial_axis(model_, place, k));
    return end;
  }

  /// Axes in the plane are x along the way of sliders; in space, z.
  static void make_way_z(End& end) {
    const M3 axes = end.axes;
    end.axes << axes.col(1), axes.col(2), axes.col(0);
  }

  void read_joints() {
    for (std::size_t tie = 0; tie < out_.topology.ties.size(); ++tie) {
      const Connection* joint = joint_named(out_.topology.ties[tie].name);
      if (!joint) continue;
      std::optional<End> a = end_of(joint->a), b = end_of(joint->b);
      if (!a || !b) continue;
      if (out_.is_planar && joint->kind == "translational") make_way_z(*a), make_way_z(*b);
      const JointStart start = start_of(*joint, *a, *b);
      if (!fits(start)) {
        out_.unsaid.add(joint->name, "its ends do not fit as declared; declare positions and velocities that do");
      }
      out_.joints.emplace(tie, start);
    }
  }

  JointStart start_of(const Connection& joint, const End& a, const End& b) const {
    const RigidBody &on_a = out_.bodies[a.body], &on_b = out_.bodies[b.body];
    JointStart start{joint.name, joint.kind, a, b};
    const V3 x = a.axes.col(0), z = a.axes.col(2), xb = b.axes.col(0);
    if (joint.kind == "coincidence") {
      start.kind = out_.is_planar ? "revolute" : "spherical";
    } else if (out_.is_planar) {  // full turns count
      start.angle =
          present_values(model_, {model::initial_angle(model_, joint.b) - model::initial_angle(model_, joint.a)})[0];
    } else {
      start.angle = std::atan2(xb.dot(z.cross(x)), xb.dot(x));
    }
    start.displacement = (b.at - a.at).dot(z);
    start.turning = on_b.turning() - on_a.turning();
    start.angle_rate = start.turning.dot(z);
    start.speed = (on_b.velocity_of(b.at) - on_a.velocity_of(b.at)).dot(z);
    return start;
  }

  bool fits(const JointStart& j) const {
    static const std::set<std::string> pinned = {"revolute", "spherical", "weld"},
                                       guided = {"translational", "cylindrical"};
    const V3 z = j.a.axes.col(2), apart = j.b.at - j.a.at;
    const V3 moving = out_.bodies[j.b.body].velocity_of(j.b.at) - out_.bodies[j.a.body].velocity_of(j.b.at);
    const auto vanishes = [](const auto& x) { return x.norm() <= declared_exactly; };
    const auto along = [&z](const V3& x) { return V3(z * z.dot(x)); };
    if (pinned.contains(j.kind) && !(vanishes(apart) && vanishes(moving))) return false;
    if (guided.contains(j.kind) && !(vanishes(apart - along(apart)) && vanishes(moving - along(moving)))) return false;
    if (j.kind == "planar" && !(vanishes(along(apart)) && vanishes(along(moving)))) return false;
    if (j.kind == "weld" || j.kind == "translational") return vanishes(j.a.axes - j.b.axes) && vanishes(j.turning);
    if (j.kind == "revolute" || j.kind == "cylindrical" || j.kind == "planar") {
      return vanishes(j.b.axes.col(2) - z) && vanishes(j.turning - along(j.turning));
    }
    return true;  // spherical, and kinds that no format has
  }

  // ---- springs ----

  void read_springs() {
    for (const Element* e : line_springs_) {
      const Connection& places = *connections_.at(e->name);
      const std::optional<End> a = end_of(places.a), b = end_of(places.b);
      if (!a || !b) continue;
      const std::vector<double> d = numbers_of({e->data.end() - 4, e->data.end()});
      out_.line_springs.push_back({e->name, *a, *b, d[0], d[1], d[2], d[3]});
    }
    struct Measure {
      NodeId node;  // the coordinate of the joint, or its opposite
      std::size_t tie;
      double sign;
    };
    std::map<std::vector<NodeId>, std::vector<Measure>> coordinates;  // by their variables
    for (const auto& [tie, joint] : out_.joints) {
      const Connection& of = *connections_.at(joint.name);
      NodeId node = expr::no_node;
      if (of.kind == "revolute" || of.kind == "translational") {
        node = model_.signal(of.name + (of.kind == "revolute" ? ".angle" : ".displacement"));
      } else if (of.kind == "coincidence" && out_.is_planar) {
        node = turn_of_pin(of);
      } else {
        continue;
      }
      const NodeId opposite = (-model::symbol_of(model_, node)).in(model_.graph());
      std::vector<Measure>& same = coordinates[positions_of(node)];
      same.push_back({node, tie, 1}), same.push_back({opposite, tie, -1});
    }
    for (const auto& [name, spring] : model_.record().linear_springs) {
      const std::vector<double> d = numbers_of({spring.stiffness, spring.free, spring.damping, spring.constant});
      bool is_found = false;
      for (const auto& [node, tie, sign] : coordinates[positions_of(spring.measure)]) {
        const std::optional<double> ahead = is_found ? std::nullopt : difference(spring.measure, node);
        if (!ahead) continue;
        out_.joint_springs.push_back({name, tie, d[0], sign * (d[1] - *ahead), d[2], sign * d[3]});
        is_found = true;
      }
      if (!is_found) {
        out_.unsaid.add(name,
                        "torsion spring on something else than the angle of a revolute joint or the displacement "
                        "of a translational one");
      }
    }
  }

  /// A coincidence has no angle in the model. Of bodies in the plane it is 0 as declared.
  NodeId turn_of_pin(const Connection& pin) const {
    const auto turn_of = [&](const Place& place) -> model::Symbol {
      if (place.kind == Place::Kind::Ground) return 0.0;
      return model::symbol_of(model_, model_.coordinates()[static_cast<std::size_t>(place.coordinates[2])].position);
    };
    const model::Symbol turn = turn_of(pin.b) - turn_of(pin.a);
    return (turn - present_values(model_, {model::declared_value(model_, turn)})[0]).in(model_.graph());
  }

  /// The positions that an expression reads; none where it reads anything else than these and parameters.
  std::vector<NodeId> positions_of(NodeId node) const {
    std::vector<NodeId> positions;
    for (const NodeId id : model_.graph().variables_of({node})) {
      const expr::Quantity quantity = model_.graph().variable_of(id).quantity;
      if (quantity == expr::Quantity::Position) {
        positions.push_back(id);
      } else if (quantity != expr::Quantity::Parameter) {
        return {};
      }
    }
    return positions;
  }

  /// measure - coordinate, where that is a number: where the slopes by all positions are the same expressions. Both
  /// read the same positions.
  std::optional<double> difference(NodeId measure, NodeId coordinate) const {
    if (measure == coordinate) return 0.0;
    const std::vector<NodeId> positions = positions_of(measure);
    if (expr::gradient(model_.graph(), measure, positions) != expr::gradient(model_.graph(), coordinate, positions)) {
      return {};
    }
    return present_values(model_, {model::declared_value(model_, model::symbol_of(model_, measure)) -
                                   model::declared_value(model_, model::symbol_of(model_, coordinate))})[0];
  }

  const Model& model_;
  Mechanism out_;
  std::map<std::string, std::size_t> nodes_;
  std::map<std::string, const Connection*> connections_;
  std::vector<const Element*> line_springs_;
};

}  // namespace

Mechanism mechanism_of(const Model& model) { return MechanismReader(model).take(); }

}  // namespace perilune::output
