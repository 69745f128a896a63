// SPDX-License-Identifier: MIT
// Several numbers in one register, each of another computation: the same operations in the same order as for a single
// one, and so the same bits. Everything here becomes part of its caller, which says what registers there are.
#pragma once
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#define PERILUNE_WIDE_512 __attribute__((target("avx512f"), flatten))
#define PERILUNE_WIDE_256 __attribute__((target("avx2"), flatten))
#else
#define PERILUNE_WIDE_512
#define PERILUNE_WIDE_256
#endif
#pragma GCC diagnostic ignored "-Wpsabi"  // no call remains that hands one over

namespace perilune::expr {

/// How many computations stand side by side in all arrays of lanes: a number's lanes are adjacent.
inline constexpr int lane_count = 8;

/// What a processor has: nothing that is worth it, registers of four numbers, or of eight.
enum class Registers { None, Four, Eight };
inline Registers registers_here() {
#if defined(__x86_64__)
  static const Registers found = __builtin_cpu_supports("avx512f") ? Registers::Eight
                                 : __builtin_cpu_supports("avx2")  ? Registers::Four
                                                                   : Registers::None;
  return found;
#else
  return Registers::None;
#endif
}

template <int K>
struct WideRegister;
template <>
struct WideRegister<4> {
  typedef double Vector __attribute__((vector_size(32)));
};
template <>
struct WideRegister<8> {
  typedef double Vector __attribute__((vector_size(64)));
};

template <int K>
class Wide {
 public:
  static constexpr int size = K;
  using Vector = typename WideRegister<K>::Vector;
  Vector x;

  Wide() = default;
  [[gnu::always_inline]] Wide(double value) : x(value - Vector{}) {}  // NOLINT: as the other scalars
  [[gnu::always_inline]] explicit Wide(const Vector& of) : x(of) {}
  [[gnu::always_inline]] static Wide at(const double* from) {
    Wide out;
    std::memcpy(&out.x, from, sizeof out.x);
    return out;
  }
  [[gnu::always_inline]] void store(double* to) const { std::memcpy(to, &x, sizeof x); }

  [[gnu::always_inline]] Wide& operator+=(const Wide& b) { return x += b.x, *this; }
  [[gnu::always_inline]] Wide& operator-=(const Wide& b) { return x -= b.x, *this; }
  [[gnu::always_inline]] Wide& operator*=(const Wide& b) { return x *= b.x, *this; }
  [[gnu::always_inline]] Wide& operator/=(const Wide& b) { return x /= b.x, *this; }
  [[gnu::always_inline]] friend Wide operator+(const Wide& a, const Wide& b) { return Wide(a.x + b.x); }
  [[gnu::always_inline]] friend Wide operator-(const Wide& a, const Wide& b) { return Wide(a.x - b.x); }
  [[gnu::always_inline]] friend Wide operator*(const Wide& a, const Wide& b) { return Wide(a.x * b.x); }
  [[gnu::always_inline]] friend Wide operator/(const Wide& a, const Wide& b) { return Wide(a.x / b.x); }
  [[gnu::always_inline]] friend Wide operator-(const Wide& a) { return Wide(-a.x); }

  [[gnu::always_inline]] friend Wide sqrt(const Wide& a) {
    return each(
        a, [](double y) __attribute__((always_inline)) { return std::sqrt(y); });
  }
  // The functions of one number, so that their last bits are the same.
  [[gnu::always_inline]] friend Wide sin(const Wide& a) {
    return each(
        a, [](double y) __attribute__((always_inline)) { return std::sin(y); });
  }
  [[gnu::always_inline]] friend Wide cos(const Wide& a) {
    return each(
        a, [](double y) __attribute__((always_inline)) { return std::cos(y); });
  }

 private:
  template <class Function>
  [[gnu::always_inline]] static Wide each(const Wide& a, Function&& function) {
    double numbers[K];
    a.store(numbers);
    for (double& y : numbers) y = function(y);
    return at(numbers);
  }
};

template <class Work, class... Arguments>
PERILUNE_WIDE_512 void in_eight(const Arguments&... arguments) {
  Work::template run<Wide<8>>(arguments...);
}
template <class Work, class... Arguments>
PERILUNE_WIDE_256 void in_four(const Arguments&... arguments) {
  Work::template run<Wide<4>>(arguments...);
}
/// Work::run<V>(arguments...) with the registers that there are. What it changes it is handed as pointers.
template <class Work, class... Arguments>
void in_registers(Registers registers, const Arguments&... arguments) {
  registers == Registers::Eight ? in_eight<Work>(arguments...) : in_four<Work>(arguments...);
}

}  // namespace perilune::expr
