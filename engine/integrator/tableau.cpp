#include "integrator/integrator.hpp"

namespace perilune::integrator {

const Tableau& rk4_tableau() {
  static const Tableau tableau{
      4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}, {}, false};
  return tableau;
}

const Tableau& dormand_prince_tableau() {
  static const Tableau tableau = [] {
    Tableau t;
    t.stages = 7;
    t.a = {{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    t.b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
    t.c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    const double embedded[] = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                               187.0 / 2100,   1.0 / 40};
    for (std::size_t i = 0; i < 7; ++i) t.error.push_back(t.b[i] - embedded[i]);
    t.first_same_as_last = true;
    return t;
  }();
  return tableau;
}

namespace {

/// The implicit trapezoidal rule: the first stage is the last one of the previous step.
const Tableau& trapezoidal_tableau() {
  static const Tableau tableau{2, {{}, {0.5}}, {0.5, 0.5}, {0, 1}, {}, true, {0, 0.5}};
  return tableau;
}

const Tableau& sdirk4_tableau() {
  static const Tableau tableau{5,
                               {{},
                                {1.0 / 2},
                                {17.0 / 50, -1.0 / 25},
                                {371.0 / 1360, -137.0 / 2720, 15.0 / 544},
                                {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12}},
                               {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4},
                               {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1},
                               {},
                               false,
                               {0.25, 0.25, 0.25, 0.25, 0.25}};
  return tableau;
}

}  // namespace

const Tableau& tableau_of(const Integrator& integrator) {
  if (std::holds_alternative<Rk4>(integrator)) return rk4_tableau();
  if (std::holds_alternative<DormandPrince>(integrator)) return dormand_prince_tableau();
  return std::holds_alternative<Sdirk4>(integrator) ? sdirk4_tableau() : trapezoidal_tableau();
}

std::string name_of(const Integrator& integrator) {
  if (std::holds_alternative<Rk4>(integrator)) return "rk4";
  if (std::holds_alternative<DormandPrince>(integrator)) return "dormand_prince";
  return std::holds_alternative<Sdirk4>(integrator) ? "sdirk4" : "trapezoidal";
}

}  // namespace perilune::integrator
