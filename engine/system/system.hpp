// SPDX-License-Identifier: MIT
// A compiled model: immutable, shared between threads. It evaluates the equations of motion
//   M a + Phi_q^T lambda + A^T kappa = Q,  Phi(q, t) = 0,  Psi = A(q, t) v - b(q, t) = 0
// and their derivatives as values on fixed sparsity patterns. The residual is r = M a + Phi_q^T lambda - Q. Where
// forces read accelerations and multipliers, Q(q, v, a, lambda, t), the residual is not linear in these: r_a = M - Q_a
// and r_lambda = Phi_q^T - Q_lambda take the places of M and Phi_q^T in what is solved for them.
//
// Constraints on velocities (nonholonomic, Psi) are rows among the others. They have no Phi; what is called Phi' and
// Phi'' is Psi and Psi' for them, and what is called Phi_q is A = Psi_v, along which the reaction acts. Whoever
// differentiates Phi by positions leaves these rows out: velocity_rows().
#pragma once
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "expr/tape.hpp"
#include "linalg/sparse_pattern.hpp"
#include "model/element/kernel.hpp"
#include "model/model.hpp"
#include "system/element_products.hpp"
#include "system/measure.hpp"

namespace perilune::system {

using linalg::SparsePattern;
using linalg::SubPattern;
using model::Kinematics;

class System;

/// All elements of one type, for those who go over the elements themselves.
struct Elements {
  std::shared_ptr<const model::Kernel> kernel;
  model::Batch batch;
  std::vector<int> datum;  // nd per element: its column among the data, -1 where constant or not differentiated
};

/// The numbers of a model at one parameter set: immutable once made, cheap to make again.
struct Data {
  std::vector<double> parameters;
  std::vector<double> packed;    // element data, in the order of the batches
  std::vector<double> constant;  // mass and force of elements where they depend on data only, as in a Workspace
  std::vector<double> initial_q, initial_v;  // as declared, not yet consistent
  std::vector<double> parameter_work;        // the parameter tape's slots, for its derivatives
  std::vector<double> sides;                 // of the switches, where they are held (expr::Quantity::Side); else 0
};

/// Value arrays that one thread evaluates into; names and patterns as in model::Blocks. What is cleared together stands
/// together.
struct Workspace {
  explicit Workspace(const System& system);
  Workspace(Workspace&&) = default;
  std::vector<double> values;
  using Array = std::span<double>;
  Array mass, force, jacobian, phi, phi_rate, phi_bias;
  /// r_a, which is `mass` itself where no force reads accelerations; -Q_lambda, empty where none reads multipliers.
  Array inertia, force_multiplier;
  /// Of `force`, the share of forces that read accelerations and multipliers, and all others; empty where none does.
  Array reading_force, other_force;
  Array stiffness, damping, jacobian_rate, jacobian_acceleration;
  Array acceleration_by_velocity;  // empty without constraints on velocities
  Array residual_data, phi_data, phi_rate_data, phi_acceleration_data;
  Array scratch;
  model::Blocks blocks;  // all of these, as kernels want them
};

/// Which elements contribute: all, those with constraints (assembly needs no forces), with mass, or with either.
enum class Part { All, Constraints, Masses, Metric };

class System {
 public:
  /// `takes_part`: which elements of the model do, by number; empty: all. Throws Error when the model has nothing that
  /// moves.
  explicit System(const model::Model& model, const std::vector<char>& takes_part = {});

  int coordinate_count() const { return n_; }  // n
  int constraint_count() const { return m_; }  // m
  /// Those of constraints on velocities, ascending; the others are on positions.
  const std::vector<int>& velocity_rows() const { return velocity_rows_; }
  bool constrains_velocities() const { return !velocity_rows_.empty(); }
  bool is_velocity_row(int k) const { return constraints_[static_cast<std::size_t>(k)].is_on_velocities; }
  /// Calls visit(k) for every entry k of these rows in a pattern with a row for each constraint.
  template <class Visit>
  void for_velocity_entries(const SparsePattern& pattern, Visit&& visit) const {
    for (const int row : velocity_rows_) {
      const auto k = static_cast<std::size_t>(row);
      for (int entry = pattern.row_start()[k]; entry < pattern.row_start()[k + 1]; ++entry) {
        visit(static_cast<std::size_t>(entry));
      }
    }
  }
  /// Numbers here of the multipliers that the model has (Model::multiplier_numbers): -1 for those of elements that do
  /// not take part.
  const std::vector<int>& multiplier_numbers() const { return multiplier_numbers_; }
  /// Elements of the model that do, by number; empty: all.
  const std::vector<char>& takes_part() const { return takes_part_; }
  int parameter_count() const { return p_; }
  const std::string& parameter_name(int i) const { return parameter_names_[static_cast<std::size_t>(i)]; }
  /// Data that depend on parameters, initial values too, and time.
  int data_count() const { return data_tape_.output_count() + (time_datum_ >= 0 ? 1 : 0); }
  /// The one that stands for time, by which no parameter moves: derivatives by it are those of forces and constraints
  /// by time as such. -1 where these do not read it.
  int time_datum() const { return time_datum_; }
  const std::string& coordinate_name(int i) const { return coordinate_names_[static_cast<std::size_t>(i)]; }
  const std::string& multiplier_name(int k) const { return multiplier_names_[static_cast<std::size_t>(k)]; }
  model::Role role(int i) const { return coordinates_[static_cast<std::size_t>(i)].role; }
  /// That of the rate, or of the first-order state that it is.
  const std::string& velocity_name(int i) const { return coordinates_[static_cast<std::size_t>(i)].velocity_name; }
  /// "m", "rad"; empty for Euler parameters.
  const std::string& unit(int i) const { return coordinates_[static_cast<std::size_t>(i)].unit; }

  /// The same system with derivatives only by the data that the parameters `over` reach; `system` itself if it is all.
  static std::shared_ptr<const System> differentiated_by(const std::vector<int>& over,
                                                         const std::shared_ptr<const System>& system);

  /// Element data at a parameter set. Throws NumericalError naming the script line when a datum is not finite, or the
  /// object when a requirement of the model does not hold.
  std::shared_ptr<const Data> make_data(const std::vector<double>& parameters) const;

  /// M, Q, Phi, Phi', Phi'' at a = 0, Phi_q, and for forces that read them r_a and -Q_lambda. Uses at.t, at.q, at.v,
  /// and at.a and at.lambda where is_implicit(): throws Error where these are missing.
  void evaluate(const Kinematics& at, const Data& data, Workspace& out, Part part = Part::All) const;
  /// The same at t, q, v alone: forces read zeros for accelerations and multipliers. For those who want no forces.
  void evaluate_metric(double t, const double* q, const double* v, const Data& data, Workspace& out) const;
  /// evaluate() for another at.a and at.lambda, zeros where null, in a workspace that has all else from the same t, q,
  /// v: only forces that read these are evaluated, and the numbers are the same to the last bit.
  void evaluate_again(const Kinematics& at, const Data& data, Workspace& out) const;
  int reading_force_count() const { return reading_force_count_; }
  /// r_q, r_v and the rates of Phi_q; with data also r_d, Phi_d, (Phi')_d, (Phi'')_d for the data that depend on
  /// parameters. Uses all of `at`.
  void linearize(const Kinematics& at, const Data& data, Workspace& out, bool with_data, Part part = Part::All) const;

  /// r = M a + Phi_q^T lambda - Q (n numbers) from what evaluate() left; a and lambda may be null, for zero. The
  /// one place that forms it.
  void residual(const Workspace& at, const double* a, const double* lambda, double* r) const;

  const SparsePattern& nn() const { return nn_; }   // M, r_q, r_v
  const SubPattern& mass() const { return mass_; }  // what elements with mass have of nn()
  const SparsePattern& mn() const { return mn_; }   // Phi_q and its rates
  const SparsePattern& nr() const { return nr_; }   // Q_lambda
  const SparsePattern& nd() const { return nd_; }   // r_d
  const SparsePattern& md() const { return md_; }   // Phi_d and its rates
  std::size_t scratch_size() const { return scratch_size_; }

  /// Column of the declared initial position and velocity of coordinate i among the data, -1 where it is constant.
  int initial_position_datum(int i) const { return initial_position_datum_[static_cast<std::size_t>(i)]; }
  int initial_velocity_datum(int i) const { return initial_velocity_datum_[static_cast<std::size_t>(i)]; }

  /// d(data)/d(parameters) times a parameter direction: fills data_count() numbers.
  void data_tangent(const Data& data, const double* parameter_direction, double* data_direction) const;
  /// parameter_gradient += (d(data)/d(parameters))^T data_gradient. One reverse sweep for any number of parameters.
  void data_adjoint(const Data& data, const double* data_gradient, double* parameter_gradient) const;

  /// Some force reads accelerations or multipliers: r is not linear in them, and its matrix not symmetric.
  bool is_implicit() const { return reads_accelerations_ || nr_.size() > 0; }
  bool reads_accelerations() const { return reads_accelerations_; }
  /// The first element that makes the system implicit, with its place in the script.
  const std::string& implicit_element() const { return implicit_element_; }
  /// Some entry of M depends on positions.
  bool has_moving_mass() const { return has_moving_mass_; }
  /// The first element whose part of M is no polynomial of the second degree in them; empty if there is none.
  const std::string& bent_mass_element() const { return bent_mass_element_; }
  /// Some force, constraint or switch depends on time as such.
  bool reads_time() const { return reads_time_; }
  /// The functions of the model's switches, of time, positions, velocities, parameters and sides; null if it has none.
  const Measure* switches() const { return switches_.get(); }
  const std::string& switch_name(int i) const { return switch_facts_[static_cast<std::size_t>(i)].name; }
  /// Laws and integrands whose conditions are too many for switches.
  const std::set<std::string>& unfollowed() const { return unfollowed_; }
  /// Laws that cut off the output of a controller whose integral does not know of it, and those controllers.
  const std::set<std::pair<std::string, std::string>>& cut_off() const { return cut_off_; }
  /// Laws read its side; else they decide themselves.
  bool is_held_switch(int i) const { return switch_facts_[static_cast<std::size_t>(i)].is_held; }
  /// One that laws do not read, but that is where they have a kink.
  bool is_switch_of_kink(int i) const { return switch_facts_[static_cast<std::size_t>(i)].is_of_kink; }
  /// Of some force or constraint of the system; else of objectives alone.
  bool is_switch_of_law(int i) const { return switch_facts_[static_cast<std::size_t>(i)].is_of_law; }
  /// Its function is one of time and parameters alone, which no motion holds at zero.
  bool is_switch_in_time(int i) const { return switch_facts_[static_cast<std::size_t>(i)].is_of_time; }
  /// What to say of a motion while the switch's function is negative; empty where that is an ordinary side.
  const std::string& limit_of_switch(int i) const { return switch_facts_[static_cast<std::size_t>(i)].limit; }
  /// Numbers that jump at ticks and are held between them (model/force/sampled.hpp), by their coordinates.
  struct Sampled {
    std::string name, defined_at;
    int coordinate;
    double period, first;  // s
  };
  const std::vector<Sampled>& sampled() const { return sampled_; }
  /// What each becomes at a tick, a function of the motion right before it; null if there is none.
  const Measure* next_values() const { return next_values_.get(); }
  /// Holds the switches at these sides, one each.
  void set_sides(const std::vector<double>& sides, Data& data) const;

  /// Potential energies of laws, one output each; null if there is none.
  const Measure* law_energies() const { return law_energies_.get(); }
  /// Potential energy of all elements, and its rate. Uses at.t, at.q, at.v and what laws read; `work`: dual work of
  /// law_energies(), unless null.
  model::StoredEnergy stored_energy(const Kinematics& at, const Data& data, Measure::DualWork& work) const;

  std::vector<Elements> elements() const;
  /// Second derivatives of its element types.
  ElementProductCache& element_products() const { return *element_products_; }

  /// parameter_gradient += the derivative of data_adjoint's result along a parameter direction, where the data gradient
  /// has the derivative `data_gradient_rate`.
  void data_adjoint_rate(const Data& data, const double* parameter_direction, const double* data_gradient,
                         const double* data_gradient_rate, double* parameter_gradient) const;

  /// Names the element whose contribution is not finite at `at`, with its place in the script; empty if all are finite.
  std::string explain_failure(const Kinematics& at, const Data& data) const;
  /// Elements that own a constraint, by multiplier: "distance \"d1\" defined at ...".
  std::string describe_constraint(int multiplier) const;
  /// Name of that element: several elements may share one, that of their joint.
  const std::string& constraint_name(int multiplier) const {
    return constraints_[static_cast<std::size_t>(multiplier)].name;
  }
  /// |u|^2 - L^2: not a length, but the difference of two squares.
  bool is_square_constraint(int multiplier) const {
    return constraints_[static_cast<std::size_t>(multiplier)].is_square;
  }
  /// Of a contact that cannot pull, by a negative multiplier while it pushes.
  bool only_pushes(int multiplier) const { return constraints_[static_cast<std::size_t>(multiplier)].only_pushes; }
  /// A condition that the coordinates of one body or joint satisfy among themselves (a normalized quaternion).
  bool is_internal_constraint(int multiplier) const {
    return constraints_[static_cast<std::size_t>(multiplier)].is_internal;
  }

 private:
  struct Group {
    std::shared_ptr<const model::Kernel> kernel;
    model::Batch batch = {};
    std::vector<int> element = {};                      // number of each element in the model
    std::vector<std::vector<model::NodeId>> data = {};  // of each element, in the model's graph
    /// Its e-th element as a batch that can be evaluated.
    model::Batch single(int e) const;
  };
  struct CoordinateFacts {
    std::string velocity_name, unit;
    model::Role role;
  };
  struct ConstraintFacts {
    std::string name;
    bool is_internal = false, is_square = false, is_on_velocities = false, only_pushes = false;
  };
  struct HeldSide {  // that a packed number is
    std::size_t packed;
    int number;
  };
  struct Source {  // where a packed number comes from: a constant (as the shift of time is), or an output of the data
                   // tape
    double value;
    int datum;
  };

  bool is_absent(const expr::Variable& absence) const;
  bool acts(const model::Limit& limit, const std::vector<char>& takes_part) const;
  void number_multipliers(const model::Model& model, const std::vector<char>& takes_part);
  void note_facts(const model::Model& model, const std::vector<char>& takes_part);
  void group_elements(const model::Model& model, const std::vector<char>& takes_part);
  void collect_law_energies(const model::Model& model, const std::vector<char>& takes_part);
  void number_data(const model::Model& model);
  void mark_active();
  /// Column of an element's j-th datum among the data, -1 where it is constant or not to be differentiated.
  int differentiated_datum(const Group& group, int element, int j) const;
  void build_patterns();
  void check_requirements(const std::vector<double>& parameters) const;

  int n_ = 0, m_ = 0, p_ = 0;
  std::vector<char> takes_part_;
  std::vector<std::string> coordinate_names_, multiplier_names_, element_labels_, parameter_names_;
  std::vector<int> multiplier_numbers_, owner_of_multiplier_, velocity_rows_;
  std::vector<int> rows_;  // of multipliers, by the number they were declared with; -1: of what takes no part
  std::vector<CoordinateFacts> coordinates_;
  std::vector<ConstraintFacts> constraints_;
  std::vector<Group> groups_;
  /// What reading groups add, where all others have been evaluated.
  void add_reading_forces(const Kinematics& at, const Data& data, Workspace& out) const;
  bool takes_part(const Group& group, Part part) const {
    return part == Part::All || (part != Part::Masses && group.kernel->constraint_count() > 0) ||
           (part != Part::Constraints && group.kernel->has_mass());
  }

  std::vector<std::size_t> moving_, constant_;  // groups that are evaluated at every point, and once per data set
  std::vector<std::size_t> reading_;            // the same, of forces that read accelerations and multipliers
  int reading_force_count_ = 0;
  std::vector<std::size_t> linearized_;  // groups that have any derivatives
  std::vector<Source> packed_, initial_q_, initial_v_;
  std::vector<int> initial_position_datum_, initial_velocity_datum_;
  expr::Tape data_tape_;                 // parameters, absences -> data
  std::vector<double> absences_;         // that data and requirements read: of elements that are left out, 1
  std::vector<char> is_differentiated_;  // per datum
  std::vector<std::string> datum_origin_;
  std::shared_ptr<const Measure> switches_, next_values_, law_energies_;
  std::vector<Sampled> sampled_;
  bool reads_time_ = false, reads_accelerations_ = false;
  std::string implicit_element_, bent_mass_element_;
  bool has_moving_mass_ = false;
  std::vector<double> zero_;  // n + m, of an implicit system
  int time_datum_ = -1;
  struct SwitchFacts {
    std::string name;
    bool is_held, is_of_kink, is_of_law, is_of_time;
    std::string limit;
  };
  std::vector<SwitchFacts> switch_facts_;
  std::set<std::string> unfollowed_;
  std::set<std::pair<std::string, std::string>> cut_off_;
  std::vector<HeldSide> held_sides_;
  std::vector<model::Requirement> requirements_;
  expr::Tape requirement_tape_;  // parameters, absences -> values of the requirements, in their order
  SparsePattern nn_, mn_, nr_, nd_, md_;
  SubPattern mass_;
  std::size_t scratch_size_ = 0;
  std::shared_ptr<ElementProductCache> element_products_ = std::make_shared<ElementProductCache>();
};

}  // namespace perilune::system
