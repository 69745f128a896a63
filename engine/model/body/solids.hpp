// SPDX-License-Identifier: MIT
// Mass properties of uniform solids and of assemblies of them, as expressions: every dimension may be a parameter.
#pragma once
#include <array>
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

/// What a rigid body is made of, in some frame: its mass (kg), centre of mass (3, m), and inertia tensor about the
/// centre of mass, parallel to the axes of the frame (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz in kg m^2). The shapes are for
/// pictures.
struct Solid {
  Symbol mass;
  Vector center_of_mass;
  Vector inertia;
  std::vector<Shape> shapes = {};
};

// Centred at the origin. `axis` is 0, 1 or 2 for x, y or z.

/// A thin rod: m L^2 / 12 across, nothing about its axis.
Solid rod(const Symbol& mass, const Symbol& length, std::size_t axis);
/// A cuboid with edges `size` (3) along x, y, z.
Solid box(const Symbol& mass, const Vector& size);
/// A cylinder, or a tube with an inner radius.
Solid cylinder(const Symbol& mass, const Symbol& radius, const Symbol& inner_radius, const Symbol& length,
               std::size_t axis);
Solid sphere(const Symbol& mass, const Symbol& radius);
/// With its semi-axes (3) along x, y, z.
Solid ellipsoid(const Symbol& mass, const Vector& semi_axes);

// Volumes (m^3).
Symbol box_volume(const Vector& size);
Symbol cylinder_volume(const Symbol& radius, const Symbol& inner_radius, const Symbol& length);
Symbol sphere_volume(const Symbol& radius);
Symbol ellipsoid_volume(const Vector& semi_axes);

/// The solid turned by the Euler parameters `orientation` (4, normalized here) and then moved by `at` (3).
Solid placed(const Solid& solid, const Vector& at, const Vector& orientation);
/// Several solids in one frame as one body (parallel-axis theorem).
Solid assembly(const std::vector<Solid>& parts);

/// An upper triangular matrix U as u11, u22, u33, u12, u13, u23 (m). A solid's second moments of mass about its centre
/// of mass, the integral of r r^T dm, are m U U^T, which together with m and the centre are the Cholesky factor of its
/// pseudo-inertia (P. M. Wensing, S. Kim, J.-J. E. Slotine, Linear Matrix Inequalities for Physically Consistent
/// Inertial Parameter Identification, IEEE RA-L 3, 2018).
using MassFactor = std::array<double, 6>;
/// Any factor makes a solid that a body can have; with a diagonal of zeros a flat or a straight one.
Solid solid_of(const Symbol& mass, const Vector& center_of_mass, const Vector& factor);
/// Of an inertia tensor (6) about the centre of mass, with a diagonal that is not negative; none where no body has that
/// tensor.
std::optional<MassFactor> mass_factor(double mass, const std::vector<double>& inertia);

}  // namespace perilune::model
