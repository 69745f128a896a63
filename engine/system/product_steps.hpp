// SPDX-License-Identifier: MIT
// Products of second derivatives for all elements of a system: the tapes of its element types, and where their numbers
// come from and go to.
#pragma once
#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include "expr/pack.hpp"
#include "system/constraint_law.hpp"
#include "system/element_products.hpp"
#include "system/system.hpp"

namespace perilune::system {

/// A vector like z = (q, v, a, lambda, d, t). A part that is nullptr is zero. Data are those of System::data_count();
/// only the columns that the system differentiates by are read.
struct Direction {
  const double* q = nullptr;
  const double* v = nullptr;
  const double* a = nullptr;
  const double* lambda = nullptr;
  const double* d = nullptr;
  double t = 0;
};

/// Where a gradient with respect to z is accumulated. A part that is nullptr is not wanted.
struct PointGradient {
  double* q = nullptr;
  double* v = nullptr;
  double* a = nullptr;
  double* lambda = nullptr;
  double* d = nullptr;
  double t = 0;
};

/// One tape and, element by element, where its inputs come from and where its outputs go.
struct ProductStep {
  struct Place {
    int array, index;
  };
  std::shared_ptr<const ElementProduct> product;
  int count = 0;
  std::vector<Place> sources, targets;
};
using ProductSteps = std::vector<ProductStep>;

/// Of some elements with n coordinates in all; differentiates every element type symbolically, which takes a few
/// milliseconds the first time.
ProductSteps product_steps(ProductKind kind, const std::vector<Elements>& elements, int n, ElementProductCache& cache);

/// Evaluates steps. One object per thread; after its making nothing is allocated, but for more products at once than
/// ever before.
class ProductRun {
 public:
  /// Of n coordinates, m multipliers and `data` differentiated data.
  ProductRun(int n, int m, int data);
  /// Before the first run() of these.
  void make_room(const ProductSteps& steps);

  /// For `count` products at this point, whose parts are given next. Directions and what they point to must outlive
  /// run().
  void set_point(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::size_t count = 1);
  void set_first(std::size_t product, const Direction& direction) { set_direction(product, first_source, direction); }
  void set_second(std::size_t product, const Direction& direction) { set_direction(product, second_source, direction); }
  /// Along a motion: the rates of a and lambda.
  void set_rates(std::size_t product, const double* a, const double* lambda) {
    arrays_[product].sources[first_source + static_cast<int>(PointPart::Acceleration)] = a;
    arrays_[product].sources[first_source + static_cast<int>(PointPart::Multiplier)] = lambda;
  }
  /// And their second rates.
  void set_second_rates(std::size_t product, const double* a, const double* lambda) {
    arrays_[product].sources[second_source + static_cast<int>(PointPart::Acceleration)] = a;
    arrays_[product].sources[second_source + static_cast<int>(PointPart::Multiplier)] = lambda;
  }
  void set_weight(std::size_t product, const double* w) { arrays_[product].sources[weight_source] = w; }
  /// Where rows of R (n + m numbers) go.
  void set_rows(std::size_t product, double* r) { arrays_[product].targets[0] = r; }
  /// Where gradients by z go.
  void set_gradient(std::size_t product, PointGradient& out);

  void run(const ProductSteps& steps);

 private:
  friend ProductSteps product_steps(ProductKind, const std::vector<Elements>&, int, ElementProductCache&);
  static constexpr int part_count = 6;
  // Numbers of the arrays that steps read: three vectors like z, and these.
  static constexpr int first_source = part_count, second_source = 2 * part_count, weight_source = 3 * part_count,
                       law_source = weight_source + 1, zero_source = law_source + 1;
  // Numbers of those that they write to: the parts of a gradient, of which R uses the first, and this.
  static constexpr int unused_target = part_count;

  static ProductStep make_step(std::shared_ptr<const ElementProduct> product, const Elements& elements,
                               const std::vector<int>& members, int n);
  void set_direction(std::size_t product, int source, const Direction& direction);
  /// At most W pairs of an element and a product, from number `first` on; those of an element are neighbours.
  template <int W>
  void run(const ProductStep& step, int first);

  /// Where the arrays of one product begin.
  struct Arrays {
    std::array<const double*, zero_source + 1> sources{};
    std::array<double*, unused_target + 1> targets{};
  };
  // Slots of the tape that runs, for so many elements at once.
  template <int W>
  using Work = std::vector<expr::Pack<W>>;
  std::tuple<Work<2>, Work<4>> work_;
  std::vector<double> zero_, unused_;  // what stands for parts that are not given, and not wanted
  std::vector<Arrays> arrays_;         // of the products that are computed at once
  std::array<double, 5> law_{};
};

}  // namespace perilune::system
