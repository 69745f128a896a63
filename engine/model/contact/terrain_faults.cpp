// SPDX-License-Identifier: MIT
// Looks for jumps and corners of a terrain's height: where its conditions change, along lines near a place.
#include <algorithm>
#include <cmath>

#include "expr/rewrite.hpp"
#include "expr/tape.hpp"
#include "model/contact/contact_gap.hpp"

namespace perilune::model {

namespace {

using expr::Op;
using expr::Quantity;
using Kind = TerrainFault::Kind;

/// The height, its slopes, and what its conditions, signs and kinks compare with zero, as functions of the terrain's
/// coordinates and, the last variable, time.
class Profile {
 public:
  Profile(Model& model, NodeId height, std::size_t coordinates) {
    Graph& graph = model.graph();
    std::vector<NodeId> variables, outputs{height};
    for (std::size_t k = 0; k < coordinates; ++k) {
      variables.push_back(terrain_variable(graph, static_cast<int>(k)).in(graph));
    }
    variables.push_back(model.time());
    for (NodeId x : variables) outputs.push_back(expr::derivative(graph, height, {{x, graph.constant(1)}}));
    for (NodeId id : graph.needed_by({height})) {
      const expr::Node node = graph.node(id);  // by value: new nodes move the graph's storage
      if (expr::has_kink(node.op)) outputs.push_back(node.b >= 0 ? graph.binary(Op::Sub, node.a, node.b) : node.a);
    }
    slopes_ = variables.size();
    const std::vector<NodeId> inputs = graph.variables_of(outputs);
    const std::vector<NodeId> compared =
        graph.variables_of({outputs.begin() + 1 + static_cast<long>(slopes_), outputs.end()});
    tape_ = expr::Tape(graph, inputs, outputs);
    work_ = tape_.make_work<double>();
    sides_.resize(outputs.size() - 1 - slopes_);
    for (NodeId x : variables) {
      const auto input = std::find(inputs.begin(), inputs.end(), x);
      const bool matters = std::find(compared.begin(), compared.end(), x) != compared.end();
      slots_.push_back(input == inputs.end() ? -1 : static_cast<int>(input - inputs.begin()));
      is_compared_.push_back(matters);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const expr::Variable& variable = graph.variable_of(inputs[i]);
      if (variable.quantity != Quantity::Parameter) continue;
      work_[i] = model.parameters()[static_cast<std::size_t>(variable.index)].value;
    }
  }

  std::size_t variables() const { return slopes_; }
  /// Conditions and kinks read this variable.
  bool is_compared(std::size_t k) const { return is_compared_[k]; }
  void set(std::size_t k, double x) {
    if (slots_[k] >= 0) work_[static_cast<std::size_t>(slots_[k])] = x;
  }
  /// From now on, along this variable.
  void lay_line(std::size_t k) { along_ = k; }
  /// Output 0 is the height, then come its slopes.
  double operator()(int output, double x) {
    set(along_, x);
    tape_.evaluate(work_.data());
    return work_[static_cast<std::size_t>(tape_.output_slot(output))];
  }
  /// Which of the compared functions are negative at x.
  const std::vector<bool>& sides(double x) {
    set(along_, x);
    tape_.evaluate(work_.data());
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      sides_[i] = work_[static_cast<std::size_t>(tape_.output_slot(static_cast<int>(1 + slopes_ + i)))] < 0;
    }
    return sides_;
  }

 private:
  expr::Tape tape_;
  std::vector<double> work_;
  std::vector<int> slots_;
  std::vector<bool> is_compared_, sides_;
  std::size_t slopes_ = 0, along_ = 0;
};

/// Change of the height or of a slope across x, beyond what its changes on both sides explain.
double change_at(Profile& profile, int output, double x, double least) {
  const double near = 1e-7 * std::max(1.0, std::abs(x));
  auto f = [&](double steps) { return profile(output, x + steps * near); };
  const double across = f(1) - f(-1), beside = std::abs(f(2) - f(1)) + std::abs(f(-1) - f(-2));
  return std::abs(across) > 4 * beside + least ? across : 0;
}

/// Jumps before corners.
std::optional<TerrainFault> fault_at(Profile& profile, std::size_t along, double x) {
  const int coordinate = static_cast<int>(along);
  if (const double jump = change_at(profile, 0, x, 1e-9); jump != 0) return {{Kind::Jump, coordinate, x, jump}};
  for (std::size_t k = 0; k < profile.variables(); ++k) {
    const double change = change_at(profile, 1 + static_cast<int>(k), x, 1e-6);
    if (change != 0) return {{Kind::Corner, coordinate, x, change}};
  }
  return std::nullopt;
}

/// Where one of the compared functions changes its sign: the first x beyond, to 1e-12.
double crossing(Profile& profile, double left, double right) {
  const std::vector<bool> before = profile.sides(left);
  while (right - left > 1e-12 * std::max(1.0, std::abs(left))) {
    const double middle = 0.5 * (left + right);
    (profile.sides(middle) == before ? left : right) = middle;
  }
  return right;
}

/// Calls found(fault) for what is found along a line, until that returns false.
template <class Found>
bool follow_line(Profile& profile, std::size_t k, double from, const Found& found) {
  constexpr double length = 200, spacing = 0.05;
  constexpr int most_changes = 10;  // within one spacing
  profile.lay_line(k);
  std::vector<bool> before = profile.sides(from);
  double left = from;
  for (int i = 1; i <= static_cast<int>(length / spacing); ++i) {
    const double right = from + spacing * i;
    const std::vector<bool> after = profile.sides(right);
    for (int change = 0; change < most_changes && before != after; ++change) {
      left = crossing(profile, left, right);
      before = profile.sides(left);
      const auto fault = fault_at(profile, k, left);
      if (fault && !found(*fault)) return false;
    }
    before = after;
    left = right;
  }
  return true;
}

}  // namespace

TerrainFaults faults_of_terrain(Model& model, const Terrain& terrain, const std::vector<double>& at) {
  constexpr double reach = 100;
  Profile profile(model, terrain.height.in(model.graph()), at.size());
  const std::size_t time = at.size();
  TerrainFaults out;
  // What lies across a line: several of them, where that makes a difference.
  const auto beside = [&](std::size_t k, std::size_t along) -> std::vector<double> {
    if (k == along || !profile.is_compared(k)) return {0};
    if (k == time) return {0, 0.5, 2, 10};
    return {0, -10, -3, -1, 1, 3, 10};
  };
  std::vector<double> place = at;
  place.push_back(0);
  for (std::size_t k = 0; k <= time; ++k) {
    if (!profile.is_compared(k)) continue;
    const auto found = [&](const TerrainFault& fault) {
      if (k == time) return !(out.in_time = true);
      std::optional<TerrainFault>& first = fault.kind == Kind::Jump ? out.jump : out.corner;
      if (!first) first = fault;
      return !out.jump;
    };
    // All lines along k: one number for each variable beside it.
    std::vector<std::vector<double>> lines{{}};
    for (std::size_t j = 0; j <= time; ++j) {
      std::vector<std::vector<double>> longer;
      for (const std::vector<double>& line : lines) {
        for (double by : beside(j, k)) {
          longer.push_back(line);
          longer.back().push_back(place[j] + by);
        }
      }
      lines = std::move(longer);
    }
    for (const std::vector<double>& line : lines) {
      for (std::size_t j = 0; j <= time; ++j) profile.set(j, line[j]);
      if (!follow_line(profile, k, k == time ? 0 : at[k] - reach, found)) break;
    }
  }
  return out;
}

}  // namespace perilune::model
