// SPDX-License-Identifier: MIT
#include "laws/friction_picture.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "error.hpp"
#include "model/body/points.hpp"
#include "model/joint/joint_friction.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "output/picture/terminal_plot.hpp"
#include "simulation/trajectory.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using Values = model::GivenFriction<double>;

constexpr double load = 10;           // N
constexpr double usual_speed = 1e-2;  // m/s, where a law has none
constexpr int samples = 400;

/// What a law is drawn with where it has no number of its own. By the unit, so that the list need not know the laws.
double usual_number(const model::ForceField& field) {
  if (field.name == "static") return 0.5;  // not less than the dynamic coefficient
  if (field.unit == "1") return 0.4;
  if (field.unit == "m/s") return usual_speed;
  if (field.unit == "N/m") return 1e5;
  if (field.unit == "N s/m") return 300;
  if (field.unit == "s") return 0.01;
  throw Error("friction law " + std::string(field.name) + ": no number to draw a field in " + std::string(field.unit));
}

struct Numbers {
  Values values;
  std::string text;  // "static = 0.5, dynamic = 0.4"; the rest is as the fields say
};

Numbers numbers_of(const model::FrictionKind& kind) {
  Numbers out;
  for (const model::ForceField& field : kind.fields) {
    double value = 0;
    const char* end = field.fallback.data() + field.fallback.size();
    const bool has_default = std::from_chars(field.fallback.data(), end, value).ptr == end && !field.fallback.empty();
    if (!has_default) {
      value = usual_number(field);
      out.text += (out.text.empty() ? "" : ", ") + std::string(field.name) + " = " + number_text(value);
    }
    out.values.numbers.emplace(field.name, value);
  }
  if (kind.fault) {
    if (const std::string fault = kind.fault(out.values); !fault.empty()) {
      throw Error("friction law " + std::string(kind.name) + " { " + out.text + " }: " + fault);
    }
  }
  return out;
}

struct Turn {
  std::vector<double> displacement, slip, friction;  // m, m/s, N against the slip
};

/// A mass that is driven to and fro, from one of these turns to another: in the second one it has forgotten what the
/// start was. amplitude: m; fastest: m/s.
Turn turn_of(const model::Friction& law, double amplitude, double fastest, double from, double to) {
  const auto m = std::make_shared<model::Model>("friction", std::vector<double>{0, 0});
  const auto signal = [&](const char* name) { return Symbol(m->graph(), m->signal(name)); };
  const double omega = fastest / amplitude, period = 2 * std::numbers::pi / omega;
  const model::Vector zero{0.0, 0.0};
  const model::Place mass = model::add_point(*m, "P", zero, {fastest, 0.0}, 1.0);
  const model::Place rail = model::attach(*m, model::ground_place(*m, zero), zero, {0.0});
  model::add_joint(*m, "point_on_line", "rail", rail, mass, nullptr);
  model::add_joint_friction(*m, "point_on_line", "rail", rail, mass, {law, {{"preload", load}}});
  model::add_driver(*m, "drive", signal("P.x"), amplitude * sin(omega * Symbol(m->graph(), m->time())));
  simulation::Problem problem;
  problem.system = std::make_shared<system::System>(*m);
  problem.end = to * period;
  integrator::Radau radau;
  radau.tolerances.max_step = period / 50;
  problem.integrator = radau;
  problem.formulation = formulation::Index1{.project = true};
  simulation::Trajectory run(m, problem, simulation::evaluate(problem, {}));
  if (run.solution().status != integrator::Status::Completed) throw Error(run.solution().message);
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) times.push_back((from + k * (to - from) / samples) * period);
  times.push_back(run.times().back());
  auto values = run.evaluate({m->signal("P.x"), m->signal("rail.slip"), m->signal("rail.friction_force")}, times);
  for (double& force : values[2]) force = -force;
  for (std::vector<double>& list : values) {
    double most = 0;
    for (double x : list) most = std::max(most, std::abs(x));
    for (double& x : list) {
      if (std::abs(x) < 1e-7 * most) x = 0;  // what rounding and the errors of steps leave
    }
  }
  return {std::move(values[0]), std::move(values[1]), std::move(values[2])};
}

/// How far bristles bend before they slide (m).
double bend_of(const model::Friction& law) {
  if (const auto* bristles = std::get_if<model::BristleLaw>(&law)) {
    return bristles->static_coefficient.number() * load / bristles->stiffness.number();
  }
  const auto& spring = std::get<model::StaticFriction>(law);
  return spring.coefficient->number() * load / spring.stiffness.number();
}

/// Without the blanks that lines end with.
std::string without_margins(const std::string& lines) {
  std::string out;
  for (const char c : lines) {
    if (c == '\n') out.resize(out.find_last_not_of(' ') + 1);
    out += c;
  }
  return out;
}

}  // namespace

std::string friction_picture(const model::FrictionKind& kind, bool unicode) {
  const Numbers numbers = numbers_of(kind);
  model::GivenFriction<Symbol> given;
  double speed = 0;
  for (const model::ForceField& field : kind.fields) {
    const double value = numbers.values.number(field.name);
    given.numbers.emplace(field.name, value);
    if (field.unit == "m/s") speed = std::max(speed, value);
  }
  if (speed == 0) speed = usual_speed;
  const model::Friction law = kind.make(given);
  format::Table table;
  std::string how = "Friction over the slip";
  if (std::holds_alternative<model::SlipLaw>(law)) {
    const Turn turn = turn_of(law, speed, 5 * speed, 1.75, 2);
    table.columns = {{"slip", "m/s", turn.slip}, {"friction against it", "N", turn.friction}};
  } else {
    // No sample in the middle, between two dots: which of them it is would be for rounding to say.
    const double begin = 1 + 0.5 / samples;
    const Turn turn = turn_of(law, 4 * bend_of(law), 2 * speed, begin, begin + 1);
    table.columns = {{"displacement", "m", turn.displacement}, {"friction against it", "N", turn.friction}};
    how = "Friction over the way to and fro, with slips up to " + number_text(2 * speed) + " m/s";
  }
  return how + ":\n" + numbers.text + "; load " + number_text(load) + " N\n" +
         without_margins(output::terminal_plot(table, {.width = 64, .height = 9, .unicode = unicode}));
}

}  // namespace perilune::lua
