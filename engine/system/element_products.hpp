// SPDX-License-Identifier: MIT
// The residual of one element of a type, differentiated along directions, as tapes over the numbers of that element.
//   R = [M a + Phi_q^T lambda - Q;  c2 Phi'' + c1 Phi' + c0 Phi - kappa lambda]    of z = (q, v, a, lambda, d, t)
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "expr/tape.hpp"
#include "model/element/kernel.hpp"

namespace perilune::system {

/// Parts of z, and of vectors like it. An element's own multipliers are followed by those of others that it reads.
enum class PointPart { Position, Velocity, Acceleration, Multiplier, Datum, Time };

/// A tape that reads numbers of an element and adds to others.
struct ElementProduct {
  /// Point: z. First, Second: directions like z. Weight: of R, whose rows stand at Position and Multiplier. Law: the
  /// five numbers of a ConstraintLaw.
  enum class Of { Point, First, Second, Weight, Law };
  struct Input {
    Of of;
    PointPart part;
    int number;
  };
  struct Output {
    PointPart part;
    int number;
  };
  expr::Tape tape;
  std::vector<Input> inputs;
  std::vector<Output> outputs;  // those that are not always zero
  bool is_residual;             // the outputs are rows of R, at Position and Multiplier; else parts of z
};

/// What a tape computes. From RatesOfRows on they are those along a motion, which moves in the direction z' = (v, a,
/// a', lambda', 0, 1): the rates a' and lambda' stand in First, and where second ones are asked for a'' and lambda'' in
/// Second.
enum class ProductKind {
  Gradient,       // of w^T DR[first], with respect to z
  First,          // DR[first]
  Second,         // D^2R[first, second]
  MetricChange,   // of w^T (M a + Phi_q^T lambda), by q and d, for the a and lambda of Second
  MetricTangent,  // the derivative of M a + Phi_q^T lambda along the q and d of First, for those of Second
  RatesOfRows,    // (d/dt R_x)^T w for x = v, a and lambda
  SecondRates,    // (d^2/dt^2 R_x)^T w for x = a and lambda
  DampingRates,   // (d/dt R_v)^T w for the rows of forces only
  MassRates,      // M' x at Acceleration and M'' x at Position, for x in First's place of a
  TimePartial,    // R_t
  Curvature,      // D^2R[z', z']
};

/// Data that are not `moving` are constants.
ElementProduct element_product(ProductKind kind, const model::Kernel& kernel, const std::vector<char>& moving);

/// Keeps the products of element types, which take milliseconds to derive. Threads may share it.
class ElementProductCache {
 public:
  using Kernel = std::shared_ptr<const model::Kernel>;
  std::shared_ptr<const ElementProduct> find(ProductKind kind, const Kernel& kernel, const std::vector<char>& moving);

 private:
  std::mutex mutex_;
  std::map<std::tuple<ProductKind, Kernel, std::vector<char>>, std::shared_ptr<const ElementProduct>> known_;
};

}  // namespace perilune::system
