// SPDX-License-Identifier: MIT
// Interpolation between mesh points as weights of their numbers: what lies between them is differentiated by these.
#pragma once
#include <array>
#include <cstddef>

namespace perilune::integrator {

/// Of the quintic Hermite polynomial of a coordinate through two mesh points (as Mesh::interpolate), by q, v and a of
/// the first, then of the second.
using HermiteWeights = std::array<double, 6>;
/// Of its derivative of an order from 0 to 3, where a part `theta` of the step of length h (s) has passed.
HermiteWeights hermite_weights(int order, double theta, double h);

/// Weights of values at several times, of which the first `count` are used.
inline constexpr std::size_t most_support = 6;
using Times = std::array<double, most_support>;
/// Of the polynomial through the values, at t.
Times lagrange_weights(const Times& times, std::size_t count, double t);
/// Of its slope there.
Times lagrange_slopes(const Times& times, std::size_t count, double t);

}  // namespace perilune::integrator
