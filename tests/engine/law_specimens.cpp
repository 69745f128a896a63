// SPDX-License-Identifier: MIT
#include "law_specimens.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "expr/spline.hpp"
#include "model/beam/shear_beams.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_bodies.hpp"
#include "model/body/points.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/tire.hpp"
#include "model/force/bushing.hpp"
#include "model/force/clutch.hpp"
#include "model/force/control.hpp"
#include "model/force/filters.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/friction/friction_kinds.hpp"
#include "model/joint/joint_friction.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

namespace {

using namespace perilune::model;
using perilune::expr::Spline;

/// A model under construction, whose numbers become parameters.
struct Maker {
  LawSpecimen specimen;
  Model& m;
  Maker(const std::string& law, const std::string& title, int dimension)
      : specimen{law, title,
                 std::make_shared<Model>(title, dimension == 2 ? std::vector<double>{0, 0} : std::vector{0., 0., 0.})},
        m(*specimen.model) {}

  Symbol p(double value) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return m.add_parameter("p" + std::to_string(m.parameters().size()), value, "", -inf, inf);
  }
  Symbol read(const char* name) { return {m.graph(), m.signal(name)}; }
  Vector at(const std::vector<double>& numbers) {
    Vector out;
    for (double x : numbers) out.push_back(p(x));
    return out;
  }
  Place planar(const char* name, double x, double y, double angle) {
    return add_planar_body(m, name, 1.0, 0.2, {x, y}, angle, {0.1, -0.2}, 0.3);
  }
  Place spatial(const char* name, const Vector& at, bool is_natural = false) {
    const Vector inertia{0.1, 0.12, 0.15, 0.0, 0.0, 0.0}, orientation{1.0, 0.0, 0.0, 0.0}, zero{0.0, 0.0, 0.0};
    if (is_natural) return add_natural_body(m, name, 1.0, inertia, {at, orientation, zero, zero});
    return add_spatial_body(m, name, 1.0, inertia, at, orientation, zero, zero);
  }
};

using Specimens = std::vector<LawSpecimen>;

/// What the two sides of a contact are on.
enum class Sides { GroundPlanar, PlanarPoint, GroundSpatial, SpatialNatural };

/// b so that it is `height` above a's place, and a's place `below` the origin.
std::pair<Place, Place> ends_of(Maker& make, Sides sides, double height, double below) {
  Model& m = make.m;
  switch (sides) {
    case Sides::GroundPlanar:
      return {ground_place(m, make.at({0, -below})),
              body_place(m, make.planar("B", -0.08, height + 0.05, 0), make.at({0.1, -0.05}))};
    case Sides::PlanarPoint:
      return {body_place(m, make.planar("A", 0.1, 0.2, 0), make.at({-0.1, -0.2 - below})),
              add_point(m, "P", {0.02, height}, {0.1, -0.2}, 1.0)};
    case Sides::GroundSpatial:
      return {ground_place(m, make.at({0, 0, -below})),
              body_place(m, make.spatial("B", {-0.08, 0.04, height + 0.05}), make.at({0.1, -0.02, -0.05}))};
    case Sides::SpatialNatural:
      break;
  }
  return {body_place(m, make.spatial("A", {0.1, -0.1, 0.2}), make.at({-0.1, 0.1, -0.2 - below})),
          body_place(m, make.spatial("B", {-0.08, 0.04, height + 0.05}, true), make.at({0.1, -0.02, -0.05}))};
}

constexpr double box_thickness = 0.2;

/// A box is touched on a face by kind 3, on a corner by kind 4.
Surface surface_of(Maker& make, std::size_t kind, double ball_radius) {
  static_assert(std::variant_size_v<Surface> == 4, "a new surface needs a specimen");
  if (kind == 0) return Plane{};
  if (kind == 2) return Ball{make.p(ball_radius)};
  if (kind > 2) {
    std::vector<double> edges(static_cast<std::size_t>(make.m.dimension()), kind == 3 ? 3.0 : 0.01);
    edges.back() = box_thickness;
    return Box{make.at(edges)};
  }
  const Symbol x = terrain_variable(make.m.graph(), 0);
  Symbol height = make.p(0.02) * sin(3.0 * x);
  if (make.m.dimension() == 3) {
    const Symbol y = terrain_variable(make.m.graph(), 1);
    height += make.p(0.1) * y * y + make.p(0.05) * x * y;
  }
  return Terrain{height};
}

/// Of a sphere a modulus will do instead of a stiffness.
NormalLaw normal_of(Maker& make, int kind, bool is_sphere) {
  NormalLaw law;
  law.stiffness = make.p(300);
  if (kind == 1) law.damping = make.p(5);
  if (kind == 2) {
    law.damping = make.p(5);
    law.restitution = make.p(0.4);
    law.width = make.p(0.05);
  }
  if (kind == 3) {
    law.exponent = 1.5;
    law.dissipation = make.p(0.2);
    if (is_sphere) law.modulus = make.p(900);
  }
  return law;
}

/// All kinds that scripts can make, whose numbers are near those of their fields; then none, and an anchor that holds
/// all.
std::vector<Friction> frictions(Maker& make) {
  std::vector<Friction> out;
  const std::map<std::string_view, double> usual{
      {"coefficient", 0.4}, {"static", 0.5},  {"dynamic", 0.3},        {"stiffness", 200},      {"damping", 4},
      {"v0", 0.2},          {"v1", 0.9},      {"stribeck_speed", 0.8}, {"regularization", 0.3}, {"transition", 0.6},
      {"viscous", 0.2},     {"release", 0.1}, {"breakaway", 0.6},      {"dwell_time", 0.4}};
  for (const FrictionKind& kind : friction_kinds()) {
    GivenFriction<Symbol> given;
    for (const ForceField& field : kind.fields) given.numbers.emplace(field.name, make.p(usual.at(field.name)));
    out.push_back(kind.make(given));
  }
  out.push_back(std::monostate());
  out.push_back(StaticFriction{make.p(200), make.p(4), {}});
  return out;
}

Specimens contacts() {
  Specimens out;
  int count = 0, count_of_boxes = 0;
  for (Sides sides : {Sides::GroundPlanar, Sides::PlanarPoint, Sides::GroundSpatial, Sides::SpatialNatural}) {
    for (std::size_t surface = 0; surface < 5; ++surface) {
      for (const char* round : {"point", "sphere", "ellipsoid"}) {
        const std::string shape(round);
        if (shape == "ellipsoid" && sides == Sides::PlanarPoint) continue;  // which has no axes
        if (shape != "sphere" && surface > 2) continue;
        for (std::size_t friction = 0; friction < friction_kinds().size() + 2; ++friction) {
          // What friction makes of a gap is the same for all surfaces: one law, none, and an anchor.
          if (surface > 2 && friction > 0 && friction < friction_kinds().size()) continue;
          const int dimension = sides < Sides::GroundSpatial ? 2 : 3;
          static const char* surfaces[] = {"plane", "terrain", "ball", "box", "corner"};
          Maker make("contact",
                     "contact of a " + shape + " with a " + surfaces[surface] + ", friction " +
                         std::to_string(friction) + ", ends " + std::to_string(static_cast<int>(sides)),
                     dimension);
          const double radius = 0.2, ball = 0.4;
          const double height = (shape == "point" ? 0 : shape == "sphere" ? radius : 0.12) - 0.02;
          Contact contact;
          const auto [a, b] = ends_of(make, sides, height, surface == 2 ? ball : surface > 2 ? 0.5 * box_thickness : 0);
          contact.a = a;
          contact.b = {b};
          contact.surface = surface_of(make, surface, ball);
          if (shape == "sphere") contact.round.radius = make.p(radius);
          if (shape == "ellipsoid") {
            contact.round.semi_axes = make.at(dimension == 2 ? std::vector{0.2, 0.12} : std::vector{0.2, 0.15, 0.12});
          }
          contact.normal = normal_of(make, (surface > 2 ? count_of_boxes++ : count++) % 4, shape == "sphere");
          contact.friction = frictions(make)[friction];
          add_contact(make.m, "contact", contact);
          out.push_back(make.specimen);
        }
      }
    }
  }
  return out;
}

Specimens tires() {
  Specimens out;
  for (bool is_natural : {false, true}) {
    for (std::size_t kind = 0; kind < 3; ++kind) {  // a plane, a terrain, and one whose heights count
      for (bool slips : {false, true}) {
        Maker make("tire", "tire " + std::to_string(kind) + (slips ? " with slip" : ""), 3);
        Tire tire;
        tire.ground = is_natural ? make.spatial("A", {0, 0, 0}) : ground_place(make.m, {0, 0, 0});
        tire.wheel = make.spatial("B", {0.1, 0.2, 0.28}, is_natural);
        tire.axis = {0, 1, 0};
        tire.radius = make.p(0.3);
        tire.stiffness = make.p(1e3);
        tire.damping = make.p(10);
        tire.surface = surface_of(make, kind == 0 ? 0 : 1, 0);
        if (kind == 2) std::get<Terrain>(tire.surface).is_vertical = true;
        if (slips) tire.slip = TireSlip{make.p(0.9), make.p(0.8), make.p(0.4), make.p(0.3), make.p(0.2)};
        add_tire(make.m, "tire", tire);
        out.push_back(make.specimen);
      }
    }
  }
  return out;
}

Specimens springs() {
  Specimens out;
  for (Sides sides : {Sides::GroundPlanar, Sides::PlanarPoint, Sides::GroundSpatial, Sides::SpatialNatural}) {
    Maker make("spring", "spring by law", sides < Sides::GroundSpatial ? 2 : 3);
    const auto [a, b] = ends_of(make, sides, 1, 0);
    const Symbol x = length_of(make.m, a, b) - make.p(0.7), rate = length_rate(make.m, a, b), k = make.p(20);
    add_spring(make.m, "spring", a, b, 0.0, nullptr, 0.0, 0.0,
               {k * x * x * x, make.p(2) * rate * rate, make.p(3), 0.25 * k * x * x * x * x});
    out.push_back(make.specimen);
  }
  return out;
}

Maker with_angle(const char* law) {
  Maker make(law, law, 2);
  const Place X = make.planar("X", 0.5, 0.1, 0.4), Y = make.planar("Y", 1.2, 0.3, 0.9);
  add_joint(make.m, "revolute", "pin", body_place(make.m, X, {0.4, 0.0}), body_place(make.m, Y, {-0.3, 0.0}));
  return make;
}

Specimens torsion_springs() {
  Maker make = with_angle("torsion_spring");
  const Symbol angle = make.read("pin.angle");
  const Spline curve({-2.0, 0.0, 1.0, 3.0}, {make.p(-3), 0.0, make.p(2), 9.0}, {}, {});
  add_torsion_spring(make.m, "torsion_spring", angle,
                     {curve(angle), make.p(0.3) * rate_of(make.m, angle), make.p(1), curve.integral(angle)});
  return {make.specimen};
}

Specimens bump_stops() {
  Specimens out;
  for (int kind = 0; kind < 4; ++kind) {
    Maker make = with_angle("bump_stop");
    const Symbol lower = make.p(kind % 2 == 0 ? 0.6 : 0.2), upper = make.p(kind % 2 == 0 ? 0.9 : 0.4),
                 width = make.p(0.3);
    add_bump_stop(make.m, "bump_stop", make.read("pin.angle"),
                  {&lower, &upper, make.p(50), make.p(3), kind < 2 ? &width : nullptr});
    out.push_back(make.specimen);
  }
  return out;
}

Specimens clutches() {
  Maker make = with_angle("one_way_clutch");
  add_one_way_clutch(make.m, "one_way_clutch", make.read("pin.angle"), make.p(40), make.p(2));
  return {make.specimen};
}

Specimens bushings() {
  Specimens out;
  for (Sides sides : {Sides::GroundPlanar, Sides::GroundSpatial, Sides::SpatialNatural}) {
    Maker make("bushing", "bushing", sides == Sides::GroundPlanar ? 2 : 3);
    const auto [a, b] = ends_of(make, sides, 0.1, 0);
    const std::size_t n = sides == Sides::GroundPlanar ? 3 : 6;
    Vector stiffness(n * n, 0.0), damping(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        stiffness[n * i + j] = stiffness[n * j + i] = make.p(i == j ? 50 : 3);
        damping[n * i + j] = damping[n * j + i] = make.p(i == j ? 5 : 0.3);
      }
    }
    add_bushing(make.m, "bushing", a, b, stiffness, damping);
    out.push_back(make.specimen);
  }
  return out;
}

/// Beams with shear, bent from a clamp-like spring of the ground's; their segments are all of one form.
Specimens shear_beams() {
  Specimens out;
  for (int D : {2, 3}) {
    Maker make("beam", "beam of shear", D);
    ShearBeamShape shape;
    const Vector from = make.at(D == 2 ? std::vector<double>{0.1, 0.2} : std::vector{0.1, 0.2, 0.3});
    const Vector to = make.at(D == 2 ? std::vector<double>{0.9, 0.5} : std::vector{0.9, 0.5, 0.1});
    shape.course = {{from, to}, 2, {}};
    shape.young = make.p(50);
    shape.poisson = make.p(0.3);
    shape.density = make.p(2);
    shape.section = {make.p(0.5), make.p(0.3), std::nullopt, std::nullopt, std::nullopt, {}};
    if (D == 3) {
      shape.section.across = make.p(0.2);
      shape.section.torsion_constant = make.p(0.1);
      shape.up = make.at({0.1, 0.2, 1.0});
    }
    shape.shear_factor = make.p(0.8);
    shape.damping = make.p(0.1);
    shape.velocity = Vector(static_cast<std::size_t>(D), 0.0);
    shape.angular_velocity = Vector(D == 2 ? 1 : 3, 0.0);
    add_shear_beam(make.m, "beam", shape);
    out.push_back(make.specimen);
  }
  return out;
}

/// Also controllers and filters, which are first-order states.
Specimens states() {
  Specimens out;
  for (bool is_low : {false, true}) {  // at the upper limit, and below it
    Maker make = with_angle("state");
    PidGains gains{make.p(3), make.p(2), 0.0, nullptr};
    gains.upper = make.p(is_low ? 100 : 0.1);
    gains.tracking = make.p(0.4);
    add_pid(make.m, "state", make.p(0.9) - make.read("pin.angle"), gains);
    out.push_back(make.specimen);
  }
  for (int kind : {0, 1, 2}) {
    Maker make = with_angle("state");
    const Symbol input = make.p(0.4) * sin(make.read("pin.angle"));
    if (kind == 0) add_rate_limit(make.m, "state", input, {make.p(0.3), make.p(20), make.p(30)});
    if (kind == 1) add_filter(make.m, "state", input, FirstOrderFilter{make.p(0.3)});
    if (kind == 2) add_filter(make.m, "state", input, SecondOrderFilter{make.p(3), make.p(0.3)});
    out.push_back(make.specimen);
  }
  for (bool is_controller : {false, true}) {
    Maker make = with_angle("state");
    const Symbol filter = make.p(0.2), angle = make.read("pin.angle");
    if (is_controller) {
      add_pid(make.m, "state", make.p(0.4) - angle * angle, {make.p(3), make.p(2), make.p(1), &filter});
    } else {
      const Symbol z = add_state(make.m, "state", 0.1, "rad");
      set_state_rate(make.m, "state", (sin(make.read("t")) * angle - z) / filter);
    }
    out.push_back(make.specimen);
  }
  return out;
}

/// In every joint that rubs, with every law in a hinge.
Specimens joint_frictions() {
  Specimens out;
  auto rub = [&](const JointKind& kind, int dimension, std::size_t law) {
    Maker make("friction", std::string(kind.name), dimension);
    Place a, b;
    if (dimension == 2) {
      a = body_place(make.m, make.planar("X", 0.5, 0.1, 0.4), {0.4, 0.0});
      b = body_place(make.m, make.planar("Y", 1.2, 0.3, 0.9), {-0.3, 0.0});
    } else {
      a = body_place(make.m, make.spatial("X", {0.5, 0.1, 0.0}), {0.4, 0.0, 0.1});
      b = body_place(make.m, make.spatial("Y", {1.2, 0.3, 0.2}), {-0.3, 0.0, 0.2});
      a = with_axis(make.m, a, {0.3, 0.1, 1.0});
      b = with_axis(make.m, b, kind.name == "universal" ? Vector{1.0, 0.0, -0.3} : Vector{0.3, 0.1, 1.0});
    }
    Bearing bearing;
    for (const BearingField& field : bearing_fields(kind.rub, dimension)) bearing.emplace(field.name, make.p(0.2));
    const Symbol lead = make.p(0.3);
    const bool is_screw = kind.rub == Rub::Thread;
    add_joint(make.m, std::string(kind.name), "friction", a, b, is_screw ? &lead : nullptr);
    add_joint_friction(make.m, std::string(kind.name), "friction", a, b, {frictions(make)[law], bearing},
                       is_screw ? &lead : nullptr);
    out.push_back(make.specimen);
  };
  for (const JointKind& kind : joint_kinds()) {
    if (kind.rub == Rub::Nowhere) continue;
    for (int dimension : {2, 3}) {
      if (!kind.recipe(dimension)) continue;
      const bool has_all_laws = kind.rub == Rub::Hinge;
      for (std::size_t law = 0; law < (has_all_laws ? friction_kinds().size() : 1); ++law) rub(kind, dimension, law);
    }
  }
  return out;
}

/// By laws of a script's own, which may read anything.
Specimens forces() {
  Specimens out;
  for (Sides sides : {Sides::GroundPlanar, Sides::PlanarPoint, Sides::GroundSpatial, Sides::SpatialNatural}) {
    Maker make("force", "force", sides < Sides::GroundSpatial ? 2 : 3);
    const auto [a, b] = ends_of(make, sides, 0.4, 0);
    const Vector position = position_of(make.m, b), velocity = velocity_of(make.m, b);
    Vector force;
    for (std::size_t k = 0; k < position.size(); ++k) {
      force.push_back(make.p(2) * sin(make.read("t")) * position[k] - make.p(0.3) * velocity[k] * velocity[0]);
    }
    add_force_pair(make.m, "force", b, a, force, {});
    out.push_back(make.specimen);
  }
  Maker make = with_angle("force");
  const Symbol load = make.read("pin.lambda_x"), pull = make.read("Y.ax");
  add_force_pair(make.m, "force", {make.m.record().moving_frames[0].place}, {make.m.record().moving_frames[1].place},
                 {}, {make.p(0.1) * sqrt(1.0 + load * load) * make.read("pin.omega") + make.p(0.2) * pull});
  out.push_back(make.specimen);
  return out;
}

}  // namespace

std::vector<LawSpecimen> specimens_of(const std::string& law) {
  static const std::map<std::string, std::function<Specimens()>> all{{"contact", contacts},
                                                                     {"tire", tires},
                                                                     {"spring", springs},
                                                                     {"bump_stop", bump_stops},
                                                                     {"bushing", bushings},
                                                                     {"beam", shear_beams},
                                                                     {"torsion_spring", torsion_springs},
                                                                     {"one_way_clutch", clutches},
                                                                     {"friction", joint_frictions},
                                                                     {"state", states},
                                                                     {"force", forces}};
  const auto found = all.find(law);
  return found == all.end() ? Specimens() : found->second();
}
