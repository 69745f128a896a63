// SPDX-License-Identifier: MIT
#include "model/law/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "expr/enclosure.hpp"
#include "expr/piecewise.hpp"
#include "expr/rewrite.hpp"
#include "model/force/control.hpp"
#include "model/law/switches.hpp"
#include "model/law/zeros.hpp"

namespace perilune::model {

namespace {

using expr::Node;
using expr::Op;
using expr::Quantity;

/// A function that is zero at some knots of a table, the ends among them, and of alternating signs between. Steps that
/// end there cannot pass over what the table says in between.
expr::TablePtr marks_of(const std::vector<double>& knots) {
  constexpr std::size_t stride = 3;  // knots that a step may pass: the nodes within it see what is between them
  std::vector<double> at;
  for (std::size_t k = 0; k + 1 < knots.size(); k += stride) at.push_back(knots[k]);
  at.push_back(knots.back());
  std::vector<double> places{at[0]}, coefficients{0, 2 / (at[1] - at[0])};
  double sign = 1;
  for (std::size_t k = 0; k + 1 < at.size(); ++k, sign = -sign) {
    const double slope = sign * 2 / (at[k + 1] - at[k]);
    coefficients.insert(coefficients.end(), {0, slope, sign, -slope});
    places.insert(places.end(), {at[k] / 2 + at[k + 1] / 2, at[k + 1]});
  }
  coefficients.insert(coefficients.end(), {0, coefficients.back()});
  return std::make_shared<const expr::PiecewisePolynomial>(std::move(places), 1, std::move(coefficients));
}

/// More than these in one law are a table in disguise.
constexpr std::size_t most_switches = 1000;
/// More often than this zeros of conditions are not looked for, of one law.
constexpr int most_looked = 20;

bool may_fail(const Node& node) {
  return node.op == Op::Sqrt || node.op == Op::Log || node.op == Op::Asin || node.op == Op::Acos ||
         node.op == Op::PowConstant || node.op == Op::Pow || node.op == Op::Div;
}

class Kinks {
 public:
  Kinks(Model& model, const std::string& name, const std::vector<NodeId>& law, InMotion in_motion = {})
      : model_(model),
        graph_(model.graph()),
        name_(name),
        in_motion_(std::move(in_motion)),
        needed_(graph_.needed_by(law)) {
    std::vector<NodeId> gaps;
    for (NodeId id : graph_.variables_of(law)) {
      const expr::Variable& v = graph_.variable_of(id);
      if (v.quantity != Quantity::Side) continue;
      decided_.insert(model.record().switches[static_cast<std::size_t>(v.index)].function);
    }
    for (const Switch& s : model.record().switches) {
      if (!s.is_held) watched_.insert(s.function);
      if (!reads_side(s.function)) gaps.push_back(s.function);
    }
    const std::vector<NodeId> of_gaps = graph_.needed_by(gaps);
    of_gaps_.insert(of_gaps.begin(), of_gaps.end());
    for (NodeId id : needed_) {
      const Node node = graph_.node(id);
      // A power with a whole positive exponent is defined everywhere.
      if (node.op == Op::PowConstant && node.value >= 1 && node.value == static_cast<int>(node.value)) continue;
      if (may_fail(node)) note_doubtful(node);
    }
  }

  /// Notes the controllers whose output the law follows only up to a limit, of which their integral knows nothing.
  void note_cut_off() {
    if (model_.record().unlimited_integrals.empty()) return;
    for (NodeId id : needed_) {
      const Node& node = graph_.node(id);
      const bool is_choice = node.op == Op::Where;
      if (!is_choice && node.op != Op::Min && node.op != Op::Max) continue;
      const NodeId one = is_choice ? node.b : node.a, other = is_choice ? node.c : node.b;
      const std::string of_one = winding_up(model_, symbol(one)), of_other = winding_up(model_, symbol(other));
      // Where both follow the output, none cuts it off; and a choice that something else makes is not about it.
      if (of_one.empty() == of_other.empty()) continue;
      if (is_choice && winding_up(model_, symbol(node.a)).empty()) continue;
      const std::string& line = graph_.origin(id);
      const std::string where = name_ + (line.empty() ? "" : " (" + line + ")");
      if (model_.record().cut_off.emplace(where, of_one + of_other).second) model_.note_change();
    }
  }

  /// New nodes in place of old ones. `holds`: steps keep to the form that the law has at their start, where it is
  /// defined beyond.
  expr::NodeMap replaced(bool holds = true) {
    std::vector<NodeId> found;
    std::set<std::pair<NodeId, std::vector<double>>> followed;
    for (NodeId id : needed_) {
      if (is_kink(id)) found.push_back(id);
      if (is_followed_table(id) && followed.emplace(graph_.node(id).a, table_of(id).knots()).second)
        found.push_back(id);
    }
    expr::NodeMap out;
    if (found.size() > most_switches) {
      leave_unfollowed(model_, name_);
      return out;
    }
    for (NodeId id : found) {
      Node node = graph_.node(id);  // by value: new nodes move the graph's storage
      const bool is_held = holds && node.op != Op::Atan && is_defined_beyond(id, node);
      const std::string line = graph_.origin(id);
      node.a = expr::substitute(graph_, node.a, out);  // operands come before
      if (node.b >= 0) node.b = expr::substitute(graph_, node.b, out);
      const std::string name = name_ + (line.empty() ? "" : " (" + line + ")");
      if (node.op == Op::Table) {
        follow_table(id, node, name, out);
        continue;
      }
      const Symbol x = *function(node);
      if (is_held) {
        out[id] = in_place_of(node, is_negative(model_, name, x), name).in(graph_);
        continue;
      }
      const int watched = watch(model_, name, x);
      if (holds) model_.record().switches[static_cast<std::size_t>(watched)].is_of_kink = true;
      // A law that decides itself still contains the switch's function, by which systems of a part of the model know.
      if (node.b >= 0 && node.op != Op::Atan2) out[id] = in_place_of(node, less(x, 0.0), name).in(graph_);
    }
    return out;
  }

 private:
  Symbol symbol(NodeId id) { return {graph_, id}; }
  std::optional<Symbol> function(const Node& node) {
    if (node.op == Op::Atan) return symbol(graph_.node(node.a).op == Op::Div ? graph_.node(node.a).b : node.a);
    // Of both signs about the cut, and positive right of it, where an angle often rests about zero.
    if (node.op == Op::Atan2) return max(symbol(node.a), symbol(node.b));
    Symbol x = node.b >= 0 ? symbol(node.a) - symbol(node.b) : symbol(node.a);
    if (node.op == Op::LessEqual) x = symbol(node.b) - symbol(node.a);  // where both are equal, it is not negative
    return in_motion_ ? in_motion_(x) : x;
  }

  /// An angle that may come to half a turn, from where it goes on at minus half a turn: where y changes its sign and x
  /// is negative. The arc tangent of a quotient does it at a quarter turn.
  bool is_cut(const Node& node) {
    const auto has_both_signs = [&](const expr::Interval& x) { return x.low < 0 && x.high > 0; };
    if (in_motion_) return false;
    if (node.op == Op::Atan2) return has_both_signs(range_of(node.a)) && range_of(node.b).low < 0;
    return node.op == Op::Atan && graph_.node(node.a).op == Op::Div && has_both_signs(range_of(graph_.node(node.a).b));
  }
  bool is_kink(NodeId id) {
    const Node node = graph_.node(id);
    if (!expr::has_kink(node.op) && !is_cut(node)) return false;
    if ((node.op == Op::Less || node.op == Op::LessEqual) && is_side_of_switch(node.a)) return false;
    if (of_gaps_.contains(id) || !moves(node)) return false;
    const std::optional<Symbol> x = function(node);
    if (!x) return false;
    const NodeId of_switch = x->in(graph_);
    if (decided_.contains(of_switch)) return false;
    if (!watched_.contains(of_switch)) return true;
    // What is watched may be another law's: this one is to read it, too, or may be held. A law that has been through
    // here compares the function itself with zero; what is of one operand stands in it as it was.
    const bool is_in_place = node.op == Op::Less && node.a == of_switch && graph_.is_constant(node.b);
    return node.b >= 0 && node.op != Op::Atan2 && !is_in_place;
  }
  const expr::PiecewisePolynomial& table_of(NodeId id) const {
    return *graph_.tables().curves[static_cast<std::size_t>(graph_.node(id).value)];
  }
  /// A smooth table of what moves: error estimates know of it what their nodes see alone. Not of heights, whose tables
  /// wheels see point by point, and not of an argument that jumps, as that of what repeats itself.
  bool is_followed_table(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.op != Op::Table || in_motion_ || table_of(id).degree() < 2 || !moves(node)) return false;
    const std::vector<NodeId> argument = graph_.needed_by({node.a});
    const auto jumps = [&](NodeId x) { return expr::has_kink(graph_.node(x).op) || graph_.node(x).op == Op::Atan2; };
    if (std::any_of(argument.begin(), argument.end(), jumps)) return false;
    // A law that has been through here reads its marks.
    const std::vector<double> places = marks_of(table_of(id).knots())->knots();
    return std::none_of(watched_.begin(), watched_.end(), [&](NodeId x) {
      return graph_.node(x).op == Op::Table && graph_.node(x).a == node.a && table_of(x).knots() == places;
    });
  }
  /// The same value on both sides of its marks, so that the law contains their function.
  void follow_table(NodeId id, const Node& node, const std::string& name, expr::NodeMap& out) {
    const expr::TablePtr table = graph_.tables().curves[static_cast<std::size_t>(node.value)];
    const Symbol x = symbol(node.a), marks = Symbol::lookup(marks_of(table->knots()), x);
    watch(model_, name, marks);
    const auto twin = std::make_shared<const expr::PiecewisePolynomial>(*table);
    out[id] = Symbol::where(less(marks, 0.0), Symbol::lookup(twin, x), Symbol::lookup(table, x)).in(graph_);
  }
  bool reads_side(NodeId id) const {
    const std::vector<NodeId> read = graph_.variables_of({id});
    return std::any_of(read.begin(), read.end(),
                       [&](NodeId v) { return graph_.variable_of(v).quantity == Quantity::Side; });
  }
  /// What is_negative compares with zero.
  bool is_side_of_switch(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.op != Op::Where || !graph_.is_variable(node.a)) return false;
    return graph_.variable_of(node.a).quantity == Quantity::Side;
  }
  std::set<NodeId> moving(const std::vector<NodeId>& nodes) const {
    std::set<NodeId> out;
    for (NodeId id : graph_.variables_of(nodes)) {
      const Quantity quantity = graph_.variable_of(id).quantity;
      if (quantity != Quantity::Parameter && !is_setting(quantity)) out.insert(id);
    }
    return out;
  }
  std::vector<NodeId> operands(const Node& node) const {
    return node.b >= 0 ? std::vector{node.a, node.b} : std::vector{node.a};
  }
  bool moves(const Node& node) const { return !moving(operands(node)).empty(); }

  /// What a root, power or quotient is of, where its sign is not always the same, or it may be zero.
  void note_doubtful(const Node& node) {
    const NodeId argument = node.op == Op::Div ? node.b : node.a;
    if (moving({argument}).empty()) return;  // the same on both sides of whatever the motion comes to
    const expr::Interval range = range_of(argument);
    const bool is_odd = node.op == Op::Asin || node.op == Op::Acos;
    if (!is_odd && (range.low > 0 || (node.op == Op::Div && range.high < 0))) return;
    const bool is_divisor = node.op == Op::Div || (node.op == Op::PowConstant && node.value == std::round(node.value));
    doubtful_.push_back({argument, is_odd || range.low < 0, is_divisor});
  }
  /// What a node needs of which no range is known, operands first: each node of a law is looked at once.
  std::vector<NodeId> without_range(NodeId id) const {
    std::set<NodeId> found;
    std::vector<NodeId> waiting{id};
    while (!waiting.empty()) {
      const NodeId next = waiting.back();
      waiting.pop_back();
      if (next < 0 || ranges_.contains(next) || !found.insert(next).second) continue;
      const Node& node = graph_.node(next);
      if (node.op != Op::Variable) waiting.insert(waiting.end(), {node.a, node.b, node.c});
    }
    return {found.begin(), found.end()};
  }
  /// Of a node, whatever the motion and the parameters are.
  expr::Interval range_of(NodeId id) {
    for (NodeId below : without_range(id)) {
      const Node& node = graph_.node(below);
      expr::Enclosure found = expr::Enclosure(expr::Interval::everything(), expr::Interval::everything());
      const auto at = [&](NodeId x) { return x >= 0 ? ranges_.at(x) : expr::Enclosure(); };
      if (node.op == Op::Constant) {
        found = node.value;
      } else if (node.op == Op::Mul && node.a == node.b) {
        found = apply(Op::PowConstant, at(node.a), {}, {}, 2, nullptr);
      } else if (node.op != Op::Variable && node.op != Op::Table && node.op != Op::Surface) {
        found = apply(node.op, at(node.a), at(node.b), at(node.c), node.value, nullptr);
      }
      ranges_.emplace(below, found);
    }
    return ranges_.at(id).value;
  }

  /// Whether what the law says on one side makes sense on the other: no root, power or quotient is of what is zero or
  /// changes its sign there.
  bool is_defined_beyond(NodeId id, const Node& node) {
    const bool is_condition = node.op == Op::Less || node.op == Op::LessEqual;
    const std::set<NodeId> own = moving(operands(node));
    const auto may_end = [&](const Doubtful& doubtful) {
      const auto [argument, changes_sign, is_divisor] = doubtful;
      const std::vector<NodeId> read = graph_.needed_by({argument});
      const auto reads = [&](NodeId x) { return std::find(read.begin(), read.end(), x) != read.end(); };
      if (!is_condition) return reads(id);
      if (changes_sign && moving({argument}) == own) return true;
      const std::vector<NodeId> compared = operands(node);
      return std::any_of(compared.begin(), compared.end(),
                         [&](NodeId x) { return !graph_.is_constant(x) && reads(x); });
    };
    const auto ends = [&](const Doubtful& doubtful) {
      if (!may_end(doubtful)) return false;
      if (!doubtful.is_divisor || in_motion_ || ++looked_ > most_looked) return true;
      return !differs_at_zeros(model_, function(node)->in(graph_), doubtful.argument);
    };
    return std::none_of(doubtful_.begin(), doubtful_.end(), ends);
  }

  /// atan2(y, x), whose both sides go on smoothly beyond the cut: between minus a half and minus a quarter turn, and
  /// elsewhere.
  static Symbol angle(const Symbol& is_third_quadrant, const Symbol& y, const Symbol& x) {
    constexpr double pi = std::numbers::pi;
    const Symbol turned = pi / 4 + atan2(y - x, y + x);
    return Symbol::where(is_third_quadrant, atan2(-y, -x) - pi, Symbol::where(less(x, 0.0), turned, atan2(y, x)));
  }
  Symbol in_place_of(const Node& node, const Symbol& negative, const std::string& name) {
    const Symbol a = symbol(node.a);
    switch (node.op) {
      case Op::Abs:
        return Symbol::where(negative, -a, a);
      case Op::Sign:
        return Symbol::where(negative, -1.0, Symbol::where(is_negative(model_, name, -a), 1.0, 0.0));
      case Op::Atan2:
        return angle(negative, a, symbol(node.b));
      case Op::Min:
        return Symbol::where(negative, a, symbol(node.b));
      case Op::Max:
        return Symbol::where(negative, symbol(node.b), a);
      case Op::LessEqual:
        return Symbol::where(negative, 0.0, 1.0);
      default:
        return negative;
    }
  }

  Model& model_;
  expr::Graph& graph_;
  std::string name_;
  InMotion in_motion_;
  std::vector<NodeId> needed_;
  std::unordered_set<NodeId> decided_;  // functions of switches that this law reads already
  std::unordered_set<NodeId> watched_;  // of those that say when laws decide themselves, this one or others
  std::unordered_set<NodeId> of_gaps_;  // how far surfaces are apart, which is smooth where they may touch
  struct Doubtful {
    NodeId argument;
    bool changes_sign;  // else it may only become zero
    bool is_divisor;    // which a law may be continued beyond a condition by, unless it is zero there
  };
  std::vector<Doubtful> doubtful_;
  int looked_ = 0;  // how often zeros were looked for
  std::unordered_map<NodeId, expr::Enclosure> ranges_;
};

}  // namespace

Symbol LawSwitches::is_negative(const std::string& what, const Symbol& function) const {
  return model::is_negative(model_, element_ + "." + what, Symbol::where(acts_, function, 1.0));
}

Symbol LawSwitches::is_watched_negative(const std::string& what, const Symbol& function) const {
  const Symbol acting = Symbol::where(acts_, function, 1.0);
  watch(model_, element_ + "." + what, acting);
  return less(acting, 0.0);
}

GeneralizedForce with_switches(Model& model, const std::string& name, const GeneralizedForce& force) {
  expr::Graph& graph = model.graph();
  std::vector<NodeId> law;
  for (const auto& [coordinate, term] : force.terms()) law.push_back(term.in(graph));
  Kinks kinks(model, name, law);
  kinks.note_cut_off();
  const expr::NodeMap by = kinks.replaced();
  if (by.empty()) return force;
  GeneralizedForce out(model);
  for (const auto& [coordinate, term] : force.terms()) {
    out.add_on_coordinate(coordinate, Symbol(graph, expr::substitute(graph, term.in(graph), by)));
  }
  return out;
}

Symbol with_switches(Model& model, const std::string& name, const Symbol& constraint) {
  return with_switches(model, name, constraint, {});
}

Symbol with_watched_switches(Model& model, const std::string& name, const Symbol& constraint) {
  expr::Graph& graph = model.graph();
  const NodeId law = constraint.in(graph);
  return {graph, expr::substitute(graph, law, Kinks(model, name, {law}).replaced(false))};
}

Symbol with_switches(Model& model, const std::string& name, const Symbol& x, const InMotion& in_motion) {
  expr::Graph& graph = model.graph();
  const NodeId law = x.in(graph);
  return {graph, expr::substitute(graph, law, Kinks(model, name, {law}, in_motion).replaced())};
}

}  // namespace perilune::model
