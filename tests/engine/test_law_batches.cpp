// SPDX-License-Identifier: MIT
// Laws that share a kernel: which do, and that each says there what it says alone.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "law_specimens.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/contact/contact.hpp"
#include "model/element/element_check.hpp"
#include "model/force/forces.hpp"
#include "model/force/law_batches.hpp"
#include "model/force/springs.hpp"
#include "model/place/places.hpp"
#include "system/system.hpp"

using namespace perilune;
using namespace perilune::model;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<int> laws_of(const Model& m) {
  std::vector<int> laws;
  for (std::size_t i = 0; i < m.elements().size(); ++i) {
    if (m.elements()[i].form == Element::Form::Law) laws.push_back(static_cast<int>(i));
  }
  return laws;
}

Symbol read(const Model& m, const std::string& name) { return {m.graph(), m.signal(name)}; }

/// Parameters and sides of switches at random, and a direction of the parameters.
struct Numbers {
  const Model& m;
  std::vector<double> parameters, direction, sides;
  Numbers(const Model& model, std::mt19937& random) : m(model) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (const Parameter& p : m.parameters()) {
      parameters.push_back(p.value * (1 + 0.1 * any(random)));
      direction.push_back(any(random));
    }
    for (std::size_t k = 0; k < m.record().switches.size(); ++k) sides.push_back(std::round(1.5 * any(random)));
  }
  /// Of data, with a shift of time behind them, and their derivatives along the direction.
  std::pair<std::vector<double>, std::vector<double>> of(const std::vector<NodeId>& data) const {
    const std::vector<NodeId> inputs = m.graph().variables_of(data);
    const expr::Tape tape(m.graph(), inputs, data);
    auto work = tape.make_work<double>(), slopes = std::vector<double>(work.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const expr::Variable& variable = m.graph().variable_of(inputs[i]);
      const auto k = static_cast<std::size_t>(variable.index);
      const bool is_side = variable.quantity == expr::Quantity::Side;
      work[i] = is_side ? sides[k] : parameters[k];
      slopes[i] = is_side ? 0 : direction[k];
    }
    tape.evaluate(work.data());
    tape.tangent(work.data(), slopes.data());
    std::pair<std::vector<double>, std::vector<double>> out;
    for (int k = 0; k < tape.output_count(); ++k) {
      out.first.push_back(work[static_cast<std::size_t>(tape.output_slot(k))]);
      out.second.push_back(slopes[static_cast<std::size_t>(tape.output_slot(k))]);
    }
    out.first.push_back(0);
    out.second.push_back(0.7);
    return out;
  }
};

/// Returns how many of these laws share a kernel with others.
int check_against_alone(const Model& m, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  int shared = 0;
  for (const LawBatch& batch : batch_laws(m, laws_of(m))) {
    if (batch.elements.size() == 1) continue;
    for (std::size_t e = 0; e < batch.elements.size(); ++e) {
      const Element& element = m.elements()[static_cast<std::size_t>(batch.elements[e])];
      INFO(element.name << ", number " << e << " of its batch");
      ++shared;
      const LawKernel alone(m, element);
      std::vector<double> q, v, a, lambda;
      for (std::size_t i = 0; i < element.coordinates.size(); ++i) {
        q.push_back(any(random));
        v.push_back(any(random));
        a.push_back(any(random));
      }
      for (std::size_t i = 0; i < element.reads.size(); ++i) lambda.push_back(any(random));
      const Kinematics at{0.37, q.data(), v.data(), a.data(), lambda.data()};
      const Numbers numbers(m, random);
      const auto own = numbers.of(element.data), common = numbers.of(batch.data[e]);
      REQUIRE(batch.kernel->has_time_datum() == alone.has_time_datum());
      const ElementBlocks x = as_used(*batch.kernel, at, common.first.data()), y = as_used(alone, at, own.first.data());
      CHECK(x.force == y.force);  // the same operations
      for (const BlockFamily& family : block_families()) {
        if (std::string(family.name) == "residual_data") continue;  // which are of other data
        const std::vector<double>&left = x.*family.block, &right = y.*family.block;
        REQUIRE(left.size() == right.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
          INFO(family.name);
          CHECK(std::abs(left[i] - right[i]) <= 1e-12 * std::max(1.0, std::abs(right[i])));
        }
      }
      for (std::size_t i = 0; i < q.size(); ++i) {
        const auto along = [&](const ElementBlocks& blocks, const Kernel& kernel, const std::vector<double>& slopes) {
          const auto count = static_cast<std::size_t>(kernel.data_count());
          double sum = 0;
          for (std::size_t j = 0; j < count; ++j) sum += blocks.residual_data[i * count + j] * slopes[j];
          return sum;
        };
        const double left = along(x, *batch.kernel, common.second), right = along(y, alone, own.second);
        CHECK(std::abs(left - right) <= 1e-11 * std::max(1.0, std::abs(right)));
      }
    }
  }
  return shared;
}

}  // namespace

TEST_CASE("contacts that differ in numbers, in parameters or in expressions of these are one batch") {
  Model m("cube", {0, 0, 0});
  const Symbol k = m.add_parameter("k", 300, "", -inf, inf), mu = m.add_parameter("mu", 0.3, "", -inf, inf);
  const Place cube = add_spatial_body(m, "cube", 1.0, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.3},
                                      {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  // Equal and opposite numbers, and a coefficient that is one of them: what coincides in one contact need not in
  // others.
  const std::vector<Symbol> stiffness{k, 2.0 * k, k * mu, 300.0, k, k / mu, 0.25, sqrt(k)};
  for (int corner = 0; corner < 8; ++corner) {
    Contact contact;
    contact.a = ground_place(m, {0.0, 0.0, 0.0});
    contact.b = {
        body_place(m, cube, {corner & 1 ? 0.25 : -0.25, corner & 2 ? 0.25 : -0.25, corner & 4 ? 0.25 : -0.25})};
    contact.normal.stiffness = stiffness[static_cast<std::size_t>(corner)];
    contact.normal.damping = 2.0 + corner;
    contact.friction = coulomb(corner == 3 ? Symbol(0.25) : mu, 0.01);
    add_contact(m, "corner" + std::to_string(corner), contact);
  }
  CHECK(batch_laws(m, laws_of(m)).size() == 1);
  CHECK(check_against_alone(m, 1) == 8);
  CHECK(check_against_alone(m, 2) == 8);
}

TEST_CASE("laws of a script that do the same on other objects are one batch") {
  Model m("points", {0, 0});
  const Symbol c = m.add_parameter("c", 0.4, "", -inf, inf), t(m.graph(), m.time());
  std::vector<Place> points;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "P" + std::to_string(i);
    points.push_back(add_point(m, name, {1.0 + i, 0.5 * i}, {0.0, 0.0}, 1.0));
    const Symbol x = read(m, name + ".x"), vx = read(m, name + ".vx"), drag = (c + i) * vx;
    // The last one was written the other way round.
    const Symbol fx = i == 4 ? drag + sin(t) * x : sin(t) * x + drag;
    add_force(m, "f" + std::to_string(i), points.back(), {fx, i == 2 ? Symbol(0.5) : c * c}, {});
  }
  CHECK(batch_laws(m, laws_of(m)).size() == 1);
  CHECK(check_against_alone(m, 3) == 5);
  // Another operation, another power, another point of view: another batch each.
  add_force(m, "g", points[0], {cos(t) * read(m, "P0.x"), 0.0}, {});
  add_force(m, "h", points[0], {pow(read(m, "P0.x"), 3.0), 0.0}, {});
  add_force(m, "i", points[0], {pow(read(m, "P0.x"), 5.0), 0.0}, {});
  add_force(m, "j", points[0], {pow(read(m, "P0.y"), 5.0), 0.0}, {});
  CHECK(batch_laws(m, laws_of(m)).size() == 5);
  // A system adds each at its own coordinates.
  const system::System s(m);
  const auto data = s.make_data({0.4});
  const std::vector<double> q{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, v{2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  system::Workspace work(s);
  const Kinematics at{0.7, q.data(), v.data(), v.data(), nullptr};
  s.evaluate(at, *data, work);
  s.linearize(at, *data, work, true);
  const double direction = 1;
  std::vector<double> moved(static_cast<std::size_t>(s.data_count())), by_c(10, 0.0);
  s.data_tangent(*data, &direction, moved.data());
  s.nd().multiply(work.residual_data.data(), moved.data(), by_c.data());
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(by_c[2 * i] == Approx(-v[2 * i]).epsilon(1e-14));
    CHECK(by_c[2 * i + 1] == Approx(i == 2 ? 0.0 : -0.8).epsilon(1e-14).margin(1e-14));
    double fx = std::sin(0.7) * q[2 * i] + (0.4 + static_cast<double>(i)) * v[2 * i];
    double slope = std::sin(0.7);
    if (i == 0) {
      fx += std::cos(0.7) * q[0] + std::pow(q[0], 3) + std::pow(q[0], 5) + std::pow(q[1], 5);
      slope += std::cos(0.7) + 3 * q[0] * q[0] + 5 * std::pow(q[0], 4);
    }
    CHECK(work.force[2 * i] == Approx(fx).epsilon(1e-14));
    CHECK(work.force[2 * i + 1] == Approx(i == 2 ? 0.5 : 0.16).epsilon(1e-14));
    const auto n = static_cast<int>(2 * i);
    CHECK(work.stiffness[static_cast<std::size_t>(s.nn().slot(n, n))] == Approx(-slope).epsilon(1e-14));
    CHECK(work.damping[static_cast<std::size_t>(s.nn().slot(n, n))] ==
          Approx(-0.4 - static_cast<double>(i)).epsilon(1e-14));
  }
}

TEST_CASE("every registered law has its kernel together with another of its form") {
  for (const char* law : {"contact", "tire", "bushing", "bump_stop", "spring", "one_way_clutch", "state"}) {
    for (const LawSpecimen& specimen : specimens_of(law)) {
      INFO(specimen.title);
      // A copy of the law's element, as another object of the same model would have it.
      Model& m = *specimen.model;
      std::vector<Element> again;
      for (int i : laws_of(m)) again.push_back(m.elements()[static_cast<std::size_t>(i)]);
      const auto before = batch_laws(m, laws_of(m)).size();
      for (Element& element : again) m.add_element(std::move(element));
      CHECK(batch_laws(m, laws_of(m)).size() == before);
    }
  }
}

TEST_CASE("batches of laws are bounded, and laws may be deep") {
  Model m("many", {0, 0});

  for (int i = 0; i < 300; ++i) {
    const std::string name = "P" + std::to_string(i);
    const Place point = add_point(m, name, {1.0, 0.0}, {0.0, 0.0}, 1.0);
    add_force(m, "f" + std::to_string(i), point, {(2.0 + i) * read(m, name + ".x"), 0.0}, {});
    if (i > 1) continue;
    Symbol x = read(m, name + ".x");
    for (int k = 0; k < 50000; ++k) x = sin(x + 1e-3);
    add_force(m, "deep" + std::to_string(i), point, {x, 0.0}, {});
  }
  const auto batches = batch_laws(m, laws_of(m));
  REQUIRE(batches.size() == 3);
  CHECK(batches[0].elements.size() == 256);
  CHECK(batches[1].elements.size() == 2);
  CHECK(batches[2].elements.size() == 44);
}
