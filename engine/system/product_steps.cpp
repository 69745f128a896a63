// SPDX-License-Identifier: MIT
#include "system/product_steps.hpp"

#include <algorithm>

namespace perilune::system {

namespace {

int index(PointPart part) { return static_cast<int>(part); }

}  // namespace

ProductSteps product_steps(ProductKind kind, const std::vector<Elements>& elements, int n, ElementProductCache& cache) {
  ProductSteps steps;
  for (const Elements& type : elements) {
    // Most elements have no datum that depends on a parameter: two tapes per type, with and without derivatives by
    // data. Along a motion data stand still.
    const bool by_data = kind < ProductKind::RatesOfRows;
    const auto nd = static_cast<std::size_t>(type.kernel->data_count());
    std::vector<char> moving(nd, 0);
    std::vector<int> active, resting;
    for (int e = 0; e < type.batch.count; ++e) {
      bool is_active = false;
      for (std::size_t j = 0; j < nd && by_data; ++j) {
        if (type.datum[static_cast<std::size_t>(e) * nd + j] >= 0) moving[j] = is_active = true;
      }
      (is_active ? active : resting).push_back(e);
    }
    auto add = [&](const std::vector<int>& members, const std::vector<char>& data) {
      if (members.empty()) return;
      auto product = cache.find(kind, type.kernel, data);
      if (!product->outputs.empty()) steps.push_back(ProductRun::make_step(std::move(product), type, members, n));
    };
    add(active, moving);
    add(resting, std::vector<char>(nd, 0));
  }
  return steps;
}

ProductStep ProductRun::make_step(std::shared_ptr<const ElementProduct> product, const Elements& elements,
                                  const std::vector<int>& members, int n) {
  using Place = ProductStep::Place;
  const int nq = elements.kernel->coordinate_count(), nc = elements.kernel->constraint_count(),
            nd = elements.kernel->data_count(), nr = elements.kernel->read_count();
  const model::Batch& batch = elements.batch;
  ProductStep step{product, static_cast<int>(members.size()), {}, {}};
  for (const int e : members) {
    auto coordinate = [&](int i) { return batch.coordinates[static_cast<std::size_t>(e * nq + i)]; };
    auto multiplier = [&](int k) {
      return k < nc ? batch.multipliers[static_cast<std::size_t>(e * nc + k)]
                    : batch.reads[static_cast<std::size_t>(e * nr + k - nc)];
    };
    auto column = [&](int j) { return elements.datum[static_cast<std::size_t>(e * nd + j)]; };
    /// Place in a vector like z whose first part is array `first`; in those of data, columns.
    auto place = [&](PointPart part, int number, int first, int constant) -> Place {
      const int array = first + index(part);
      if (part == PointPart::Time) return {array, 0};
      if (part == PointPart::Multiplier) {
        return multiplier(number) < 0 ? Place{constant, 0} : Place{array, multiplier(number)};
      }
      if (part != PointPart::Datum) return {array, coordinate(number)};
      return column(number) < 0 ? Place{constant, 0} : Place{array, column(number)};
    };
    auto row = [&](PointPart part, int number) {
      return part == PointPart::Position ? coordinate(number) : n + multiplier(number);
    };
    for (const ElementProduct::Input& input : product->inputs) {
      using Of = ElementProduct::Of;
      switch (input.of) {
        case Of::Point:
          step.sources.push_back(
              input.part == PointPart::Datum
                  ? Place{index(PointPart::Datum), static_cast<int>(batch.data_offset) + e * nd + input.number}
                  : place(input.part, input.number, 0, zero_source));
          break;
        case Of::First:
          step.sources.push_back(place(input.part, input.number, first_source, zero_source));
          break;
        case Of::Second:
          step.sources.push_back(place(input.part, input.number, second_source, zero_source));
          break;
        case Of::Weight:
          step.sources.push_back({weight_source, row(input.part, input.number)});
          break;
        case Of::Law:
          step.sources.push_back({law_source, input.number});
          break;
      }
    }
    for (const ElementProduct::Output& output : product->outputs) {
      step.targets.push_back(product->is_residual ? Place{0, row(output.part, output.number)}
                                                  : place(output.part, output.number, 0, unused_target));
    }
  }
  return step;
}

ProductRun::ProductRun(int n, int m, int data)
    : zero_(static_cast<std::size_t>(std::max({n, m, data, 1})), 0.0), unused_(zero_.size(), 0.0), arrays_(1) {}

void ProductRun::make_room(const ProductSteps& steps) {
  std::size_t size = std::get<0>(work_).size();
  for (const ProductStep& step : steps) size = std::max(size, static_cast<std::size_t>(step.product->tape.size()));
  std::apply([size](auto&... work) { (work.resize(size), ...); }, work_);
}

void ProductRun::set_point(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::size_t count) {
  law_ = {law.acceleration, law.rate, law.position, law.compliance, law.velocity_rate};
  Arrays arrays;
  arrays.sources = {at.q, at.v, at.a, at.lambda, data.packed.data(), &at.t};
  arrays.sources[law_source] = law_.data();
  arrays.sources[zero_source] = zero_.data();
  arrays.targets[unused_target] = unused_.data();
  arrays_.assign(count, arrays);
}

void ProductRun::set_direction(std::size_t product, int source, const Direction& direction) {
  const double* parts[] = {direction.q, direction.v, direction.a, direction.lambda, direction.d, &direction.t};
  for (const double* part : parts) {
    arrays_[product].sources[static_cast<std::size_t>(source++)] = part ? part : zero_.data();
  }
}

void ProductRun::set_gradient(std::size_t product, PointGradient& out) {
  double* parts[] = {out.q, out.v, out.a, out.lambda, out.d, &out.t};
  for (std::size_t i = 0; i < part_count; ++i) {
    arrays_[product].targets[i] = parts[i] ? parts[i] : unused_.data();
  }
}

template <int W>
void ProductRun::run(const ProductStep& step, int first) {
  const expr::Tape& tape = step.product->tape;
  expr::Pack<W>* work = std::get<Work<W>>(work_).data();
  tape.load_constants(work);
  const int products = static_cast<int>(arrays_.size()), last = step.count * products - 1, inputs = tape.input_count(),
            outputs = tape.output_count();
  for (int lane = 0; lane < W; ++lane) {  // lanes to spare repeat the last pair
    const int pair = std::min(first + lane, last);
    const auto& arrays = arrays_[static_cast<std::size_t>(pair % products)].sources;
    const ProductStep::Place* source = step.sources.data() + (pair / products) * inputs;
    for (int i = 0; i < inputs; ++i, ++source) {
      work[i].set(lane, arrays[static_cast<std::size_t>(source->array)][source->index]);
    }
  }
  tape.evaluate(work);
  for (int lane = 0; lane < W && first + lane <= last; ++lane) {
    const int pair = first + lane;
    const auto& arrays = arrays_[static_cast<std::size_t>(pair % products)].targets;
    const ProductStep::Place* target = step.targets.data() + (pair / products) * outputs;
    for (int k = 0; k < outputs; ++k, ++target) {
      arrays[static_cast<std::size_t>(target->array)][target->index] += work[tape.output_slot(k)][lane];
    }
  }
}

void ProductRun::run(const ProductSteps& steps) {
  for (const ProductStep& step : steps) {
    const int pairs = step.count * static_cast<int>(arrays_.size());
    int pair = 0;
    for (; pairs - pair > 2; pair += 4) run<4>(step, pair);
    if (pairs > pair) run<2>(step, pair);
  }
}

}  // namespace perilune::system
