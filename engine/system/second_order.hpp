// Exact second derivatives of the residual of the equations of motion, as products:
//   R(t, q, v, a, lambda, d) = [M a + Phi_q^T lambda - Q;  c2 Phi'' + c1 Phi' + c0 Phi - kappa lambda]
// (n + m numbers) with respect to z = (q, v, a, lambda, d, t), where Phi' and Phi'' are the time derivatives for q' = v
// and v' = a.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "expr/pack.hpp"
#include "system/constraint_law.hpp"
#include "system/element_products.hpp"
#include "system/system.hpp"

namespace perilune::system {

/// A vector like z. A part that is nullptr is zero. Data are those of System::data_count(); only the columns that the
/// system differentiates by are read.
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

/// Differentiates every element type symbolically, which takes a few milliseconds the first time for a system. One
/// object per thread; copies share the tapes. The products allocate nothing and use all of `at`.
class SecondOrder {
 public:
  explicit SecondOrder(const System& system);
  /// Of some elements with n coordinates, m multipliers and `data` differentiated data in all.
  SecondOrder(const std::vector<Elements>& elements, int n, int m, int data, ElementProductCache& products);

  /// out += the gradient with respect to z of w^T DR(z)[direction], for w of n + m numbers.
  void add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                    const Direction& direction, PointGradient& out);
  /// The sum of these for several directions, whose w stand behind each other.
  void add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                    std::span<const Direction> directions, PointGradient& out);
  /// r += D^2R(z)[first, second], n + m numbers.
  void add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& first,
                  const Direction& second, double* r);
  /// The same for several first directions, whose results stand behind each other in r.
  void add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::span<const Direction> first,
                  const Direction& second, double* r);
  /// r += DR(z)[direction], n + m numbers.
  void add_first(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& direction,
                 double* r);

 private:
  struct Place {
    int array, index;
  };
  /// A tape and, element by element, where its inputs come from and where its outputs go.
  struct Step {
    expr::Tape tape;
    int count = 0;
    std::vector<Place> sources, targets;
  };
  struct Steps {
    std::vector<Step> gradient, first, second;
  };
  static constexpr std::size_t part_count = 6;
  // Numbers of the arrays that steps read: three vectors like z, and these.
  static constexpr int first_source = part_count, second_source = 2 * part_count, weight_source = 3 * part_count,
                       law_source = weight_source + 1, zero_source = law_source + 1;
  // Numbers of those that they write to: the parts of a gradient, of which R uses the first, and this.
  static constexpr int unused_target = part_count;

  static void add_steps(const Elements& elements, int n, ElementProductCache& cache, Steps& steps);
  static Step make_step(const ElementProduct& product, const Elements& elements, const std::vector<int>& members,
                        int n);
  /// Where the arrays of one product begin.
  struct Arrays {
    std::array<const double*, zero_source + 1> sources{};
    std::array<double*, unused_target + 1> targets{};
  };
  /// For `count` products at this point.
  void set_point(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::size_t count = 1);
  void set_direction(Arrays& arrays, int source, const Direction& direction) const;
  void run(const std::vector<Step>& steps);
  /// At most W pairs of an element and a product, from number `first` on; those of an element are neighbours.
  template <int W>
  void run(const Step& step, int first);

  std::shared_ptr<const Steps> steps_;
  // Slots of the tape that runs, for so many elements at once.
  template <int W>
  using Work = std::vector<expr::Pack<W>>;
  std::tuple<Work<2>, Work<4>> work_;
  std::size_t size_ = 0;               // n + m
  std::vector<double> zero_, unused_;  // what stands for parts that are not given, and not wanted
  std::vector<Arrays> arrays_;         // of the products that are computed at once
  std::array<double, 4> law_{};
};

}  // namespace perilune::system
