// SPDX-License-Identifier: MIT
#include "output/urdf.hpp"

#include <cmath>
#include <pugixml.hpp>
#include <set>

#include "output/mechanism.hpp"
#include "output/xml_attributes.hpp"

namespace perilune::output {

namespace {

using model::Topology;

const std::map<std::string, const char*>& types_in_trees() {
  static const std::map<std::string, const char*> types = {
      {"revolute", "continuous"}, {"translational", "prismatic"}, {"weld", "fixed"}, {"planar", "planar"}};
  return types;
}

const std::map<std::string, const char*>& types_in_loops() {
  static const std::map<std::string, const char*> types = {
      {"revolute", "revolute"},   {"translational", "prismatic"}, {"weld", "fixed"},
      {"spherical", "spherical"}, {"cylindrical", "cylindrical"}, {"planar", "planar"}};
  return types;
}

/// Angles about x, then y, then z of what does not turn. Where y is a right angle the other two are not known one by
/// one: the first makes up for what the last has of rounding.
V3 roll_pitch_yaw(const M3& turn) {
  const double yaw = std::atan2(turn(1, 0), turn(0, 0));
  const M3 rest = Eigen::AngleAxisd(-yaw, V3::UnitZ()).toRotationMatrix() * turn;
  return {std::atan2(-rest(1, 2), rest(1, 1)), std::atan2(-rest(2, 0), rest(0, 0)), yaw};
}

class UrdfWriter {
 public:
  UrdfWriter(const std::string& name, Mechanism mechanism) : m_(std::move(mechanism)) {
    // Weight is along -z in all files; in models of a plane it is along -y.
    if (m_.is_planar) m_.stand_up();
    find_unsaid();
    m_.unsaid.check("URDF");
    m_.bodies[0].name = "world";
    for (const RigidBody& body : m_.bodies) names_.insert(body.name);
    for (const auto& [tie, joint] : m_.joints) names_.insert(joint.name);
    for (std::size_t k = 0; k < m_.bodies.size(); ++k) origins_.push_back(origin_of(k));
    robot_ = document_.append_child("robot");
    set_attribute(robot_, "name", name);
    set_attribute(robot_.append_child("link"), "name", m_.bodies[0].name);
    for (std::size_t k = 1; k < m_.bodies.size(); ++k) write_link(k);
    for (std::size_t k = 1; k < m_.bodies.size(); ++k) write_joint(k);
    for (const auto& [tie, joint] : m_.joints) {
      if (closes_loop(tie)) write_loop(joint);
    }
  }

  std::string text() const { return text_of(document_); }

 private:
  bool closes_loop(std::size_t tie) const { return m_.topology.ties[tie].closes_loop; }
  static bool vanishes(double x) { return std::abs(x) <= declared_exactly; }

  void find_unsaid() {
    const V3& g = m_.gravity;
    if ((g - V3(0, 0, -9.81)).norm() != 0) {
      const auto text = [&](const V3& v) {
        return "{" + number(v[0]) + ", " + (m_.is_planar ? "" : number(v[1]) + ", ") + number(v[2]) + "}";
      };
      m_.unsaid.add("gravity", "URDF has none, and it counts as " + text({0, 0, -9.81}) +
                                   " m/s^2 where it is read; here it is " + text(g));
    }
    for (std::size_t k = 1; k < m_.bodies.size(); ++k) find_unsaid_of(m_.bodies[k]);
    for (const auto& [tie, joint] : m_.joints) find_unsaid_of(joint, closes_loop(tie));
    for (const JointSpring& spring : m_.joint_springs) {
      if (spring.stiffness != 0 || spring.constant != 0) {
        m_.unsaid.add(spring.name, "spring or constant torque; URDF has dampers alone");
      } else if (closes_loop(spring.tie)) {
        m_.unsaid.add(spring.name, "damper of \"" + m_.joints.at(spring.tie).name +
                                       "\", which closes a loop: declare that joint before another one of its loop");
      }
    }
    for (const LineSpring& spring : m_.line_springs)
      m_.unsaid.add(spring.name, "spring between two places; URDF has none");
  }

  void find_unsaid_of(const RigidBody& body) {
    if (body.name == "world") m_.unsaid.add(body.name, "this name is that of the ground; give the body another");
    if (!body.is_known) return;
    if (!(body.mass > 0)) m_.unsaid.add(body.name, "a body without mass is not written as URDF");
    if (!vanishes(body.velocity.norm()) || !vanishes(body.omega.norm())) {
      m_.unsaid.add(body.name, "it starts with a velocity; URDF has none: declare it at rest, or write MJCF");
    }
  }

  void find_unsaid_of(const JointStart& joint, bool closes) {
    if (!types_in_loops().contains(joint.kind)) {
      m_.unsaid.add(joint.name, joint.kind +
                                    "; of joints, revolute, translational, planar and weld are written, and in "
                                    "loops spherical and cylindrical, too");
    } else if (!closes && !types_in_trees().contains(joint.kind)) {
      m_.unsaid.add(joint.name, joint.kind +
                                    " that closes no loop, which URDF has not; in a loop, declare it after the "
                                    "other joints");
    }
    const bool turns = joint.kind == "revolute", slides = joint.kind == "translational";
    if (!closes && ((turns && !vanishes(joint.angle)) || (slides && !vanishes(joint.displacement)))) {
      m_.unsaid.add(joint.name, "it starts at " +
                                    (turns ? number(joint.angle) + " rad" : number(joint.displacement) + " m") +
                                    "; in URDF all start at 0: declare it there, or write MJCF");
    }
  }

  // Of the frame of a link, in space: URDF has joints at the origin of what hangs on them.
  V3 origin_of(std::size_t k) const {
    if (k == 0 || m_.topology.nodes[k].parent == Topology::none) return m_.bodies[k].at;
    const JointStart& joint = m_.joint_of(k);
    if (joint.kind != "revolute") return m_.bodies[k].at;
    return joint.b.body == k ? joint.b.at : joint.a.at;
  }

  void write_link(std::size_t k) {
    const RigidBody& body = m_.bodies[k];
    pugi::xml_node link = robot_.append_child("link");
    set_attribute(link, "name", body.name);
    pugi::xml_node inertial = link.append_child("inertial");
    const V3 center = body.center_of_mass - body.in_frame(origins_[k]);
    write_pose(inertial.append_child("origin"), center, M3::Identity());
    set_attribute(inertial.append_child("mass"), "value", number(body.mass));
    pugi::xml_node inertia = inertial.append_child("inertia");
    const M3& j = body.inertia;
    const std::pair<const char*, double> parts[] = {{"ixx", j(0, 0)}, {"ixy", j(0, 1)}, {"ixz", j(0, 2)},
                                                    {"iyy", j(1, 1)}, {"iyz", j(1, 2)}, {"izz", j(2, 2)}};
    for (const auto& [name, value] : parts) set_attribute(inertia, name, number(value));
  }

  static void write_pose(pugi::xml_node origin, const V3& at, const M3& turn) {
    set_attribute(origin, "xyz", list(at));
    set_attribute(origin, "rpy", list(roll_pitch_yaw(turn)));
  }

  /// The pose of a frame in that of a link.
  void write_pose_in(pugi::xml_node origin, std::size_t link, const V3& at, const M3& axes) const {
    const M3 back = m_.bodies[link].turn.conjugate().toRotationMatrix();
    write_pose(origin, back * (at - origins_[link]), back * axes);
  }

  void write_ends(pugi::xml_node joint, std::size_t parent, std::size_t child) const {
    set_attribute(joint.append_child("parent"), "link", m_.bodies[parent].name);
    set_attribute(joint.append_child("child"), "link", m_.bodies[child].name);
  }

  void write_joint(std::size_t k) {
    const Topology::Node& node = m_.topology.nodes[k];
    const bool is_free = node.parent == Topology::none;
    const auto parent = static_cast<std::size_t>(is_free ? 0 : node.parent);
    const RigidBody& body = m_.bodies[k];
    pugi::xml_node out = robot_.append_child("joint");
    set_attribute(out, "name", is_free ? free_name(body.name + "_free") : m_.joint_of(k).name);
    set_attribute(out, "type",
                  is_free ? (m_.is_planar ? "planar" : "floating") : types_in_trees().at(m_.joint_of(k).kind));
    write_ends(out, parent, k);
    write_pose_in(out.append_child("origin"), parent, origins_[k], body.turn.toRotationMatrix());
    if (is_free && m_.is_planar) set_attribute(out.append_child("axis"), "xyz", "0 0 1");
    if (is_free || m_.joint_of(k).kind == "weld") return;
    const JointStart& joint = m_.joint_of(k);
    // Coordinates are of b against a, and in URDF of the child against its parent.
    const double sign = joint.b.body == k ? 1 : -1;
    set_attribute(out.append_child("axis"), "xyz", list(V3(body.turn.conjugate() * joint.a.axes.col(2) * sign)));
    if (m_.joint_of(k).kind == "translational") write_no_limit(out);
    double damping = 0;
    for (const JointSpring& spring : m_.joint_springs) {
      if (spring.tie == static_cast<std::size_t>(node.link)) damping += spring.damping;
    }
    if (damping != 0) set_attribute(out.append_child("dynamics"), "damping", number(damping));
  }

  /// Of prismatic joints the format asks for limits; these are none that a reader here takes for one.
  static void write_no_limit(pugi::xml_node joint) {
    pugi::xml_node limit = joint.append_child("limit");
    set_attribute(limit, "lower", "-1e9");
    for (const char* what : {"upper", "effort", "velocity"}) set_attribute(limit, what, "1e9");
  }

  void write_loop(const JointStart& joint) {
    pugi::xml_node out = robot_.append_child("loop_joint");
    set_attribute(out, "name", joint.name);
    // In the plane nothing tilts or leaves it: more than these two constraints would follow from the rest of the loop.
    const bool is_pin = m_.is_planar && joint.kind == "revolute";
    set_attribute(out, "type", is_pin ? "point_on_line" : types_in_loops().at(joint.kind));
    write_ends(out, joint.a.body, joint.b.body);
    write_pose_in(out.append_child("origin"), joint.a.body, joint.a.at, joint.a.axes);
    write_pose_in(out.append_child("child_origin"), joint.b.body, joint.b.at, joint.b.axes);
    set_attribute(out.append_child("axis"), "xyz", "0 0 1");
  }

  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; !names_.insert(name).second; ++k) name = wanted + std::to_string(k);
    return name;
  }

  Mechanism m_;
  std::set<std::string> names_;
  std::vector<V3> origins_;
  pugi::xml_document document_;
  pugi::xml_node robot_;
};

}  // namespace

std::string urdf_of(const model::Model& model) { return UrdfWriter(model.name(), mechanism_of(model)).text(); }

}  // namespace perilune::output
