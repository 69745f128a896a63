// SPDX-License-Identifier: MIT
// Second derivatives of the residual of every element type: against the linearization, nested automatic
// differentiation, differences with extrapolation, and each other.
#include "model/element/element_check.hpp"
#include "model/element/registry.hpp"
#include "second_order_check.hpp"
#include "system/motion_rates.hpp"

using namespace second_order_check;

namespace {

/// y += scale * (dense row-major A) x.
void add_dense(const Numbers& A, const Numbers& x, double scale, double* y, std::size_t rows) {
  for (std::size_t i = 0; i < rows && !A.empty(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += scale * A[i * x.size() + j] * x[j];
  }
}

/// DR[k] from the blocks of one element, for k without a time part.
Numbers first_of_blocks(const Subject& s, const model::ElementBlocks& b, const Z& k) {
  const auto n = static_cast<std::size_t>(s.n), m = static_cast<std::size_t>(s.m);
  Numbers r = s.zero();
  double *force = r.data(), *constraint = r.data() + n;
  add_dense(b.mass, k.a, 1, force, n);
  add_dense(b.stiffness, k.q, 1, force, n);
  add_dense(b.damping, k.v, 1, force, n);
  add_dense(b.residual_data, k.d, 1, force, n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) force[j] += b.jacobian[i * n + j] * k.lambda[i];
    constraint[i] -= s.law.compliance * k.lambda[i];
  }
  add_dense(b.jacobian_acceleration, k.q, s.law.acceleration, constraint, m);
  add_dense(b.jacobian_rate, k.v, 2 * s.law.acceleration, constraint, m);
  add_dense(b.jacobian, k.a, s.law.acceleration, constraint, m);
  add_dense(b.phi_acceleration_data, k.d, s.law.acceleration, constraint, m);
  add_dense(b.jacobian_rate, k.q, s.law.rate, constraint, m);
  add_dense(b.jacobian, k.v, s.law.rate, constraint, m);
  add_dense(b.phi_rate_data, k.d, s.law.rate, constraint, m);
  add_dense(b.jacobian, k.q, s.law.position, constraint, m);
  add_dense(b.phi_data, k.d, s.law.position, constraint, m);
  return r;
}

/// D^2R[first, second] of one element by nested forward differentiation of its values along the motion, and of its
/// gradients for Phi_q^T lambda.
Numbers second_by_nesting(const Subject& s) {
  using Nested = expr::Grad<1, expr::Dual>;
  using Curve = expr::Taylor2<Nested>;
  const model::Kernel& kernel = *s.elements.front().kernel;
  expr::Graph graph;
  std::vector<expr::NodeId> inputs;
  std::vector<Nested> x;
  auto add = [&](const Numbers& at, const Numbers& first, const Numbers& second) {
    model::Kernel::Symbols own;
    for (std::size_t i = 0; i < at.size(); ++i) {
      inputs.push_back(graph.variable(expr::Quantity::Parameter, static_cast<int>(inputs.size()), "x"));
      own.push_back({graph, inputs.back()});
      x.push_back(Nested(expr::Dual(at[i], {first[i]}), {expr::Dual(second[i])}));
    }
    return own;
  };
  const auto t = add({s.point.t}, {s.first.t}, {s.second.t}), q = add(s.point.q, s.first.q, s.second.q),
             d = add(s.data.packed, s.first.d, s.second.d), v = add(s.point.v, s.first.v, s.second.v),
             a = add(s.point.a, s.first.a, s.second.a);
  auto part = [](const Nested& y) { return y.g[0].g[0]; };
  auto tape_of = [&](const model::Kernel::Symbols& values) {
    std::vector<expr::NodeId> outputs;
    for (const expr::Symbol& y : values) outputs.push_back(y.in(graph));
    return expr::Tape(graph, inputs, outputs);
  };
  Numbers r = s.zero();
  const expr::Tape force = tape_of(kernel.symbolic_residual(q, v, a, {}, t[0], d));
  auto work = force.make_work<Nested>();
  std::copy(x.begin(), x.end(), work.begin());
  force.evaluate(work.data());
  for (int i = 0; i < force.output_count(); ++i) {
    r[static_cast<std::size_t>(i)] += part(work[static_cast<std::size_t>(force.output_slot(i))]);
  }
  const expr::Tape phi = tape_of(kernel.symbolic_constraints(q, t[0], d));
  auto along = phi.make_work<Curve>();
  const std::size_t n = q.size(), in_v = 1 + n + d.size(), in_a = in_v + n;
  for (std::size_t i = 0; i < x.size(); ++i) along[i] = Curve(x[i]);
  along[0].d = Nested(1.0);
  for (std::size_t i = 0; i < n; ++i) along[1 + i] = Curve(x[1 + i], x[in_v + i], x[in_a + i]);
  phi.evaluate(along.data());
  auto plain = phi.make_work<Nested>();
  std::copy(x.begin(), x.end(), plain.begin());
  phi.evaluate(plain.data());
  std::vector<Nested> adjoint(static_cast<std::size_t>(phi.size()), Nested(0.0));
  for (int k = 0; k < phi.output_count(); ++k) {
    const auto slot = static_cast<std::size_t>(phi.output_slot(k)), row = static_cast<std::size_t>(k);
    const Curve& y = along[slot];
    r[n + row] += s.law.acceleration * part(y.dd) + s.law.rate * part(y.d) + s.law.position * part(y.f);
    adjoint[slot] += Nested(expr::Dual(s.point.lambda[row], {s.first.lambda[row]}), {expr::Dual(s.second.lambda[row])});
  }
  phi.reverse(plain.data(), adjoint.data());
  for (std::size_t i = 0; i < n; ++i) r[i] += part(adjoint[1 + i]);
  return r;
}

/// What the rates along a motion must be by the products in any directions. The point moves in the direction (v, a, a',
/// lambda', 0, 1), where a' and lambda' are those of the first direction.
void check_motion_rates(const Subject& s, SecondOrder& object, double step) {
  ElementProductCache cache;
  MotionRates rates(s.elements, s.n, s.m, cache);
  const MotionRates::Point point{s.point.kinematics(), s.first.a.data(), s.first.lambda.data(), &s.data, s.law};
  Z along = s.first;
  along.q = s.point.v;
  along.v = s.point.a;
  std::fill(along.d.begin(), along.d.end(), 0.0);
  along.t = 1;
  Z time = along;
  for (Numbers* part : {&time.q, &time.v, &time.a, &time.lambda}) std::fill(part->begin(), part->end(), 0.0);

  Numbers r = s.zero();
  rates.add_time_partial(point.at, s.data, s.law, r.data());
  check_equal(r, first_of(s, object, time), 1e-12, "time partial");
  r = s.zero();
  rates.add_curvature(point, r.data());
  check_equal(r, second_of(s, object, along, along), 1e-12, "curvature");

  const auto n = static_cast<std::size_t>(s.n);
  const GradientNumbers expected = gradient_of(s, object, s.w, along);
  GradientNumbers got{{}, Numbers(n), Numbers(n), Numbers(s.point.lambda.size()), {}, 0};
  rates.add_rates_of_rows(point, s.w.data(), {.v = got.v.data(), .a = got.a.data(), .lambda = got.lambda.data()});
  check_equal(got.v, expected.v, 1e-12, "rates of rows by v");
  check_equal(got.a, expected.a, 1e-12, "rates of rows by a");
  check_equal(got.lambda, expected.lambda, 1e-12, "rates of rows by lambda");

  // The second rates are the slopes of the first, where the rates of a and lambda move, too.
  MotionRates more(s.elements, s.n, s.m, cache, true);
  const auto first_rates = [&](double h) {
    const Subject moved = s.moved(along, h);
    Numbers of_a(n), of_lambda(s.point.lambda.size()), a_rate = s.first.a, lambda_rate = s.first.lambda;
    for (std::size_t k = 0; k < n; ++k) a_rate[k] += h * s.second.a[k];
    for (std::size_t k = 0; k < lambda_rate.size(); ++k) lambda_rate[k] += h * s.second.lambda[k];
    more.add_rates_of_rows({moved.point.kinematics(), a_rate.data(), lambda_rate.data(), &moved.data, s.law},
                           s.w.data(), {.a = of_a.data(), .lambda = of_lambda.data()});
    of_a.insert(of_a.end(), of_lambda.begin(), of_lambda.end());
    return of_a;
  };
  Numbers second_rates = s.zero();
  more.add_second_rates(point, s.second.a.data(), s.second.lambda.data(), s.w.data(),
                        {.a = second_rates.data(), .lambda = second_rates.data() + n});
  check_equal(second_rates, slope(first_rates, step), 1e-8, "second rates of rows");

  // Two vectors at once, the weights of forces and then another.
  Numbers both(s.w.begin(), s.w.begin() + s.n), of_damping(2 * n), of_mass(2 * n), second(2 * n);
  both.insert(both.end(), s.second.q.begin(), s.second.q.end());
  rates.add_damping_rates(point, 2, both.data(), of_damping.data());
  rates.add_mass_rates(point.at, s.data, 2, both.data(), of_mass.data(), second.data());
  for (std::size_t k = 0; k < 2; ++k) {
    const auto part = [&](const Numbers& x) {
      const auto first = x.begin() + static_cast<std::ptrdiff_t>(k * n);
      return Numbers(first, first + s.n);
    };
    Numbers w = s.zero();
    std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(k * n), n, w.begin());
    const GradientNumbers of_forces = gradient_of(s, object, w, along);
    check_equal(part(of_damping), of_forces.v, 1e-12, "rates of the damping");
    check_equal(part(of_mass), of_forces.a, 1e-12, "rates of the mass matrix");
    // R is linear in a: M'' x is the second rate of R with x in place of a, less that with none.
    auto second_rate = [&](const Numbers& a) {
      Subject moved = s;
      moved.point.a = a;
      Z positions = time, acceleration = time;
      positions.q = s.point.v;
      acceleration.q = s.point.a;
      acceleration.t = 0;
      Numbers out = second_of(moved, object, positions, positions);
      const Numbers by_acceleration = first_of(moved, object, acceleration);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += by_acceleration[i];
      return Numbers(out.begin(), out.begin() + s.n);
    };
    Numbers difference = second_rate(part(both));
    const Numbers none = second_rate(Numbers(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) difference[i] -= none[i];
    check_equal(part(second), difference, 1e-11, "second rates of the mass matrix");
  }
}

/// One element whose every datum is differentiated.
Subject subject_of(const std::shared_ptr<const model::Kernel>& kernel, std::mt19937& random) {
  auto numbers = [](int count) {
    std::vector<int> x(static_cast<std::size_t>(count));
    std::iota(x.begin(), x.end(), 0);
    return x;
  };
  const int n = kernel->coordinate_count(), m = kernel->constraint_count(), d = kernel->data_count();
  Elements one{kernel, {}, numbers(d)};
  one.batch.count = 1;
  one.batch.coordinates = numbers(n);
  one.batch.multipliers = numbers(m);
  std::uniform_real_distribution<double> positive(0.4, 1.6);
  Numbers packed;
  for (int i = 0; i < d; ++i) packed.push_back(positive(random));
  return {{one}, n, m, d, packed, random};
}

}  // namespace

TEST_CASE("second derivatives of every registered element") {
  std::mt19937 random(20260102);
  for (const std::string& type : model::registered_types()) {
    const std::shared_ptr<const model::Kernel> kernel(std::shared_ptr<void>(), &model::kernel_of(type));
    for (int trial = 0; trial < 3; ++trial) {
      INFO(type << ", trial " << trial);
      Subject s = subject_of(kernel, random);
      SecondOrder object = s.object();
      const model::ElementBlocks blocks = model::as_used(*kernel, s.point.kinematics(), s.data.packed.data());
      check_equal(first_of(s, object, s.first), first_of_blocks(s, blocks, s.first), 1e-12, "linearize");
      check_equal(second_of(s, object, s.first, s.second), second_by_nesting(s), 1e-12, "nested");
      check_consistency(s, object, 2e-3);
      check_motion_rates(s, object, 2e-3);
    }
  }
}
