// SPDX-License-Identifier: MIT
#include "output/mjcf.hpp"

#include <Eigen/Dense>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/topology.hpp"

namespace perilune::output {

namespace {

using model::Connection;
using model::Element;
using model::Model;
using model::Place;
using model::present_values;
using model::Topology;
using V3 = Eigen::Vector3d;
using Quaternion = Eigen::Quaterniond;

constexpr double exact = 1e-9;  // declared poses and velocities must fulfil the joints, relative to 1 m and 1 rad

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value == 0 ? 0.0 : value);
  return text;
}

template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (double value : numbers) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

std::vector<double> list_of(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// What is declared of a body, in space: the velocity of its reference point, the angular velocity along its own axes.
struct Body {
  V3 at = V3::Zero(), velocity = V3::Zero(), omega = V3::Zero();
  Quaternion turn = Quaternion::Identity();
  V3 in_space(const V3& vector) const { return turn * vector; }
  V3 velocity_of(const V3& point) const { return velocity + in_space(omega).cross(point - at); }
};

class Writer {
 public:
  explicit Writer(const Model& m) : model_(m), topology_(model::topology_of(m)) {
    for (const Connection& c : m.record().connections) {
      if (model::find_joint_kind(c.kind)) joints_.emplace(c.name, &c);
    }
    bodies_.emplace("ground", Body());
    read_elements();
    for (const Topology::Tie& tie : topology_.ties) {
      if (tie.closes_loop) refuse(tie.name, "it closes a loop; joints of trees are written");
    }
    if (faults_.empty()) {
      pugi::xml_node root = document_.append_child("mujoco");
      root.append_attribute("model") = m.name().c_str();
      root.append_child("compiler").append_attribute("angle") = "radian";
      root.append_child("option").append_attribute("gravity") = list(present_values(m, m.gravity())).c_str();
      pugi::xml_node world = root.append_child("worldbody");
      for (std::size_t k = 0; k < topology_.nodes.size(); ++k) {
        if (k == 0)
          write_children(world, topology_.nodes[0]);
        else if (topology_.nodes[k].parent == Topology::none)
          write_body(world, k);
      }
      pugi::xml_node key = root.append_child("keyframe").append_child("key");
      key.append_attribute("name") = "start";
      key.append_attribute("qpos") = list(qpos_).c_str();
      key.append_attribute("qvel") = list(qvel_).c_str();
      if (qpos_.empty()) root.remove_child("keyframe");
    }
  }

  std::string text() const {
    if (!faults_.empty()) {
      std::string lines = "it would move otherwise than the model, as MJCF is not written of this:";
      for (const auto& [name, why] : faults_) lines += "\n" + name + ": " + why;
      throw Error(lines);
    }
    std::ostringstream out;
    document_.save(out, "  ");
    return out.str();
  }

 private:
  void refuse(const std::string& name, const std::string& why) { faults_.emplace(name, why); }

  void read_elements() {
    for (const Element& e : model_.elements()) {
      if (e.is_removed) continue;
      const auto joint = joints_.find(e.name);
      if (e.type == "spatial_body" || e.type == "spatial_body/offset") {
        read_body(e);
      } else if (e.type == "euler_normalization" || (joint != joints_.end() && !model::is_expression(e))) {
        continue;
      } else {
        refuse(e.name, e.type.substr(0, e.type.find('/')) + (joint != joints_.end() ? " of a joint" : "") +
                           "; bodies in space and their joints alone are written");
      }
    }
    for (const auto& [name, joint] : joints_) {
      static const std::set<std::string> known = {"revolute", "translational", "spherical", "weld"};
      if (!known.contains(joint->kind)) {
        refuse(name, joint->kind + "; of joints, revolute, translational, spherical and weld are written");
      }
    }
  }

  void read_body(const Element& e) {
    if (e.name == "world") refuse(e.name, "MJCF gives this name to the ground; give the body another");
    const auto x = present_values(model_, model::initial_coordinates(model_, e.coordinates));
    const auto v = present_values(model_, model::initial_velocities(model_, e.coordinates));
    Body body{{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, V3::Zero(), Quaternion(x[3], x[4], x[5], x[6])};
    body.omega = 2 * (body.turn.conjugate() * Quaternion(v[3], v[4], v[5], v[6])).vec();
    bodies_.emplace(e.name, body);
    model::Vector data;
    for (model::NodeId id : e.data) data.push_back(model::symbol_of(model_, id));
    const std::vector<double> numbers = present_values(model_, data);
    const std::size_t offset = e.type == "spatial_body" ? 1 : 4;
    const double* j = numbers.data() + offset;
    Eigen::Matrix3d inertia;
    inertia << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
    const V3 moments = inertia.selfadjointView<Eigen::Lower>().eigenvalues();
    if (!(numbers[0] > 0) || !(moments[0] > 0)) {
      refuse(e.name, "MuJoCo takes no body without mass and moments of inertia");
    } else if (moments[2] > moments[0] + moments[1]) {
      refuse(e.name, "one of its principal moments is more than the sum of the others, which MuJoCo refuses");
    }
    data_.emplace(e.name, numbers);
  }

  void write_children(pugi::xml_node parent, const Topology::Node& node) {
    for (int child : node.children) write_body(parent, static_cast<std::size_t>(child));
  }

  void write_body(pugi::xml_node parent, std::size_t k) {
    const Topology::Node& node = topology_.nodes[k];
    const bool is_free = node.parent == Topology::none;
    const std::string& carrier = is_free ? "ground" : topology_.nodes[static_cast<std::size_t>(node.parent)].name;
    const Body &body = bodies_.at(node.name), &base = bodies_.at(node.parent == 0 || is_free ? "ground" : carrier);
    pugi::xml_node out = parent.append_child("body");
    out.append_attribute("name") = node.name.c_str();
    const V3 pos = base.turn.conjugate() * (body.at - base.at);
    out.append_attribute("pos") = list(pos).c_str();
    out.append_attribute("quat") = list(list_of(base.turn.conjugate() * body.turn)).c_str();
    if (is_free) {
      out.append_child("freejoint");
      add(qpos_, body.at), add(qpos_, list_of(body.turn));
      add(qvel_, body.velocity), add(qvel_, body.omega);
    } else {
      write_joint(out, *joints_.at(topology_.ties[static_cast<std::size_t>(node.link)].name), node.name, base, body);
    }
    write_inertia(out, data_.at(node.name));
    write_children(out, node);
  }

  void write_inertia(pugi::xml_node body, const std::vector<double>& data) {
    const bool has_offset = data.size() == 13;
    const auto at = [&data](std::size_t k) { return data.begin() + static_cast<std::ptrdiff_t>(k); };
    pugi::xml_node out = body.append_child("inertial");
    out.append_attribute("mass") = number(data[0]).c_str();
    out.append_attribute("pos") = has_offset ? list(std::vector<double>(at(1), at(4))).c_str() : "0 0 0";
    const std::vector<double> j(at(has_offset ? 4 : 1), at(has_offset ? 10 : 7));
    const bool is_diagonal = j[3] == 0 && j[4] == 0 && j[5] == 0;
    out.append_attribute(is_diagonal ? "diaginertia" : "fullinertia") =
        list(std::vector<double>(j.begin(), j.begin() + (is_diagonal ? 3 : 6))).c_str();
  }

  V3 vector_of(const model::Vector& symbols) const {
    const std::vector<double> v = present_values(model_, symbols);
    return {v[0], v[1], v[2]};
  }

  // The child is at one of the two ends: angles and displacements are of b against a.
  void write_joint(pugi::xml_node out, const Connection& joint, const std::string& child, const Body& base,
                   const Body& body) {
    const bool at_b = same_body(joint.b, child);
    const V3 a = vector_of(model::initial_position(model_, joint.a)),
             b = vector_of(model::initial_position(model_, joint.b));
    const bool slides = joint.kind == "translational", is_weld = joint.kind == "weld";
    V3 x = V3::Zero(), axis = V3::Zero();
    double twist = 0;
    bool fits = slides || (b - a).norm() <= exact;
    if (joint.kind != "spherical") {
      x = vector_of(model::initial_axis(model_, joint.a, 0));
      axis = vector_of(model::initial_axis(model_, joint.a, 2));
      const V3 xb = vector_of(model::initial_axis(model_, joint.b, 0)),
               zb = vector_of(model::initial_axis(model_, joint.b, 2));
      twist = std::atan2(xb.dot(axis.cross(x)), xb.dot(x));
      fits = fits && (is_weld || (zb - axis).norm() <= exact) && (!slides || std::abs(twist) <= exact) &&
             (!slides || (b - a).cross(axis).norm() <= exact);
    }
    const double sign = at_b ? 1 : -1;
    const V3 turning = body.in_space(body.omega) - base.in_space(base.omega);
    const V3 own = at_b ? b : a;
    const V3 moving = body.velocity_of(own) - base.velocity_of(own);
    const double angle_rate = sign * turning.dot(axis), slide_rate = sign * moving.dot(axis);
    const V3 rest = joint.kind == "spherical"  ? V3::Zero().eval()
                    : joint.kind == "revolute" ? V3(turning - sign * angle_rate * axis)
                                               : turning;
    fits = fits && rest.norm() <= exact && (moving - (slides ? sign * slide_rate : 0.0) * axis).norm() <= exact;
    if (!fits) refuse(joint.name, "its ends do not fit as declared; declare positions and velocities that do");
    if (is_weld) return;
    pugi::xml_node node = out.append_child("joint");
    node.append_attribute("name") = joint.name.c_str();
    node.append_attribute("type") = slides ? "slide" : joint.kind == "revolute" ? "hinge" : "ball";
    node.append_attribute("pos") = list(V3(body.turn.conjugate() * (own - body.at))).c_str();
    if (joint.kind == "spherical") {
      add(qpos_, std::vector<double>{1, 0, 0, 0});
      add(qvel_, V3(body.turn.conjugate() * turning));
      return;
    }
    const double at = slides ? (b - a).dot(axis) : twist;
    node.append_attribute("axis") = list(V3(body.turn.conjugate() * axis * sign)).c_str();
    node.append_attribute("ref") = number(at).c_str();
    qpos_.push_back(at), qvel_.push_back(slides ? slide_rate : angle_rate);
  }

  bool same_body(const Place& place, const std::string& name) const {
    for (const model::MovingFrame& frame : model_.record().moving_frames) {
      if (frame.place.name == name) return model::is_same_object(frame.place, place);
    }
    return false;
  }

  template <class Numbers>
  static void add(std::vector<double>& to, const Numbers& numbers) {
    for (double value : numbers) to.push_back(value);
  }

  const Model& model_;
  Topology topology_;
  std::map<std::string, const Connection*> joints_;
  std::map<std::string, Body> bodies_;
  std::map<std::string, std::vector<double>> data_;
  std::map<std::string, std::string> faults_;
  pugi::xml_document document_;
  std::vector<double> qpos_, qvel_;
};

}  // namespace

std::string mjcf_of(const Model& model) { return Writer(model).text(); }

}  // namespace perilune::output
