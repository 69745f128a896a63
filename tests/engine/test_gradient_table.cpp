// SPDX-License-Identifier: MIT
// One table of gradients: every formulation with every integrator and every sensitivity method, on many mechanisms. The
// discrete methods agree to rounding; the continuous ones converge to them at the order that goes with the integrator.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "gradient_check.hpp"
#include "numbers.hpp"
#include "offered.hpp"

using namespace perilune;
using formulation::AugmentedLagrangian;
using formulation::Formulation;
using formulation::Index3;
using formulation::Penalty;
using formulation::StabilizedIndex1;
using integrator::Integrator;
using sensitivity::DiscreteAdjoint;
using sensitivity::DiscreteDirect;
using sensitivity::FiniteDifference;
using sensitivity::Method;

namespace {

/// The mechanism with what is to be integrated, and the objectives that it allows.
Mechanism with(Mechanism mechanism, const Integration& how) {
  mechanism.problem.formulation = how.formulation;
  mechanism.problem.integrator = how.integrator;
  // An augmented Lagrangian's iteration chooses what redundant constraints leave open, which no method differentiates;
  // a large penalty finds it as the difference of almost equal numbers.
  const auto* penalty = std::get_if<Penalty>(&how.formulation);
  if (std::holds_alternative<AugmentedLagrangian>(how.formulation) || (penalty && penalty->alpha > 1e5)) {
    std::erase_if(mechanism.problem.objectives, [](const auto& o) { return o->name == "reaction of one hinge"; });
  }
  return mechanism;
}

/// Which part of the table: one variant of each formulation, or every one; of their cells every stride-th, where
/// another number takes others.
struct Part {
  bool has_variants = false;
  std::size_t stride = 1, number = 0;
};

/// A formulation with integrators that go with it, of a step h.
struct Row {
  Formulation formulation;
  std::vector<Integrator> integrators;
};

std::vector<Row> rows_of(const Mechanism& mechanism, double h, const Part& part) {
  std::vector<Row> rows;
  std::set<std::pair<std::size_t, bool>> known;
  std::size_t index = part.number;
  for (const Formulation& form : formulations_for(mechanism)) {
    if (!known.emplace(form.index(), formulation::properties(form).is_index3).second && !part.has_variants) continue;
    rows.push_back({form, {}});
    for (const Integrator& method : integrators_for(form, h)) {
      if (!integrator::objection(form, method, *mechanism.problem.system).empty()) continue;
      if (index++ % part.stride == 0) rows.back().integrators.push_back(method);
    }
  }
  return rows;
}

// ---- Discrete methods

/// SDIRK's velocities in the index-3 forms magnify rounding a thousandfold from stage to stage: too much for
/// differences.
bool allows_differences(const Integration& how) {
  return !(formulation::properties(how.formulation).is_index3 &&
           std::holds_alternative<integrator::Sdirk4>(how.integrator));
}

/// Direct and adjoint derivatives add the same products in other orders, and so does the adjoint over intervals.
/// Differences of objectives along a direction, extrapolated twice, are good to 1e-9 of the gradient: rounding, over
/// the step.
void check_discrete_cell(const Mechanism& mechanism, const Integration& how) {
  INFO(mechanism.name << ", " << how.name());
  const std::vector<double> rho = mechanism.parameters();
  const Rows adjoint = derivatives(mechanism, DiscreteAdjoint{}), direct = derivatives(mechanism, DiscreteDirect{});
  if (!formulation::properties(how.formulation).iterated_alpha) {
    const auto in_groups = sensitivity::direct_in_groups(mechanism.problem, rho, mechanism.over(), 2);
    CHECK(in_groups.derivatives ==
          sensitivity::gradient(mechanism.problem, rho, mechanism.over(), DiscreteDirect{}).derivatives);
  }
  // Where the steps magnify rounding, direct and adjoint derivatives are as far apart.
  const double rounding = difference(direct, adjoint, rho);
  // Intervals add up terms of the size of the objective itself, where its derivative nearly vanishes.
  const std::vector<double> values = simulation::evaluate(mechanism.problem, rho).values;
  const Rows in_intervals = derivatives(mechanism, DiscreteAdjoint{0, 2});
  for (std::size_t o = 0; o < adjoint.size(); ++o) {
    INFO(mechanism.problem.objectives[o]->name);
    const double size = size_of(adjoint[o], rho), off = difference(in_intervals[o], adjoint[o], rho);
    CHECK((size > 0 ? off * size : off) <= (1e-12 + 10 * rounding) * std::max(size, std::abs(values[o])));
  }
  const std::vector<double> u = oblique_direction(rho, 0.5);
  const std::vector<double> along_u = allows_differences(how) ? difference_along(mechanism, u) : std::vector<double>();
  for (std::size_t o = 0; o < adjoint.size(); ++o) {
    INFO(mechanism.problem.objectives[o]->name);
    CHECK(difference(direct[o], adjoint[o], rho) < 1e-10);
    if (along_u.empty()) continue;
    CHECK(std::abs(along_u[o] - dot(adjoint[o], u)) < 1e-9 * size_of(adjoint[o], rho));
  }
}

void check_discrete(Mechanism mechanism, const Part& part = {}, double h = 0.02, double steps = 6.5) {
  mechanism.problem.end = mechanism.problem.start + steps * h;  // fixed steps end with a shorter one
  for (const Row& row : rows_of(mechanism, h, part)) {
    for (const Integrator& method : row.integrators) {
      const Integration how{row.formulation, method};
      check_discrete_cell(with(mechanism, how), how);
    }
  }
}

// ---- Continuous methods

/// The order of a motion, and of the equations along it, which are integrated by RK4 at best.
double order_of(const Integration& how) {
  const bool is_index3 = formulation::properties(how.formulation).is_index3,
             is_plain = std::holds_alternative<Index3>(how.formulation);
  if (const auto* bdf = std::get_if<integrator::Bdf>(&how.integrator)) return std::min(bdf->max_order, 4);
  if (const auto* rosenbrock = std::get_if<integrator::Rosenbrock>(&how.integrator)) return rosenbrock->order;
  if (const auto* radau = std::get_if<integrator::Radau>(&how.integrator)) {
    return radau->order == 3 ? (is_plain ? 2 : 3) : (is_plain ? 3 : 4);
  }
  if (std::holds_alternative<integrator::Sdirk4>(how.integrator)) {
    // Its stages have order 1, so that it has order 2 with index 2 (Hairer and Wanner II, VII.4); the stabilized form
    // comes to it slowly.
    if (formulation::properties(how.formulation).is_index2) return 2;
    return is_index3 ? 1 : std::holds_alternative<StabilizedIndex1>(how.formulation) ? 1.5 : 4;
  }
  return std::holds_alternative<integrator::Rk4>(how.integrator) ? 4 : 2;
}

/// Half the step, or a hundredth of the tolerances.
Integrator finer(const Integrator& method) {
  const double step = integrator::fixed_step(method);
  if (step > 0) return integrator::with_step(method, step / 2);
  Integrator out = method;
  std::visit(
      [](auto& m) {
        if constexpr (requires { m.tolerances; }) {
          m.tolerances.relative /= 100;
          m.tolerances.absolute /= 100;
          m.tolerances.initial_step /= 4;
        }
      },
      out);
  return out;
}

/// The gradient of the same motion by a method of its own, finely integrated.
Rows fine_gradient(const Mechanism& mechanism, const Formulation& form, double h) {
  const bool is_itself = formulation::properties(form).is_regularized && !formulation::properties(form).is_index3;
  const Integration fine{is_itself ? form : AugmentedLagrangian{}, integrator::Rk4{h}};
  return derivatives(with(mechanism, fine), DiscreteAdjoint{});
}

/// A mechanism whose gradient is known.
struct Known {
  Mechanism mechanism;
  Rows exact;
};

void check_continuous_cell(const Known& known, const Integration& how, const Method& method) {
  const Mechanism coarse = with(known.mechanism, how);
  const bool has_freedoms = mobility_of(coarse).degrees_of_freedom > 0;
  Mechanism fine = coarse;
  fine.problem.integrator = finer(how.integrator);
  auto error_of = [&](const Mechanism& m) { return difference(derivatives(m, method), known.exact, m.parameters()); };
  const double error = error_of(coarse), finer_error = error_of(fine);
  INFO(coarse.name << ", " << how.name() << ", " << sensitivity::name_of(method) << ": " << error << ", then "
                   << finer_error);
  const auto check_finer = [&](double expected) {
    if (finer_error < expected || !coarse.problem.system->is_implicit()) {
      CHECK(finer_error < expected);
      return;
    }
    // Where forces feel loads, motions have lower orders by some forms, and the short steps of a start count for long.
    // No method can be better than the motion: the discrete gradient of the same steps is off as much.
    const double of_motion = difference(derivatives(fine, DiscreteAdjoint{}), known.exact, fine.parameters());
    INFO("the discrete gradient: " << of_motion);
    CHECK(finer_error < 5 * of_motion);
  };
  if (integrator::fixed_step(how.integrator) > 0) {
    // In the forms of index 3 rounding counts more.
    const double rounding = formulation::properties(how.formulation).is_index3 ? 1e-8 : 1e-9;
    CHECK(error < 0.3);
    check_finer(rounding + error * std::pow(0.5, order_of(how) - 0.45));  // what is left of one adds to the other
  } else {
    CHECK(error < 0.1);
    // Where a driver leaves no freedom, there are no errors of the motion to control; those of integrals are not.
    check_finer(has_freedoms ? std::max(1e-4, error / 10) : 0.05);
  }
}

void check_continuous(Mechanism mechanism, const Part& part = {}, double h = 0.01) {
  mechanism.problem.end = mechanism.problem.start + 12 * h;
  for (const Row& row : rows_of(mechanism, h, part)) {
    const Mechanism plain = with_plain_ends(mechanism);
    const Known all{mechanism, fine_gradient(mechanism, row.formulation, h / 10)},
        less{plain, fine_gradient(plain, row.formulation, h / 10)};
    for (const Integrator& integrator : row.integrators) {
      const Integration how{row.formulation, integrator};
      const Mechanism cell = with(mechanism, how);
      for (const Method& method : continuous_methods(cell)) {
        const bool takes_all = sensitivity::objection(cell.problem, method).empty();
        check_continuous_cell(takes_all ? all : less, how, method);
      }
    }
  }
}

template <class Variant>
std::set<std::size_t> alternatives(const std::vector<Variant>& list) {
  std::set<std::size_t> found;
  for (const Variant& x : list) found.insert(x.index());
  return found;
}

const std::initializer_list<Mechanism (*)()> more_planar = {four_bar_mechanism, planar_net_mechanism,
                                                            planar_forces_mechanism, driven_linkage_mechanism,
                                                            free_points_mechanism},
                                             more_spatial = {spatial_pendulum_mechanism, spatial_net_mechanism,
                                                             spatial_forces_mechanism, spatial_joints_mechanism};

}  // namespace

TEST_CASE("gradient table: every formulation and integrator stands in it", "[table]") {
  CHECK(alternatives(all_formulations()).size() == std::variant_size_v<Formulation>);
  CHECK(alternatives(all_integrators(0.01)).size() == std::variant_size_v<Integrator>);
  for (const Formulation& form : all_formulations()) {
    for (const Integrator& method : integrators_for(form, 0.01)) {
      INFO((Integration{form, method}.name()));
      const formulation::Properties of = formulation::properties(form);  // the piecewise adjoint wants such forms
      const bool keeps =
          of.projects || of.has_independent_coordinates() || std::holds_alternative<StabilizedIndex1>(form);
      const std::size_t others = keeps && !of.is_regularized ? 0 : 1;
      CHECK(alternatives(sensitivity::methods_offered(form, method)).size() + others == std::variant_size_v<Method>);
    }
  }
}

TEST_CASE("gradient table, discrete: five-bar", "[table]") { check_discrete(five_bar_mechanism()); }
TEST_CASE("gradient table, discrete: spatial slider-crank", "[table]") { check_discrete(slider_crank_mechanism()); }
TEST_CASE("gradient table, discrete: offset pendulum", "[table]") { check_discrete(offset_pendulum_mechanism()); }
TEST_CASE("gradient table, discrete: driven four-bar", "[table]") { check_discrete(driven_four_bar_mechanism()); }
TEST_CASE("gradient table, discrete: redundant constraints", "[table]") { check_discrete(door_mechanism(true)); }
TEST_CASE("gradient table, discrete: forces that read accelerations and reactions", "[table]") {
  check_discrete(rubbing_crank_mechanism());
}
TEST_CASE("gradient table, discrete: friction in joints by their loads", "[table]") {
  check_discrete(rubbing_slider_crank_mechanism());
  check_discrete(rubbing_stack_mechanism());
}
TEST_CASE("gradient table, discrete: constraints on velocities", "[table]") { check_discrete(trailer_mechanism()); }
TEST_CASE("gradient table, discrete: a ball that rolls", "[table]") {
  check_discrete(rolling_ball_mechanism(), {true, 3, 1});
}
TEST_CASE("gradient table, discrete: independent coordinates that change", "[table]") {
  check_discrete(turning_crank_mechanism(), {}, 0.01, 15.5);
}
TEST_CASE("gradient table, discrete: more planar mechanisms", "[table]") {
  std::size_t number = 0;
  for (auto make : more_planar) check_discrete(make(), {true, 2, number++});
}
TEST_CASE("gradient table, discrete: more spatial mechanisms", "[table]") {
  std::size_t number = 0;
  for (auto make : more_spatial) check_discrete(make(), {true, 5, number++});
}

TEST_CASE("gradient table, discrete: a tree in space", "[table]") {
  check_discrete(tree_mechanism(), {true, 4, 3});
  for (const Integrator& method : integrators_for(formulation::JointCoordinates{}, 0.02)) {
    const Integration how{formulation::JointCoordinates{}, method};
    Mechanism mechanism = tree_mechanism();
    mechanism.problem.end = 0.13;
    check_discrete_cell(with(mechanism, how), how);
  }
}

TEST_CASE("gradient table, discrete: trees of all joints, some of them driven", "[table]") {
  for (const int dimension : {2, 3}) {
    for (const Integrator& method : integrators_for(formulation::JointCoordinates{}, 0.02)) {
      const Integration how{formulation::JointCoordinates{}, method};
      Mechanism mechanism = random_tree_mechanism(dimension, 3, true);
      mechanism.problem.end = 0.09;
      check_discrete_cell(with(mechanism, how), how);
    }
  }
}

TEST_CASE("gradient table, discrete: trees of hinges alone", "[table]") {
  for (const Integrator& method : integrators_for(formulation::JointCoordinates{}, 0.02)) {
    if (!integrator::is_explicit(method)) continue;  // others solve the equations of the system
    const Integration how{formulation::JointCoordinates{}, method};
    Mechanism mechanism = random_tree_mechanism(3, 4, false, "revolute");
    mechanism.problem.end = 0.09;
    check_discrete_cell(with(mechanism, how), how);
  }
}

TEST_CASE("gradient table, discrete: loops of joint coordinates", "[table]") {
  unsigned seed = 0;
  while (!mobility_of(random_loops_mechanism(3, seed, false)).redundant.empty()) ++seed;
  for (const Integrator& method : integrators_for(formulation::JointCoordinates{}, 0.02)) {
    const Integration how{formulation::JointCoordinates{}, method};
    Mechanism mechanism = random_loops_mechanism(3, seed, false);
    mechanism.problem.end = 0.09;
    check_discrete_cell(with(mechanism, how), how);
  }
}

TEST_CASE("gradient table, finite differences", "[table]") {
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.end = 0.13;
  for (const Row& row : rows_of(mechanism, 0.02, {})) {
    for (const Integrator& method : row.integrators) {
      const Integration how{row.formulation, method};
      if (!allows_differences(how)) continue;
      INFO(how.name());
      const Mechanism cell = with(mechanism, how);
      const Rows exact = derivatives(cell, DiscreteAdjoint{}), got = derivatives(cell, FiniteDifference{8e-3, 2});
      CHECK(difference(got, exact, mechanism.parameters()) < 1e-9);
    }
  }
}

TEST_CASE("gradient table, continuous: five-bar", "[table]") { check_continuous(five_bar_mechanism(), {}, 0.005); }
TEST_CASE("gradient table, continuous: spatial slider-crank", "[table]") {
  check_continuous(slider_crank_mechanism(), {.stride = 3});  // second derivatives of space cost most of all
}
TEST_CASE("gradient table, continuous: offset pendulum", "[table]") { check_continuous(offset_pendulum_mechanism()); }
TEST_CASE("gradient table, continuous: driven four-bar", "[table]") {
  check_continuous(driven_four_bar_mechanism(), {}, 0.0075);
}
TEST_CASE("gradient table, continuous: redundant constraints", "[table]") {
  check_continuous(door_mechanism(true), {}, 0.005);
}
TEST_CASE("gradient table, continuous: forces that read accelerations and reactions", "[table]") {
  check_continuous(rubbing_crank_mechanism(), {}, 0.002);
}
TEST_CASE("gradient table, continuous: friction in joints by their loads", "[table]") {
  check_continuous(rubbing_slider_crank_mechanism(), {.stride = 5}, 0.005);
  check_continuous(rubbing_stack_mechanism(), {.stride = 7, .number = 2}, 0.0025);
}
TEST_CASE("gradient table, continuous: constraints on velocities", "[table]") { check_continuous(trailer_mechanism()); }
TEST_CASE("gradient table, continuous: a ball that rolls", "[table]") {
  check_continuous(rolling_ball_mechanism(), {true, 3, 1});
}
TEST_CASE("gradient table, continuous: more planar mechanisms", "[table]") {
  std::size_t number = 0;
  for (auto make : more_planar) check_continuous(make(), {true, 7, number++});
}
TEST_CASE("gradient table, continuous: a tree in space", "[table]") {
  check_continuous(tree_mechanism(), {true, 40, 7});
}
TEST_CASE("gradient table, continuous: more spatial mechanisms", "[table]") {
  std::size_t number = 0;
  for (auto make : more_spatial) check_continuous(make(), {true, 31, number++});
}
