#include "sensitivity/gradient.hpp"

#include "error.hpp"
#include "processor_time.hpp"

namespace perilune::sensitivity {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

const char* name_of(const Method& method) {
  static constexpr const char* names[] = {"finite difference", "discrete direct", "discrete adjoint",
                                          "continuous direct", "continuous adjoint"};
  return names[method.index()];
}

bool has_continuous_methods(const formulation::Formulation& formulation, const integrator::Integrator& integrator) {
  using namespace integrator;
  const bool right_form = !formulation::ends_with_point(formulation) &&
                          !std::holds_alternative<formulation::Maggi>(formulation) &&
                          !std::holds_alternative<formulation::CoordinatePartitioning>(formulation);
  return right_form && (std::holds_alternative<Rk4>(integrator) || std::holds_alternative<DormandPrince>(integrator) ||
                        std::holds_alternative<Trapezoidal>(integrator));
}

std::vector<Method> methods_offered(const formulation::Formulation& formulation,
                                    const integrator::Integrator& integrator) {
  std::vector<Method> methods{DiscreteAdjoint{}, DiscreteDirect{}};
  if (has_continuous_methods(formulation, integrator)) {
    methods.insert(methods.end(), {ContinuousAdjoint{}, ContinuousDirect{}});
  }
  methods.push_back(FiniteDifference{4e-3, 2});
  return methods;
}

void require_complete(const integrator::Solution& solution) {
  if (solution.status == integrator::Status::Interrupted) throw Interrupted();
  if (solution.status == integrator::Status::Failed) throw NumericalError(solution.message);
}

Gradient gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                  const Method& method) {
  if (problem.objectives.empty()) throw Error("a gradient needs at least one objective");
  if (problem.from) throw Error("a gradient needs a motion that starts as declared, not from a given state");
  const bool is_continuous =
      std::holds_alternative<ContinuousDirect>(method) || std::holds_alternative<ContinuousAdjoint>(method);
  if (is_continuous && !has_continuous_methods(problem.formulation, problem.integrator)) {
    throw Error(std::string(name_of(method)) + " equations are not offered with " +
                formulation::name_of(problem.formulation) + " and " + integrator::name_of(problem.integrator) +
                ", only with penalty and index-1 forms and rk4, dormand_prince and trapezoidal; the discrete methods "
                "go with everything");
  }
  const double start = processor_time();
  Problem narrow = problem;
  narrow.system = System::differentiated_by(over, problem.system);
  Gradient out =
      std::visit(Overloaded{[&](const FiniteDifference& m) { return finite_difference(narrow, parameters, over, m); },
                            [&](const DiscreteDirect&) { return discrete_direct(narrow, parameters, over); },
                            [&](const DiscreteAdjoint& m) { return discrete_adjoint(narrow, parameters, over, m); },
                            [&](const ContinuousDirect&) { return continuous_direct(narrow, parameters, over); },
                            [&](const ContinuousAdjoint&) { return continuous_adjoint(narrow, parameters, over); }},
                 method);
  out.seconds = processor_time() - start;
  return out;
}

}  // namespace perilune::sensitivity
