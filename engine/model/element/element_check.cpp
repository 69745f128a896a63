// SPDX-License-Identifier: MIT
#include "model/element/element_check.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

#include "error.hpp"
#include "expr/tape.hpp"
#include "model/element/registry.hpp"
#include "model/force/law.hpp"
#include "model/joint/relation.hpp"
#include "model/joint/velocity_relation.hpp"

namespace perilune::model {

const std::array<BlockFamily, 17>& block_families() {
  using B = ElementBlocks;
  static const std::array<BlockFamily, 17> all{{{"mass", &B::mass},
                                                {"force", &B::force},
                                                {"phi", &B::phi},
                                                {"phi_rate", &B::phi_rate},
                                                {"phi_bias", &B::phi_bias},
                                                {"jacobian", &B::jacobian},
                                                {"stiffness", &B::stiffness},
                                                {"damping", &B::damping},
                                                {"jacobian_rate", &B::jacobian_rate},
                                                {"jacobian_acceleration", &B::jacobian_acceleration},
                                                {"acceleration_by_velocity", &B::acceleration_by_velocity},
                                                {"residual_data", &B::residual_data},
                                                {"phi_data", &B::phi_data},
                                                {"phi_rate_data", &B::phi_rate_data},
                                                {"phi_acceleration_data", &B::phi_acceleration_data},
                                                {"force_acceleration", &B::force_acceleration},
                                                {"force_multiplier", &B::force_multiplier}}};
  return all;
}

ElementBlocks as_used(const Kernel& kernel, const Kinematics& at, const double* data) {
  const int n = kernel.coordinate_count(), m = kernel.constraint_count(), d = kernel.data_count(),
            r = kernel.read_count();
  auto numbers = [](int count) {
    std::vector<int> x(static_cast<std::size_t>(count));
    std::iota(x.begin(), x.end(), 0);
    return x;
  };
  Batch batch;
  batch.count = 1;
  batch.coordinates = numbers(n);
  batch.multipliers = numbers(m);
  batch.nn = numbers(n * n);
  batch.mn = numbers(m * n);
  batch.nd = numbers(n * d);
  batch.md = numbers(m * d);
  batch.is_active = {1};
  batch.reads = numbers(r);
  batch.nr = numbers(n * r);
  ElementBlocks out;
  std::vector<double> scratch(kernel.scratch_size());
  auto sized = [](std::vector<double>& x, int count) {
    x.assign(static_cast<std::size_t>(count), 0.0);
    return x.data();
  };
  Blocks b;
  b.mass = sized(out.mass, n * n);
  b.force = sized(out.force, n);
  b.phi = sized(out.phi, m);
  b.phi_rate = sized(out.phi_rate, m);
  b.phi_bias = sized(out.phi_bias, m);
  b.jacobian = sized(out.jacobian, m * n);
  b.stiffness = sized(out.stiffness, n * n);
  b.damping = sized(out.damping, n * n);
  b.jacobian_rate = sized(out.jacobian_rate, m * n);
  b.jacobian_acceleration = sized(out.jacobian_acceleration, m * n);
  b.acceleration_by_velocity = kernel.constrains_velocities() ? sized(out.acceleration_by_velocity, m * n) : nullptr;
  b.residual_data = sized(out.residual_data, n * d);
  b.phi_data = sized(out.phi_data, m * d);
  b.phi_rate_data = sized(out.phi_rate_data, m * d);
  b.phi_acceleration_data = sized(out.phi_acceleration_data, m * d);
  if (kernel.reads_accelerations()) b.force_acceleration = sized(out.force_acceleration, n * n);
  if (r > 0) b.force_multiplier = sized(out.force_multiplier, n * r);
  b.scratch = scratch.data();
  kernel.evaluate(batch, at, data, b);
  kernel.linearize(batch, at, data, b, true);
  return out;
}

std::shared_ptr<const Kernel> kernel_of(const Model& model, const Element& element) {
  if (element.form == Element::Form::Law) return std::make_shared<LawKernel>(model, element);
  if (element.form == Element::Form::Relation) return std::make_shared<RelationKernel>(model, element);
  if (constrains_velocities(element)) return std::make_shared<VelocityRelationKernel>(model, element);
  return {std::shared_ptr<void>(), &kernel_of(element.type)};  // the registry's kernels live as long as the program
}

namespace {

std::vector<double> present_data(const Model& model, const std::vector<NodeId>& outputs) {
  const std::vector<NodeId> inputs = model.graph().variables_of(outputs);
  const expr::Tape tape(model.graph(), inputs, outputs);
  auto work = tape.make_work<double>();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const expr::Variable& variable = model.graph().variable_of(inputs[i]);
    if (variable.quantity != expr::Quantity::Parameter) continue;  // a switch that is not held
    work[i] = model.parameters()[static_cast<std::size_t>(variable.index)].value;
  }
  tape.evaluate(work.data());
  std::vector<double> values;
  for (int k = 0; k < tape.output_count(); ++k) values.push_back(work[static_cast<std::size_t>(tape.output_slot(k))]);
  return values;
}

double sum_of_sizes(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double value) { return sum + std::abs(value); });
}

/// The residual of a force or inertia element as a tape over t, q, v, a, the multipliers that it reads, and data.
class ResidualTape {
 public:
  explicit ResidualTape(const Kernel& kernel) : n_(static_cast<std::size_t>(kernel.coordinate_count())) {
    std::vector<NodeId> inputs;
    Graph graph;
    auto add = [&](expr::Quantity quantity, std::size_t count) {
      std::vector<Symbol> own;
      for (std::size_t i = 0; i < count; ++i) {
        inputs.push_back(graph.variable(quantity, static_cast<int>(i), "x"));
        own.push_back({graph, inputs.back()});
      }
      return own;
    };
    using Q = expr::Quantity;
    const auto t = add(Q::Time, 1), q = add(Q::Position, n_), v = add(Q::Velocity, n_), a = add(Q::Acceleration, n_),
               reads = add(Q::Multiplier, static_cast<std::size_t>(kernel.read_count())),
               data = add(Q::Parameter, static_cast<std::size_t>(kernel.data_count()));
    std::vector<NodeId> outputs;
    for (const Symbol& r : kernel.symbolic_residual(q, v, a, reads, t[0], data)) outputs.push_back(r.in(graph));
    tape_ = expr::Tape(graph, inputs, outputs);
  }

  /// The residual at the inputs, for any scalar.
  template <class T>
  std::vector<T> run(const std::vector<T>& inputs) const {
    std::vector<T> work = tape_.make_work<T>();
    std::copy(inputs.begin(), inputs.end(), work.begin());
    tape_.evaluate(work.data());
    std::vector<T> out;
    for (int k = 0; k < tape_.output_count(); ++k) out.push_back(work[static_cast<std::size_t>(tape_.output_slot(k))]);
    return out;
  }
  std::size_t n() const { return n_; }

 private:
  std::size_t n_;
  expr::Tape tape_;
};

/// (r_x g)_y by nested automatic differentiation against complex step over automatic differentiation. x and y: the
/// first inputs of q (1) or v (1 + n).
ElementCheck second_derivative(const ResidualTape& tape, const std::vector<double>& inputs,
                               const std::vector<double>& direction, std::size_t x, std::size_t y) {
  using Complex = std::complex<double>;
  using Nested = expr::Grad<1, expr::Dual>;
  using Stepped = expr::Grad<1, Complex>;
  constexpr double h = 1e-150;
  ElementCheck check;
  for (std::size_t j = 0; j < tape.n(); ++j) {
    std::vector<Nested> nested;
    std::vector<Stepped> stepped;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const double slope = i >= x && i < x + tape.n() ? direction[i - x] : 0.0, moved = i == y + j ? 1.0 : 0.0;
      nested.push_back(Nested(expr::Dual(inputs[i], {moved}), {expr::Dual(slope)}));
      stepped.push_back(Stepped(Complex(inputs[i], moved * h), {Complex(slope)}));
    }
    const auto by_ad = tape.run(nested);
    const auto by_step = tape.run(stepped);
    for (std::size_t k = 0; k < by_ad.size(); ++k) {
      const double exact = by_step[k].g[0].imag() / h;
      check.difference += std::abs(by_ad[k].g[0].g[0] - exact);
      check.size += std::abs(exact);
    }
  }
  return check;
}

}  // namespace

std::vector<ElementCheck> check_elements(const Model& model, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<ElementCheck> out;
  for (const Element& element : model.elements()) {
    check_interrupt();
    if (element.is_removed) continue;
    const auto kernel = kernel_of(model, element);
    std::vector<double> q, v, a, lambda;
    for (int c : element.coordinates) {
      const NodeId declared = model.coordinates()[static_cast<std::size_t>(c)].initial_position;
      q.push_back(present_data(model, {declared}).front() + 0.3 * any(random));
      v.push_back(any(random));
      a.push_back(any(random));
    }
    for (std::size_t k = 0; k < element.multipliers.size() + element.reads.size(); ++k) lambda.push_back(any(random));
    std::vector<double> data = present_data(model, element.data);
    data.resize(static_cast<std::size_t>(kernel->data_count()));
    const Kinematics at{0.37, q.data(), v.data(), a.data(), lambda.data()};
    const ElementBlocks used = as_used(*kernel, at, data.data());
    const ElementBlocks exact = kernel->by_complex_step(at, data.data());
    for (const BlockFamily& family : block_families()) {
      const std::vector<double>&x = used.*family.block, &y = exact.*family.block;
      if (x.empty() || y.empty()) continue;
      ElementCheck check{element.name, element.type, family.name, 0, sum_of_sizes(y)};
      for (std::size_t i = 0; i < x.size(); ++i) check.difference += std::abs(x[i] - y[i]);
      out.push_back(std::move(check));
    }
    if (!element.multipliers.empty()) continue;
    const ResidualTape tape(*kernel);
    std::vector<double> inputs{at.t}, direction;
    for (const std::vector<double>* part :
         {&std::as_const(q), &std::as_const(v), &std::as_const(a), &std::as_const(lambda), &std::as_const(data)})
      inputs.insert(inputs.end(), part->begin(), part->end());
    for (std::size_t i = 0; i < q.size(); ++i) direction.push_back(any(random));
    const std::size_t in_q = 1, in_v = 1 + q.size();
    for (const auto& [family, x, y] : {std::tuple{"stiffness_by_q", in_q, in_q}, std::tuple{"damping_by_q", in_v, in_q},
                                       std::tuple{"damping_by_v", in_v, in_v}}) {
      ElementCheck check = second_derivative(tape, inputs, direction, x, y);
      check.element = element.name;
      check.type = element.type;
      check.family = family;
      out.push_back(std::move(check));
    }
  }
  return out;
}

}  // namespace perilune::model
