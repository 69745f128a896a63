// SPDX-License-Identifier: MIT
// m:pareto: two costs against each other, by limits on the second one (the epsilon-constraint method, Haimes, Lasdon
// and Wismer 1971).
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/guard.hpp"
#include "error.hpp"
#include "fingerprint.hpp"
#include "format/text.hpp"
#include "ranks/each.hpp"
#include "runs/experiment.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"
#include "studies/front.hpp"
#include "studies/minimization.hpp"
#include "studies/optimization_facts.hpp"
#include "studies/said_by.hpp"
#include "studies/search_archive.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using optimize::ConstrainedReason;

/// One search: its result, with both costs at its end; of what is maximized the negatives.
struct Candidate {
  optimize::ConstrainedResult result;
  double costs[2] = {0, 0};
  double price = 0;

  template <class Archive>
  friend void archive_fields(Archive& archive, Candidate& c) {
    archive(c.result, c.costs[0], c.costs[1], c.price);
  }
};

class ParetoSearch {
 public:
  const Minimization& task;
  const std::array<double, 2> signs;  // -1 of a cost that is maximized

  /// The last two of the limits of the task are the costs.
  ParetoSearch(const Minimization& search, const std::array<double, 2>& signs_of_costs,
               optimize::ConstrainedOptions options)
      : task(search),
        signs(signs_of_costs),
        options_(std::move(options)),
        limits_(static_cast<Index>(search.subject_to.limits.size()) - 2) {}

  /// The least of a cost, with the other one at most `most`, which is of the given scale; of what is maximized these
  /// are the negatives.
  Candidate least(std::size_t cost, const VectorXd& start, std::optional<double> most = std::nullopt,
                  double scale = 0) const {
    optimize::ConstrainedProblem problem;
    const optimize::Problem bounded = task.from(start);
    problem.start = bounded.start;
    problem.lower = bounded.lower;
    problem.upper = bounded.upper;
    problem.noise = bounded.noise;
    for (const optimize::Variable& v : task.variables) problem.names.push_back(v.name);
    const auto& all = task.subject_to.limits;
    problem.constraints.assign(all.begin(), all.end() - 2);
    const Index other = limits_ + 2 - static_cast<Index>(cost);  // row of the other one
    const Index own = limits_ + 1 + static_cast<Index>(cost);
    const double sign = signs[cost], sign_of_other = signs[1 - cost];
    problem.maximizes = sign < 0;
    if (most) {
      optimize::Constraint limit{.name = all[static_cast<std::size_t>(other - 1)].name, .scale = scale};
      (sign_of_other > 0 ? limit.upper : limit.lower) = sign_of_other * *most;
      problem.constraints.push_back(std::move(limit));
    }
    problem.evaluate = [&](const VectorXd& x, VectorXd& values, MatrixXd& jacobian) {
      VectorXd v;
      MatrixXd slopes;
      evaluate(x, v, slopes);
      values[0] = sign * v[own];
      jacobian.row(0) = sign * slopes.row(own);
      for (Index k = 1; k < values.size(); ++k) {
        const Index row = k <= limits_ ? k : other;
        values[k] = v[row];
        jacobian.row(k) = slopes.row(row);
      }
    };
    Candidate out{optimize::minimize(problem, options_)};
    VectorXd v;
    MatrixXd slopes;
    evaluate(out.result.x, v, slopes);
    for (Index k = 0; k < 2; ++k) out.costs[k] = signs[static_cast<std::size_t>(k)] * v[limits_ + 1 + k];
    if (most) out.price = sign_of_other * out.result.multipliers[limits_];
    return out;
  }

 private:
  void evaluate(const VectorXd& x, VectorXd& values, MatrixXd& jacobian) const {
    values = VectorXd::Zero(limits_ + 3);
    jacobian = MatrixXd::Zero(limits_ + 3, x.size());
    const bool has_runs = !task.experiments[0].problem.objectives.empty();
    const std::vector<sensitivity::Gradient> found =
        has_runs ? task.gradients_at(x, task.method) : std::vector<sensitivity::Gradient>{};
    evaluate_limits(task.subject_to, found, task.parameters_at(x), task.over, values, jacobian);
  }

  optimize::ConstrainedOptions options_;
  Index limits_;
};

bool is_found(const Candidate& c) {
  return c.result.reason == ConstrainedReason::Stationary || c.result.reason == ConstrainedReason::NoDecrease;
}

/// The points between the two ends: of each the better one of two, from the neighbours on both of its sides.
struct Inner {
  std::vector<std::optional<Candidate>> found;
  std::vector<std::string> failures;               // by point; empty where there is none
  std::vector<std::vector<std::string>> warnings;  // of the runs at the points that were found

  template <class Archive>
  friend void archive_fields(Archive& archive, Inner& inner) {
    archive(inner.found, inner.failures, inner.warnings);
  }
};

Inner find_inner(const ParetoSearch& search, const Candidate& first, const Candidate& last, int points) {
  const auto inner = static_cast<std::size_t>(std::max(points - 2, 0));
  const double range = last.costs[1] - first.costs[1];
  const auto most = [&](std::size_t k) { return first.costs[1] + range * static_cast<double>(k + 1) / (points - 1); };
  const auto limit = [&](std::size_t k) {
    return (search.signs[1] > 0 ? "at most " : "at least ") + format::significant(search.signs[1] * most(k), 6);
  };
  const auto title = [&] {
    Fingerprint print;
    print.add(search.task.fingerprint);
    print.add({search.signs[0], search.signs[1]});
    for (const Candidate* end : {&first, &last}) print.add(search.task.parameters_at(end->result.x));
    return "a front of " + std::to_string(points) + " points (" + print.text() + ")";
  };
  auto sides = ranks::compute_each<Inner>(title, 2, [&](std::size_t side) {
    Inner own{std::vector<std::optional<Candidate>>(inner), std::vector<std::string>(inner),
              std::vector<std::vector<std::string>>(inner)};
    VectorXd x = side == 0 ? first.result.x : last.result.x;
    for (std::size_t i = 0; i < inner; ++i) {
      const std::size_t k = side == 0 ? i : inner - 1 - i;
      try {
        Candidate c = search.least(0, x, most(k), std::abs(range));
        if (c.result.reason == ConstrainedReason::Interrupted) throw Interrupted();
        if (is_found(c)) {
          x = c.result.x;
          own.warnings[k] = search.task.warnings_at(x);
          own.found[k] = std::move(c);
        } else {
          own.failures[k] = limit(k) + ": " + c.result.message;
        }
      } catch (const NumericalError& problem) {
        own.failures[k] = limit(k) + ": " + problem.what();
      }
    }
    return own;
  });
  Inner out = std::move(sides[0]);
  for (std::size_t k = 0; k < inner; ++k) {
    std::optional<Candidate>& other = sides[1].found[k];
    if (!other) continue;
    const double visible = 1e-9 * std::abs(last.costs[0] - first.costs[0]);
    if (!out.found[k] || other->costs[0] < out.found[k]->costs[0] - visible) {
      out.found[k] = std::move(other);
      out.warnings[k] = std::move(sides[1].warnings[k]);
    }
    out.failures[k].clear();
  }
  return out;
}

Front::Point point_of(const Candidate& c, std::optional<double> price) {
  return {{c.costs[0], c.costs[1]},
          c.result.x,
          price,
          c.result.reason == ConstrainedReason::Stationary ? "stationary" : "no_decrease",
          c.result.evaluations};
}

/// Keeps the points that no other one is better than in one cost and no worse than in the other, within what the
/// searches can tell.
void keep_best(Front& front) {
  double sizes[2] = {0, 0};
  for (std::size_t k = 0; k < 2; ++k) {
    for (const Front::Point& a : front.points) {
      for (const Front::Point& b : front.points) sizes[k] = std::max(sizes[k], std::abs(a.costs[k] - b.costs[k]));
    }
  }
  const auto less = [&](const Front::Point& a, const Front::Point& b, std::size_t k) {
    constexpr double visible = 1e-6;
    return a.costs[k] < b.costs[k] - visible * sizes[k];
  };
  std::vector<Front::Point> kept;
  for (std::size_t i = 0; i < front.points.size(); ++i) {
    const Front::Point& p = front.points[i];
    bool is_beaten = false;
    for (std::size_t j = 0; j < front.points.size(); ++j) {
      const Front::Point& other = front.points[j];
      const bool is_no_worse = !less(p, other, 0) && !less(p, other, 1);
      const bool is_better = less(other, p, 0) || less(other, p, 1);
      if (i != j && is_no_worse && (is_better || j < i)) is_beaten = true;
    }
    if (!is_beaten) kept.push_back(p);
  }
  front.dominated = static_cast<int>(front.points.size() - kept.size());
  front.points = std::move(kept);
  std::sort(front.points.begin(), front.points.end(),
            [](const Front::Point& a, const Front::Point& b) { return a.costs[0] < b.costs[0]; });
}

const char* best_of(double sign) { return sign < 0 ? "greatest" : "least"; }

Candidate end_of(const Args& args, const ParetoSearch& search, const Minimization& task, std::size_t cost,
                 const VectorXd& start) {
  const std::string& name = task.subject_to.limits[task.subject_to.limits.size() - 2 + cost].name;
  return said_by(args, [&] {
    Candidate found = search.least(cost, start);
    if (is_found(found)) return found;
    if (found.result.reason == ConstrainedReason::Interrupted) throw Interrupted();
    throw NumericalError("pareto: the " + std::string(best_of(search.signs[cost])) + " " + name +
                         " alone was not found: " + found.result.message);
  });
}

int pareto(lua_State* L) {
  Args args(L);
  Minimization task;
  simulation::Problem problem = read_problem(args, L);
  std::array<double, 2> signs = {1, 1};
  task.subject_to = read_costs(args, L, problem, signs);
  task.experiments.emplace_back();
  task.experiments[0].problem = problem;
  task.over = read_parameters(args, L, "over");
  task.method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  const auto optimizer = read_spec<Optimizer>(args, L, "optimizer", Optimizer(optimize::ConstrainedOptions{}));
  const auto* options = std::get_if<optimize::ConstrainedOptions>(&optimizer);
  const int points = args.integer("points");
  args.check_all_read();
  if (!options)
    args.fail(
        "the points of a front are found by limits on a cost, which this optimizer does not know; take mbs.slsqp {}");
  if (!optimize::takes_gradients(options->method)) {
    args.fail("mbs.cobyla takes no gradients, by which a front has its prices; take mbs.slsqp {}");
  }
  if (points < 2 || points > 10'000) args.fail("points must be from 2 to 10000, got " + std::to_string(points));
  task.parameters = args.model()->parameter_values();
  task.variables = design_variables(args.engine(), task.over);

  if (ranks::may_spread()) {
    Fingerprint print;
    for (const auto& [what, fact] : facts_of(args.engine(), task.experiments)) print.add(what).add(fact);
    for (const optimize::Constraint& one : task.subject_to.limits) print.add(one.name).add({one.lower, one.upper});
    task.fingerprint = print.text();
  }
  const ParetoSearch search(task, signs, *options);
  const Candidate first = end_of(args, search, task, 0, task.present());
  const Candidate last = end_of(args, search, task, 1, first.result.x);
  Front front;
  front.model = args.engine().name();
  const std::size_t limits = task.subject_to.limits.size() - 2;
  for (std::size_t k = 0; k < 2; ++k) {
    front.costs[k] = {task.subject_to.limits[limits + k].name, task.subject_to.units[limits + k]};
    front.maximizes[k] = signs[k] < 0;
  }
  for (const int number : task.over) {
    const model::Parameter& p = args.engine().parameters()[static_cast<std::size_t>(number)];
    front.parameters.push_back({p.name, p.unit});
  }
  front.points.push_back(point_of(first, 0.0));
  std::set<std::string> said;  // by runs at points of the front
  for (const Candidate* end : {&first, &last}) {
    const std::vector<std::string> warnings = task.warnings_at(end->result.x);
    said.insert(warnings.begin(), warnings.end());
  }
  const double sizes = std::abs(first.costs[1]) + std::abs(last.costs[1]);
  if (last.costs[1] < first.costs[1] - 1e-9 * sizes) {
    Inner inner = find_inner(search, first, last, points);
    for (std::size_t k = 0; k < inner.found.size(); ++k) {
      if (inner.found[k]) front.points.push_back(point_of(*inner.found[k], inner.found[k]->price));
      if (!inner.failures[k].empty()) front.failures.push_back(front.costs[1].name + " " + inner.failures[k]);
    }
    front.points.push_back(point_of(last, std::nullopt));
    for (const auto& each : inner.warnings) said.insert(each.begin(), each.end());
    keep_best(front);
  } else {
    front.points[0].price = std::nullopt;
    print_warnings(
        L, {front.costs[0].name + " and " + front.costs[1].name + " do not contradict each other: where the first is " +
            best_of(signs[0]) + " the second is " + best_of(signs[1]) + ", too"});
  }
  for (Front::Point& point : front.points) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (signs[k] < 0) point.costs[k] = 0 - point.costs[k];
    }
  }
  print_warnings(L, {said.begin(), said.end()});
  std::vector<std::string> failures;
  for (const std::string& failure : front.failures) failures.push_back("no point with " + failure);
  print_warnings(L, failures);
  push_front(L, std::move(front));
  return 1;
}

}  // namespace

std::span<const Constructor> pareto_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:pareto",
       .object = "pareto",
       .returns = "front",
       .summary =
           "Two costs against each other: the least of each, and between them the least of the first with the\n"
           "second at most so much, in equal steps, each from where its neighbours on both sides ended. The\n"
           "parameters keep their values. Of what maximize names it is the greatest, and the second is at least\n"
           "so much; those of minimize come first. Returns a printable list of points in the order of the first\n"
           "cost, from its best on, each with values and parameters by name, price (what one unit less of the\n"
           "second costs in the first, one unit more of what is maximized; none where the second is at its\n"
           "best), reason and evaluations; points that others are no worse\n"
           "than in either cost are left out and counted by dominated; failures has a sentence for each search\n"
           "without a result. Its method chart draws it. Searches find minima next to where they begin.",
       .fields = with_settings(
           {{.name = "minimize",
             .type = Type::Costs,
             .text = "objectives or { \"name\", what, unit = } with expressions of parameters, what is to become "
                     "small"},
            {.name = "maximize", .type = Type::Costs, .text = "the same: what is to become large; two in all"},
            {.name = "points", .type = Type::Integer, .text = "with both ends", .unit = unitless, .fallback = "11"},
            {.name = "over", .type = Type::Parameters, .text = "by which", .fallback = "all parameters"},
            {.name = "subject_to", .type = Type::Limits, .text = "limits, as of m:optimize", .fallback = "{}"},
            {.name = "method", .type = Type::Method, .text = "of the gradient", .fallback = "mbs.adjoint {}"},
            phases_field(),
            {.name = "optimizer", .type = Type::Optimizer, .text = "how", .fallback = "mbs.slsqp {}"}}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
                  "local v = m:param { \"v\", 3, unit = \"m/s\", min = 1, max = 20 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 5}, mass = 1 }\n"
                  "local miss = m:objective { \"miss\", terminal = (P.x - 4)^2 }\n"
                  "local front = m:pareto { minimize = { miss, { \"energy\", v^2 / 2, unit = \"J/kg\" } },\n"
                  "  points = 4, t = 1 }\n"
                  "print(front)\n"
                  "print(front[2].values.miss, front[2].parameters.v, front[2].price)",
       .see_also = {"optimize", "slsqp", "sweep"},
       .function = guarded<pareto>},
  };
  return constructors;
}

}  // namespace perilune::lua
