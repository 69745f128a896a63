// A few adjacent numbers that are computed with as one: products with several interleaved vectors decide the cost of
// differentiating in several directions, and the compiler does not find these vector instructions by itself.
#pragma once
#include <cstring>

namespace perilune::linalg {

template <int W>
struct VectorOf {
  typedef double Type __attribute__((vector_size(W * sizeof(double))));
};
template <>
struct VectorOf<1> {
  using Type = double;
};

template <int W>
class Lanes {
 public:
  Lanes() = default;  // zero
  explicit Lanes(const double* from) {
    if constexpr (W == 1) {
      x_ = *from;
    } else {
      std::memcpy(&x_, from, sizeof x_);
    }
  }
  void store(double* to) const {
    if constexpr (W == 1) {
      *to = x_;  // a copy of bytes tempts the compiler to compute with general registers
    } else {
      std::memcpy(to, &x_, sizeof x_);
    }
  }
  void scale(double factor) { x_ *= factor; }
  void subtract(double factor, const Lanes& y) { x_ -= factor * y.x_; }
  void add(const Lanes& y) { x_ += y.x_; }

 private:
  typename VectorOf<W>::Type x_{};
};

/// Calls work.template operator()<W, S>(first) for blocks of W vectors that cover `count` interleaved ones. S is the
/// stride where it is known at compile time, else 0.
template <class Work>
void for_each_block(int count, Work&& work) {
  if (count == 1) return work.template operator()<1, 1>(0);
  if (count == 2) return work.template operator()<2, 2>(0);
  if (count == 4) return work.template operator()<4, 4>(0);
  int k = 0;
  for (; k + 4 <= count; k += 4) work.template operator()<4, 0>(k);
  for (; k + 2 <= count; k += 2) work.template operator()<2, 0>(k);
  if (k < count) work.template operator()<1, 0>(k);
}

}  // namespace perilune::linalg
