// SPDX-License-Identifier: MIT
#include "studies/optimization_facts.hpp"

#include <algorithm>

#include "format/text.hpp"
#include "model/model_fingerprint.hpp"

namespace perilune::lua {

namespace {

std::string word(double number) { return format::shortest(number); }
std::string word(int number) { return std::to_string(number); }
std::string word(bool yes) { return yes ? "true" : "false"; }
std::string word(const integrator::Tolerances& t) {
  const auto& [relative, absolute, initial_step, max_step] = t;
  return word(relative) + ", " + word(absolute) + ", " + word(initial_step) + ", " + word(max_step);
}
std::string word(const std::optional<integrator::Tolerances>& t) { return t ? word(*t) : "usual"; }

template <class... Value>
std::string listed(const Value&... values) {
  std::string text;
  ((text += (text.empty() ? " " : ", ") + word(values)), ...);
  return text;
}

// The numbers of all that can be chosen. Those that get one more do not compile until it is here.
std::string numbers_of(const formulation::Penalty& x) {
  const auto& [alpha, xi, omega, project] = x;
  return listed(alpha, xi, omega, project);
}
std::string numbers_of(const formulation::Index1& x) {
  const auto& [alpha, beta, project] = x;
  return listed(alpha, beta, project);
}
std::string numbers_of(const formulation::Index3& x) {
  const auto& [project] = x;
  return listed(project);
}
std::string numbers_of(const formulation::Index2& x) {
  const auto& [project] = x;
  return listed(project);
}
std::string numbers_of(const formulation::AugmentedLagrangian& x) {
  const auto& [index, alpha, xi, omega, project] = x;
  return listed(index, alpha, xi, omega, project);
}
std::string numbers_of(const formulation::StabilizedIndex1&) { return {}; }
std::string numbers_of(const formulation::Maggi&) { return {}; }
std::string numbers_of(const formulation::CoordinatePartitioning&) { return {}; }
std::string numbers_of(const formulation::JointCoordinates&) { return {}; }

std::string numbers_of(const integrator::Rk4& x) {
  const auto& [step] = x;
  return listed(step);
}
std::string numbers_of(const integrator::DormandPrince& x) {
  const auto& [tolerances, order] = x;
  return listed(tolerances, order);
}
std::string numbers_of(const integrator::Trapezoidal& x) {
  const auto& [step, tolerance] = x;
  return listed(step, tolerance);
}
std::string numbers_of(const integrator::Sdirk4& x) {
  const auto& [step, tolerance] = x;
  return listed(step, tolerance);
}
std::string numbers_of(const integrator::Radau& x) {
  const auto& [order, step, tolerances, tolerance] = x;
  return listed(order, step, tolerances, tolerance);
}
std::string numbers_of(const integrator::Newmark& x) {
  const auto& [step, beta, gamma, tolerance] = x;
  return listed(step, beta, gamma, tolerance);
}
std::string numbers_of(const integrator::Hht& x) {
  const auto& [step, alpha, tolerance] = x;
  return listed(step, alpha, tolerance);
}
std::string numbers_of(const integrator::GeneralizedAlpha& x) {
  const auto& [step, rho, tolerance] = x;
  return listed(step, rho, tolerance);
}
std::string numbers_of(const integrator::Bdf& x) {
  const auto& [max_order, step, tolerances, tolerance] = x;
  return listed(max_order, step, tolerances, tolerance);
}
std::string numbers_of(const integrator::Rosenbrock& x) {
  const auto& [order, step, tolerances] = x;
  return listed(order, step, tolerances);
}

std::string numbers_of(const integrator::Variational& x) {
  const auto& [step, alpha, tolerance] = x;
  return listed(step, alpha, tolerance);
}

std::string numbers_of(const sensitivity::FiniteDifference& x) {
  const auto& [step, richardson] = x;
  return listed(step, richardson);
}
std::string numbers_of(const sensitivity::DiscreteDirect&) { return {}; }  // any threads
std::string numbers_of(const sensitivity::DiscreteAdjoint& x) {
  return x.intervals > 0 ? listed(x.intervals) : std::string();  // the same bits for any checkpoints
}
std::string numbers_of(const sensitivity::ContinuousDirect& x) {
  const auto& [tolerances] = x;
  return listed(tolerances);
}
std::string numbers_of(const sensitivity::ContinuousAdjoint& x) {
  const auto& [form, tolerances] = x;
  return listed(static_cast<int>(form), tolerances);
}

std::string numbers_of(const sensitivity::PiecewiseAdjoint& x) { return listed(x.intervals); }  // any threads

std::string text_of(const optimize::Options& x) {
  const auto& [projected_gradient, relative_decrease, max_evaluations, memory, check_gradient, on_iteration] = x;
  return "lbfgsb" + listed(projected_gradient, relative_decrease, memory, check_gradient);
}
std::string text_of(const optimize::TrustRegionOptions& x) {
  const auto& [projected_gradient, relative_decrease, max_evaluations, on_iteration] = x;
  return "trust_region" + listed(projected_gradient, relative_decrease);
}
std::string text_of(const optimize::ConstrainedOptions& x) {
  const auto& [method, kkt, feasibility, step, max_evaluations, on_iteration] = x;
  constexpr const char* names[] = {"slsqp", "mma", "ccsaq", "auglag", "cobyla"};
  return names[static_cast<std::size_t>(method)] + listed(kkt, feasibility, step);
}

template <class... Choice>
std::string numbers_of(const std::variant<Choice...>& chosen) {
  return std::visit([](const auto& x) { return numbers_of(x); }, chosen);
}

std::string formula(const Fingerprint& print) { return "#" + print.text(); }

Fingerprint print_of(const simulation::Objective& objective) {
  Fingerprint print;
  for (const auto& part : {objective.terminal, objective.integral}) {
    print.add_number(part.has_value());
    if (part) part->add_to(print);
  }
  if (const auto& extremum = objective.extremum) {
    extremum->signal.add_to(print);
    print.add({double(extremum->is_minimum), extremum->from, extremum->to});
  }
  if (const auto& smooth = objective.smooth) {
    print.add({static_cast<double>(smooth->kind), smooth->sharpness, smooth->about});
  }
  print.add(std::vector<double>(objective.switches.begin(), objective.switches.end()));
  return print;
}

std::string text_of(const std::vector<std::shared_ptr<const simulation::Phase>>& phases) {
  if (phases.empty()) return "none";
  Fingerprint print;
  for (const auto& phase : phases) {
    const std::vector<char>& acts = phase->system->takes_part();
    print.add(std::string_view(acts.data(), acts.size()));
    if (phase->stop) print.add(print_of(*phase->stop).text());
    print.add({phase->longest, double(phase->is_impact)});
    if (phase->restitution) phase->restitution->add_to(print);
    print.add(std::vector<double>(phase->anchors.begin(), phase->anchors.end()));
    for (const simulation::Assignment& one : phase->set) {
      print.add({double(one.parameter), one.lower, one.upper});
      one.value.add_to(print);
    }
  }
  return formula(print);
}

std::string text_of(const formulation::Formulation& chosen) {
  return formulation::name_of(chosen) + numbers_of(chosen);
}

std::string model_text(const model::Model& engine) {
  return formula(Fingerprint().add_number(model::fingerprint(engine)));
}

/// Of a function of the parameters.
void add_tape(Fingerprint& print, const expr::Tape& tape) {
  std::vector<std::uint64_t> inputs;
  for (int i = 0; i < tape.input_count(); ++i) inputs.push_back(static_cast<std::uint64_t>(i));
  for (const std::uint64_t output : tape.fingerprints(inputs)) print.add_number(output);
}

std::string span_text(double lower, double upper) { return word(lower) + " to " + word(upper); }

/// An experiment with a model of its own.
void add_other_model(Facts& facts, const NamedRun& run, const std::string& whose) {
  facts.emplace_back("model" + whose, model_text(*run.other->model->engine));
  Fingerprint costs;
  for (const auto& objective : run.problem.objectives) costs.add_number(print_of(*objective).value());
  facts.emplace_back("objectives" + whose, formula(costs));
  facts.emplace_back("formulation" + whose, text_of(run.problem.formulation));
  std::vector<double> values = run.other->parameters;
  for (const NamedRun::Setting& one : run.set) values[static_cast<std::size_t>(one.parameter)] = 0;
  facts.emplace_back("other parameters" + whose, formula(Fingerprint().add(values)));
}

void add_run(Facts& facts, const NamedRun& run) {
  const simulation::Problem& problem = run.problem;
  const std::string whose = run.name.empty() ? "" : " of experiment " + run.name;
  const bool follows = problem.stop && problem.stop->is_end_time;  // the end is that of the parameters at hand
  facts.emplace_back("time" + whose,
                     follows ? formula(print_of(*problem.stop)) : span_text(problem.start, problem.end));
  facts.emplace_back("at_rest" + whose, word(problem.start_from == analysis::StartFrom::Rest));
  facts.emplace_back("stop" + whose, problem.stop && !follows ? formula(print_of(*problem.stop)) : "none");
  if (run.name.empty()) return;
  facts.emplace_back("weight" + whose, word(run.weight));
  Fingerprint print;
  for (const NamedRun::Setting& one : run.set) print.add({double(one.parameter), one.lower, one.upper});
  add_tape(print, run.settings);
  facts.emplace_back("set" + whose, formula(print));
  if (run.other) add_other_model(facts, run, whose);
}

void add_limits(Facts& facts, const SubjectTo& limits) {
  Fingerprint print;
  print.add(std::vector<double>(limits.objectives.begin(), limits.objectives.end()));
  print.add(std::vector<double>(limits.experiments.begin(), limits.experiments.end()));
  add_tape(print, limits.tape);
  for (const optimize::Constraint& one : limits.limits) {
    facts.emplace_back("limits of " + one.name, span_text(one.lower, one.upper) + ", scale " + word(one.scale));
  }
  facts.emplace_back("subject_to", limits.empty() ? "none" : formula(print));
}

void add_settings(Facts& facts, const simulation::Problem& problem) {
  facts.emplace_back("formulation", text_of(problem.formulation));
  facts.emplace_back("integrator", integrator::name_of(problem.integrator) + numbers_of(problem.integrator));
  std::string independent;
  for (const int number : problem.independent) independent += (independent.empty() ? "" : ", ") + word(number);
  facts.emplace_back("independent coordinates", independent.empty() ? "any" : independent);
  facts.emplace_back("phases", text_of(problem.phases));
}

}  // namespace

Facts facts_of(const model::Model& engine, const simulation::Problem& problem,
               const std::optional<sensitivity::Method>& method) {
  Facts facts{{"version of perilune", PERILUNE_VERSION}, {"model", model_text(engine)}};
  facts.emplace_back("method", method ? sensitivity::name_of(*method) + numbers_of(*method) : "none");
  add_settings(facts, problem);
  NamedRun run;
  run.problem = problem;
  add_run(facts, run);
  for (const auto& objective : problem.objectives) facts.emplace_back(objective->name, formula(print_of(*objective)));
  return facts;
}

Facts facts_of(const model::Model& engine, const Minimization& task, const Optimizer& optimizer,
               const std::string& starts) {
  const simulation::Problem& problem = task.experiments[0].problem;
  const auto parameter = [&](int number) -> const std::string& {
    return engine.parameters()[static_cast<std::size_t>(number)].name;
  };
  Facts facts{{"version of perilune", PERILUNE_VERSION}};
  // The negative of "height" is called "-height".
  const std::string& sought = problem.objectives[0]->name;
  facts.emplace_back(task.sign < 0 ? "maximize" : "minimize", task.sign < 0 ? sought.substr(1) : sought);
  std::string over;
  for (const int number : task.over) over += (over.empty() ? "" : ", ") + parameter(number);
  facts.emplace_back("over", over);
  facts.emplace_back("optimizer", std::visit([](const auto& x) { return text_of(x); }, optimizer));
  facts.emplace_back("method", sensitivity::name_of(task.method) + numbers_of(task.method));
  facts.emplace_back("starts", starts);
  add_settings(facts, problem);
  for (std::size_t k = 0; k < task.variables.size(); ++k) {
    const optimize::Variable& v = task.variables[k];
    facts.emplace_back("bounds of " + v.name, span_text(v.lower, v.upper));
  }
  for (std::size_t p = 0; p < task.parameters.size(); ++p) {
    const auto number = static_cast<int>(p);
    if (std::find(task.over.begin(), task.over.end(), number) != task.over.end()) continue;
    facts.emplace_back("parameter " + parameter(number), word(task.parameters[p]));
  }
  facts.emplace_back("model", model_text(engine));
  for (std::size_t k = 0; k < problem.objectives.size(); ++k) {  // several may have the same name
    const simulation::Objective& objective = *problem.objectives[k];
    const std::string which = k == 0 ? "cost" : "objective " + std::to_string(k + 1) + ", " + objective.name;
    facts.emplace_back(which, formula(print_of(objective)));
  }
  add_limits(facts, task.subject_to);
  for (const NamedRun& run : task.experiments) add_run(facts, run);
  const auto& [how, deviations] = task.combination;
  constexpr const char* combinations[] = {"sum", "mean", "worst", "mean_and_deviation"};
  facts.emplace_back("combine", combinations[static_cast<std::size_t>(how)]);
  facts.emplace_back("deviations", word(task.tolerances.empty() ? deviations : task.tolerances.factor));
  for (std::size_t k = 0; k < task.tolerances.parameters.size(); ++k) {
    facts.emplace_back("tolerance of " + parameter(task.tolerances.parameters[k]), word(task.tolerances.deviations[k]));
  }
  return facts;
}

Facts facts_of(const model::Model& engine, const std::vector<NamedRun>& experiments) {
  Facts facts{{"version of perilune", PERILUNE_VERSION}, {"model", model_text(engine)}};
  for (const NamedRun& run : experiments) {
    add_settings(facts, run.problem);
    add_run(facts, run);
    for (const auto& objective : run.problem.objectives) {
      facts.emplace_back(objective->name, formula(print_of(*objective)));
    }
  }
  return facts;
}

std::string differences(const Facts& there, const Facts& here) {
  constexpr std::size_t most = 3;
  std::vector<std::string> found;
  const auto in = [](const Facts& facts, const std::string& what) -> const std::string* {
    const auto at = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == what; });
    return at == facts.end() ? nullptr : &at->second;
  };
  for (const auto& [what, text] : here) {
    const std::string* other = in(there, what);
    if (other && *other == text) continue;
    if (!other) {
      found.push_back(what + ": only here");
    } else if (text.starts_with("#") && other->starts_with("#")) {
      found.push_back(what + ": another one");
    } else {
      const auto shown = [](const std::string& x) { return x.starts_with("#") ? std::string("another one") : x; };
      found.push_back(what + ": " + shown(*other) + " there, " + shown(text) + " here");
    }
  }
  for (const auto& [what, text] : there) {
    if (!in(here, what)) found.push_back(what + ": only there");
  }
  std::string all;
  for (std::size_t k = 0; k < std::min(most, found.size()); ++k) all += (k ? "; " : "") + found[k];
  if (found.size() > most) all += "; and " + std::to_string(found.size() - most) + " more";
  return all;
}

}  // namespace perilune::lua
