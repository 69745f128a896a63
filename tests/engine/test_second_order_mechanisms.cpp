// SPDX-License-Identifier: MIT
// Second derivatives of the residual of whole mechanisms: against the system's evaluation and linearization,
// differences with extrapolation, and each other.
#include "five_bar.hpp"
#include "mechanisms.hpp"
#include "second_order_check.hpp"
#include "system/metric_products.hpp"

using namespace second_order_check;

namespace {

/// A whole mechanism at a state near the declared one.
Subject subject_of(const System& system, const std::vector<double>& parameters, std::mt19937& random) {
  const auto data = system.make_data(parameters);
  Subject s(system.elements(), system.coordinate_count(), system.constraint_count(), system.data_count(), data->packed,
            random);
  s.data = *data;
  for (std::size_t i = 0; i < s.point.q.size(); ++i) s.point.q[i] = data->initial_q[i] + 0.02 * s.point.q[i];
  s.point.t = std::abs(s.point.t);
  // Initial values, and data that the system does not differentiate by, are no arguments of R.
  Numbers is_read(s.first.d.size(), 0.0);
  for (const Elements& type : s.elements) {
    for (int column : type.datum) {
      if (column >= 0) is_read[static_cast<std::size_t>(column)] = 1;
    }
  }
  for (std::size_t j = 0; j < is_read.size(); ++j) {
    s.first.d[j] *= is_read[j];
    s.second.d[j] *= is_read[j];
  }
  return s;
}

Numbers residual(const Subject& s, const System& system, Workspace& work) {
  const Kinematics at = s.point.kinematics();
  system.evaluate(at, s.data, work);
  const auto n = static_cast<std::size_t>(s.n);
  Numbers r = s.zero();
  for (std::size_t i = 0; i < n; ++i) r[i] = -work.force[i];
  system.nn().multiply(work.mass.data(), at.a, r.data());
  system.mn().multiply_transposed(work.jacobian.data(), at.lambda, r.data());
  system.mn().multiply(work.jacobian.data(), at.a, r.data() + n, s.law.acceleration);
  for (std::size_t k = 0; k < s.point.lambda.size(); ++k) {
    const double rate = system.is_velocity_row(static_cast<int>(k)) ? s.law.velocity_rate : s.law.rate;
    r[n + k] += s.law.acceleration * work.phi_bias[k] + rate * work.phi_rate[k] + s.law.position * work.phi[k] -
                s.law.compliance * at.lambda[k];
  }
  return r;
}

/// DR[k] from the system's patterns, for k without a time part.
Numbers first_of_system(const Subject& s, const System& system, Workspace& work, const Z& k) {
  system.evaluate(s.point.kinematics(), s.data, work);
  system.linearize(s.point.kinematics(), s.data, work, true);
  const auto &nn = system.nn(), &mn = system.mn(), &nd = system.nd(), &md = system.md();
  Numbers r = s.zero();
  double *force = r.data(), *constraint = r.data() + s.n;
  nn.multiply(work.inertia.data(), k.a.data(), force);
  system.nr().multiply(work.force_multiplier.data(), k.lambda.data(), force);
  nn.multiply(work.stiffness.data(), k.q.data(), force);
  nn.multiply(work.damping.data(), k.v.data(), force);
  nd.multiply(work.residual_data.data(), k.d.data(), force);
  mn.multiply_transposed(work.jacobian.data(), k.lambda.data(), force);
  const double c2 = s.law.acceleration;
  for (const bool on_velocities : {false, true}) {
    // The rows of one kind alone.
    const auto of_kind = [&](const linalg::SparsePattern& pattern, std::span<const double> values) {
      Numbers own(values.begin(), values.end());
      std::size_t entry = 0;
      pattern.for_each([&](int row, int) {
        if (system.is_velocity_row(row) != on_velocities) own[entry] = 0;
        ++entry;
      });
      return own;
    };
    const auto add = [&](std::span<const double> values, const Numbers& x, double weight) {
      if (!values.empty()) mn.multiply(of_kind(mn, values).data(), x.data(), constraint, weight);
    };
    const auto add_data = [&](std::span<const double> values, double weight) {
      md.multiply(of_kind(md, values).data(), k.d.data(), constraint, weight);
    };
    const double c1 = on_velocities ? s.law.velocity_rate : s.law.rate, c0 = on_velocities ? 0 : s.law.position;
    add(work.jacobian_acceleration, k.q, c2);
    add(on_velocities ? work.acceleration_by_velocity : work.jacobian_rate, k.v, on_velocities ? c2 : 2 * c2);
    add(work.jacobian, k.a, c2);
    add(work.jacobian_rate, k.q, c1);
    add(work.jacobian, k.v, c1);
    add(work.jacobian, k.q, c0);
    add_data(work.phi_acceleration_data, c2);
    add_data(work.phi_rate_data, c1);
    add_data(work.phi_data, c0);
  }
  for (std::size_t i = 0; i < k.lambda.size(); ++i) constraint[i] -= s.law.compliance * k.lambda[i];
  return r;
}

/// Of M a + Phi_q^T lambda alone, against the products of all of R.
void check_metric(const Subject& s, const System& system) {
  SecondOrder whole(system);
  MetricProducts object(system);
  Subject still = s;
  std::fill(still.point.v.begin(), still.point.v.end(), 0.0);
  still.law = {0, 0, 0, 0, 0};
  const auto by_metric = [&](bool has_lambda) {
    Direction forces, along;
    forces.a = s.first.a.data();
    if (has_lambda) forces.lambda = s.first.lambda.data();
    along.q = s.second.q.data();
    along.d = s.second.d.data();
    Numbers q(s.first.q.size(), 0.0), d(s.first.d.size(), 0.0), metric_q = q, metric_d = d, w = s.w;
    std::fill(w.begin() + s.n, w.end(), 0.0);
    PointGradient wanted{q.data(), nullptr, nullptr, nullptr, d.data(), 0};
    whole.add_gradient(still.point.kinematics(), s.data, still.law, w.data(), forces, wanted);
    object.add_gradient(still.point.kinematics(), s.data, w.data(), forces.a, forces.lambda,
                        {metric_q.data(), nullptr, nullptr, nullptr, metric_d.data(), 0});
    check_equal(metric_q, q, 1e-12, "by positions");
    check_equal(metric_d, d, 1e-12, "by data");
    Numbers rows = s.zero(), metric_rows = rows;
    whole.add_second(still.point.kinematics(), s.data, still.law, along, forces, rows.data());
    const Direction two[] = {along, along};
    Numbers twice(2 * rows.size(), 0.0);
    object.add_tangent(still.point.kinematics(), s.data, two, forces.a, forces.lambda, twice.data());
    check_equal(Numbers(twice.begin(), twice.begin() + s.n), Numbers(rows.begin(), rows.begin() + s.n), 1e-12, "along");
    CHECK(std::equal(twice.begin(), twice.begin() + s.n, twice.begin() + s.n + s.m));
  };
  by_metric(true);
  by_metric(false);
}

void check_mechanism(const std::string& name, const System& system, const std::vector<double>& parameters,
                     std::mt19937& random) {
  SecondOrder object(system);
  Workspace work(system);
  for (int trial = 0; trial < 3; ++trial) {
    INFO(name << ", trial " << trial);
    const Subject s = subject_of(system, parameters, random);
    Z timeless = s.first;
    timeless.t = 0;
    check_equal(first_of(s, object, timeless), first_of_system(s, system, work, timeless), 1e-12, "linearize");
    Z motion = s.first;
    std::fill(motion.d.begin(), motion.d.end(), 0.0);
    check_equal(slope([&](double h) { return residual(s.moved(motion, h), system, work); }, 1e-3),
                first_of(s, object, motion), 1e-8, "residual");
    check_consistency(s, object, 1e-3);
    if (!system.is_implicit() && !system.constrains_velocities()) check_metric(s, system);
  }
}

}  // namespace

TEST_CASE("second derivatives of whole mechanisms") {
  std::mt19937 random(20260103);
  const FiveBar five_bar(formulation::Penalty{}, integrator::Rk4{1e-3}, 0.1);
  check_mechanism("five-bar of the source", *five_bar.system, five_bar.lengths, random);
  for (Mechanism (*make)() :
       {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, planar_net_mechanism, spatial_net_mechanism,
        planar_forces_mechanism, spatial_forces_mechanism, rubbing_crank_mechanism, driven_linkage_mechanism,
        spatial_joints_mechanism, trailer_mechanism, rolling_ball_mechanism, rubbing_slider_crank_mechanism,
        rubbing_stack_mechanism}) {
    const Mechanism mechanism = make();
    const std::shared_ptr<const System> all = mechanism.problem.system;
    check_mechanism(mechanism.name, *all, mechanism.parameters(), random);
    // By one parameter only: most elements do without derivatives by their data.
    check_mechanism(mechanism.name + ", one parameter", *System::differentiated_by({0}, all), mechanism.parameters(),
                    random);
  }
}

TEST_CASE("second derivatives take zero for what is not given and keep still about what is not wanted") {
  std::mt19937 random(20260104);
  const Mechanism mechanism = four_bar_mechanism();
  const System& system = *mechanism.problem.system;
  const Subject s = subject_of(system, mechanism.parameters(), random);
  SecondOrder object(system);
  Z only_v = s.first;
  for (Numbers* part : {&only_v.q, &only_v.a, &only_v.lambda, &only_v.d}) std::fill(part->begin(), part->end(), 0.0);
  only_v.t = 0;
  Direction sparse;
  sparse.v = s.first.v.data();
  const GradientNumbers full = gradient_of(s, object, s.w, only_v);
  Numbers q(full.q.size(), 0.0);
  PointGradient wanted;
  wanted.q = q.data();
  SecondOrder copy = object;
  copy.add_gradient(s.point.kinematics(), s.data, s.law, s.w.data(), sparse, wanted);
  CHECK(q == full.q);
  CHECK(dot(q, q) > 0);
  CHECK(wanted.t == full.t);
}

TEST_CASE("second derivatives in several directions at once are those in each of them") {
  std::mt19937 random(20260105);
  for (Mechanism (*make)() : {planar_net_mechanism, spatial_joints_mechanism}) {
    const Mechanism mechanism = make();
    const System& system = *mechanism.problem.system;
    const Subject s = subject_of(system, mechanism.parameters(), random);
    SecondOrder object(system);
    std::vector<Z> first;
    std::vector<Direction> directions;
    std::vector<Numbers> weights;
    for (int count = 1; count <= 7; ++count) {
      CAPTURE(mechanism.name, count);
      const Subject other = subject_of(system, mechanism.parameters(), random);
      first.push_back(other.first);
      weights.push_back(other.w);
      directions.clear();
      Numbers w;
      for (std::size_t k = 0; k < first.size(); ++k) {
        directions.push_back(first[k].direction());
        w.insert(w.end(), weights[k].begin(), weights[k].end());
      }
      Numbers r(first.size() * s.zero().size(), 0.0), one_by_one;
      object.add_second(s.point.kinematics(), s.data, s.law, directions, s.second.direction(), r.data());
      GradientNumbers sum{Numbers(s.point.q.size()), {}, {}, {}, {}, 0}, all = sum;
      PointGradient out{.q = all.q.data()};
      object.add_gradient(s.point.kinematics(), s.data, s.law, w.data(), directions, out);
      for (std::size_t k = 0; k < first.size(); ++k) {
        const Numbers own = second_of(s, object, first[k], s.second);
        one_by_one.insert(one_by_one.end(), own.begin(), own.end());
        const GradientNumbers gradient = gradient_of(s, object, weights[k], first[k]);
        for (std::size_t i = 0; i < sum.q.size(); ++i) sum.q[i] += gradient.q[i];
        sum.t += gradient.t;
      }
      check_equal(r, one_by_one, 1e-14, "second");
      check_equal(all.q, sum.q, 1e-13, "gradient");
      CHECK(out.t == Approx(sum.t).epsilon(1e-12));
    }
  }
}
