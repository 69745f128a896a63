// SPDX-License-Identifier: MIT
// Elements that are expressions: drivers, couplings, constraints and forces by law, against complex step; and what of a
// constraint's law is refused.
#include <catch2/catch.hpp>
#include <set>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "expr/tape.hpp"
#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/element/element_check.hpp"
#include "model/joint/relations.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;

namespace {

/// The types of elements that were checked.
std::set<std::string> check_all_elements(const model::Model& m) {
  std::set<std::string> types;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::set<std::string> checked;
    for (const model::ElementCheck& check : model::check_elements(m, seed)) {
      INFO(check.element << " (" << check.type << "), " << check.family << ", seed " << seed);
      CHECK(check.difference <= 1e-11 * std::max(1.0, check.size));
      if (check.size > 0) checked.insert(check.element);
      types.insert(check.type);
    }
    for (const model::Element& element : m.elements()) {
      INFO(element.name);
      CHECK(checked.contains(element.name));
    }
  }
  return types;
}

}  // namespace

TEST_CASE("every element of whole mechanisms agrees with complex step, laws and relations included") {
  std::set<std::string> types;
  for (Mechanism (*make)() : {driven_linkage_mechanism, spatial_joints_mechanism, planar_forces_mechanism,
                              spatial_forces_mechanism, rubbing_crank_mechanism, planar_net_mechanism,
                              spatial_net_mechanism, rubbing_slider_crank_mechanism, rubbing_stack_mechanism}) {
    const Mechanism mechanism = make();
    INFO(mechanism.name);
    types.merge(check_all_elements(*mechanism.model));
  }
  for (const char* type : {"force", "bushing", "coupling", "driver"}) {
    INFO(type);
    CHECK(types.contains(type));
  }
}

TEST_CASE("a relation of every operation agrees with complex step") {
  model::Model m("test", {0, 0});
  const Symbol a = m.add_parameter("a", 0.7, "", 0, 2);
  add_point(m, "P", {0.4, 0.8}, {0.0, 0.0}, 1.0);
  auto& g = m.graph();
  const expr::NodeId x = m.signal("P.x"), y = m.signal("P.y"), t = m.time(), p = a.in(g);
  using expr::Op;
  expr::NodeId sum = g.constant(0);
  auto add = [&](expr::NodeId term) { sum = g.binary(Op::Add, sum, g.binary(Op::Mul, g.constant(1.3), term)); };
  const expr::NodeId mixed = g.binary(Op::Add, g.binary(Op::Mul, x, y), g.binary(Op::Mul, p, t));
  const expr::NodeId positive = g.binary(Op::Add, g.constant(2), g.binary(Op::Mul, mixed, mixed));
  const expr::NodeId small = g.binary(Op::Mul, g.constant(0.1), mixed);
  for (Op op : {Op::Neg, Op::Abs, Op::Exp, Op::Sin, Op::Cos, Op::Tan, Op::Asin, Op::Acos, Op::Atan, Op::Sinh, Op::Cosh,
                Op::Tanh}) {
    add(g.unary(op, small));
  }
  for (Op op : {Op::Sqrt, Op::Log}) add(g.unary(op, positive));
  for (Op op : {Op::Sub, Op::Div, Op::Pow, Op::Atan2, Op::Min, Op::Max})
    add(g.binary(op, positive, g.binary(Op::Add, y, p)));
  add(g.binary(Op::Pow, positive, g.constant(1.5)));
  add(g.where(g.binary(Op::Less, x, g.constant(100)), g.binary(Op::Mul, x, x), y));
  add_constraint(m, "all", {g, sum});
  check_all_elements(m);
}

TEST_CASE("the derivative of an expression along rates is its tangent") {
  Mechanism mechanism = planar_forces_mechanism();
  model::Model& m = *mechanism.model;
  expr::Graph& g = m.graph();
  expr::NodeMap rates;
  std::vector<expr::NodeId> inputs{m.time()};
  for (const model::Parameter& p : m.parameters()) inputs.push_back(p.node);
  for (const model::Coordinate& c : m.coordinates()) inputs.insert(inputs.end(), {c.position, c.velocity});
  std::vector<double> tangent(inputs.size(), 0.0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i % 3 == 1) continue;  // held fixed
    tangent[i] = 0.3 + 0.1 * static_cast<double>(i);
    rates[inputs[i]] = g.constant(tangent[i]);
  }
  for (const char* name : {"spring.force", "ctl.output", "energy.total", "stop.force", "constraint.drift", "z.rate"}) {
    const expr::NodeId value = m.signal(name), rate = expr::derivative(g, value, rates);
    std::vector<expr::NodeId> read = inputs;
    for (expr::NodeId id : g.variables_of({value})) {
      if (is_setting(g.variable_of(id).quantity)) read.push_back(id);  // nothing is left out: they are zero
    }
    const expr::Tape tape(g, read, {value, rate});
    auto work = tape.make_work<expr::Dual>();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      work[i] = expr::Dual(0.2 + 0.37 * static_cast<double>(i % 5), {tangent[i]});
    }
    tape.evaluate(work.data());
    const auto at = [&](int k) { return work[static_cast<std::size_t>(tape.output_slot(k))]; };
    INFO(name);
    CHECK(at(1).v == Approx(at(0).g[0]).epsilon(1e-12));
  }
}

TEST_CASE("laws of constraints read positions, time and parameters only") {
  model::Model m("test", {0, 0});
  add_point(m, "P", {0.4, 0.8}, {0.0, 0.0}, 1.0);
  auto signal = [&](const char* name) { return Symbol(m.graph(), m.signal(name)); };
  CHECK_THROWS_WITH(add_constraint(m, "c", signal("P.vx")),
                    Contains("constraint \"c\"") && Contains("cannot read 'P.vx'"));
  CHECK_THROWS_WITH(add_constraint(m, "c2", signal("t")), Contains("does not depend on any coordinate"));
  CHECK_THROWS_WITH(add_driver(m, "d", signal("P.x"), signal("P.y")),
                    Contains("driver \"d\"") && Contains("cannot read 'P.y', only time and parameters"));
  CHECK_THROWS_WITH(add_driver(m, "d2", signal("P.vx"), 1.0), Contains("cannot read 'P.vx'"));
}
