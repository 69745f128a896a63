// SPDX-License-Identifier: MIT
// A few adjacent numbers that are computed with as one: products with several interleaved vectors decide the cost of
// differentiating in several directions, and the compiler does not find these vector instructions by itself.
#pragma once
#include <cstddef>
#include <cstring>

namespace perilune::linalg {

/// Halves of halves, down to the processor's own vectors: the compiler keeps wider ones in memory, where sums would
/// have to wait for what was just stored.
template <int W>
class Lanes {
 public:
  Lanes() = default;  // zero
  explicit Lanes(const double* from) : low_(from), high_(from + W / 2) {}
  void store(double* to) const {
    low_.store(to);
    high_.store(to + W / 2);
  }
  void scale(double factor) {
    low_.scale(factor);
    high_.scale(factor);
  }
  void subtract(double factor, const Lanes& y) {
    low_.subtract(factor, y.low_);
    high_.subtract(factor, y.high_);
  }
  void add(const Lanes& y) {
    low_.add(y.low_);
    high_.add(y.high_);
  }
  void add(double factor, const Lanes& y) {
    low_.add(factor, y.low_);
    high_.add(factor, y.high_);
  }

 private:
  Lanes<W / 2> low_, high_;
};

template <>
class Lanes<2> {
 public:
  Lanes() = default;
  explicit Lanes(const double* from) { std::memcpy(&x_, from, sizeof x_); }
  void store(double* to) const { std::memcpy(to, &x_, sizeof x_); }
  void scale(double factor) { x_ *= factor; }
  void subtract(double factor, const Lanes& y) { x_ -= factor * y.x_; }
  void add(const Lanes& y) { x_ += y.x_; }
  void add(double factor, const Lanes& y) { x_ += factor * y.x_; }

 private:
  typedef double Vector __attribute__((vector_size(2 * sizeof(double))));
  Vector x_{};
};

template <>
class Lanes<1> {
 public:
  Lanes() = default;
  // Not a copy of bytes, which tempts the compiler to keep sums in general registers.
  explicit Lanes(const double* from) : x_(*from) {}
  void store(double* to) const { *to = x_; }
  void scale(double factor) { x_ *= factor; }
  void subtract(double factor, const Lanes& y) { x_ -= factor * y.x_; }
  void add(const Lanes& y) { x_ += y.x_; }
  void add(double factor, const Lanes& y) { x_ += factor * y.x_; }

 private:
  double x_ = 0;
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

/// A term of a linear combination.
struct Term {
  double weight;
  const double* numbers;
};

/// out = sum of the terms, `count` numbers each, none of which overlaps out.
inline void combine(const Term* term, const Term* end, std::size_t count, double* out) {
  auto block = [&]<int W>(std::size_t k) {
    Lanes<W> sum;
    for (const Term* t = term; t != end; ++t) sum.add(t->weight, Lanes<W>(t->numbers + k));
    sum.store(out + k);
  };
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) block.template operator()<8>(k);
  if (k + 4 <= count) block.template operator()<4>(k), k += 4;
  if (k + 2 <= count) block.template operator()<2>(k), k += 2;
  if (k < count) block.template operator()<1>(k);
}

}  // namespace perilune::linalg
