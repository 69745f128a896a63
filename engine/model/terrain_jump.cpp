// Looks for jumps of a terrain's height: where its conditions change, along lines through a place.
#include <cmath>

#include "expr/tape.hpp"
#include "model/contact_gap.hpp"

namespace perilune::model {

namespace {

using expr::Op;
using expr::Quantity;

/// The height, and what its conditions and signs compare with zero, as functions of one coordinate.
class Profile {
 public:
  Profile(Model& model, NodeId height, const std::vector<double>& at) {
    Graph& graph = model.graph();
    std::vector<NodeId> outputs{height};
    for (NodeId id : graph.needed_by({height})) {
      const expr::Node node = graph.node(id);  // by value: new nodes move the graph's storage
      if (node.op == Op::Less || node.op == Op::LessEqual) outputs.push_back(graph.binary(Op::Sub, node.a, node.b));
      if (node.op == Op::Sign) outputs.push_back(node.a);
    }
    const std::vector<NodeId> inputs = graph.variables_of(outputs);
    tape_ = expr::Tape(graph, inputs, outputs);
    work_ = tape_.make_work<double>();
    switches_ = static_cast<int>(outputs.size()) - 1;
    slots_.resize(at.size(), -1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const expr::Variable& variable = graph.variable_of(inputs[i]);
      const auto index = static_cast<std::size_t>(variable.index);
      if (variable.quantity == Quantity::Parameter) work_[i] = model.parameters()[index].value;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (inputs[i] != terrain_variable(graph, static_cast<int>(k)).in(graph)) continue;
        slots_[k] = static_cast<int>(i);
        work_[i] = at[k];
      }
    }
  }

  int switches() const { return switches_; }
  bool depends_on(std::size_t k) const { return slots_[k] >= 0; }
  /// Output 0 is the height, the others are the switches.
  double operator()(int output, std::size_t k, double x) {
    double& input = work_[static_cast<std::size_t>(slots_[k])];
    const double before = input;
    input = x;
    tape_.evaluate(work_.data());
    input = before;
    return work_[static_cast<std::size_t>(tape_.output_slot(output))];
  }

 private:
  expr::Tape tape_;
  std::vector<double> work_;
  std::vector<int> slots_;
  int switches_ = 0;
};

/// Change of the height across x, beyond what its slopes on both sides explain.
double jump_at(Profile& height, std::size_t k, double x) {
  const double near = 1e-7 * std::max(1.0, std::abs(x));
  auto h = [&](double steps) { return height(0, k, x + steps * near); };
  const double across = h(1) - h(-1), slopes = std::abs(h(2) - h(1)) + std::abs(h(-1) - h(-2));
  return std::abs(across) > 4 * slopes + 1e-9 ? across : 0;
}

}  // namespace

std::optional<TerrainJump> jump_of_terrain(Model& model, const Terrain& terrain, const std::vector<double>& at) {
  constexpr double reach = 100, spacing = 0.05;
  Profile profile(model, terrain.height.in(model.graph()), at);
  for (std::size_t k = 0; k < at.size(); ++k) {
    for (int s = 1; s <= profile.switches() && profile.depends_on(k); ++s) {
      double low = at[k] - reach, below = profile(s, k, low);
      while (low < at[k] + reach) {
        double left = low, right = low + spacing;
        const double above = profile(s, k, right);
        const bool changes = (below < 0) != (above < 0);
        for (int i = 0; changes && i < 60; ++i) {
          const double middle = 0.5 * (left + right);
          ((profile(s, k, middle) < 0) == (below < 0) ? left : right) = middle;
        }
        const double jump = changes ? jump_at(profile, k, right) : 0;
        if (jump != 0) return TerrainJump{static_cast<int>(k), right, jump};
        low += spacing;
        below = above;
      }
    }
  }
  return std::nullopt;
}

}  // namespace perilune::model
