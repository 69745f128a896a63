// Contact of points and spheres with planes, terrain and spheres: laws, surfaces, and what a contact is made of.
#pragma once
#include <functional>
#include <optional>
#include <variant>

#include "model/model.hpp"

namespace perilune::model {

/// Force against penetration. With the depth d > 0 (m) and its rate v (m/s) it is
///   F = max(0, K d^n (1 + 3/2 alpha v) + D min(1, d / w) (v > 0 ? 1 : c) v).
struct NormalLaw {
  Symbol stiffness = 0.0;         // K, N/m^n
  std::optional<Symbol> modulus;  // E*, Pa: instead, K = 4/3 E* sqrt(R) with the radius R of the contact
  Symbol exponent = 1.0;          // n
  Symbol dissipation = 0.0;       // alpha, s/m
  Symbol damping = 0.0;           // D, N s/m
  Symbol restitution = 1.0;       // c
  std::optional<Symbol> width;    // w, m; without it damping begins at once
};

/// Friction -g N v against the slip velocity v: g = mu(|v|) / |v| (s/m) as a function of v.v.
using SlipLaw = std::function<Symbol(const Symbol& square)>;

/// mu / sqrt(v.v + vs^2)
SlipLaw coulomb(const Symbol& coefficient, const Symbol& regularization);
/// mu(|v|) rises linearly from 0 at v0 to mu at v1.
SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1);
/// Rises to the static coefficient at the transition speed and falls to the dynamic one.
SlipLaw brown_mcphee(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& transition);

/// Spring (N/m) and damper (N s/m) to an anchor on the surface, which slides where friction would exceed mu N.
struct StaticFriction {
  Symbol stiffness, damping;
  std::optional<Symbol> coefficient;  // mu; without it the anchor holds any force
};

using Friction = std::variant<std::monostate, SlipLaw, StaticFriction>;

/// The plane through a's place normal to its last axis (z, in a plane model y), or
struct Plane {};
/// the height above that plane along the last axis, an expression of the terrain's variables, time and parameters, or
struct Terrain {
  Symbol height;
  bool is_vertical = false;  // distances are heights above it, not those from its slopes
};
/// a sphere about a's place.
struct Ball {
  Symbol radius;
};

/// What the height of a terrain is an expression of: coordinate k of a place along the axes of a. Only heights read it.
Symbol terrain_variable(Graph& graph, int k);

struct TerrainJump {
  int coordinate;
  double at, height;  // m; how much higher it is beyond
};
/// The first jump along the coordinate lines through the place `at` of the terrain's plane, within 100 m, at the
/// present parameters and t = 0.
std::optional<TerrainJump> jump_of_terrain(Model& model, const Terrain& terrain, const std::vector<double>& at);

using Surface = std::variant<Plane, Terrain, Ball>;

/// Distance of a sphere from a surface, as a function of where its centre is.
struct Gap {
  Symbol value;
  Vector slope;        // in space, by the position of the centre: the outward normal
  Symbol drift = 0.0;  // rate where the centre stays in the axes of a
};
/// Of the sphere of this radius (0: point) about b from the surface of a.
Gap gap_of(Model& model, const Place& a, const Surface& surface, const Place& b, const Symbol& radius);
/// Velocity of the point of the place's body at the end of an arm (in space) from it; a point does not turn.
Vector velocity_at(Model& model, const Place& place, const Vector& arm);
/// Whether the place is on something that turns.
bool turns(const Place& place);

/// The places b, spheres of this radius (0: points), against the surface of a.
struct Contact {
  Place a;
  std::vector<Place> b;
  Symbol radius = 0.0;
  Surface surface;
  NormalLaw normal;
  Friction friction;
};

}  // namespace perilune::model
