// SPDX-License-Identifier: MIT
// A mechanism as pictures need it: numbers in place of the expressions of a model, and poses in place of coordinates.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "output/scene/scene_lines.hpp"
#include "simulation/trajectory.hpp"

namespace perilune::output {

using Triple = std::array<double, 3>;

/// Where something attaches. Planar models lie in the plane z = 0.
struct SceneEnd {
  int frame = -1;  // index into Scene::frames(); -1 is the ground
  Triple at{};     // m, in the frame
  /// Row-major 3 x 3 in the frame, the columns are the marker's axes; none for a point.
  std::optional<std::array<double, 9>> axes;
};

struct SceneShape {
  model::Shape::Kind kind;
  std::vector<double> size;
  Triple at;
  std::array<double, 9> axes;
  std::shared_ptr<const model::Triangles> surface = {};

  /// The edges of the box around it, halved, and the middle of that box, along its axes.
  Triple half_edges() const;
  Triple middle() const;
  /// A point of its axes in the frame.
  Triple point(const Triple& own) const;
};

/// A body, a point, the ground where it has shapes, or a station of a slender beam to which something attaches.
struct SceneFrame {
  std::string name;
  model::Place::Kind kind;
  std::vector<int> coordinates;  // of its place, in q
  std::vector<SceneShape> shapes;
  std::vector<double> shares = {};  // station: of the four vectors of its element (StationPlace)

  bool is_inner = false;       // a node of a flexible line to which nothing else attaches: the line is its picture
  bool is_coordinate = false;  // of a joint: it has no picture, and is where the body is that it moves

  bool is_point() const { return kind == model::Place::Kind::Point || kind == model::Place::Kind::Station; }
  bool is_ground() const { return kind == model::Place::Kind::Ground; }
};

struct SceneConnection {
  std::string kind;
  model::Mark mark;
  std::string name;
  SceneEnd a, b;
};

/// What touches a surface, or a ball as a surface: an ellipsoid, or a wheel about its third axis.
struct SceneRound {
  std::string name;  // of the contact or the tire
  bool is_wheel;
  bool is_hollow;  // a circle of the plane in which something rolls
  int frame;
  Triple at;                   // m, in the frame
  std::array<double, 9> axes;  // row-major 3 x 3 in the frame, its columns the semi-axes (m)
};

/// The profile of a cam, about its third axis.
struct SceneCam {
  std::string name;
  int frame;
  Triple at;                   // m, in the frame
  std::array<double, 9> axes;  // row-major 3 x 3 in the frame
  std::vector<double> radii;   // m, at equal angles from the first axis on, around it once

  /// As points of the frame; the last one is not the first again.
  std::vector<Triple> outline() const;
};

/// A part of a plane or a terrain as points of the frame, row by row; one row in a planar model.
struct ScenePatch {
  std::string name;
  int frame;
  std::size_t columns;
  std::vector<Triple> points;
  Triple normal;  // of its plane, in the frame
};

/// Position (m) and rotation as Euler parameters e0, e1, e2, e3 of unit length.
struct Pose {
  Triple position{};
  std::array<double, 4> rotation{1, 0, 0, 0};

  /// A point of the frame in space, and a direction of the frame in space.
  Triple point(const Triple& local) const;
  Triple direction(const Triple& local) const;
};

/// Points that stand for coordinates of joints, as files have it where a body has several: relations hold each on a
/// line of space and tie it to a body, or to the coordinate of a joint on one. Where the point is means nothing. Those
/// that hold "p" on its line are called "p_off_...", which tells it from a load on a line that a drum lifts.
class JointCoordinates {
 public:
  explicit JointCoordinates(const model::Model& model);

  /// The coordinate of such a point, as numbered in the model, and which of the moving frames it moves; nothing where
  /// the place is none.
  struct Moved {
    int coordinate, frame;
  };
  std::optional<Moved> moved_by(const model::Place& place) const;
  /// The relations that tie a coordinate to others.
  std::vector<const model::Element*> ties(int coordinate) const;

 private:
  int frame_of(int coordinate) const;

  const model::Model& model_;
  std::map<int, std::vector<const model::Element*>> relations_;  // by coordinate
};

class Scene {
 public:
  /// At these values of the model's parameters.
  Scene(model::Model& model, const std::vector<double>& parameters);

  bool is_planar() const { return is_planar_; }
  /// Against gravity; y in the plane, z where there is no gravity.
  const Triple& up() const { return up_; }
  const std::vector<SceneFrame>& frames() const { return frames_; }
  /// All but the elements of flexible lines.
  const std::vector<SceneConnection>& connections() const { return connections_; }
  /// Flexible lines, and how they are bent at the coordinates q and velocities v; null: at rest.
  const std::vector<SceneLine>& lines() const { return lines_.all(); }
  std::vector<BentLine> bent_lines(const double* q, const double* v = nullptr) const { return lines_.at(q, v); }

  const std::vector<SceneRound>& rounds() const { return rounds_; }
  const std::vector<SceneCam>& cams() const { return cams_; }
  /// The planes and terrains of contacts and tires (at the time 0), as large as what moves over them in these
  /// configurations; those of several contacts on the same surface are one.
  std::vector<ScenePatch> patches(const std::vector<std::vector<double>>& motion) const;

  /// The pose of a frame (-1: the ground) at the coordinates q of the model.
  Pose pose(int frame, const double* q) const;
  Triple place(const SceneEnd& end, const double* q) const { return pose(end.frame, q).point(end.at); }

 private:
  struct Ground {
    std::string name;
    SceneEnd on;
    std::function<double(double x, double y)> height;  // null for a plane
    expr::NodeId height_node = expr::no_node;
    std::vector<SceneEnd> touched_by = {};
    double reach = 0;  // of what touches it, from the places (m)
  };
  SceneEnd end_of(const model::Place& place, const std::vector<double>& local, const std::vector<double>& axes);
  void place_joint_coordinates(const model::Model& model);
  void find_inner_nodes();
  void add_touchings(model::Model& model, const std::vector<double>& parameters);
  ScenePatch patch(const Ground& ground, const std::array<double, 2>& low, const std::array<double, 2>& high) const;

  /// Coordinates of a place, by their numbers in q.
  std::vector<int> numbered(const model::Place& place) const;

  bool is_planar_;
  std::vector<int> numbers_;  // of coordinates, by those they were declared with
  Triple up_;
  SceneLines lines_;
  std::vector<SceneFrame> frames_;
  std::map<std::vector<int>, int> frame_of_coordinates_;  // of what moves, not of stations
  std::vector<SceneConnection> connections_;
  std::vector<SceneRound> rounds_;
  std::vector<SceneCam> cams_;
  std::vector<Ground> grounds_;
  std::vector<ScenePatch> boxes_;  // their faces
};

/// With the parameters of a run.
Scene scene_of(const simulation::Trajectory& run);

}  // namespace perilune::output
