// SPDX-License-Identifier: MIT
// Vectors of space that vary in one direction, or in up to four that stand side by side in the lanes of registers: the
// same operations in the same order, so that a direction has the same bits beside others as alone.
#pragma once
#include "formulation/tree/four.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

/// A register for each component, and for each of Euler parameters.
struct Lanes3 {
  Four x, y, z;
};
struct Lanes4 {
  Four w, x, y, z;
};

PERILUNE_INLINE Lanes3 operator+(const Lanes3& a, const Lanes3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PERILUNE_INLINE Lanes3 operator-(const Lanes3& a, const Lanes3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PERILUNE_INLINE Lanes3& operator+=(Lanes3& a, const Lanes3& b) { return a = a + b; }
PERILUNE_INLINE Lanes3& operator-=(Lanes3& a, const Lanes3& b) { return a = a - b; }
PERILUNE_INLINE Lanes4 operator+(const Lanes4& a, const Lanes4& b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
PERILUNE_INLINE Lanes4 operator-(const Lanes4& a, const Lanes4& b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}

/// A number that varies or not, times a vector that does not or does.
PERILUNE_INLINE Four scaled(double a, const Four& v) { return all(a) * v; }
PERILUNE_INLINE Lanes3 scaled(const Four& a, const Four& v) { return {a * all(v[0]), a * all(v[1]), a * all(v[2])}; }
PERILUNE_INLINE Lanes3 scaled(double a, const Lanes3& v) { return {all(a) * v.x, all(a) * v.y, all(a) * v.z}; }
PERILUNE_INLINE Four scaled_list(double a, const Four& p) { return all(a) * p; }
PERILUNE_INLINE Lanes4 scaled_list(const Four& a, const Four& p) {
  return {a * all(p[0]), a * all(p[1]), a * all(p[2]), a * all(p[3])};
}
PERILUNE_INLINE Lanes4 scaled(double a, const Lanes4& p) {
  return {all(a) * p.w, all(a) * p.x, all(a) * p.y, all(a) * p.z};
}

PERILUNE_INLINE Lanes3 cross(const Lanes3& a, const Four& b) {
  const Four x = all(b[0]), y = all(b[1]), z = all(b[2]);
  return {a.y * z - a.z * y, a.z * x - a.x * z, a.x * y - a.y * x};
}
PERILUNE_INLINE Lanes3 cross(const Four& a, const Lanes3& b) {
  const Four x = all(a[0]), y = all(a[1]), z = all(a[2]);
  return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
}
PERILUNE_INLINE Four dot(const Four& a, const Lanes3& b) { return all(a[0]) * b.x + all(a[1]) * b.y + all(a[2]) * b.z; }
PERILUNE_INLINE Four dot_list(const Four& a, const Lanes4& b) {
  return (all(a[0]) * b.w + all(a[1]) * b.x) + (all(a[2]) * b.y + all(a[3]) * b.z);
}
PERILUNE_INLINE double dot_list(const Four& a, const Four& b) { return dot(a, b); }
/// a . x + b . y
PERILUNE_INLINE double dots(const Four& a, const Four& x, const Four& b, const Four& y) { return sum(a * x + b * y); }
PERILUNE_INLINE Four dots(const Four& a, const Lanes3& x, const Four& b, const Lanes3& y) {
  return (all(a[0]) * x.x + all(b[0]) * y.x) + (all(a[1]) * x.y + all(b[1]) * y.y) +
         (all(a[2]) * x.z + all(b[2]) * y.z);
}
PERILUNE_INLINE Lanes3 times(const Columns& m, const Lanes3& v) {
  return {all(m.x[0]) * v.x + all(m.y[0]) * v.y + all(m.z[0]) * v.z,
          all(m.x[1]) * v.x + all(m.y[1]) * v.y + all(m.z[1]) * v.z,
          all(m.x[2]) * v.x + all(m.y[2]) * v.y + all(m.z[2]) * v.z};
}
PERILUNE_INLINE Lanes3 transposed_times(const Columns& m, const Lanes3& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}

PERILUNE_INLINE Lanes4 turned(const Lanes3& v, const Four& p) {
  const Four w = all(p[0]), x = all(p[1]), y = all(p[2]), z = all(p[3]);
  return {-(x * v.x) - y * v.y - z * v.z, w * v.x + z * v.y - y * v.z, w * v.y - z * v.x + x * v.z,
          y * v.x - x * v.y + w * v.z};
}
PERILUNE_INLINE Lanes4 turned(const Four& v, const Lanes4& p) {
  const Four x = all(v[0]), y = all(v[1]), z = all(v[2]);
  return {-(p.x * x) - p.y * y - p.z * z, p.w * x + p.z * y - p.y * z, p.w * y - p.z * x + p.x * z,
          p.y * x - p.x * y + p.w * z};
}
PERILUNE_INLINE Lanes4 product(const Lanes4& a, const Four& b) {
  const Four w = all(b[0]), x = all(b[1]), y = all(b[2]), z = all(b[3]);
  return {a.w * w - a.x * x - a.y * y - a.z * z, a.x * w + a.w * x - a.z * y + a.y * z,
          a.y * w + a.z * x + a.w * y - a.x * z, a.z * w - a.y * x + a.x * y + a.w * z};
}
PERILUNE_INLINE Lanes4 product(const Four& a, const Lanes4& b) {
  const Four w = all(a[0]), x = all(a[1]), y = all(a[2]), z = all(a[3]);
  return {w * b.w - x * b.x - y * b.y - z * b.z, x * b.w + w * b.x - z * b.y + y * b.z,
          y * b.w + z * b.x + w * b.y - x * b.z, z * b.w - y * b.x + x * b.y + w * b.z};
}
PERILUNE_INLINE Lanes4 conjugate(const Lanes4& p) { return {p.w, -p.x, -p.y, -p.z}; }
PERILUNE_INLINE Lanes3 turning_part(const Lanes4& b_by_p) { return {b_by_p.x, b_by_p.y, b_by_p.z}; }

/// One direction among `count` that stand side by side in lists of numbers.
struct OneDirection {
  static constexpr int size = 1;
  using Number = double;
  using Vector = Four;
  using List = Four;  // of Euler parameters
  int count, number;

  PERILUNE_INLINE static Vector zero() { return all(0); }
  PERILUNE_INLINE static Vector lane(const Vector& v, int /*k*/) { return v; }
  PERILUNE_INLINE static void set_lane(Vector& v, int /*k*/, const Four& to) { v = to; }
  PERILUNE_INLINE Number at(const double* list, int i) const { return list[i * count + number]; }
  PERILUNE_INLINE void put(Number x, double* list, int i) const { list[i * count + number] = x; }
  PERILUNE_INLINE Vector three(const double* list, int i) const {
    return four(at(list, i), at(list, i + 1), at(list, i + 2));
  }
  /// Of rows that stand anywhere, or nowhere (-1).
  PERILUNE_INLINE Vector three_of(const double* list, const int* rows) const {
    Four out = all(0);
    for (int k = 0; k < 3; ++k) {
      if (rows[k] >= 0) out[k] = at(list, rows[k]);
    }
    return out;
  }
  PERILUNE_INLINE List four_from(const double* list, int i) const {
    return four(at(list, i), at(list, i + 1), at(list, i + 2), at(list, i + 3));
  }
  PERILUNE_INLINE void put_three(const Vector& v, double* list, int i) const {
    for (int k = 0; k < 3; ++k) put(v[k], list, i + k);
  }
  PERILUNE_INLINE void put_list(const List& p, double* list, int i) const {
    for (int k = 0; k < 4; ++k) put(p[k], list, i + k);
  }
};

/// So many of them, at most four, from `number` on.
template <int directions>
struct Directions {
  static constexpr int size = directions;
  using Number = Four;
  using Vector = Lanes3;
  using List = Lanes4;
  int count, number;

  PERILUNE_INLINE static Vector zero() { return {all(0), all(0), all(0)}; }
  PERILUNE_INLINE static Four lane(const Vector& v, int k) { return four(v.x[k], v.y[k], v.z[k]); }
  PERILUNE_INLINE static void set_lane(Vector& v, int k, const Four& to) {
    v.x[k] = to[0];
    v.y[k] = to[1];
    v.z[k] = to[2];
  }
  PERILUNE_INLINE Number at(const double* list, int i) const {
    const double* from = list + i * count + number;
    if constexpr (size == 4) return four_at(from);
    return Four{from[0], from[1], size > 2 ? from[size - 1] : 0, 0};
  }
  PERILUNE_INLINE void put(const Number& x, double* list, int i) const {
    std::memcpy(list + i * count + number, &x, size * sizeof(double));
  }
  PERILUNE_INLINE Vector three(const double* list, int i) const {
    return {at(list, i), at(list, i + 1), at(list, i + 2)};
  }
  PERILUNE_INLINE Vector three_of(const double* list, const int* rows) const {
    Vector out = zero();
    if (rows[0] >= 0) out.x = at(list, rows[0]);
    if (rows[1] >= 0) out.y = at(list, rows[1]);
    if (rows[2] >= 0) out.z = at(list, rows[2]);
    return out;
  }
  PERILUNE_INLINE List four_from(const double* list, int i) const {
    return {at(list, i), at(list, i + 1), at(list, i + 2), at(list, i + 3)};
  }
  PERILUNE_INLINE void put_three(const Vector& v, double* list, int i) const {
    put(v.x, list, i);
    put(v.y, list, i + 1);
    put(v.z, list, i + 2);
  }
  PERILUNE_INLINE void put_list(const List& p, double* list, int i) const {
    put(p.w, list, i);
    put(p.x, list, i + 1);
    put(p.y, list, i + 2);
    put(p.z, list, i + 3);
  }
};

}  // namespace perilune::formulation

#pragma GCC diagnostic pop
