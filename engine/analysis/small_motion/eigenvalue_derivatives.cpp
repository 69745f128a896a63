// SPDX-License-Identifier: MIT
#include "analysis/small_motion/eigenvalue_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/equilibrium.hpp"
#include "analysis/small_motion/pencil.hpp"
#include "error.hpp"
#include "system/second_order.hpp"

namespace perilune::analysis {

namespace {

using Complex = std::complex<double>;
using system::ConstraintLaw;

// Of forces per mass, and of derivatives: what rounding leaves of zeros.
constexpr double rounding = 1e-7;

/// r and (Phi'', Psi'), (Phi', Psi), and Phi.
constexpr ConstraintLaw of_accelerations{1, 0, 0, 0, 0}, of_velocities{0, 1, 0, 0, 1}, of_positions{0, 0, 1, 0, 0};

VectorXd data_direction(const System& system, const system::Data& data, int parameter) {
  std::vector<double> direction(static_cast<std::size_t>(system.parameter_count()), 0.0);
  direction[static_cast<std::size_t>(parameter)] = 1;
  VectorXd out(system.data_count());
  system.data_tangent(data, direction.data(), out.data());
  return out;
}

StateRates empty_rates(const System& system, const system::Data& data, const std::vector<int>& over) {
  const auto count = static_cast<Index>(over.size());
  StateRates out;
  out.over = over;
  out.q = out.v = MatrixXd::Zero(system.coordinate_count(), count);
  out.data.resize(system.data_count(), count);
  out.neutral = MatrixXd(2 * system.coordinate_count(), 0);
  for (Index k = 0; k < count; ++k) {
    out.data.col(k) = data_direction(system, data, over[static_cast<std::size_t>(k)]);
  }
  return out;
}

double largest_of(const Eigen::Ref<const VectorXd>& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// A point of the residual, where its products are taken.
class Residual {
 public:
  Residual(const System& system, const system::Data& data, double t, const std::vector<double>& q,
           const std::vector<double>& v, const std::vector<double>& a, const std::vector<double>& lambda)
      : system_(system),
        data_(data),
        at_{t, q.data(), v.data(), a.data(), lambda.data()},
        second_(system),
        n_(system.coordinate_count()),
        rows_(n_ + system.constraint_count()) {
    system::Workspace w(system);
    system.evaluate(at_, data, w);
    force_ = largest(w.force.data(), system.coordinate_count());
    std::size_t k = 0;
    system.nn().for_each([&](int i, int j) {
      if (i == j) mass_ = std::max(mass_, std::abs(w.mass[k]));
      ++k;
    });
  }

  /// Typical of accelerations under forces of this size (N).
  double acceleration_of(double force) const { return mass_ > 0 ? force / mass_ : 0; }
  /// The largest that acts on a coordinate, without reactions.
  double force() const { return force_; }

  /// DR along directions of positions, velocities and data.
  MatrixXd first(const ConstraintLaw& law, const MatrixXd& q, const MatrixXd& v, const MatrixXd& data) {
    MatrixXd out = MatrixXd::Zero(rows_, data.cols());
    for (Index k = 0; k < data.cols(); ++k) {
      second_.add_first(at_, data_, law, {.q = q.col(k).data(), .v = v.col(k).data(), .d = data.col(k).data()},
                        out.col(k).data());
    }
    return out;
  }

  /// The gradient of sums of w^T DR[direction], complex as w and the directions are.
  struct Gradient {
    MatrixXd q, v, a, lambda, data;
  };
  struct Directions {
    const MatrixXd *q = nullptr, *v = nullptr, *a = nullptr, *lambda = nullptr;
  };
  Gradient zero() const {
    const Index n = n_, m = rows_ - n_;
    return {MatrixXd::Zero(n, 2), MatrixXd::Zero(n, 2), MatrixXd::Zero(n, 2), MatrixXd::Zero(m, 2),
            MatrixXd::Zero(system_.data_count(), 2)};
  }
  void add(const ConstraintLaw& law, const MatrixXd* of_forces, const MatrixXd& of_constraints,
           const Directions& directions, Gradient& out) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        VectorXd w = VectorXd::Zero(rows_);
        if (of_forces) w.head(n_) = of_forces->col(i);
        w.tail(rows_ - n_) = of_constraints.col(i);
        if (i == 1 && j == 1) w = -w;
        const auto part = [j](const MatrixXd* x) { return x ? x->col(j).data() : nullptr; };
        const int k = i == j ? 0 : 1;
        system::PointGradient target{.q = out.q.col(k).data(),
                                     .v = out.v.col(k).data(),
                                     .a = out.a.col(k).data(),
                                     .lambda = out.lambda.col(k).data(),
                                     .d = out.data.col(k).data()};
        second_.add_gradient(at_, data_, law, w.data(),
                             {.q = part(directions.q),
                              .v = part(directions.v),
                              .a = part(directions.a),
                              .lambda = part(directions.lambda)},
                             target);
      }
    }
  }

 private:
  const System& system_;
  const system::Data& data_;
  system::Kinematics at_;
  system::SecondOrder second_;
  Index n_, rows_;
  double force_ = 0, mass_ = 0;
};

/// Of y^T P z, the vectors held.
Residual::Gradient gradient_of(Residual& residual, const Pencil& pencil, const PencilMotion& z, const PencilWeights& y,
                               bool turns) {
  Residual::Gradient out = residual.zero();
  residual.add(of_accelerations, &y.of_forces, y.of_accelerations, {&z.q, &z.v, &z.a, &z.lambda}, out);
  residual.add(of_velocities, nullptr, y.of_velocities, {&z.q, &z.v}, out);
  residual.add(of_velocities, nullptr, z.nu, {.v = &y.of_v}, out);
  residual.add(of_positions, nullptr, y.of_positions, {&z.q}, out);
  residual.add(of_positions, nullptr, z.mu, {&y.of_q}, out);
  if (!turns) return out;
  const MatrixXd& C = pencil.jacobian();
  const MatrixXd off = z.v - C.transpose() * z.kappa, along = C.transpose() * y.of_turning, less = -z.kappa;
  residual.add(of_accelerations, nullptr, z.kappa, {.v = &y.of_v}, out);
  residual.add(of_velocities, nullptr, less, {.q = &y.of_v}, out);
  residual.add(of_velocities, nullptr, y.of_turning, {.v = &off}, out);
  residual.add(of_velocities, nullptr, less, {.v = &along}, out);
  return out;
}

/// How the point moves along, as columns.
struct PointRates {
  MatrixXd q, v, a, lambda, data;

  /// One of the complex numbers of the gradient, and the size of what it is the sum of.
  std::pair<Complex, double> along(const Residual::Gradient& g, Index k) const {
    Complex sum = 0;
    double size = 0;
    const auto add = [&](const MatrixXd& by, const MatrixXd& rates) {
      for (int part = 0; part < 2; ++part) {
        const double x = by.col(part).dot(rates.col(k));
        sum += part == 0 ? Complex(x, 0) : Complex(0, x);
        size += by.col(part).cwiseAbs().dot(rates.col(k).cwiseAbs());
      }
    };
    add(g.q, q);
    add(g.v, v);
    add(g.a, a);
    add(g.lambda, lambda);
    add(g.data, data);
    return {sum, size};
  }
  double size(Index k) const {
    return q.col(k).norm() + v.col(k).norm() + a.col(k).norm() + lambda.col(k).norm() + data.col(k).norm();
  }
};

double size_of(const PencilMotion& z) { return z.q.norm() + z.v.norm() + z.a.norm() + z.lambda.norm(); }
double size_of(const PencilWeights& y) {
  return y.of_forces.norm() + y.of_accelerations.norm() + y.of_velocities.norm() + y.of_positions.norm();
}

/// The shares of displacements that the first column is made of; empty where not all columns are made of them alone.
Eigen::VectorXcd displacement_of(const Eigen::MatrixXcd& columns, const MatrixXd& displacements) {
  constexpr double negligible_share = 1e-10;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(displacements);
  const auto made_of = [&](const MatrixXd& x) -> MatrixXd { return solver.solve(x); };
  for (Index k = 0; k < columns.cols(); ++k) {
    const MatrixXd column = complex_columns(columns.col(k));
    // What is fed in turn by rounding is rounding.
    if ((column - displacements * made_of(column)).norm() > negligible_share * columns.norm()) return {};
  }
  const MatrixXd shares = made_of(complex_columns(columns.col(0)));
  Eigen::VectorXcd out(shares.rows());
  for (Index i = 0; i < out.size(); ++i) out[i] = Complex(shares(i, 0), shares(i, 1));
  return out;
}

MatrixXd beside(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd out(a.rows(), a.cols() + b.cols());
  out << a, b;
  return out;
}

}  // namespace

StateRates declared_rates(Assembly& assembly, const System& system, const system::Data& data, double t,
                          const ConsistentState& at, const std::vector<int>& over) {
  StateRates out = empty_rates(system, data, over);
  assembly.tangents(t, data, at, static_cast<int>(out.q.cols()), out.data.data(), out.q.data(), out.v.data());
  return out;
}

StateRates equilibrium_rates(const System& system, const std::shared_ptr<const system::Data>& data, double t,
                             const std::vector<double>& q, const std::vector<double>& v, const std::vector<int>& over) {
  const auto resting = data_at_rest(system, data);
  const LinearizedState state(system, *resting, t, q, v);
  StateRates out = empty_rates(system, *resting, over);
  out.is_equilibrium = true;
  const std::vector<double> still(q.size(), 0.0);
  Residual residual(system, *resting, t, q, v, still, state.multipliers());
  const LinearizedState::Rest rest = state.rest_along(residual.first(of_positions, out.q, out.v, out.data));
  out.q = rest.moved.topRows(system.coordinate_count());
  out.v = rest.moved.bottomRows(system.coordinate_count());
  out.neutral = rest.neutral;
  return out;
}

EigenvalueDerivatives differentiate(const System& system, const system::Data& data, double t,
                                    const std::vector<double>& q, const std::vector<double>& v,
                                    const LinearizedState& state, const LinearFlow* flow, const FlowRate& flow_rate,
                                    const std::vector<EigenPair>& pairs, const StateRates& rates) {
  const Index n = system.coordinate_count(), m = system.constraint_count(), count = rates.q.cols();
  Residual residual(system, data, t, q, v, state.acceleration(), state.multipliers());
  PointRates along{beside(rates.q, rates.neutral.topRows(n)),
                   beside(rates.v, rates.neutral.bottomRows(n)),
                   {},
                   {},
                   beside(rates.data, MatrixXd::Zero(rates.data.rows(), rates.neutral.cols()))};
  const MatrixXd forces = residual.first(of_accelerations, along.q, along.v, along.data);
  const MatrixXd accelerations = state.accelerations_along(forces);
  along.a = accelerations.topRows(n);
  along.lambda = accelerations.bottomRows(m);
  const Pencil pencil(state, flow);
  EigenvalueDerivatives out;
  std::vector<std::unique_ptr<LinearFlow>> flow_rates;
  const bool is_still = std::all_of(v.begin(), v.end(), [](double x) { return x == 0; });
  // Forces that act against each other do not show in their sum, but in what parameters make of it.
  double typical = residual.force();
  for (Index k = 0; k < count; ++k) {
    const double value = data.parameters[static_cast<std::size_t>(rates.over[static_cast<std::size_t>(k)])];
    typical = std::max(typical, std::abs(value) * largest_of(forces.col(k).head(n)));
  }
  const bool is_balanced = is_still && largest_of(Eigen::Map<const VectorXd>(state.acceleration().data(), n)) <=
                                           rounding * residual.acceleration_of(typical);
  for (Index k = 0; k < along.q.cols(); ++k) {
    const VectorXd reactions = pencil.jacobian().transpose() * along.lambda.col(k);
    const double size = residual.acceleration_of(std::max(largest_of(forces.col(k).head(n)), largest_of(reactions)));
    if (flow) flow_rates.push_back(flow_rate(along.q.col(k), along.v.col(k), along.a.col(k), size, k));
    const bool keeps_balance = rates.is_equilibrium || largest_of(along.a.col(k)) <= rounding * size;
    if (is_balanced && !keeps_balance) out.unbalancing.push_back(rates.over[static_cast<std::size_t>(k)]);
  }
  // y^T P' z along a column, with the flow's own derivative, and the size of what it is the sum of.
  const auto changes = [&](const Residual::Gradient& gradient, const PencilMotion& z, const PencilWeights& y, Index k) {
    auto found = along.along(gradient, k);
    if (!flow) return found;
    const LinearFlow& turned = *flow_rates[static_cast<std::size_t>(k)];
    const Complex by_flow = product_of(y.of_q, turned.derivative(z.q)) + product_of(y.of_v, turned.derivative(z.v));
    return std::pair(found.first + by_flow, found.second + std::abs(by_flow));
  };
  const auto displaces = [&](const Eigen::VectorXcd& shares, const PencilWeights& y, Index k) {
    const MatrixXd moved = complex_columns(flow_rates[static_cast<std::size_t>(k)]->displacements() * shares);
    return product_of(y.of_q, moved.topRows(n)) + product_of(y.of_v, moved.bottomRows(n));
  };
  // Whether displacements stay what changes nothing when the parameters change: y^T P' T = y^T E T' (s - Z). `moving`:
  // of the eigenvector without them, whose terms say what rounding leaves.
  const auto stay_free = [&](const EigenPair& pair, const PencilWeights& y, const Eigen::VectorXcd& shares,
                             const Residual::Gradient& moving) {
    const Eigen::VectorXcd displaced = pair.right - pair.moving;
    const double length = displaced.norm(), size_of_moving = pair.moving.norm();
    if (length <= rounding * size_of_moving) return true;
    const PencilMotion z = pencil.motion(displaced / length, pair.value, -pair.fed.col(0) / length);
    const Residual::Gradient gradient = gradient_of(residual, pencil, z, y, false);
    for (Index k = 0; k < along.q.cols(); ++k) {
      const auto [sum, size] = changes(gradient, z, y, k);
      const Complex expected = displaces(shares / length, y, k);
      const double expected_size = std::max(size + std::abs(expected), along.along(moving, k).second / size_of_moving);
      // A parameter may hardly have to do with either vector: what it gives is rounding of their own.
      const double own = 1e3 * std::numeric_limits<double>::epsilon() * size_of(y) * size_of(z) * along.size(k);
      if (std::abs(sum - expected) > rounding * expected_size + own) return false;
    }
    return true;
  };
  for (const EigenPair& pair : pairs) {
    check_interrupt();
    std::vector<Complex>& derivatives = out.by_parameter.emplace_back();
    if (pair.right.size() == 0) continue;
    const auto number = out.by_parameter.size() - 1;
    if (number > 0 && pair.value.imag() < 0 && pairs[number - 1].value == std::conj(pair.value)) {
      for (const Complex& x : out.by_parameter[number - 1]) derivatives.push_back(std::conj(x));
      continue;
    }
    const bool is_real = pair.value.imag() == 0;
    const PencilWeights y = pencil.weights(pair.left, pair.value);
    // An eigenvalue near zero shifts and turns the whole ever more, by inverse powers of it, which is left out: how
    // these directions move with the parameters is known.
    Eigen::VectorXcd shares;
    if (flow && pair.fed.cols() > 0) shares = displacement_of(pencil.neighbours(pair.fed), flow->displacements());
    bool is_displaced = shares.size() > 0;
    PencilMotion z;
    Residual::Gradient gradient;
    if (is_displaced) {
      z = pencil.motion(pair.moving, pair.value, pair.fed.col(0));
      gradient = gradient_of(residual, pencil, z, y, false);
      is_displaced = stay_free(pair, y, shares, gradient);
    }
    if (!is_displaced) {
      if (pair.is_near_zero) continue;
      z = pencil.motion(pair.right, pair.value, Eigen::VectorXcd::Zero(pair.right.size()));
      gradient = gradient_of(residual, pencil, z, y, !flow);
    }
    const Complex by_value = pair.left.transpose() * (is_displaced ? pair.moving : pair.right);
    for (Index k = 0; k < along.q.cols(); ++k) {
      auto [sum, size] = changes(gradient, z, y, k);
      if (is_displaced) sum += displaces(shares, y, k);
      if (k < count) {
        derivatives.push_back(is_real ? Complex((-sum / by_value).real()) : -sum / by_value);
        continue;
      }
      // Neutral directions are of length 1.
      if (std::abs(sum) <= rounding * std::max(size, std::abs(pair.value * by_value))) continue;
      throw NumericalError(
          "eigenvalues depend on where the mechanism rests, which it may do in many places: hold it, such as "
          "by a weak spring, and find the equilibrium anew");
    }
  }
  return out;
}

}  // namespace perilune::analysis
