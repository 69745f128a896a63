// SPDX-License-Identifier: MIT
// The published adjoint equations, integrated in their own right along the interpolated motion.
#include "sensitivity/continuous/continuous.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "at_time.hpp"
#include "error.hpp"
#include "sensitivity/continuous/linear_ode.hpp"
#include "simulation/felt_corners.hpp"

namespace perilune::sensitivity {

namespace {

using Make = std::unique_ptr<AdjointEquations> (*)(const Problem&, LinearizedMotion&);

struct Entry {
  AdjointForm form;
  Make make;
};

// The forms of each formulation, the default first: one without does not compile.
std::vector<Entry> forms_of(const formulation::Penalty&) {
  return {{AdjointForm::FirstOrderExplicit, first_order_explicit},
          {AdjointForm::FirstOrderImplicit, penalty_first_order_implicit},
          {AdjointForm::SecondOrder, penalty_second_order}};
}
std::vector<Entry> forms_of(const formulation::Index1&) {
  return {{AdjointForm::FirstOrderExplicit, first_order_explicit},
          {AdjointForm::Approach1, index1_approach1},
          {AdjointForm::Approach2, index1_approach2}};
}
std::vector<Entry> forms_of(const formulation::Index3&) { return {{AdjointForm::SecondOrder, index3_second_order}}; }
/// The motion is the same.
std::vector<Entry> forms_of(const formulation::Index2&) { return forms_of(formulation::Index1{}); }
std::vector<Entry> forms_of(const formulation::AugmentedLagrangian& form) {
  return form.index == 3 ? forms_of(formulation::Index3{}) : forms_of(formulation::Index1{});
}
/// The first is a sweep of its own (stabilized_adjoint). It does not know constraints on velocities, the second does.
std::vector<Entry> forms_of(const formulation::StabilizedIndex1&) {
  return {{AdjointForm::SecondOrder, index3_second_order},
          {AdjointForm::FirstOrderExplicit, maggi_first_order_explicit}};
}
std::vector<Entry> forms_of(const formulation::Maggi&) {
  return {{AdjointForm::FirstOrderExplicit, maggi_first_order_explicit},
          {AdjointForm::FirstOrderImplicit, maggi_first_order_implicit},
          {AdjointForm::SecondOrder, maggi_second_order}};
}
std::vector<Entry> forms_of(const formulation::CoordinatePartitioning&) { return forms_of(formulation::Maggi{}); }
std::vector<Entry> forms_of(const formulation::JointCoordinates&) { return forms_of(formulation::Maggi{}); }

std::vector<Entry> table(const formulation::Formulation& formulation) {
  return std::visit([](const auto& form) { return forms_of(form); }, formulation);
}

/// Integrates the adjoint states of all objectives and their gradient integrals as one system.
class BackwardIntegration {
 public:
  BackwardIntegration(const Problem& problem, LinearizedMotion& motion, AdjointEquations& equations,
                      AdjointBundle& bundle)
      : problem_(problem),
        motion_(motion),
        equations_(equations),
        bundle_(bundle),
        objectives_(problem.objectives.size()),
        size_(equations.size()),
        d_(static_cast<std::size_t>(problem.system->data_count())),
        p_(static_cast<std::size_t>(problem.system->parameter_count())) {}

  /// From the end, where the motion stands, to the start.
  void run(const LinearMethod& method, const integrator::Mesh& mesh) {
    // Layout: the unknowns of every objective, then [data, parameters] of every objective.
    std::vector<double> y((size_ + d_ + p_) * objectives_, 0.0);
    for (std::size_t o = 0; o < objectives_; ++o) equations_.begin(o, bundle_, y.data() + size_ * o);
    integrate_linear(
        method, mesh.t, true, controlled(),
        [this](double t, const double* state, double* slope) { fill_slope(t, state, slope); }, y,
        [this](double t, std::vector<double>& state) { change(t, state); },
        [this](double t, std::vector<double>& state) { pass(t, state); });
    motion_.at(mesh.t.front());
    for (std::size_t o = 0; o < objectives_; ++o) {
      equations_.end(o, y.data() + size_ * o, bundle_);
      const double* tail = y.data() + controlled() + (d_ + p_) * o;
      for (std::size_t k = 0; k < d_; ++k) bundle_.data[o][k] += tail[k];
      for (std::size_t k = 0; k < p_; ++k) bundle_.parameters[o][k] += tail[d_ + k];
    }
  }

 private:
  std::size_t controlled() const { return size_ * objectives_; }

  void fill_slope(double t, const double* state, double* slope) {
    motion_.at(t);
    std::fill_n(slope + controlled(), (d_ + p_) * objectives_, 0.0);
    for (std::size_t o = 0; o < objectives_; ++o) {
      double* tail = slope + controlled() + (d_ + p_) * o;
      equations_.slope(o, state + size_ * o, slope + size_ * o, tail, tail + d_);
      for (std::size_t k = 0; k < d_ + p_; ++k) tail[k] = -tail[k];
    }
  }

  void change(double t, std::vector<double>& y) {
    motion_.at(t);
    if (!equations_.wants_change()) return;
    for (std::size_t o = 0; o < objectives_; ++o) equations_.end(o, y.data() + size_ * o, bundle_);
    equations_.prepare();
    for (std::size_t o = 0; o < objectives_; ++o) equations_.begin(o, bundle_, y.data() + size_ * o);
  }

  /// An event: the adjoints of the state go on, but what stands for them may depend on slopes of forces.
  void pass(double t, std::vector<double>& y) {
    motion_.at(t);
    for (std::size_t o = 0; o < objectives_; ++o) equations_.end(o, y.data() + size_ * o, bundle_);
    motion_.enter(t, true);
    motion_.at(t);
    for (std::size_t o = 0; o < objectives_; ++o) equations_.begin(o, bundle_, y.data() + size_ * o);
  }

  const Problem& problem_;
  LinearizedMotion& motion_;
  AdjointEquations& equations_;
  AdjointBundle& bundle_;
  std::size_t objectives_, size_, d_, p_;
};

}  // namespace

std::vector<AdjointForm> adjoint_forms(const formulation::Formulation& formulation) {
  std::vector<AdjointForm> forms;
  for (const Entry& entry : table(formulation)) forms.push_back(entry.form);
  return forms;
}

namespace {

/// Second-order forms in the directions that the constraints leave open have two numbers for each, and constraints on
/// velocities leave more open to positions than to velocities.
bool goes_with(const Entry& entry, const Problem& problem) {
  if (entry.form != AdjointForm::SecondOrder || !problem.system->constrains_velocities()) return true;
  return !is_stabilized(problem.formulation) &&
         !formulation::properties(problem.formulation).has_independent_coordinates();
}

}  // namespace

std::vector<AdjointForm> adjoint_forms(const Problem& problem) {
  std::vector<AdjointForm> forms;
  for (const Entry& entry : table(problem.formulation)) {
    if (goes_with(entry, problem)) forms.push_back(entry.form);
  }
  return forms;
}

namespace {

/// Its equations have time derivatives of those of motion along loads: of M - Q_a and Phi_q^T - Q_lambda.
bool differentiates_loads(const Entry& entry) {
  return entry.form != AdjointForm::FirstOrderExplicit && entry.make != penalty_first_order_implicit;
}

}  // namespace

void note_loads(const Problem& problem, const Method& method, Gradient& gradient) {
  const System& system = *problem.system;
  std::string what;
  if (system.is_implicit()) what = "forces that feel loads, such as that of " + system.implicit_element();
  // The slope of a bristle's law jumps where what it holds turns round.
  const std::string of_state = "integral of ", of_bristle = ".stretch";
  for (int i = 0; what.empty() && i < system.coordinate_count(); ++i) {
    const std::string& name = system.coordinate_name(i);
    const std::size_t at = name.find(of_bristle);
    if (system.role(i) != model::Role::State || at == name.npos || !name.starts_with(of_state)) continue;
    what = "friction of bristles, as that of \"" + name.substr(of_state.size(), at - of_state.size()) + "\"";
  }
  if (what.empty()) return;
  gradient.warnings.push_back(
      "the " + std::string(name_of(method)) + " equations differentiate " + what +
      ", along the motion, and cannot tell where a load, or what slips, changes its sign within "
      "a step: they are wrong there, by more than mbs.adjoint {} is");
}

namespace {

/// Warns where slopes of forces jump within a law's own form: at mesh points that are double and no events. Equations
/// that differentiate slopes along the motion meet them there on whichever side rounding has put the motion.
void note_kinks(const Evaluation& run, const Method& method, LinearizedMotion& motion, Gradient& gradient) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::vector<integrator::Event>& events = run.solution.events;  // in the order of time
  auto event = events.begin();
  for (std::size_t k = 1; k + 2 < mesh.size(); ++k) {
    const double t = mesh.t[k];
    if (t != mesh.t[k + 1]) continue;
    while (event != events.end() && event->t < t) ++event;
    if (event != events.end() && event->t == t) continue;
    const double aside = 1e-6 * std::min(t - mesh.t[k - 1], mesh.t[k + 2] - t);
    Eigen::MatrixXd slopes[2][2];
    for (const bool before : {true, false}) {
      motion.enter(t, before);
      motion.at(before ? t - aside : t + aside);
      slopes[before][0] = motion.dense(Block::Stiffness), slopes[before][1] = motion.dense(Block::Damping);
    }
    for (int which = 0; which < 2; ++which) {
      const Eigen::MatrixXd &early = slopes[1][which], &late = slopes[0][which];
      Eigen::Index row = 0;
      const double jump = (late - early).cwiseAbs().rowwise().maxCoeff().maxCoeff(&row);
      if (!(jump > 1e-3 * std::max(early.cwiseAbs().maxCoeff(), late.cwiseAbs().maxCoeff()))) continue;
      gradient.warnings.push_back(at_time(t) + "slopes of the forces on \"" +
                                  motion.system().coordinate_name(static_cast<int>(row)) + "\" jump, and the " +
                                  name_of(method) +
                                  " equations differentiate them along the motion: the result may be off by what "
                                  "they are on the other side, mbs.adjoint {} is not");
      return;
    }
  }
}

}  // namespace

bool wants_plain_terminal(const formulation::Formulation& formulation, AdjointForm form) {
  for (const Entry& entry : table(formulation)) {
    if (entry.form == form) return entry.make == index1_approach1 || entry.make == index3_second_order;
  }
  return false;
}

namespace {

bool reads_loads(const simulation::Objective& objective) {
  return objective.integral && (objective.integral->reads(expr::Quantity::Acceleration) ||
                                objective.integral->reads(expr::Quantity::Multiplier));
}

/// The rates of accelerations and reactions, which these forms integrate, jump where third derivatives of constraints
/// do: at the points of tables, and where pieces of a law meet.
void note_pieces(const Problem& problem, AdjointForm form, Gradient& gradient) {
  if (!wants_plain_terminal(problem.formulation, form)) return;
  for (const auto& objective : problem.objectives) {
    if (!reads_loads(*objective)) continue;
    const expr::Graph& graph = *objective->graph;
    bool has_pieces = false;
    for (std::size_t id = 0; id < graph.size() && !has_pieces; ++id) {
      const expr::Op op = graph.node(static_cast<expr::NodeId>(id)).op;
      has_pieces = op == expr::Op::Table || op == expr::Op::Surface || op == expr::Op::Where;
    }
    if (!has_pieces) continue;
    gradient.warnings.push_back("objective \"" + objective->name +
                                "\" reads accelerations or reactions, and the model has tables or conditions: where " +
                                "these stand in constraints the " + name_of(ContinuousAdjoint{form, {}}) +
                                " equations of " + formulation::name_of(problem.formulation) +
                                " are wrong, mbs.adjoint {} is not");
    return;
  }
}

}  // namespace

bool is_trapezoidal(const Problem& problem, const std::optional<integrator::Tolerances>& own) {
  return !own && std::holds_alternative<integrator::Trapezoidal>(problem.integrator);
}

namespace {

std::string refused_jump(double t, const std::string& what) {
  return at_time(t) + what + " jumps: the continuous methods do not follow the time of a jump; the discrete ones do";
}

std::string jump_of_forces(const integrator::Solution& solution) {
  const integrator::Mesh& mesh = solution.mesh;
  for (std::size_t k = 0; k + 1 < mesh.size(); ++k) {
    if (mesh.t[k] != mesh.t[k + 1]) continue;
    double jump = 0, size = 1;
    for (int i = 0; i < mesh.n; ++i) {
      jump = std::max(jump, std::abs(mesh.a_at(k + 1)[i] - mesh.a_at(k)[i]));
      size = std::max({size, std::abs(mesh.a_at(k)[i]), std::abs(mesh.a_at(k + 1)[i])});
    }
    if (jump <= 1e-6 * size) continue;
    const auto event = std::find_if(solution.events.begin(), solution.events.end(),
                                    [&](const integrator::Event& e) { return e.t == mesh.t[k]; });
    const std::string name = event == solution.events.end() ? "" : event->name;
    return refused_jump(mesh.t[k], "the force of \"" + name + "\"");
  }
  return {};
}

std::string jump_of_integrand(const Objective& objective, const Evaluation& run) {
  const integrator::Mesh& mesh = run.solution.mesh;
  std::vector<double> work = objective.integral->make_work();
  const auto value = [&](std::size_t k, bool before) {
    system::MotionPoint at = mesh_point(mesh, k, run.data->parameters);
    if (const formulation::Sides& sides = sides_at(run.solution.steps, at.t, before)) at.sides = sides->data();
    return checked_value(objective, *objective.integral, at, work);
  };
  double size = 0;
  for (std::size_t k = 0; k < mesh.size(); ++k) size = std::max(size, std::abs(value(k, false)));
  for (std::size_t k = 0; k + 1 < mesh.size(); ++k) {
    if (mesh.t[k] != mesh.t[k + 1] || std::abs(value(k + 1, false) - value(k, true)) <= 1e-6 * size) continue;
    return refused_jump(mesh.t[k], "the integrand of objective \"" + objective.name + "\"");
  }
  return {};
}

}  // namespace

std::string jump_along(const Problem& problem, const Evaluation& run) {
  std::string jump = jump_of_forces(run.solution);
  for (const auto& objective : problem.objectives) {
    if (jump.empty() && objective->integral && !objective->switches.empty()) jump = jump_of_integrand(*objective, run);
  }
  return jump;
}

Evaluation forward_run(const Problem& problem, const std::vector<double>& parameters, bool passes_corners) {
  Evaluation run = prepare(problem, parameters);
  std::optional<simulation::FeltCorners> corners;
  std::vector<integrator::StepListener*> listeners;
  if (passes_corners && simulation::FeltCorners::are_possible(*problem.system)) {
    listeners.push_back(&corners.emplace(*problem.system));
  }
  simulate(problem, *formulation::make_motion(problem.system, run.data, problem.formulation), nullptr, listeners, run);
  require_complete(run.solution);
  if (corners) corners->add_warning(run.warnings);
  if (const std::string jump = jump_along(problem, run); !jump.empty()) throw NumericalError(jump);
  return run;
}

Gradient continuous_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                            const ContinuousAdjoint& method) {
  // Where loads are unknowns of no equation but that of the point, the adjoints that steps are chosen by do not feel
  // how these turn round, and only the integrals beside them do.
  const bool feels_corners = formulation::properties(problem.formulation).is_regularized &&
                             linear_method(problem.integrator, method.tolerances);
  const Evaluation run = forward_run(problem, parameters, !feels_corners);
  const integrator::Mesh& mesh = run.solution.mesh;
  LinearizedMotion motion(problem, run);
  AdjointBundle bundle(problem, run, motion.dynamics());
  const std::vector<Entry> entries = table(problem.formulation);
  const AdjointForm form = method.form == AdjointForm::Default ? adjoint_forms(problem).front() : method.form;
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.form == form; });
  if (is_stabilized(problem.formulation) && entry->make == index3_second_order) {
    stabilized_adjoint(problem, motion, mesh, bundle);
  } else if (is_trapezoidal(problem, method.tolerances) && entry->make == first_order_explicit) {
    first_order_trapezoidal(problem, motion, mesh, bundle);
  } else if (is_trapezoidal(problem, method.tolerances) && entry->make == index3_second_order &&
             !needs_points(*problem.system)) {
    index3_trapezoidal(problem, motion, mesh, bundle);
  } else {
    motion.enter(mesh.t.back(), true);
    motion.at(mesh.t.back());
    const auto equations = entry->make(problem, motion);
    BackwardIntegration(problem, motion, *equations, bundle)
        .run(linear_method(problem.integrator, method.tolerances), mesh);
  }
  Gradient out = bundle.finish(problem, run, over);
  note_pieces(problem, entry->form, out);
  if (differentiates_loads(*entry)) {
    note_loads(problem, ContinuousAdjoint{entry->form, {}}, out);
    note_kinks(run, ContinuousAdjoint{entry->form, {}}, motion, out);
  }
  return out;
}

}  // namespace perilune::sensitivity
