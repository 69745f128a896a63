#include "system/second_order.hpp"

#include <algorithm>

namespace perilune::system {

namespace {

int index(PointPart part) { return static_cast<int>(part); }

}  // namespace

SecondOrder::SecondOrder(const System& system)
    : SecondOrder(system.elements(), system.coordinate_count(), system.constraint_count(), system.data_count(),
                  system.element_products()) {}

SecondOrder::SecondOrder(const std::vector<Elements>& elements, int n, int m, int data, ElementProductCache& products) {
  auto steps = std::make_shared<Steps>();
  for (const Elements& type : elements) add_steps(type, n, products, *steps);
  std::size_t size = 0;
  for (const std::vector<Step>* all : {&steps->gradient, &steps->first, &steps->second}) {
    for (const Step& step : *all) size = std::max(size, static_cast<std::size_t>(step.tape.size()));
  }
  steps_ = std::move(steps);
  std::apply([size](auto&... work) { (work.resize(size), ...); }, work_);
  size_ = static_cast<std::size_t>(n + m);
  arrays_.resize(1);
  zero_.resize(static_cast<std::size_t>(std::max({n, m, data})), 0.0);
  unused_.resize(zero_.size(), 0.0);
}

void SecondOrder::add_steps(const Elements& elements, int n, ElementProductCache& cache, Steps& steps) {
  // Most elements have no datum that depends on a parameter: two tapes per type, with and without derivatives by data.
  const auto nd = static_cast<std::size_t>(elements.kernel->data_count());
  std::vector<char> moving(nd, 0);
  std::vector<int> active, resting;
  for (int e = 0; e < elements.batch.count; ++e) {
    bool is_active = false;
    for (std::size_t j = 0; j < nd; ++j) {
      if (elements.datum[static_cast<std::size_t>(e) * nd + j] >= 0) moving[j] = is_active = true;
    }
    (is_active ? active : resting).push_back(e);
  }
  auto add = [&](const std::vector<int>& members, const std::vector<char>& data) {
    if (members.empty()) return;
    const auto products = cache.find(elements.kernel, data);
    auto append = [&](std::vector<Step>& to, const ElementProduct& product) {
      if (!product.outputs.empty()) to.push_back(make_step(product, elements, members, n));
    };
    append(steps.gradient, products->gradient);
    append(steps.first, products->first);
    append(steps.second, products->second);
  };
  add(active, moving);
  add(resting, std::vector<char>(nd, 0));
}

SecondOrder::Step SecondOrder::make_step(const ElementProduct& product, const Elements& elements,
                                         const std::vector<int>& members, int n) {
  const int nq = elements.kernel->coordinate_count(), nc = elements.kernel->constraint_count(),
            nd = elements.kernel->data_count();
  const model::Batch& batch = elements.batch;
  Step step{product.tape, static_cast<int>(members.size()), {}, {}};
  for (const int e : members) {
    auto coordinate = [&](int i) { return batch.coordinates[static_cast<std::size_t>(e * nq + i)]; };
    auto multiplier = [&](int k) { return batch.multipliers[static_cast<std::size_t>(e * nc + k)]; };
    auto column = [&](int j) { return elements.datum[static_cast<std::size_t>(e * nd + j)]; };
    /// Place in a vector like z whose first part is array `first`; in those of data, columns.
    auto place = [&](PointPart part, int number, int first, int constant) -> Place {
      const int array = first + index(part);
      if (part == PointPart::Time) return {array, 0};
      if (part == PointPart::Multiplier) return {array, multiplier(number)};
      if (part != PointPart::Datum) return {array, coordinate(number)};
      return column(number) < 0 ? Place{constant, 0} : Place{array, column(number)};
    };
    auto row = [&](PointPart part, int number) {
      return part == PointPart::Position ? coordinate(number) : n + multiplier(number);
    };
    for (const ElementProduct::Input& input : product.inputs) {
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
    for (const ElementProduct::Output& output : product.outputs) {
      step.targets.push_back(product.is_residual ? Place{0, row(output.part, output.number)}
                                                 : place(output.part, output.number, 0, unused_target));
    }
  }
  return step;
}

void SecondOrder::set_point(const Kinematics& at, const Data& data, const ConstraintLaw& law, std::size_t count) {
  law_ = {law.acceleration, law.rate, law.position, law.compliance};
  Arrays arrays;
  arrays.sources = {at.q, at.v, at.a, at.lambda, data.packed.data(), &at.t};
  arrays.sources[law_source] = law_.data();
  arrays.sources[zero_source] = zero_.data();
  arrays.targets[unused_target] = unused_.data();
  arrays_.assign(count, arrays);
}

void SecondOrder::set_direction(Arrays& arrays, int source, const Direction& direction) const {
  const double* parts[] = {direction.q, direction.v, direction.a, direction.lambda, direction.d, &direction.t};
  for (const double* part : parts) arrays.sources[static_cast<std::size_t>(source++)] = part ? part : zero_.data();
}

template <int W>
void SecondOrder::run(const Step& step, int first) {
  const expr::Tape& tape = step.tape;
  expr::Pack<W>* work = std::get<Work<W>>(work_).data();
  tape.load_constants(work);
  const int products = static_cast<int>(arrays_.size()), last = step.count * products - 1, inputs = tape.input_count(),
            outputs = tape.output_count();
  for (int lane = 0; lane < W; ++lane) {  // lanes to spare repeat the last pair
    const int pair = std::min(first + lane, last);
    const auto& arrays = arrays_[static_cast<std::size_t>(pair % products)].sources;
    const Place* source = step.sources.data() + (pair / products) * inputs;
    for (int i = 0; i < inputs; ++i, ++source) {
      work[i].set(lane, arrays[static_cast<std::size_t>(source->array)][source->index]);
    }
  }
  tape.evaluate(work);
  for (int lane = 0; lane < W && first + lane <= last; ++lane) {
    const int pair = first + lane;
    const auto& arrays = arrays_[static_cast<std::size_t>(pair % products)].targets;
    const Place* target = step.targets.data() + (pair / products) * outputs;
    for (int k = 0; k < outputs; ++k, ++target) {
      arrays[static_cast<std::size_t>(target->array)][target->index] += work[tape.output_slot(k)][lane];
    }
  }
}

void SecondOrder::run(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    const int pairs = step.count * static_cast<int>(arrays_.size());
    int pair = 0;
    for (; pairs - pair > 2; pair += 4) run<4>(step, pair);
    if (pairs > pair) run<2>(step, pair);
  }
}

void SecondOrder::add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                               const Direction& direction, PointGradient& out) {
  add_gradient(at, data, law, w, std::span(&direction, 1), out);
}

void SecondOrder::add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                               std::span<const Direction> directions, PointGradient& out) {
  set_point(at, data, law, directions.size());
  double* parts[] = {out.q, out.v, out.a, out.lambda, out.d, &out.t};
  for (std::size_t k = 0; k < directions.size(); ++k) {
    set_direction(arrays_[k], first_source, directions[k]);
    arrays_[k].sources[weight_source] = w + k * size_;
    for (std::size_t i = 0; i < part_count; ++i) arrays_[k].targets[i] = parts[i] ? parts[i] : unused_.data();
  }
  run(steps_->gradient);
}

void SecondOrder::add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& first,
                             const Direction& second, double* r) {
  add_second(at, data, law, std::span(&first, 1), second, r);
}

void SecondOrder::add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law,
                             std::span<const Direction> first, const Direction& second, double* r) {
  set_point(at, data, law, first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    set_direction(arrays_[k], first_source, first[k]);
    set_direction(arrays_[k], second_source, second);
    arrays_[k].targets[0] = r + k * size_;
  }
  run(steps_->second);
}

void SecondOrder::add_first(const Kinematics& at, const Data& data, const ConstraintLaw& law,
                            const Direction& direction, double* r) {
  set_point(at, data, law);
  set_direction(arrays_.front(), first_source, direction);
  arrays_.front().targets[0] = r;
  run(steps_->first);
}

}  // namespace perilune::system
