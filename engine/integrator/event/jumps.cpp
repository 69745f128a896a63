// SPDX-License-Identifier: MIT
// What jumps where a switch of the model changes its side.
#include <algorithm>
#include <cmath>
#include <span>

#include "at_time.hpp"
#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

/// Accelerations, by more than where they were found explains.
bool are_apart(std::span<const double> x, std::span<const double> y, double size = 1e-3) {
  double apart = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    apart = std::max(apart, std::abs(x[i] - y[i]));
    size = std::max({size, std::abs(x[i]), std::abs(y[i])});
  }
  return apart > 1e-2 * size;
}

/// From how what acts differs by the side of a switch before and after the step that passes over it: where that is a
/// jump, by nearly the same; where it is a kink, by the opposite. `now`: what acts after the step.
bool is_jump(std::span<const double> before, std::span<const double> after, std::span<const double> now, double size) {
  double difference = 0, sum = 0, size_before = 0, size_after = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    difference += std::pow(after[i] - before[i], 2);
    sum += std::pow(after[i] + before[i], 2);
    size_before += std::pow(before[i], 2);
    size_after += std::pow(after[i], 2);
  }
  if (!(difference < 0.64 * sum)) return false;
  const std::span<const double> jump = size_before < size_after ? before : after;
  std::vector<double> with(now.begin(), now.end());
  for (std::size_t i = 0; i < jump.size(); ++i) with[i] += jump[i];
  return are_apart(now, with, size);
}

std::string of_force(const std::string& name) { return "the force of \"" + name + "\""; }
std::string of_integrand(const std::string& name) { return "an integrand, at \"" + name + "\""; }

}  // namespace

// What is as far apart at +-8 dt as at +-dt jumps. What is eight times as far from what it is at 0, on the same side,
// has a slope there; less than that grows at an infinite rate.
Run::Edge Run::edge_of(const std::array<std::span<const double>, 5>& acting) {
  const auto& [far_before, near_before, here, near_after, far_after] = acting;
  const auto apart = [](std::span<const double> x, std::span<const double> y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
    return most;
  };
  double size = 0;
  for (const std::span<const double>& each : {near_before, near_after}) {
    for (const double x : each) size = std::max(size, std::abs(x));
  }
  const double jump = apart(near_before, near_after);
  if (jump > 1e-7 * size && apart(far_before, far_after) < 1.5 * jump) return Edge::Jump;
  const double rise = apart(near_after, here), fall = apart(near_before, here);
  const double least = std::max(1e-8 * size, 1e-3 * std::max(rise, fall));  // above rounding
  const bool is_steep =
      (rise > least && apart(far_after, here) < 7.5 * rise) || (fall > least && apart(far_before, here) < 7.5 * fall);
  return is_steep ? Edge::Steep : Edge::Smooth;
}

bool Run::note_jumps(const Node& x, double full) {
  bool has_looked = false;
  if (switches_->watched().empty()) return has_looked;
  const formulation::Memory memory = march_.motion().memory();
  const double dt = std::max(1e-6 * full, 10 * switches_->shortest());
  std::vector<double> before = along(x, -dt), after = along(x, dt);
  const auto value = [&](int number, double t, std::vector<double>& state) {
    Node y = x;
    y.t = t;
    y.q = state.data();
    y.v = state.data() + march_.motion().n();
    return switches_->value(number, y);
  };
  for (int number : switches_->watched()) {
    if (std::signbit(value(number, x.t - dt, before)) == std::signbit(value(number, x.t + dt, after))) continue;
    has_looked = true;
    const auto [edge, what] = edge_at(number, x, dt);
    if (edge == Edge::Smooth) continue;
    if (edge == Edge::Jump && !switches_->moves(number)) {
      out_.events.push_back({x.t, number, march_.motion().system().switch_name(number)});
    }
    if (edge == Edge::Jump) out_.own_jumps.push_back({x.t, what});
    if (!differentiates()) continue;
    if (edge == Edge::Steep) {
      out_.infinite_slopes.push_back({x.t, what});
      continue;
    }
    throw NumericalError(at_time(x.t) + what +
                         " jumps where its law cannot be continued, so that derivatives do not follow it: keep roots, "
                         "powers and quotients in it defined on both sides of the jump");
  }
  march_.motion().set_memory(memory);
  return has_looked;
}

void Run::note_start() { out_.jumps_at_start = jumping_at(march_.node(-1)); }

bool Run::begins_with_bend(double within) {
  if (!watches_ || !options_.integrals) return false;
  formulation::Motion& motion = march_.motion();
  const formulation::Memory memory = motion.memory();
  const formulation::Sides sides = motion.sides();
  const Node& x = march_.node(-1);
  bool out = false;
  for (const Switches::Course& function : switches_->courses(x)) {
    if (out || !function.is_at_zero(within)) continue;
    out = bends(x, function.rate == 0 ? 0 : -function.value / function.rate, within);
  }
  motion.set_sides(sides);
  motion.set_memory(memory);
  return out;
}

// Second differences are of as many powers of the time as what acts grows with: 8 times as large at 8 dt for a kink, 64
// times for what is smooth.
bool Run::bends(const Node& x, double at, double dt) {
  march_.motion().set_sides(held(0, 0));
  try {
    std::array<std::vector<double>, 5> found;
    const double times[] = {-8, -1, 0, 1, 8};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double after = at + times[i] * dt;
      found[i] = acting(x.t + after, along(x, after), false);
    }
    const auto& [far_before, near_before, here, near_after, far_after] = found;
    double size = 1e-3;
    for (const double force : far_after) size = std::max(size, std::abs(force));
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double near = std::abs(near_before[i] - 2 * here[i] + near_after[i]);
      const double ratio = std::abs(far_before[i] - 2 * here[i] + far_after[i]) / near;
      if (near > 1e-10 * size && ratio > 10 && ratio < 45) return true;
    }
  } catch (const NumericalError&) {  // the law is not defined there
  }
  return false;
}

void Run::note_end() {
  if (!watches_ || !differentiates()) return;
  out_.jumps_at_end = jumping_at(march_.last());
  std::erase_if(out_.jumps_at_end, [&](int number) { return !march_.motion().system().is_switch_in_time(number); });
}

std::vector<int> Run::jumping_at(const Node& x) {
  formulation::Motion& motion = march_.motion();
  const formulation::Memory memory = motion.memory();
  const formulation::Sides sides = motion.sides();
  std::vector<int> out;
  for (const int number : switches_->at_zero(x)) {
    if (jumps_at(number, x)) out.push_back(number);
  }
  motion.set_sides(sides);
  motion.set_memory(memory);
  return out;
}

bool Run::jumps_at(int number, const Node& x) {
  const auto n = static_cast<std::size_t>(march_.motion().n());
  // By more than a kink does that is rounding off its place.
  constexpr double least = 1e-3;
  double size = least;
  for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(x.a[i]));
  const auto is_jump = [&](double by) { return std::abs(by) > 1e-6 * size; };
  try {
    const std::vector<double> of_forces = difference_by_side(number, x.t, std::vector<double>(x.q, x.q + 2 * n));
    if (std::any_of(of_forces.begin(), of_forces.end(), is_jump)) return true;
    if (!options_.integrals || !options_.integrals->reads_switch(number)) return false;
    size = least;
    const std::vector<double> of_integrands = rates_by_side(number, x);
    return std::any_of(of_integrands.begin(), of_integrands.end(), is_jump);
  } catch (const NumericalError&) {  // the law is not defined on the other side
    return false;
  }
}

std::pair<Run::Edge, std::string> Run::edge_at(int number, const Node& x, double dt) {
  const bool is_of_integrals = options_.integrals && options_.integrals->reads_switch(number);
  const auto n = static_cast<std::size_t>(march_.motion().n());
  const std::string& name = march_.motion().system().switch_name(number);
  try {
    std::array<std::vector<double>, 5> found;
    const double times[] = {-8 * dt, -dt, 0, dt, 8 * dt};
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i] = acting(x.t + times[i], along(x, times[i]), is_of_integrals);
    }
    const auto edge = [&](std::size_t first, std::size_t count) {
      const auto part = [&](std::size_t i) { return std::span<const double>(found[i]).subspan(first, count); };
      return edge_of({part(0), part(1), part(2), part(3), part(4)});
    };
    if (const Edge of_forces = edge(0, n); of_forces != Edge::Smooth) return {of_forces, of_force(name)};
    for (std::size_t k = n; k < found[0].size(); ++k) {
      if (const Edge own = edge(k, 1); own != Edge::Smooth) return {own, of_integrand(name)};
    }
  } catch (const NumericalError&) {  // the law is not defined there
  }
  return {Edge::Smooth, ""};
}

std::vector<double> Run::along(const Node& x, double dt) const {
  const int n = march_.motion().n();
  std::vector<double> state(static_cast<std::size_t>(2 * n));
  for (int i = 0; i < n; ++i) {
    state[static_cast<std::size_t>(i)] = x.q[i] + dt * (x.v[i] + dt / 2 * x.a[i]);
    state[static_cast<std::size_t>(n + i)] = x.v[i] + dt * x.a[i];
  }
  return state;
}

void Run::step_over(int number) {
  constexpr char often = 10;  // what was no jump so often is none
  tried_.resize(march_.motion().data().sides.size());
  char& tried = tried_[static_cast<std::size_t>(number)];
  if (tried == often || !switches_->is_held(number)) return;
  ++tried;
  const Node& end = march_.last();
  Node start = end;  // a motion that a constraint has stopped tells nothing at the end
  start.t -= march_.h();
  start.q = last_state_.data();
  start.v = last_state_.data() + march_.motion().n();
  for (const Node& x : {end, start}) check_constraints(x, held(number, -1), held(number, 1), march_.h());
  const std::vector<double> at_end(end.q, end.q + 2 * march_.motion().n());
  const formulation::Memory memory = march_.motion().memory();
  const std::vector<double> after = difference_by_side(number, end.t, at_end),
                            before = difference_by_side(number, end.t - march_.h(), last_state_);
  march_.motion().set_sides(nullptr);
  march_.motion().set_memory(memory);
  const std::string& name = march_.motion().system().switch_name(number);
  std::string jumps = is_jump(before, after, {end.a, after.size()}, 1e-3) ? of_force(name) : "";
  if (jumps.empty() && options_.integrals && options_.integrals->reads_switch(number)) {
    const std::vector<double> now = options_.integrals->rates(end, march_.motion().data().sides);
    const std::vector<double> later = rates_by_side(number, end), earlier = rates_by_side(number, start);
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (is_jump({&earlier[k], 1}, {&later[k], 1}, {&now[k], 1}, 0)) jumps = of_integrand(name);
    }
  }
  if (jumps.empty()) return;
  tried = often;
  out_.stepped_over.push_back({march_.t(), jumps});
}

std::vector<double> Run::rates_by_side(int number, const Node& x) {
  std::vector<double> out = options_.integrals->rates(x, *held(number, -1));
  const std::vector<double> negative = options_.integrals->rates(x, *held(number, 1));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] -= negative[k];
  return out;
}

formulation::Sides Run::held(int number, double side) const {
  auto sides = std::make_shared<std::vector<double>>(march_.motion().data().sides.size(), 0.0);
  (*sides)[static_cast<std::size_t>(number)] = side;
  return sides;
}

std::vector<double> Run::difference_by_side(int number, double t, const std::vector<double>& state) {
  std::vector<double> found[2];
  for (const double side : {1.0, -1.0}) {
    march_.motion().set_sides(held(number, side));
    found[side > 0] = acting(t, state, false);
  }
  for (std::size_t i = 0; i < found[0].size(); ++i) found[1][i] -= found[0][i];
  return found[1];
}

std::vector<double> Run::acting(double t, const std::vector<double>& state, bool with_rates) {
  formulation::Motion& motion = march_.motion();
  const auto n = static_cast<std::size_t>(motion.n()), m = static_cast<std::size_t>(motion.m());
  std::vector<double> z = state, a(n), u(n), proposed(2 * n), multipliers(2 * m);
  const Node x{
      t, z.data(), z.data() + n, a.data(), multipliers.data(), u.data(), multipliers.data() + m, proposed.data()};
  motion.point(x);
  if (with_rates) {
    const std::vector<double> rates = options_.integrals->rates(x, motion.data().sides);
    a.insert(a.end(), rates.begin(), rates.end());
  }
  return a;
}

void Run::check_constraints(const Node& x, const formulation::Sides& before, const formulation::Sides& after,
                            double since) {
  const std::optional<ConstraintJump> jump = constraint_jump(march_.motion(), x, before, after, since);
  if (!jump) return;
  if (!gives_way_) throw NumericalError(sentence(*jump, march_.motion().system()));
  std::vector<ConstraintJump>& noted = out_.constraint_jumps;
  const auto is_same = [&](const ConstraintJump& other) { return other.constraint == jump->constraint; };
  if (std::none_of(noted.begin(), noted.end(), is_same)) noted.push_back(*jump);
}

}  // namespace perilune::integrator
