// SPDX-License-Identifier: MIT
#include "model/body/solids.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "error.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/place.hpp"

namespace perilune::model {

namespace {

/// At the origin, its z axis along x, y or z.
Shape centred(Shape::Kind kind, const Vector& size, std::size_t axis = 2) {
  Shape shape{kind, size, Vector(3, 0.0), Vector(9, 0.0)};
  for (std::size_t k = 0; k < 3; ++k) shape.axes[3 * ((axis + 1 + k) % 3) + k] = 1.0;
  return shape;
}

/// A ball of radius 1, whose poles are on z.
std::shared_ptr<const Triangles> unit_ball() {
  constexpr std::uint32_t rings = 24, sides = 48;
  Triangles out{{}, {}, {-1, -1, -1}, {1, 1, 1}};
  for (std::uint32_t ring = 0; ring <= rings; ++ring) {
    const double polar = std::numbers::pi * ring / rings;
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double turn = 2 * std::numbers::pi * k / sides;
      out.vertices.push_back({static_cast<float>(std::sin(polar) * std::cos(turn)),
                              static_cast<float>(std::sin(polar) * std::sin(turn)),
                              static_cast<float>(std::cos(polar))});
      if (ring == rings) continue;
      const std::uint32_t a = ring * sides + k, b = ring * sides + (k + 1) % sides;
      out.triangles.push_back({a, a + sides, b + sides});
      out.triangles.push_back({a, b + sides, b});
    }
  }
  return std::make_shared<const Triangles>(std::move(out));
}

/// A solid of revolution.
Solid revolved(const Symbol& mass, const Symbol& along, const Symbol& across, std::size_t axis, const Shape& shape) {
  Vector inertia{across, across, across, 0.0, 0.0, 0.0};
  inertia[axis] = along;
  return {mass, Vector(3, 0.0), inertia, {shape}};
}

}  // namespace

Solid rod(const Symbol& mass, const Symbol& length, std::size_t axis) {
  return revolved(mass, 0.0, mass * length * length / 12.0, axis, centred(Shape::Kind::Rod, {length}, axis));
}

Solid box(const Symbol& mass, const Vector& size) {
  const Symbol x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2], share = mass / 12.0;
  return {mass,
          Vector(3, 0.0),
          {share * (y + z), share * (x + z), share * (x + y), 0.0, 0.0, 0.0},
          {centred(Shape::Kind::Box, size)}};
}

Solid cylinder(const Symbol& mass, const Symbol& radius, const Symbol& inner_radius, const Symbol& length,
               std::size_t axis) {
  const Symbol squares = radius * radius + inner_radius * inner_radius;
  return revolved(mass, mass * squares / 2.0, mass * (3.0 * squares + length * length) / 12.0, axis,
                  centred(Shape::Kind::Cylinder, {radius, inner_radius, length}, axis));
}

Solid sphere(const Symbol& mass, const Symbol& radius) {
  const Symbol J = 0.4 * mass * radius * radius;
  return revolved(mass, J, J, 0, centred(Shape::Kind::Sphere, {radius}));
}

Solid ellipsoid(const Symbol& mass, const Vector& semi_axes) {
  static const std::shared_ptr<const Triangles> ball = unit_ball();
  const Symbol x = semi_axes[0] * semi_axes[0], y = semi_axes[1] * semi_axes[1], z = semi_axes[2] * semi_axes[2];
  const Symbol share = mass / 5.0;
  Shape shape = centred(Shape::Kind::Surface, semi_axes);
  shape.surface = ball;
  return {mass, Vector(3, 0.0), {share * (y + z), share * (x + z), share * (x + y), 0.0, 0.0, 0.0}, {shape}};
}

Symbol box_volume(const Vector& size) { return size[0] * size[1] * size[2]; }

Symbol cylinder_volume(const Symbol& radius, const Symbol& inner_radius, const Symbol& length) {
  return std::numbers::pi * (radius * radius - inner_radius * inner_radius) * length;
}

Symbol sphere_volume(const Symbol& radius) { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }

Symbol ellipsoid_volume(const Vector& a) { return 4.0 / 3.0 * std::numbers::pi * a[0] * a[1] * a[2]; }

Solid placed(const Solid& solid, const Vector& at, const Vector& orientation) {
  Vector A(9), JA(9), center(3), inertia;
  rotation_matrix(unit(orientation).data(), A.data());
  const Vector& J = solid.inertia;
  const Symbol tensor[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector row{A[3 * k], A[3 * k + 1], A[3 * k + 2]};
    center[k] = at[k] + dot(row, solid.center_of_mass);
    for (std::size_t j = 0; j < 3; ++j) JA[3 * k + j] = dot(row, {tensor[0][j], tensor[1][j], tensor[2][j]});
  }
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}) {
    const auto a = 3 * static_cast<std::size_t>(i), b = 3 * static_cast<std::size_t>(j);
    inertia.push_back(dot({JA[a], JA[a + 1], JA[a + 2]}, {A[b], A[b + 1], A[b + 2]}));
  }
  std::vector<Shape> shapes = solid.shapes;
  for (Shape& shape : shapes) {
    const Vector place = shape.at, own = shape.axes;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector row{A[3 * k], A[3 * k + 1], A[3 * k + 2]};
      shape.at[k] = at[k] + dot(row, place);
      for (std::size_t j = 0; j < 3; ++j) shape.axes[3 * k + j] = dot(row, {own[j], own[3 + j], own[6 + j]});
    }
  }
  return {solid.mass, center, inertia, shapes};
}

Solid assembly(const std::vector<Solid>& parts) {
  Solid whole{0.0, Vector(3, 0.0), Vector(6, 0.0)};
  for (const Solid& part : parts) {
    check_interrupt();
    whole.mass += part.mass;
    for (std::size_t k = 0; k < 3; ++k) whole.center_of_mass[k] += part.mass * part.center_of_mass[k];
  }
  for (Symbol& x : whole.center_of_mass) x = x / whole.mass;
  whole.shapes.reserve(std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                                       [](std::size_t sum, const Solid& part) { return sum + part.shapes.size(); }));
  for (const Solid& part : parts) {
    check_interrupt();
    const Vector d = minus(part.center_of_mass, whole.center_of_mass);
    const Symbol square = dot(d, d);
    for (std::size_t k = 0; k < 3; ++k) whole.inertia[k] += part.inertia[k] + part.mass * (square - d[k] * d[k]);
    whole.shapes.insert(whole.shapes.end(), part.shapes.begin(), part.shapes.end());
    whole.inertia[3] += part.inertia[3] - part.mass * d[0] * d[1];
    whole.inertia[4] += part.inertia[4] - part.mass * d[0] * d[2];
    whole.inertia[5] += part.inertia[5] - part.mass * d[1] * d[2];
  }
  return whole;
}

Solid solid_of(const Symbol& mass, const Vector& center_of_mass, const Vector& factor) {
  const Symbol &u11 = factor[0], &u22 = factor[1], &u33 = factor[2];
  const Symbol &u12 = factor[3], &u13 = factor[4], &u23 = factor[5];
  const Symbol xx = u11 * u11 + u12 * u12 + u13 * u13, yy = u22 * u22 + u23 * u23, zz = u33 * u33;
  const Symbol xy = u12 * u22 + u13 * u23, xz = u13 * u33, yz = u23 * u33;
  Vector inertia{yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
  for (Symbol& entry : inertia) entry = mass * entry;
  return {mass, center_of_mass, inertia};
}

std::optional<MassFactor> mass_factor(double mass, const std::vector<double>& inertia) {
  const double half = (inertia[0] + inertia[1] + inertia[2]) / 2;
  const double xx = (half - inertia[0]) / mass, yy = (half - inertia[1]) / mass, zz = (half - inertia[2]) / mass;
  const double xy = -inertia[3] / mass, xz = -inertia[4] / mass, yz = -inertia[5] / mass;
  if (!(zz > 0)) return std::nullopt;
  const double u33 = std::sqrt(zz), u13 = xz / u33, u23 = yz / u33;
  if (!(yy - u23 * u23 > 0)) return std::nullopt;
  const double u22 = std::sqrt(yy - u23 * u23), u12 = (xy - u13 * u23) / u22;
  const double rest = xx - u12 * u12 - u13 * u13;
  if (!(rest > 0)) return std::nullopt;
  return MassFactor{std::sqrt(rest), u22, u33, u12, u13, u23};
}

}  // namespace perilune::model
