// SPDX-License-Identifier: MIT
#include "output/scene/drives.hpp"

#include <algorithm>
#include <optional>

#include "expr/rewrite.hpp"
#include "linalg/decompositions.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::output {

namespace {

using expr::NodeId;
using model::Element;
using model::Mark;
using model::Place;
using model::Symbol;

Triple vector_product(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Triple added(const Triple& a, const Triple& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// What an element does on its coordinates, by their numbers in the model: expressions of generalized force.
std::map<int, Symbol> forces_of(model::Model& model, std::size_t number) {
  const Element& element = model.elements()[number];
  expr::Graph& graph = model.graph();
  std::map<int, Symbol> out;
  for (std::size_t k = 0; k < element.coordinates.size(); ++k) {
    const int c = element.coordinates[k];
    Symbol force = 0.0;
    if (element.form == Element::Form::Law) {
      force = Symbol(graph, element.law[k]);
    } else {
      const NodeId position = model.coordinates()[static_cast<std::size_t>(c)].position;
      const NodeId slope = expr::derivative(graph, element.law[0], {{position, graph.constant(1)}});
      const auto multiplier = static_cast<std::size_t>(element.multipliers[0]);
      force = -(Symbol(graph, slope) * Symbol(graph, model.multipliers()[multiplier].node));
    }
    const NodeId node = force.in(graph);
    if (graph.is_constant(node) && graph.constant_value(node) == 0) continue;  // it is only read
    out.emplace(c, model::while_acting(model, number, force));
  }
  return out;
}

bool is_drive(const model::Model& model, const Element& element) {
  if (element.is_removed || element.is_inner) return false;
  if (element.type == "force")
    return has_signal(model, element.name + ".torque") || has_signal(model, element.name + ".tx");
  const std::vector<std::string> types{"driver", "torsion spring", "bump stop", "one-way clutch"};
  return std::find(types.begin(), types.end(), element.type) != types.end();
}

/// Springs of angles that nothing drives; actuators of files are such springs with a torque.
bool is_spring(const model::Model& model, const Element& element) {
  if (element.type == "bump stop" || element.type == "one-way clutch") return true;
  const auto found = model.record().linear_springs.find(element.name);
  if (element.type != "torsion spring" || found == model.record().linear_springs.end()) return false;
  const NodeId constant = found->second.constant;
  return model.graph().is_constant(constant) && model.graph().constant_value(constant) == 0;
}

class Finder {
 public:
  Finder(model::Model& model, const Scene& scene) : model_(model), scene_(scene), joint_coordinates_(model) {}

  std::optional<DriveSource> find(std::size_t number) {
    const Element& element = model_.elements()[number];
    DriveSource out{element.name, element.type, is_spring(model_, element), true, {}, DriveSource::Form::OnBody, {}};
    if (out.kind == "force") out.kind = "torque";
    for (const SceneConnection& c : scene_.connections()) {
      if (element.type != "force" || c.mark != Mark::Arrow || c.name != element.name) continue;
      out.at = c.a;  // of a force that has a torque, too
      out.form = DriveSource::Form::Torque;
      for (const char* what : {".torque", ".tx", ".ty", ".tz"}) {
        if (has_signal(model_, out.name + what)) out.nodes.push_back(model_.signal(out.name + what));
      }
      return out;
    }
    forces_ = forces_of(model_, number);
    if (about_axis(out)) return out;
    return on_frame(out) ? std::optional(out) : std::nullopt;
  }

 private:
  /// In space the angle of a joint is a coordinate of its own.
  bool about_axis(DriveSource& out) const {
    for (const auto& [number, force] : forces_) {
      const model::Coordinate& c = model_.coordinates()[static_cast<std::size_t>(number)];
      if (c.role != model::Role::Auxiliary) continue;
      const auto joint = std::find_if(scene_.connections().begin(), scene_.connections().end(),
                                      [&](const SceneConnection& one) { return one.name == c.owner; });
      if (joint == scene_.connections().end() || !joint->b.axes) continue;
      const bool on_a = joint->b.frame < 0, is_opposite = c.name == c.owner + ".angle_of_a";
      out.at = on_a ? joint->a : joint->b;
      out.form = DriveSource::Form::AboutAxis;
      out.nodes = {(on_a != is_opposite ? -force : force).in(model_.graph())};
      return true;
    }
    return false;
  }

  bool on_frame(DriveSource& out) const {
    const std::vector<model::MovingFrame>& all = model_.record().moving_frames;
    std::vector<int> moved;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto acts = [&](int c) { return forces_.contains(c); };
      if (std::ranges::any_of(coordinates_of(all[k].place), acts)) moved.push_back(static_cast<int>(k));
    }
    if (moved.empty()) return false;
    const int frame = moved.back(), other = moved.size() > 1 ? moved[moved.size() - 2] : -1;
    const Place& place = all[static_cast<std::size_t>(frame)].place;
    out.at = at_joint(frame, other);
    const std::vector<int> coordinates = coordinates_of(place);
    const bool bends = coordinates.size() > place.coordinates.size();
    if (place.kind == Place::Kind::Point && !bends && out.kind != "driver") return along_coordinate(out, place);
    const std::size_t dimension = static_cast<std::size_t>(model_.dimension());
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const auto found = forces_.find(coordinates[k]);
      if (k < dimension && found != forces_.end()) out.turns = false;
      if (bends && k < dimension) continue;
      out.nodes.push_back((found == forces_.end() ? Symbol(0.0) : found->second).in(model_.graph()));
    }
    if (!bends) return true;
    // What acts on stations is shared by the nodes beside them, none of which it is about.
    if (moved.size() > 1 || !out.turns) return false;
    out.form = DriveSource::Form::OnSlope;
    for (std::size_t k = dimension; k < coordinates.size(); ++k) {
      out.nodes.push_back(model_.coordinates()[static_cast<std::size_t>(coordinates[k])].position);
    }
    return true;
  }
  /// Where a body has several joints, files have a point as the coordinate of each.
  bool along_coordinate(DriveSource& out, const Place& point) const {
    const auto moved = joint_coordinates_.moved_by(point);
    if (!moved || forces_.size() != 1 || !forces_.contains(moved->coordinate)) return false;
    const Place& place = model_.record().moving_frames[static_cast<std::size_t>(moved->frame)].place;
    const std::vector<int> at(place.coordinates.begin(), place.coordinates.begin() + 3),
        turning(place.coordinates.begin() + 3, place.coordinates.end());
    const auto has = [](const Element* tie, const std::vector<int>& own) {
      return std::ranges::any_of(own, [&](int c) { return std::ranges::count(tie->coordinates, c) > 0; });
    };
    const std::vector<const Element*> ties = joint_coordinates_.ties(moved->coordinate);
    out.turns = std::ranges::any_of(ties, [&](const Element* tie) { return has(tie, turning); });
    out.form = DriveSource::Form::Along;
    out.at.frame = moved->frame;
    out.nodes = {forces_.at(moved->coordinate).in(model_.graph())};
    const std::vector<int>& own = out.turns ? turning : at;
    for (const Element* tie : ties) {
      if (!has(tie, own)) continue;
      out.nodes.push_back(slope(*tie, moved->coordinate));
      for (const int c : own) out.nodes.push_back(slope(*tie, c));
    }
    return out.nodes.size() > 1;
  }
  NodeId slope(const Element& relation, int coordinate) const {
    expr::Graph& graph = model_.graph();
    const NodeId position = model_.coordinates()[static_cast<std::size_t>(coordinate)].position;
    return expr::derivative(graph, relation.law[0], {{position, graph.constant(1)}});
  }
  std::vector<int> coordinates_of(const Place& place) const {
    return place.kind == Place::Kind::Point && has_slope(model_, place) ? with_slope(place) : place.coordinates;
  }

  SceneEnd at_joint(int frame, int other) const {
    const auto is_joint = [](Mark mark) { return mark >= Mark::Pin && mark <= Mark::Foot; };
    for (const SceneConnection& c : scene_.connections()) {
      if (!is_joint(c.mark)) continue;
      if (c.b.frame == frame && c.a.frame == other) return c.b;
      if (c.a.frame == frame && c.b.frame == other) return c.a;
    }
    SceneEnd middle;
    middle.frame = frame;
    return middle;
  }

  model::Model& model_;
  const Scene& scene_;
  JointCoordinates joint_coordinates_;
  std::map<int, Symbol> forces_;
};

/// Of ties J_c c' + J_b b' = 0 the way on which the body goes with the coordinate: its angular velocity where it turns,
/// else its velocity, along the axes of space, for c' = 1. On that way the force on the coordinate has the same power
/// as the torque or the force that is returned has on the body.
Triple along_way(const DriveSource& drive, const Pose& pose, const std::vector<double>& Q) {
  const std::size_t width = drive.turns ? 5 : 4, ties = (Q.size() - 1) / width;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(ties), 3);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(ties));
  const auto& [e0, e1, e2, e3] = pose.rotation;
  // e' = turn w of the angular velocity w in space.
  Eigen::MatrixXd turn(4, 3);
  turn << -e1, -e2, -e3, e0, e3, -e2, -e3, e0, e1, e2, -e1, e0;
  turn *= 0.5;
  for (std::size_t k = 0; k < ties; ++k) {
    const double* row = &Q[1 + k * width];
    const auto i = static_cast<Eigen::Index>(k);
    right[i] = -row[0];
    if (drive.turns) {
      J.row(i) = Eigen::Map<const Eigen::RowVector4d>(row + 1) * turn;
    } else {
      J.row(i) = Eigen::Map<const Eigen::RowVector3d>(row + 1);
    }
  }
  const Eigen::VectorXd way = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(J).solve(right);
  const double square = way.squaredNorm(), off = (J * way - right).norm();
  if (!(square > 0) || !(off <= 1e-3 * right.norm())) return {};
  return {Q[0] * way[0] / square, Q[0] * way[1] / square, Q[0] * way[2] / square};
}

}  // namespace

std::vector<DriveSource> drives_of(model::Model& model, const Scene& scene) {
  std::vector<DriveSource> out;
  Finder finder(model, scene);
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    if (!is_drive(model, model.elements()[i])) continue;
    if (auto found = finder.find(i)) out.push_back(std::move(*found));
  }
  return out;
}

Triple value_of(const DriveSource& drive, const Scene& scene, const double* q, const std::vector<double>& Q) {
  const Pose pose = scene.pose(drive.at.frame, q);
  const auto triple = [&Q](std::size_t k) { return Triple{Q[k], Q[k + 1], Q[k + 2]}; };
  switch (drive.form) {
    case DriveSource::Form::AboutAxis: {
      const auto& axes = *drive.at.axes;
      return pose.direction({Q[0] * axes[2], Q[0] * axes[5], Q[0] * axes[8]});
    }
    case DriveSource::Form::Torque:
      return Q.size() == 1 ? Triple{0, 0, Q[0]} : triple(0);
    case DriveSource::Form::OnSlope:
      // A slope t turns by t x dt / |t|^2, so that Q = n x t / |t|^2.
      return Q.size() == 4 ? Triple{0, 0, Q[2] * Q[1] - Q[3] * Q[0]} : vector_product(triple(3), triple(0));
    case DriveSource::Form::Along:
      return along_way(drive, pose, Q);
    case DriveSource::Form::OnBody:
      break;
  }
  Triple force{Q[0], Q[1], scene.is_planar() ? 0 : Q[2]}, torque{};
  if (!drive.turns) return force;
  switch (scene.frames()[static_cast<std::size_t>(drive.at.frame)].kind) {
    case Place::Kind::PlanarBody:
      torque[2] = Q[2];
      break;
    case Place::Kind::SpatialBody: {
      // From Q_e0 = -2 e.n, Q_e = 2 (e0 n + n x e), with e of unit length.
      const Triple e{pose.rotation[1], pose.rotation[2], pose.rotation[3]}, on_e = triple(4),
                                                                            turned = vector_product(e, on_e);
      torque =
          added(added({pose.rotation[0] * on_e[0], pose.rotation[0] * on_e[1], pose.rotation[0] * on_e[2]}, e, -Q[3]),
                turned);
      for (double& x : torque) x *= 0.5;
      break;
    }
    case Place::Kind::NaturalBody:
      for (std::size_t j = 0; j < 3; ++j) {
        Triple axis{};
        axis[j] = 1;
        torque = added(torque, vector_product(pose.direction(axis), triple(3 + 3 * j)));
      }
      break;
    default:
      break;
  }
  return torque;
}

}  // namespace perilune::output
