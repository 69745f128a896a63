// SPDX-License-Identifier: MIT
// Expressions evaluated along a motion: signals, objective integrands, events. A signal is an expression of time,
// coordinates, velocities, accelerations, multipliers and parameters; this compiles a set of them.
#pragma once
#include <initializer_list>
#include <vector>

#include "expr/dual.hpp"
#include "expr/enclosure.hpp"
#include "expr/tape.hpp"
#include "fingerprint.hpp"
#include "model/model.hpp"

namespace perilune::system {

struct MotionPoint {
  double t = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* a = nullptr;
  const double* lambda = nullptr;
  const double* parameters = nullptr;
  const double* sides = nullptr;  // of the switches, where they are held
};

/// Where a gradient is accumulated; what the outputs read must be present, but for the time.
struct MotionGradient {
  double* q = nullptr;
  double* v = nullptr;
  double* a = nullptr;
  double* lambda = nullptr;
  double* parameters = nullptr;
  double* t = nullptr;  // null: nobody wants to know
};

/// Immutable; may be shared between threads. Work arrays belong to the caller (make_work).
class Measure {
 public:
  Measure(const expr::Graph& graph, const std::vector<expr::NodeId>& outputs);
  /// Of a model that objects may have been removed from. Throws Error where the outputs read one of these.
  Measure(const model::Model& model, const std::vector<expr::NodeId>& outputs);

  int output_count() const { return tape_.output_count(); }
  bool reads(expr::Quantity quantity) const;
  bool reads(expr::Quantity quantity, int index) const;
  /// Which numbers are read as a quantity, ascending.
  std::vector<int> indices_of(expr::Quantity quantity) const;
  /// Whether each output depends on something that is read as one of these.
  std::vector<char> outputs_of(std::initializer_list<expr::Quantity> quantities) const;
  /// What it is a function of, and how: equal for equal outputs.
  void add_to(Fingerprint& print) const;
  /// For systems that number the model's multipliers so (System::multiplier_numbers): those at -1 are zero.
  void number_multipliers(const std::vector<int>& numbers);
  /// For phases in which these elements act, by number (System::takes_part); empty: all do.
  void leave_out(const std::vector<char>& takes_part);
  /// 2 x tape size: values, then adjoints or tangents.
  std::vector<double> make_work() const;

  /// Evaluates all outputs; output k is then value(work, k).
  void evaluate(const MotionPoint& at, std::vector<double>& work) const;
  double value(const std::vector<double>& work, int k) const {
    return work[static_cast<std::size_t>(tape_.output_slot(k))];
  }
  /// Calls visit(quantity, index, slope) for every variable that output k may depend on, at the point last evaluated.
  template <class Visit>
  void visit_gradient(std::vector<double>& work, int k, Visit&& visit) const {
    double* adjoint = work.data() + tape_.size();
    std::fill_n(adjoint, tape_.size(), 0.0);
    adjoint[tape_.output_slot(k)] = 1;
    tape_.reverse(work.data(), adjoint);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].index >= 0) visit(inputs_[i].quantity, inputs_[i].index, adjoint[i]);
    }
  }
  /// gradient += weight * d(output k), at the point last evaluated into `work`.
  void add_gradient(std::vector<double>& work, int k, double weight, const MotionGradient& gradient) const;

  /// Derivative of output k at a point where that moves along a direction; parameters and sides stay.
  double slope(const MotionPoint& at, int k, const MotionPoint& direction) const;

  /// Work for visit_gradient_along.
  std::vector<expr::Taylor2<double>> make_curve_work() const;
  /// As visit_gradient, at a point of a motion with the time derivatives `rate` and `second`: the slopes come with
  /// theirs. Parameters stay as they are.
  template <class Visit>
  void visit_gradient_along(const MotionPoint& at, const MotionPoint& rate, const MotionPoint& second,
                            std::vector<expr::Taylor2<double>>& work, int k, Visit&& visit) const {
    using Curve = expr::Taylor2<double>;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool moves = inputs_[i].quantity != expr::Quantity::Parameter;
      work[i] = moves ? Curve(read(at, inputs_[i]), read(rate, inputs_[i]), read(second, inputs_[i]))
                      : Curve(read(at, inputs_[i]));
    }
    tape_.evaluate(work.data());
    Curve* adjoint = work.data() + tape_.size();
    std::fill_n(adjoint, tape_.size(), Curve());
    adjoint[tape_.output_slot(k)] = 1.0;
    tape_.reverse(work.data(), adjoint);
    for (std::size_t i = 0; i < inputs_.size(); ++i) visit(inputs_[i].quantity, inputs_[i].index, adjoint[i]);
  }
  /// Work for evaluate_along.
  using DualWork = std::vector<expr::Grad<1, double>>;
  DualWork make_dual_work() const { return tape_.make_work<expr::Grad<1, double>>(); }
  /// Values and their time derivatives, at a point of a motion with the time derivatives `rate`. All but time,
  /// positions and velocities stay. Output k is then dual(work, k).
  void evaluate_along(const MotionPoint& at, const MotionPoint& rate, DualWork& work) const;
  const expr::Grad<1, double>& dual(const DualWork& work, int k) const {
    return work[static_cast<std::size_t>(tape_.output_slot(k))];
  }
  /// Work for bound.
  std::vector<expr::Enclosure> make_bounds() const;
  /// What the outputs are within over a stretch of time: read(quantity, index) encloses what they read. Output k is
  /// then bound_of(bounds, k).
  template <class Read>
  void bound(Read&& read, std::vector<expr::Enclosure>& bounds) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      bounds[i] = inputs_[i].index < 0 ? inputs_[i].constant : read(inputs_[i].quantity, inputs_[i].index);
    }
    tape_.evaluate(bounds.data());
  }
  const expr::Enclosure& bound_of(const std::vector<expr::Enclosure>& bounds, int k) const {
    return bounds[static_cast<std::size_t>(tape_.output_slot(k))];
  }
  using SecondWork = std::vector<expr::Grad<1, double>>;
  SecondWork make_second_work() const;
  /// gradient += weight * (second derivatives of output k at a point) * direction.
  void add_hessian_product(const MotionPoint& at, const MotionPoint& direction, int k, double weight, SecondWork& work,
                           const MotionGradient& gradient) const;
  /// Script line and formula of the operation that first failed to be finite; empty if none did.
  std::string explain_failure(const expr::Graph& graph, const std::vector<double>& work) const {
    return tape_.first_failure(graph, work.data());
  }

 private:
  friend class MeasureLanes;
  struct Input {
    expr::Quantity quantity;
    int index;            // -1: always `constant`
    double constant = 0;  // which is 1 for the absence of what is left out
  };
  double read(const MotionPoint& at, const Input& input) const;
  static void add(const Input& input, double slope, const MotionGradient& gradient);

  std::vector<Input> inputs_;
  expr::Tape tape_;
};

}  // namespace perilune::system
