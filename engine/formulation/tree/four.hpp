// SPDX-License-Identifier: MIT
// Vectors of space in registers of four numbers, the last of which is zero in those of three. A function that is made
// for processors with wide registers and the same for all others have the same bits: these are the same operations in
// the same order.
#pragma once
#include <cstring>

#include "linalg/decompositions.hpp"

// Everything here becomes part of its caller, whatever that is made for.
#define PERILUNE_INLINE __attribute__((always_inline)) inline

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // no call remains that hands one over

namespace perilune::formulation {

/// Aligned as wide registers want it, by whoever has none, too.
using Four = double __attribute__((vector_size(32), aligned(32)));

PERILUNE_INLINE Four four(double x, double y, double z, double w = 0) { return Four{x, y, z, w}; }
PERILUNE_INLINE Four four(const Eigen::Vector3d& v) { return Four{v[0], v[1], v[2], 0}; }
PERILUNE_INLINE Four all(double x) { return Four{x, x, x, x}; }
/// Three numbers at x, or four.
PERILUNE_INLINE Four three_at(const double* x) { return Four{x[0], x[1], x[2], 0}; }
PERILUNE_INLINE Four four_at(const double* x) {
  Four out;
  std::memcpy(&out, x, sizeof out);
  return out;
}
PERILUNE_INLINE void put_three(const Four& v, double* x) {
  x[0] = v[0];
  x[1] = v[1];
  x[2] = v[2];
}
PERILUNE_INLINE void put_four(const Four& v, double* x) { std::memcpy(x, &v, sizeof v); }
PERILUNE_INLINE Eigen::Vector3d vector_of(const Four& v) { return {v[0], v[1], v[2]}; }

template <int i, int j, int k, int l>
PERILUNE_INLINE Four shuffled(const Four& v) {
  return __builtin_shufflevector(v, v, i, j, k, l);
}
PERILUNE_INLINE Four cross(const Four& a, const Four& b) {
  const Four c = a * shuffled<1, 2, 0, 3>(b) - shuffled<1, 2, 0, 3>(a) * b;
  return shuffled<1, 2, 0, 3>(c);
}
PERILUNE_INLINE double sum(const Four& v) {
  const Four pairs = v + shuffled<1, 0, 3, 2>(v);
  return pairs[0] + pairs[2];
}
PERILUNE_INLINE double dot(const Four& a, const Four& b) { return sum(a * b); }

/// A matrix by its columns.
struct Columns {
  Four x, y, z;
};
PERILUNE_INLINE Four times(const Columns& m, const Four& v) { return m.x * all(v[0]) + m.y * all(v[1]) + m.z * all(v[2]); }
PERILUNE_INLINE Columns transposed(const Columns& m) {
  const Four even = __builtin_shufflevector(m.x, m.y, 0, 4, 2, 6), odd = __builtin_shufflevector(m.x, m.y, 1, 5, 3, 7);
  return {__builtin_shufflevector(even, m.z, 0, 1, 4, 7), __builtin_shufflevector(odd, m.z, 0, 1, 5, 7),
          __builtin_shufflevector(even, m.z, 2, 3, 6, 7)};
}
PERILUNE_INLINE Four transposed_times(const Columns& m, const Four& v) {
  const Columns products = transposed({m.x * v, m.y * v, m.z * v});
  return products.x + products.y + products.z;
}
PERILUNE_INLINE Columns times_transposed(const Columns& a, const Columns& b) {
  return {a.x * all(b.x[0]) + a.y * all(b.y[0]) + a.z * all(b.z[0]),
          a.x * all(b.x[1]) + a.y * all(b.y[1]) + a.z * all(b.z[1]),
          a.x * all(b.x[2]) + a.y * all(b.y[2]) + a.z * all(b.z[2])};
}
PERILUNE_INLINE Columns diagonal(double x) {
  const Four d = all(x);
  return {d * four(1, 0, 0), d * four(0, 1, 0), d * four(0, 0, 1)};
}
PERILUNE_INLINE Columns operator+(const Columns& a, const Columns& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PERILUNE_INLINE Columns operator-(const Columns& a, const Columns& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
/// Each column of m, crossed by v.
PERILUNE_INLINE Columns crossed(const Four& v, const Columns& m) { return {cross(v, m.x), cross(v, m.y), cross(v, m.z)}; }
/// m times the matrix that crosses by v.
PERILUNE_INLINE Columns times_cross(const Columns& m, const Four& v) {
  const Four x = all(v[0]), y = all(v[1]), z = all(v[2]);
  return {z * m.y - y * m.z, x * m.z - z * m.x, y * m.x - x * m.y};
}
PERILUNE_INLINE Columns cross_columns(const Four& v) {
  return {shuffled<3, 2, 1, 3>(v) * four(1, 1, -1), shuffled<2, 3, 0, 3>(v) * four(-1, 1, 1),
          shuffled<1, 0, 3, 3>(v) * four(1, -1, 1)};
}
/// m - a b^T
PERILUNE_INLINE Columns less_product(const Columns& m, const Four& a, const Four& b) {
  return {m.x - a * all(b[0]), m.y - a * all(b[1]), m.z - a * all(b[2])};
}

/// Quaternions (w, x, y, z): the product.
PERILUNE_INLINE Four product(const Four& a, const Four& b) {
  const Four of_x = shuffled<1, 0, 3, 2>(a) * four(-1, 1, 1, -1), of_y = shuffled<2, 3, 0, 1>(a) * four(-1, -1, 1, 1),
             of_z = shuffled<3, 2, 1, 0>(a) * four(-1, 1, -1, 1);
  return a * all(b[0]) + of_x * all(b[1]) + of_y * all(b[2]) + of_z * all(b[3]);
}
/// (0, v) p: twice the rates of Euler parameters p where the body turns by v, in space.
PERILUNE_INLINE Four turned(const Four& v, const Four& p) {
  const Four by_x = shuffled<1, 0, 3, 2>(p) * four(-1, 1, -1, 1), by_y = shuffled<2, 3, 0, 1>(p) * four(-1, 1, 1, -1),
             by_z = shuffled<3, 2, 1, 0>(p) * four(-1, -1, 1, 1);
  return by_x * all(v[0]) + by_y * all(v[1]) + by_z * all(v[2]);
}
/// Axes of a body with Euler parameters p.
PERILUNE_INLINE Columns axes_of(const Four& p) {
  const Four e = shuffled<1, 2, 3, 0>(p) * four(1, 1, 1), twice = e + e;
  const double s = p[0] * p[0] - dot(e, e);
  const Columns around = cross_columns(all(p[0]) * twice), same = diagonal(s);
  return {twice * all(p[1]) + around.x + same.x, twice * all(p[2]) + around.y + same.y,
          twice * all(p[3]) + around.z + same.z};
}

}  // namespace perilune::formulation

#pragma GCC diagnostic pop
