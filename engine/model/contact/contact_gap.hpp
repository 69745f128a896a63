// SPDX-License-Identifier: MIT
// How far places, spheres and ellipsoids are from surfaces, and where they touch.
#pragma once
#include <optional>
#include <variant>

#include "model/model.hpp"

namespace perilune::model {

/// The plane through a's place normal to its last axis (z, in a plane model y), or
struct Plane {};
/// the height above that plane along the last axis, an expression of the terrain's variables, time and parameters, or
struct Terrain {
  Symbol height;
  bool is_vertical = false;  // distances are heights above it, not those from its slopes
};
/// a sphere about a's place, or
struct Ball {
  Symbol radius;
};
/// a box about a's place along its axes: for spheres. Where an edge is 0 it is a plate without thickness.
struct Box {
  Vector edges;  // m, one along each axis
};
using Surface = std::variant<Plane, Terrain, Ball, Box>;

/// What touches a surface, about its place: a sphere (radius 0: a point), or an ellipsoid along the axes of the place.
struct Round {
  Symbol radius = 0.0;
  Vector semi_axes = {};  // m; empty for a sphere
};

bool is_point(const Round& round);

/// What a surface does to one of the places at it, in space.
struct Push {
  Vector at;     // m, where they touch
  Vector force;  // N, on what touches
};
/// Those of the element declared last: nothing in phases that leave it out.
std::vector<Push> acting(const Model& model, std::vector<Push> pushes);

/// A contact, a tire or a cam as pictures show it.
struct Touching {
  std::string name;
  Place a;
  std::vector<Place> b;
  Surface surface;
  Round round;
  std::vector<Push> pushes = {};       // one for each b
  Vector wheel_axis = {};              // of a tire, in the body frame of b; empty for contacts
  bool hides_surface = false;          // a hollow one would hide what is in it
  std::optional<Symbol> profile = {};  // of a cam, instead of a surface: R (m) over edge_angle() about the z axis of a
};

/// What the height of a terrain is an expression of: coordinate k of a place along the axes of a. Only heights read it.
Symbol terrain_variable(Graph& graph, int k);

/// Where the height of a terrain jumps, or where its slope does.
struct TerrainFault {
  enum class Kind { Jump, Corner } kind;
  int coordinate;
  double at, size;  // m; how much higher, or steeper, it is beyond
};
struct TerrainFaults {
  std::optional<TerrainFault> jump, corner;
  bool in_time = false;  // there is one of either in the course of time
};
/// The first along coordinate lines near the place `at` of the terrain's plane, within 100 m, and at some times within
/// 200 s, at the present parameters.
TerrainFaults faults_of_terrain(Model& model, const Terrain& terrain, const std::vector<double>& at);

/// Distance from a surface, as a function of where what touches it is.
struct Gap {
  Symbol value;
  Vector slope;        // in space, by the position of the centre: the outward normal
  Vector arm;          // in space, from the centre to the point of contact
  Symbol drift = 0.0;  // rate where all stays in the axes of a
  /// Not above the value, and bounded easily over a stretch of the motion where the value itself is not.
  std::optional<Symbol> least = {};
};
/// Those of the element `name` that change where a point passes a corner, and where time makes one.
struct TerrainSwitches {
  std::string name;
  bool at_corners = false, in_time = false;
};
/// Of what is round about b from the surface of a. The distance grows with slope.(velocity of the end of the arm).
Gap gap_of(Model& model, const TerrainSwitches& switches, const Place& a, const Surface& surface, const Place& b,
           const Round& round);
/// Of a sphere (radius 0: a point) whose centre is `apart`, in space, from a's place.
Gap gap_of_sphere(Model& model, const TerrainSwitches& switches, const Place& a, const Terrain& terrain,
                  const Vector& apart, const Symbol& radius);

}  // namespace perilune::model
