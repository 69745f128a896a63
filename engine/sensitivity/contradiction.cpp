// SPDX-License-Identifier: MIT
#include "sensitivity/contradiction.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/mobility.hpp"
#include "at_time.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

namespace {

constexpr double golden = 0.6180339887498949;  // whose multiples, without what is before the point, repeat nothing

/// What is left open of constraints along parameters.
class OpenRows {
 public:
  OpenRows(const Problem& problem, const Evaluation& run, analysis::StartState& start)
      : problem_(problem),
        run_(run),
        start_(start),
        solver_(problem.system, {}),
        zero_(static_cast<std::size_t>(problem.system->coordinate_count() + problem.system->constraint_count()), 0.0),
        dd_(static_cast<std::size_t>(problem.system->data_count())),
        dq_(static_cast<std::size_t>(problem.system->coordinate_count())),
        dv_(dq_),
        v_(dq_),
        is_of_constraints_(dd_.size(), 0) {
    problem.system->md().for_each([this](int, int datum) { is_of_constraints_[static_cast<std::size_t>(datum)] = 1; });
    find_velocity();
  }

  /// A constraint that does not hold along a direction of the parameters, the one that reads most of them; -1 if all
  /// do. Without a change of the constraints' own data the mechanism goes where it may.
  int along(const std::vector<double>& direction) {
    const System& system = *problem_.system;
    system.data_tangent(*run_.data, direction.data(), dd_.data());
    changed_ = 0;
    for (std::size_t k = 0; k < dd_.size(); ++k) {
      if (is_of_constraints_[k]) changed_ = std::max(changed_, std::abs(dd_[k]));
    }
    if (changed_ == 0) return -1;
    start_.tangents(problem_.start, *run_.data, run_.initial, 1, dd_.data(), dq_.data(), dv_.data());
    system::Workspace& w = linearized(zero_);
    system.for_velocity_entries(system.mn(), [&](std::size_t k) { w.jacobian[k] = 0; });
    system.for_velocity_entries(system.md(), [&](std::size_t k) { w.phi_data[k] = 0; });
    const int of_positions = open({{&system.mn(), &w.jacobian, &dq_}, {&system.md(), &w.phi_data, &dd_}});
    if (of_positions >= 0) return of_positions;
    linearized(v_);
    solve_rates();
    return open({{&system.mn(), &w.jacobian_rate, &dq_},
                 {&system.mn(), &w.jacobian, &dv_},
                 {&system.md(), &w.phi_rate_data, &dd_}});
  }

 private:
  /// Velocities at which to ask: those of the start, and some of any motion that the mechanism may make besides. Where
  /// it has a freedom at this value of a parameter alone, nothing is wrong with positions, nor with a mechanism that
  /// rests.
  void find_velocity() {
    solver_.evaluate(problem_.start, run_.initial.q.data(), *run_.data);
    solver_.factor(false, problem_.start);
    std::vector<double> x(static_cast<std::size_t>(solver_.size()), 0.0);
    double any = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) x[i] = 0.5 + (any = std::fmod(any + golden, 1.0));
    solver_.solve(x.data());
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = run_.initial.v[i] + x[i];
  }
  /// dv with Phi_q dv + (Phi')_q dq + (Phi')_d dd = 0, as nearly as can be.
  void solve_rates() {
    const System& system = *problem_.system;
    system::Workspace& w = solver_.workspace();
    std::vector<double> x(static_cast<std::size_t>(solver_.size()), 0.0);
    system.mn().multiply(w.jacobian_rate.data(), dq_.data(), x.data() + dv_.size(), -1);
    system.md().multiply(w.phi_rate_data.data(), dd_.data(), x.data() + dv_.size(), -1);
    solver_.factor(false, problem_.start);
    solver_.solve(x.data());
    std::copy_n(x.begin(), dv_.size(), dv_.begin());
  }

  struct Term {
    const linalg::SparsePattern* pattern;
    const std::span<double>* values;
    const std::vector<double>* along;
  };

  system::Workspace& linearized(const std::vector<double>& v) {
    system::Workspace& w = solver_.workspace();
    const system::Kinematics at{problem_.start, run_.initial.q.data(), v.data(), zero_.data(), zero_.data()};
    problem_.system->evaluate(at, *run_.data, w, system::Part::Constraints);
    problem_.system->linearize(at, *run_.data, w, true, system::Part::Constraints);
    return w;
  }

  int open(std::initializer_list<Term> terms) const {
    constexpr double rounding = 1e-6;  // far above what the weak rows of redundant constraints leave (1e-13)
    constexpr double digits = 1e-10;
    const auto count = static_cast<std::size_t>(problem_.system->constraint_count());
    std::vector<double> sum(count, 0.0), size(count, 0.0), noise(count, 0.0), of_parameters(count, 0.0);
    for (const Term& term : terms) {
      // Coordinates that stay where they are do so to the rounding of those that move. Data have units of their own.
      const bool is_of_data = term.along == &dd_;
      const double largest = analysis::largest(term.along->data(), static_cast<int>(term.along->size()));
      std::size_t k = 0;
      term.pattern->for_each([&](int row, int column) {
        const double slope = (*term.values)[k++], part = (*term.along)[static_cast<std::size_t>(column)];
        sum[static_cast<std::size_t>(row)] += slope * part;
        size[static_cast<std::size_t>(row)] += std::abs(slope) * (is_of_data ? std::abs(part) : largest);
        if (!is_of_data) noise[static_cast<std::size_t>(row)] += std::abs(slope);
        if (is_of_data) of_parameters[static_cast<std::size_t>(row)] += std::abs(slope * part);
      });
    }
    int found = -1;
    for (std::size_t row = 0; row < count; ++row) {
      // What nothing moves stays where it is to the rounding of what has changed elsewhere.
      if (std::abs(sum[row]) <= rounding * size[row] + digits * noise[row] * changed_) continue;
      if (found < 0 || of_parameters[row] > of_parameters[static_cast<std::size_t>(found)])
        found = static_cast<int>(row);
    }
    return found;
  }

  const Problem& problem_;
  const Evaluation& run_;
  analysis::StartState& start_;
  analysis::ConstraintSolver solver_;
  std::vector<double> zero_, dd_, dq_, dv_, v_;
  std::vector<char> is_of_constraints_;  // by datum
  double changed_ = 0;                   // the largest change of these along the direction
};

}  // namespace

void refuse_contradictions(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                           analysis::StartState& start) {
  if (!run.has_redundant || over.empty()) return;
  const System& system = *problem.system;
  OpenRows rows(problem, run, start);
  const auto size = [&](int parameter) {
    const double value = std::abs(run.data->parameters[static_cast<std::size_t>(parameter)]);
    return value > 0 ? value : 1;
  };
  const auto alone = [&](int parameter) {
    std::vector<double> direction(static_cast<std::size_t>(system.parameter_count()), 0.0);
    direction[static_cast<std::size_t>(parameter)] = size(parameter);
    return direction;
  };
  // Of many parameters one mixture says whether there is anything to look for: what contradicts along one of them does
  // along almost any mixture of all, if it is not too small beside the others.
  constexpr std::size_t many = 16;
  int open = -1;
  if (over.size() > many) {
    std::vector<double> mixture(static_cast<std::size_t>(system.parameter_count()), 0.0);
    double weight = 0;
    for (const int parameter : over) {
      weight = std::fmod(weight + golden, 1.0);
      mixture[static_cast<std::size_t>(parameter)] = (0.5 + weight) * size(parameter);
    }
    open = rows.along(mixture);
    if (open < 0) return;
  }
  std::string name;
  for (const int parameter : over) {
    if (const int own = rows.along(alone(parameter)); own >= 0) {
      open = own;
      name = " \"" + system.parameter_name(parameter) + "\"";
      break;
    }
  }
  if (open < 0) return;
  const std::string parameter = name.empty() ? "these parameters" : "parameter" + name;
  if (analysis::mobility(start.constraints(), problem.start, *run.data, run.initial.q).singular_freedoms > 0) {
    throw NumericalError(at_time(problem.start) + "the start is a singular position, which the mechanism leaves with " +
                         parameter + " (the constraint of " + system.describe_constraint(open) +
                         "): there is no derivative by it; start elsewhere");
  }
  throw NumericalError("the constraint of " + system.describe_constraint(open) +
                       ", agrees with others, from which it follows, at this value of " + parameter +
                       " alone: with another one the mechanism cannot be assembled, or is locked, and there is no "
                       "derivative by it; "
                       "let all that has to change with it follow the same parameter, or leave out what is redundant");
}

}  // namespace perilune::sensitivity
