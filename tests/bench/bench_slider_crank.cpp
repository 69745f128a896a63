// SPDX-License-Identifier: MIT
// Verulkar 2023, table 1: constraint derivatives of the spatial slider-crank (revolute, spherical, universal and
// translational joint, three normalizations), printed there: Phi_q 21.992 us by hand, 177.768 us by automatic
// differentiation. Here one evaluation gives Phi, Phi', Phi'' at a = 0 and Phi_q together, assembled in the sparse
// pattern; the angle of the revolute joint adds one coordinate and one constraint to the 21 and 20 of the article.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "model/body/bodies.hpp"
#include "model/element/element_check.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "system/system.hpp"

using namespace perilune;
using expr::Symbol;
using model::Place;
using model::Vector;

namespace {

template <class F>
double microseconds(F&& f) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  int repetitions = 1;
  for (int round = 0; round < 20; ++round) {
    const auto start = Clock::now();
    for (int k = 0; k < repetitions; ++k) f();
    const double elapsed = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    best = std::min(best, elapsed / repetitions);
    if (elapsed < 1000) repetitions *= 2;
  }
  return best;
}

}  // namespace

int main() {
  model::Model m("slider-crank", {0, 0, -9.81});
  const Vector still{0.0, 0.0, 0.0};
  auto body = [&](const char* name, const Vector& at) {
    return add_spatial_body(m, name, 1.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, at, {1.0, 0.0, 0.0, 0.0}, still, still);
  };
  const Place crank = body("crank", {0.0, 0.1, 0.12}), rod = body("rod", {0.1, 0.05, 0.1}),
              slider = body("slider", {0.2, 0.0, 0.0}), ground = ground_place(m, still);
  auto at = [&](const Place& on, const Vector& where, const Vector& axis) {
    return attach(m, on, where, with_axis(m, ground, axis).axes);
  };
  auto joint = [&](const char* kind, const char* name, const Place& a, const Place& b, const Vector& where,
                   const Vector& axis_a,
                   const Vector& axis_b) { add_joint(m, kind, name, at(a, where, axis_a), at(b, where, axis_b)); };
  const Vector x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  joint("revolute", "hinge", ground, crank, {0.0, 0.1, 0.12}, x, x);
  joint("spherical", "pin", crank, rod, {0.0, 0.1, 0.2}, x, x);
  joint("universal", "cross", rod, slider, {0.2, 0.0, 0.0}, y, z);
  joint("translational", "rail", ground, slider, {0.2, 0.0, 0.0}, x, x);

  const system::System s(m);
  const auto data = s.make_data({});
  system::Workspace w(s);
  std::vector<double> q(data->initial_q), v(q.size(), 0.3), lambda(static_cast<std::size_t>(s.constraint_count()), 0.7),
      out(q.size());
  const model::Kinematics state{0, q.data(), v.data(), v.data(), lambda.data()};
  std::printf("spatial slider-crank: %d coordinates, %d constraints, %zu entries in Phi_q\n", s.coordinate_count(),
              s.constraint_count(), s.mn().size());
  const double evaluated = microseconds([&] { s.evaluate(state, *data, w, system::Part::Constraints); });
  const double product = microseconds([&] {
    std::fill(out.begin(), out.end(), 0.0);
    s.mn().multiply_transposed(w.jacobian.data(), lambda.data(), out.data());
  });
  const double second = microseconds([&] { s.linearize(state, *data, w, false, system::Part::Constraints); });

  // The same elements by automatic differentiation of their templates.
  double automatic = 0;
  for (const model::Element& element : m.elements()) {
    if (element.multipliers.empty()) continue;
    const auto kernel = model::kernel_of(m, element);
    const int n = kernel->coordinate_count(), c = kernel->constraint_count();
    model::Batch batch;
    batch.count = 1;
    batch.coordinates = element.coordinates;
    for (int k = 0; k < c; ++k) batch.multipliers.push_back(k);
    for (int k = 0; k < c * n; ++k) batch.mn.push_back(k);
    std::vector<double> values(static_cast<std::size_t>(kernel->data_count()), 0.5),
        phi(static_cast<std::size_t>(3 * c)), jacobian(static_cast<std::size_t>(c * n));
    model::Blocks blocks;
    blocks.phi = phi.data();
    blocks.phi_rate = phi.data() + c;
    blocks.phi_bias = phi.data() + 2 * c;
    blocks.jacobian = jacobian.data();
    automatic += microseconds([&] { kernel->evaluate_automatically(batch, state, values.data(), blocks); });
  }
  // The layout of the table. Three of its operations come from one evaluation here, the fourth adds a product to it.
  struct Row {
    const char* operation;
    double by_hand, automatically;
    double printed[2];  // us
  };
  const Row rows[] = {{"Phi_q", evaluated, automatic, {21.992, 177.768}},
                      {"Phi_q q'", evaluated, automatic, {16.560, 152.169}},
                      {"Phi_q^T lambda", evaluated + product, automatic + product, {30.254, 178.494}},
                      {"(Phi_q q')_q q'", evaluated, automatic, {18.223, 159.108}}};
  std::printf("%-18s %12s %12s %8s %14s\n", "", "by hand, us", "automatic", "ratio", "ratio printed");
  for (const Row& row : rows) {
    std::printf("%-18s %12.3f %12.3f %8.1f %14.1f\n", row.operation, row.by_hand, row.automatically,
                row.automatically / row.by_hand, row.printed[1] / row.printed[0]);
  }
  std::printf("(Phi_q^T lambda)_q and two rates of Phi_q, for sensitivities: %.3f us\n", second);
  return 0;
}
