// SPDX-License-Identifier: MIT
#include "output/mjcf.hpp"

#include <cmath>
#include <pugixml.hpp>
#include <set>

#include "model/declare.hpp"
#include "output/mechanism.hpp"
#include "output/xml_attributes.hpp"

namespace perilune::output {

namespace {

using model::Topology;
using Node = pugi::xml_node;

constexpr const char* about_planes =
    " Moves in the plane z = 0. Nothing reads the moments of inertia about x and y, which are those of discs. ";

class MjcfWriter {
 public:
  MjcfWriter(const std::string& name, Mechanism mechanism) : m_(std::move(mechanism)) {
    find_unsaid();
    m_.unsaid.check("MJCF");
    for (const RigidBody& body : m_.bodies) names_.insert(body.name);
    for (const auto& [tie, joint] : m_.joints) names_.insert(joint.name);
    for (const JointSpring& spring : m_.joint_springs) names_.insert(spring.name);
    for (const LineSpring& spring : m_.line_springs) names_.insert(spring.name);
    Node root = document_.append_child("mujoco");
    set_attribute(root, "model", name);
    if (m_.is_planar) root.append_child(pugi::node_comment).set_value(about_planes);
    root.append_child("compiler").append_attribute("angle") = "radian";
    set_attribute(root.append_child("option"), "gravity", list(m_.gravity));
    choose_sites();
    Node world = root.append_child("worldbody");
    write_sites(world, 0);
    for (std::size_t k = 0; k < m_.bodies.size(); ++k) {
      if (k == 0) {
        write_children(world, m_.topology.nodes[0]);
      } else if (m_.topology.nodes[k].parent == Topology::none) {
        write_body(world, k);
      }
    }
    write_loops(root);
    write_tendons(root);
    write_motors(root);
    write_start(root);
  }

  std::string text() const { return text_of(document_); }

 private:
  bool closes_loop(std::size_t tie) const { return m_.topology.ties[tie].closes_loop; }

  void find_unsaid() {
    for (std::size_t k = 1; k < m_.bodies.size(); ++k) find_unsaid_of(m_.bodies[k]);
    static const std::set<std::string> in_trees = {"revolute", "translational", "spherical", "weld"},
                                       in_loops = {"revolute", "spherical", "weld"};
    for (const auto& [tie, joint] : m_.joints) {
      if (!in_trees.contains(joint.kind)) {
        m_.unsaid.add(joint.name, joint.kind + "; of joints, revolute, translational, spherical and weld are written");
      } else if (closes_loop(tie) && !in_loops.contains(joint.kind)) {
        m_.unsaid.add(joint.name, joint.kind +
                                      " that closes a loop; revolute, spherical and weld can: declare it before " +
                                      "one of these in its loop");
      }
    }
    for (const JointSpring& spring : m_.joint_springs) {
      if (!closes_loop(spring.tie)) continue;
      m_.unsaid.add(spring.name, "spring of \"" + m_.joints.at(spring.tie).name + "\", which closes a loop and is no " +
                                     "joint in MJCF: declare that joint before another one of its loop");
    }
    for (const LineSpring& spring : m_.line_springs) {
      if (spring.constant == 0) continue;
      m_.unsaid.add(spring.name,
                    std::string("constant force between two places, which tendons have not") +
                        (spring.stiffness > 0 ? ": a free_length less by force / stiffness says the same" : ""));
    }
  }

  void find_unsaid_of(const RigidBody& body) {
    if (body.name == "world") {
      m_.unsaid.add(body.name, "MJCF gives this name to the ground; give the body another");
    }
    const V3 moments = body.inertia.selfadjointView<Eigen::Lower>().eigenvalues();
    if (!body.is_known) return;
    if (!(body.mass > 0) || !(moments[0] > 0)) {
      m_.unsaid.add(body.name, "MuJoCo takes no body without mass and moments of inertia");
    } else if (moments[2] > moments[0] + moments[1]) {
      m_.unsaid.add(body.name, "one of its principal moments is more than the sum of the others, which MuJoCo refuses");
    }
  }

  void write_children(Node parent, const Topology::Node& node) {
    for (int child : node.children) write_body(parent, static_cast<std::size_t>(child));
  }

  void write_body(Node parent, std::size_t k) {
    const Topology::Node& node = m_.topology.nodes[k];
    const RigidBody &body = m_.bodies[k], &base = m_.parent_of(k);
    Node out = parent.append_child("body");
    set_attribute(out, "name", body.name);
    set_attribute(out, "pos", list(base.in_frame(body.at)));
    set_attribute(out, "quat", list(list_of(base.turn.conjugate() * body.turn)));
    if (node.parent != Topology::none) {
      write_joint(out, static_cast<std::size_t>(node.link), k);
    } else if (m_.is_planar) {
      write_free_in_plane(out, body);
    } else {
      out.append_child("freejoint");
      add(qpos_, body.at), add(qpos_, list_of(body.turn));
      add(qvel_, body.velocity), add(qvel_, body.omega);
    }
    Node inertial = out.append_child("inertial");
    set_attribute(inertial, "mass", number(body.mass));
    set_attribute(inertial, "pos", list(body.center_of_mass));
    const M3& j = body.inertia;
    const bool is_diagonal = j(0, 1) == 0 && j(0, 2) == 0 && j(1, 2) == 0;
    set_attribute(inertial, is_diagonal ? "diaginertia" : "fullinertia",
                  is_diagonal ? list(j.diagonal())
                              : list(std::vector<double>{j(0, 0), j(1, 1), j(2, 2), j(0, 1), j(0, 2), j(1, 2)}));
    write_sites(out, k);
    write_children(out, node);
  }

  // Springs between two places, as tendons that run between sites there.
  void choose_sites() {
    for (const LineSpring& spring : m_.line_springs) {
      const std::string a = free_name(spring.name + "_a"), b = free_name(spring.name + "_b");
      sites_.emplace(spring.a.body, std::pair(a, spring.a.at));
      sites_.emplace(spring.b.body, std::pair(b, spring.b.at));
      ends_.emplace_back(a, b);
    }
  }

  void write_sites(Node out, std::size_t body) const {
    const auto [first, last] = sites_.equal_range(body);
    for (auto site = first; site != last; ++site) {
      Node node = out.append_child("site");
      set_attribute(node, "name", site->second.first);
      set_attribute(node, "pos", list(m_.bodies[body].in_frame(site->second.second)));
    }
  }

  void write_tendons(Node root) const {
    if (m_.line_springs.empty()) return;
    Node tendons = root.append_child("tendon");
    for (std::size_t k = 0; k < m_.line_springs.size(); ++k) {
      const LineSpring& spring = m_.line_springs[k];
      Node out = tendons.append_child("spatial");
      set_attribute(out, "name", spring.name);
      set_attribute(out, "stiffness", number(spring.stiffness));
      set_attribute(out, "damping", number(spring.damping));
      set_attribute(out, "springlength", number(spring.free));
      set_attribute(out.append_child("site"), "site", ends_[k].first);
      set_attribute(out.append_child("site"), "site", ends_[k].second);
    }
  }

  // The three coordinates that the body has in the model, too.
  void write_free_in_plane(Node out, const RigidBody& body) {
    const auto write = [&](const char* what, const char* type, const V3& axis, double at, double rate) {
      Node node = out.append_child("joint");
      set_attribute(node, "name", free_name(body.name + what));
      set_attribute(node, "type", type);
      set_attribute(node, "axis", list(V3(body.turn.conjugate() * axis)));
      set_attribute(node, "ref", number(at));
      qpos_.push_back(at), qvel_.push_back(rate);
    };
    write("_x", "slide", V3::UnitX(), body.at[0], body.velocity[0]);
    write("_y", "slide", V3::UnitY(), body.at[1], body.velocity[1]);
    write("_angle", "hinge", V3::UnitZ(), body.angle, body.omega[2]);
  }

  // The child is at one of the two ends: angles and displacements are of b against a.
  void write_joint(Node out, std::size_t tie, std::size_t child) {
    const JointStart& joint = m_.joints.at(tie);
    if (joint.kind == "weld") return;
    const RigidBody& body = m_.bodies[child];
    const bool at_b = joint.b.body == child, slides = joint.kind == "translational";
    const double sign = at_b ? 1 : -1;
    Node node = out.append_child("joint");
    set_attribute(node, "name", joint.name);
    set_attribute(node, "type", slides ? "slide" : joint.kind == "revolute" ? "hinge" : "ball");
    set_attribute(node, "pos", list(body.in_frame(at_b ? joint.b.at : joint.a.at)));
    if (joint.kind == "spherical") {
      add(qpos_, std::vector<double>{1, 0, 0, 0});
      add(qvel_, V3(body.turn.conjugate() * joint.turning * sign));
      return;
    }
    const double at = slides ? joint.displacement : joint.angle;
    set_attribute(node, "axis", list(V3(body.turn.conjugate() * joint.a.axes.col(2) * sign)));
    set_attribute(node, "ref", number(at));
    write_springs_of(node, tie);
    qpos_.push_back(at), qvel_.push_back(slides ? joint.speed : joint.angle_rate);
  }

  // Several on one joint are one spring: that of the sum of their torques.
  void write_springs_of(Node node, std::size_t tie) {
    double stiffness = 0, damping = 0, torque_at_zero = 0;
    int count = 0;
    const JointSpring* last = nullptr;
    for (const JointSpring& spring : m_.joint_springs) {
      if (spring.tie != tie) continue;
      damping += spring.damping;
      if (spring.stiffness == 0) continue;
      stiffness += spring.stiffness, torque_at_zero += spring.stiffness * spring.free;
      last = &spring, ++count;
    }
    if (last) {
      set_attribute(node, "stiffness", number(stiffness));
      set_attribute(node, "springref", number(count == 1 ? last->free : torque_at_zero / stiffness));
    }
    if (damping != 0) set_attribute(node, "damping", number(damping));
  }

  void write_loops(Node root) {
    Node equality;
    for (const auto& [tie, joint] : m_.joints) {
      if (!closes_loop(tie)) continue;
      if (!equality) equality = root.append_child("equality");
      if (joint.kind == "weld") {
        write_equality(equality, "weld", joint, joint.name);
        continue;
      }
      connect(equality, joint, joint.name, joint.b.at);
      if (joint.kind != "revolute" || m_.is_planar) continue;  // in the plane nothing tilts
      // A hinge holds a second place on its axis, too. How far away does not matter to it, but to solvers: about as far
      // as the mass of the body is spread.
      const RigidBody& body = m_.bodies[joint.b.body != 0 ? joint.b.body : joint.a.body];
      const double spread = std::sqrt(body.inertia.trace() / (2 * body.mass));
      connect(equality, joint, free_name(joint.name + "_axis"), joint.b.at + spread * joint.a.axes.col(2));
    }
  }

  Node write_equality(Node equality, const char* kind, const JointStart& joint, const std::string& name) {
    Node out = equality.append_child(kind);
    set_attribute(out, "name", name);
    // The second body is the world, where there is none.
    const bool is_first_ground = joint.a.body == 0;
    set_attribute(out, "body1", m_.bodies[is_first_ground ? joint.b.body : joint.a.body].name);
    if (!is_first_ground && joint.b.body != 0) set_attribute(out, "body2", m_.bodies[joint.b.body].name);
    return out;
  }

  void connect(Node equality, const JointStart& joint, const std::string& name, const V3& at) {
    Node out = write_equality(equality, "connect", joint, name);
    set_attribute(out, "anchor", list(m_.bodies[joint.a.body == 0 ? joint.b.body : joint.a.body].in_frame(at)));
  }

  void write_motors(Node root) {
    Node actuators;
    for (const JointSpring& spring : m_.joint_springs) {
      if (spring.constant == 0) continue;
      if (!actuators) actuators = root.append_child("actuator");
      Node motor = actuators.append_child("motor");
      set_attribute(motor, "name", spring.name);
      set_attribute(motor, "joint", m_.joints.at(spring.tie).name);
      ctrl_.push_back(-spring.constant);
    }
  }

  void write_start(Node root) {
    if (qpos_.empty()) return;
    Node key = root.append_child("keyframe").append_child("key");
    set_attribute(key, "name", "start");
    set_attribute(key, "qpos", list(qpos_));
    set_attribute(key, "qvel", list(qvel_));
    if (!ctrl_.empty()) set_attribute(key, "ctrl", list(ctrl_));
  }

  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; !names_.insert(name).second; ++k) name = wanted + std::to_string(k);
    return name;
  }

  template <class Numbers>
  static void add(std::vector<double>& to, const Numbers& numbers) {
    for (double value : numbers) to.push_back(value);
  }

  Mechanism m_;
  std::set<std::string> names_;
  std::multimap<std::size_t, std::pair<std::string, V3>> sites_;  // by body
  std::vector<std::pair<std::string, std::string>> ends_;         // of the springs between places
  pugi::xml_document document_;
  std::vector<double> qpos_, qvel_, ctrl_;
};

}  // namespace

std::string mjcf_of(const model::Model& model) { return MjcfWriter(model.name(), mechanism_of(model)).text(); }

}  // namespace perilune::output
