// SPDX-License-Identifier: MIT
// What the user declares: parameters, coordinates and elements. Mutable and small; system::System compiles it.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expr/graph.hpp"
#include "expr/symbol.hpp"
#include "model/mark.hpp"

namespace perilune::model {

using expr::Graph;
using expr::NodeId;
using expr::Symbol;

struct Parameter {
  std::string name, unit;
  double value = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  NodeId node = expr::no_node;
  std::string defined_at;
};

/// What a coordinate stands for.
enum class Role {
  Motion,
  Auxiliary,  // follows from the others by a constraint of its own (a joint's angle): assembly does not keep it near
  State,      // its velocity is a first-order state z, its acceleration z'; the position is the integral of z
};

/// One generalized coordinate. The initial values are what the user declared; assembly makes them consistent.
struct Coordinate {
  std::string name, unit;
  NodeId position, velocity, acceleration;  // variables of the graph
  NodeId initial_position, initial_velocity;
  Role role = Role::Motion;
};

struct Multiplier {
  std::string name;
  NodeId node;
};

/// Where something attaches: a fixed point of space, a point of the model, or a point fixed to a body; a marker where
/// it has axes.
struct Place {
  enum class Kind { Ground, Point, PlanarBody, SpatialBody, NaturalBody };
  Kind kind = Kind::Ground;
  int first_coordinate = -1;  // of the point or body; -1 for ground
  std::vector<Symbol> local;  // ground: position in space; body: position in the body frame; empty for a point
  std::string name;           // for messages
  /// Axes of a marker in the body frame (in space for ground). Spatial: 3 x 3 row-major, its columns the unit vectors
  /// x, y, z; planar: the angle. Empty: those of the body, none for a point.
  std::vector<Symbol> axes{};
};

/// A solid to be drawn, centred at `at` of the body frame with its axes as the columns of a row-major 3 x 3 matrix.
struct Shape {
  enum class Kind { Box, Cylinder, Sphere, Rod };
  Kind kind = Kind::Box;
  /// m. Box: edges along x, y, z; cylinder: radius, inner radius, length along z; sphere: radius; rod: length along z.
  std::vector<Symbol> size;
  std::vector<Symbol> at, axes;
};

/// A body or point as pictures show it: what moves, and what it looks like where that is known.
struct MovingFrame {
  Place place;
  std::vector<Shape> shapes = {};
};

/// What pictures show between two places: a joint, a bar, a spring, ... A force acts at a; b is its reaction.
struct Connection {
  std::string kind;  // "revolute"
  Mark mark;
  std::string name;  // "elbow"
  Place a, b;
};

/// A declared element: which physics (`type` names an entry of the element registry) on which coordinates and data.
struct Element {
  std::string type, name, defined_at;
  std::vector<int> coordinates;
  std::vector<int> multipliers;
  std::vector<NodeId> data;  // expressions of parameters
  // "law" elements: generalized force on `coordinates`, expressions of anything but accelerations and multipliers.
  // "relation" elements: the constraint.
  std::vector<NodeId> law;
  NodeId potential = expr::no_node;  // law elements only: energy stored (J), if any
};

/// What a spring, damper and actuator do against the growth of a length or an angle (N or N m): the sum of the three,
/// expressions of the length or angle, its rate and anything else that a law may read.
struct Resistance {
  Symbol elastic = 0.0, viscous = 0.0, actuator = 0.0;
  Symbol potential = 0.0;  // energy stored by `elastic` (J)
};

/// Limits of a length, an angle or a displacement s (nullptr: none). Contact begins at the limit, with a force of
/// stiffness * penetration + damping * its rate against it. With a width w > 0 the penetration d > 0 counts as
/// w (u^3 - u^4 / 2) for u = d / w < 1 and as d - w / 2 beyond (C2 in s), and damping is scaled by the slope of that.
struct BumpStop {
  const Symbol* lower = nullptr;
  const Symbol* upper = nullptr;
  Symbol stiffness = 0.0, damping = 0.0;
  const Symbol* width = nullptr;  // nullptr: sharp
};

/// Proportional, integral and derivative gain, of which one that is zero is left out, and the time constant (s) of the
/// first-order filter of the derivative (nullptr for none).
struct PidGains {
  Symbol proportional = 0.0, integral = 0.0, derivative = 0.0;
  const Symbol* filter = nullptr;
};

/// Elements that have an expression instead of a type of the registry.
inline bool is_expression(const Element& element) { return element.type == "law" || element.type == "relation"; }

using Vector = std::vector<Symbol>;  // 2 or 3 components

/// Data that must make sense together, at every parameter set.
struct Requirement {
  std::string owner;  // body "arm"
  std::string defined_at;
  std::vector<NodeId> values;                  // expressions of parameters
  std::string (*fault)(const double* values);  // "mass must be positive, got -1"; empty if nothing is wrong
};

/// Where a law changes its form: where a function of time, positions, velocities and parameters changes its sign.
struct Switch {
  std::string name;
  NodeId function;
  NodeId positive;  // stands for it where nothing that acts reads it
  bool is_held;     // else laws decide themselves, and it only says when
  bool is_of_objectives = false;
};

/// The name of Model::in_statics among the switches.
constexpr const char* statics_switch = "statics";

class GeneralizedForce;
struct Contact;
struct Tire;
struct TerrainSwitches;
struct Touching;

/// A copy is a snapshot: what is declared afterwards in one of the two is unknown to the other. They share the graph,
/// which only grows, so that expressions of either mean the same in both.
class Model {
 public:
  /// `gravity` has 2 components for a planar model and 3 for a spatial one (m/s^2).
  Model(std::string name, const std::vector<double>& gravity);
  Model(const Model&) = default;
  Model& operator=(const Model&) = delete;
  /// Gravity may depend on parameters: set it before the first body.
  void set_gravity(const Vector& gravity);

  const std::string& name() const { return name_; }
  int dimension() const { return dimension_; }
  const Vector& gravity() const { return gravity_; }
  Graph& graph() { return *graph_; }
  const Graph& graph() const { return *graph_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<Multiplier>& multipliers() const { return multipliers_; }
  const std::vector<Element>& elements() const { return elements_; }
  /// For pictures, in order of declaration. Nothing else depends on them.
  const std::vector<MovingFrame>& moving_frames() const { return moving_frames_; }
  const std::vector<Connection>& connections() const { return connections_; }
  /// The surfaces of contacts and tires (contact_gap.hpp).
  const std::vector<std::shared_ptr<const Touching>>& touchings() const { return touchings_; }
  /// How pictures show a body that was declared.
  void set_shapes(const Place& body, std::vector<Shape> shapes);
  const std::vector<Switch>& switches() const { return switches_; }
  /// Those that parameters can break; the others hold.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  /// Changes a parameter's value; expressions follow. Throws Error outside its bounds or for a non-finite value.
  void set_parameter(int index, double value);
  /// Counts every change of the declared structure (not of parameter values).
  int revision() const { return revision_; }

  /// Script position to be recorded on what is declared from now on.
  void set_defined_at(std::string position) { defined_at_ = std::move(position); }

  // Everything below throws Error when a name is taken, a place does not fit the dimension, or a number is wrong.

  Symbol add_parameter(const std::string& name, double value, const std::string& unit, double lower, double upper);

  Place ground_place(const Vector& at) const;

  /// A natural-coordinate point: coordinates `name.x`, `name.y` (and `name.z`), m. `mass` (kg) may be 0.
  Place add_point(const std::string& name, const Vector& at, const Vector& velocity, const Symbol& mass);

  /// A uniform rigid bar between two points (ground or natural-coordinate): consistent mass and constant length.
  /// Without a length it is the distance of the declared positions.
  void add_bar(const std::string& name, const Place& a, const Place& b, const Symbol& mass, const Symbol* length);

  // Rigid bodies. `at` and `velocity` are those of the reference point, the origin of the body frame, at the start;
  // `center_of_mass` is in the body frame (m), empty where it is the reference point. The inertia is about the centre
  // of mass, parallel to the body axes.

  /// A planar rigid body: coordinates x, y of the reference point (m) and `angle` (rad).
  Place add_planar_body(const std::string& name, const Symbol& mass, const Symbol& inertia, const Vector& at,
                        const Symbol& angle, const Vector& velocity, const Symbol& angular_velocity,
                        const Vector& center_of_mass = {});

  /// A spatial rigid body: coordinates x, y, z of the reference point and Euler parameters e0..e3.
  /// inertia: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz (kg m^2; products with the sign of the tensor's entries). orientation: 4
  /// Euler parameters (normalized by assembly). angular_velocity: body frame.
  Place add_spatial_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                         const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                         const Vector& angular_velocity, const Vector& center_of_mass = {});

  /// The same in natural coordinates: x, y, z of the reference point and the body axes u, v, w as vectors of space
  /// (u_x, u_y, ... w_z), which six constraints keep orthonormal. The mass matrix is constant.
  Place add_natural_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                         const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                         const Vector& angular_velocity, const Vector& center_of_mass = {});

  /// The point of a body at `local` (body frame, from the reference point). `body` is what add_*_body returned; for
  /// ground it is the point of space at `local`.
  Place body_place(const Place& body, const Vector& local) const;
  /// Declared position of a place in space, as an expression of parameters.
  Vector initial_position(const Place& place) const;
  /// Position (and its rate) of a place in space, as an expression of coordinates.
  Vector position(const Place& place) const;
  Vector velocity(const Place& place) const;

  /// |rB - rA|^2 - L^2 = 0. Without a length it is the distance of the declared positions.
  void add_distance(const std::string& name, const Place& a, const Place& b, const Symbol* length);
  /// rB - rA = 0: a planar revolute or a spherical joint, without the signals of a joint.
  void add_coincidence(const std::string& name, const Place& a, const Place& b);

  // Markers. A marker is a place with axes; a body or the ground without axes counts as a marker with those of its
  // frame.

  /// `place` with a z axis along `z` (spatial; its own frame, any length) and the x axis as near as possible to `x`, or
  /// any normal direction if that is empty.
  Place with_axis(const Place& place, const Vector& z, const Vector& x = {}) const;
  /// The marker of a body that stands at this position of space, with its axes parallel to those of `axes` (3 x 3, as
  /// in Place; {} for a place without axes; planar: {angle}), in the declared configuration. It follows the parameters
  /// that the position and the declared pose depend on.
  Place attach(const Place& body, const Vector& at, const std::vector<Symbol>& axes);
  /// Direction of axis k (0: x, 1: y, 2: z) of a marker: in its body's frame, in space, and in space as declared.
  Vector local_axis(const Place& marker, int k) const;
  Vector axis(const Place& marker, int k) const;
  Vector initial_axis(const Place& marker, int k) const;
  /// Angle of a planar marker's x axis in the declared configuration; full turns count.
  Symbol initial_angle(const Place& marker) const;
  /// A direction of the place's body, as an expression of coordinates in space.
  Vector in_space(const Place& place, const Vector& local) const;
  /// The direction `axis` (space, at the declared configuration) expressed in the frame of the place's body.
  Vector to_local_direction(const Place& place, const Vector& axis) const;

  /// A joint between the markers a and b. kind: one of joint_kinds() (joint/joint_kinds.hpp). One with a thread moves
  /// by `lead` (m) per turn, from the declared position; others have none. Signals: the relative coordinates that it
  /// leaves free (angle of b's x axis from a's about z, full turns counted; displacement of b along a's z axis, along x
  /// in the plane), and force_x..., torque_x...: what the joint does to b, at b's place, along a's axes.
  void add_joint(const std::string& kind, const std::string& name, const Place& a, const Place& b,
                 const Symbol* lead = nullptr);
  /// The angle between an axis of a and an axis of b (their local directions, of unit length) has this cosine.
  void add_dot1(const std::string& name, const Place& a, const Vector& on_a, const Place& b, const Vector& on_b,
                const Symbol& cosine);
  /// The component of r_B - r_A along a unit direction of a is `distance` (m).
  void add_dot2(const std::string& name, const Place& a, const Vector& on_a, const Place& b, const Symbol& distance);

  /// Prescribes an expression of coordinates (a joint's angle, a distance, a coordinate) as an expression of time:
  /// what - law = 0. The signal `name.force` is the generalized force that this takes, positive along `what`.
  void add_driver(const std::string& name, const Symbol& what, const Symbol& law);
  /// Ties two relative coordinates: b - ratio * a stays what it is in the declared configuration.
  void add_coupling(const std::string& name, const Symbol& a, const Symbol& b, const Symbol& ratio);
  /// An expression of coordinates, time and parameters that stays zero.
  void add_constraint(const std::string& name, const Symbol& value);

  /// Time derivative of an expression of time, positions and velocities; and its value in the declared configuration,
  /// as an expression of parameters (positions only, at time 0).
  Symbol time_derivative(const Symbol& value) const;
  Symbol declared_value(const Symbol& value) const;

  /// Force on b towards a: f = stiffness (l - free_length) + damping l' + force, along the line from a to b.
  void add_spring(const std::string& name, const Place& a, const Place& b, const Symbol& stiffness,
                  const Symbol* free_length, const Symbol& damping, const Symbol& force);

  /// User law: force components (space frame, N) at a place and, for bodies, a torque (N m; planar 1, spatial 3
  /// components in space). The expressions may read time, coordinates, velocities and parameters.
  void add_force(const std::string& name, const Place& on, const Vector& force, const Vector& torque);

  /// The same with its reaction on another body: the opposite torque, and the opposite force at the same point of space
  /// (at the point itself where `reaction_on` is a point). Empty force or torque: none.
  void add_force_pair(const std::string& name, const Place& on, const Place& reaction_on, const Vector& force,
                      const Vector& torque);
  /// Any generalized force, as a law element. `potential`: the energy that it stores, for the energy signals.
  void add_law(const std::string& name, const char* what, const GeneralizedForce& force, const Symbol& potential = 0.0);

  /// Distance of two places (m) and its rate (m/s).
  Symbol length(const Place& a, const Place& b) const;
  Symbol length_rate(const Place& a, const Place& b) const;
  /// d/dt along the motion of an expression of time, positions and first-order states. Throws Error naming a velocity
  /// that it reads.
  Symbol rate_of(const Symbol& expression) const;
  /// A spring, damper and actuator between two places, along their line; signals length, rate, force, dissipation.
  void add_spring_law(const std::string& name, const Place& a, const Place& b, const Resistance& resistance);
  /// The same on an angle, an expression of positions (rad): the torque works on what the angle depends on, such as
  /// both bodies of a joint. Signals angle, rate, torque, dissipation.
  void add_torsion_spring(const std::string& name, const Symbol& angle, const Resistance& resistance);

  /// Stops of `measure`, an expression of positions. Signals force (against its growth), dissipation.
  void add_bump_stop(const std::string& name, const Symbol& measure, const BumpStop& stop);
  /// Elastic connection of two places with axes. x holds the displacement of b from a along the axes of a (m) and the
  /// turning of b against a: in space twice the vector part of the relative Euler parameters, 2 sin(theta / 2) n, along
  /// the axes of a; planar the angle (rad). The generalized force on x is -(stiffness x + damping x'), with row-major
  /// 6 x 6 or, planar, 3 x 3 matrices, the stiffness symmetric. Signals x, y, z, rx, ry, rz (planar x, y, angle), the
  /// forces on b fx, ..., tx, ... (planar fx, fy, torque) conjugate to them, and dissipation.
  void add_bushing(const std::string& name, const Place& a, const Place& b, const std::vector<Symbol>& stiffness,
                   const std::vector<Symbol>& damping);

  /// Contact of points, spheres or ellipsoids with a surface (contact.hpp). Signals gap, normal_force, dissipation;
  /// with friction friction_x...; of a single place slip_x.... Throws Error when one starts deep under the surface.
  void add_contact(const std::string& name, const Contact& contact);
  /// A wheel on the ground (tire.hpp); spatial models only. Signals deflection, normal_force, dissipation; with slip
  /// forces slip, slip_angle, longitudinal_force, lateral_force. Throws Error where the wheel is none, or starts under
  /// the ground.
  void add_tire(const std::string& name, const Tire& tire);

  /// A switch of this name: 1 where `function` is negative, else 0, as a condition for Symbol::where. Adaptive runs
  /// hold it throughout a step and end steps where the function changes its sign; so both forms of the law are to make
  /// sense a little beyond. All who ask for the same function get the same switch.
  Symbol is_negative(const std::string& name, const Symbol& function);
  /// Adaptive runs end steps where `function` changes its sign, and laws decide themselves.
  void watch(const std::string& name, const Symbol& function);
  /// This law or integrand has too many conditions for switches; runs warn of it.
  void leave_unfollowed(const std::string& name);
  const std::set<std::string>& unfollowed() const { return unfollowed_; }
  /// Those that decide about the value of some nodes, directly or by others, or that watch what does.
  std::vector<int> switches_of(const std::vector<NodeId>& nodes) const;
  /// The integrand of an objective, with switches for its kinks and jumps. They matter in runs that ask for it.
  Symbol integrand(const std::string& objective, const Symbol& x);
  /// 1 while static equilibrium is sought, else 0, as a condition for Symbol::where: a switch that only statics throws.
  Symbol in_statics();

  /// A first-order state z: the velocity of a coordinate of unit inertia, so that z' is the force on it. Returns z.
  /// Signals name.value, name.integral. Its rate is set afterwards, since it may read z and states declared later;
  /// until then the same name may be declared again.
  Symbol add_state(const std::string& name, const Symbol& at, const std::string& unit);
  /// z' = rate, an expression of anything that a law may read. Signal name.rate.
  void set_state_rate(const std::string& name, const Symbol& rate);
  /// output = kp e + ki (integral of e) + kd (rate of e). Without a filter the rate is that of the expression; with one
  /// it is a state D with filter D' = e' - D, D = 0 at the start. Signals error, output, integral, derivative.
  Symbol add_pid(const std::string& name, const Symbol& error, const PidGains& gains);
  /// Throws Error, naming it, if something was declared without all that it needs.
  void check_complete() const;

  /// Node of a signal by name, e.g. "P2.x", "s1.length", "energy.total", "constraint.drift", "t". Throws Error when
  /// there is none.
  NodeId signal(const std::string& name) const;
  bool has_signal(const std::string& name) const { return signals_.contains(name); }
  std::vector<std::string> signal_names() const;
  const std::string& signal_unit(const std::string& name) const;

  NodeId time() const { return time_; }

 private:
  struct Signal {
    std::function<Symbol(const Model&)> make;
    std::string unit;
  };

  void claim_name(const std::string& name, const char* what);
  int add_coordinate(const std::string& name, const std::string& unit, const Symbol& position, const Symbol& velocity,
                     Role role = Role::Motion);
  int add_multiplier(const std::string& name);
  void add_element(std::string type, const std::string& name, std::vector<int> coordinates,
                   std::vector<int> multipliers, const std::vector<Symbol>& data);
  /// `make` gives the expression for a model that has the signal, the one it was declared in or a snapshot of it.
  void add_signal(const std::string& name, const std::string& unit, std::function<Symbol(const Model&)> make);
  void add_signal(const std::string& name, const std::string& unit, const Symbol& value);
  void add_coordinate_signals(const std::string& prefix, int coordinate, const std::string& suffix,
                              const std::string& unit);
  /// Throws Error naming the owner if the values have a fault now, and keeps the requirement if parameters can change
  /// them.
  void require(const std::string& owner, const Vector& values, std::string (*fault)(const double*));
  /// x, y (and z) of the reference point of a body, with their signals. Returns the number of the first.
  int add_reference_point(const std::string& name, const Vector& at, const Vector& velocity);
  void check_spatial_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                          const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                          const Vector& angular_velocity, const Vector& center_of_mass);
  void add_center_of_mass_signals(const Place& body, const Vector& center_of_mass);
  /// Numbers of expressions of parameters, at the parameters' present values.
  std::vector<double> present_values(const Vector& expressions) const;
  void check_dimension(const Vector& vector, const char* what) const;
  const Place& add_moving_frame(Place place);
  Symbol node_symbol(NodeId id) const { return {*graph_, id}; }
  Vector initial_coordinates(int first, int count) const;
  Vector coordinate_symbols(int first, int count) const;
  Vector velocity_symbols(int first, int count) const;
  Vector acceleration_symbols(int first, int count) const;
  /// Returns whether a stands before b in the element; the registry has one order of every pair.
  bool add_two_place_element(const std::string& kind, const std::string& name, const Place& a, const Place& b,
                             const std::vector<int>& multipliers, const std::vector<Symbol>& extra_data);
  void add_direction_element(const std::string& kind, const std::string& name, const Place& a, const Place& b,
                             int multiplier, const std::vector<Symbol>& data, const std::vector<int>& more = {});
  void add_relation(const std::string& name, const char* what, const Symbol& value);
  void add_relation_element(const std::string& name, const std::string& who, const Symbol& value);
  /// How a joint's constraints enter its reaction.
  struct Reaction {
    struct Term {
      NodeId multiplier;
      Vector on_a, on_b;  // dot-1: local directions f, g; dot-2: f; empty otherwise
    };
    Place a, b;
    std::vector<Term> dot1, dot2;
    std::vector<NodeId> coincidence;
    NodeId equal_angle = expr::no_node;
    double sign = 1;  // of the coincidence: 1 for r_B - r_A
  };
  void add_reaction_signals(const std::string& name, const Reaction& reaction);
  void add_dot1_element(const std::string& name, int multiplier, const Place& a, const Vector& on_a, const Place& b,
                        const Vector& on_b, const Symbol& cosine);
  /// Returns the multiplier of theta_B - theta_A = constant.
  NodeId add_equal_angle(const std::string& name, int multiplier, const Place& a, const Place& b);
  void add_thread(const std::string& name, const Symbol& lead);
  void add_planar_angle_signals(const std::string& name, const Place& a, const Place& b);
  void add_turn_coordinate(const std::string& name, const Place& a, const Place& b);
  void add_displacement_signals(const std::string& name, const Place& a, const Place& b, int axis);
  Vector reaction_force(const Reaction& reaction) const;
  Vector reaction_torque(const Reaction& reaction) const;
  int switch_of(const std::string& name, const Symbol& function, bool is_held);
  TerrainSwitches check_contact(const char* what, const std::string& name, const Contact& contact);
  TerrainSwitches check_tire(const std::string& name, const Tire& tire);
  int add_state_coordinate(const std::string& value_name, const std::string& unit, const Symbol& at);
  void add_state_law(const std::string& name, int coordinate, const Symbol& rate);
  Element law_element(const std::string& name, const char* what, const GeneralizedForce& force) const;
  void add_resistance_signals(const std::string& name, const char* force, const char* unit, const Symbol& rate,
                              const Resistance& resistance);
  void add_length_signals(const std::string& name, const Place& a, const Place& b);
  void add_model_signals();
  Symbol kinetic_energy() const;
  Symbol potential_energy() const;
  std::vector<Symbol> constraint_values(bool rates) const;

  std::string name_, defined_at_;
  int dimension_;
  std::shared_ptr<Graph> graph_;
  Vector gravity_;
  NodeId time_;
  std::vector<Parameter> parameters_;
  std::vector<Coordinate> coordinates_;
  std::vector<Multiplier> multipliers_;
  std::vector<Element> elements_;
  std::vector<Switch> switches_;
  std::set<std::string> unfollowed_;
  std::map<std::pair<NodeId, bool>, int> switch_by_function_;  // and whether it is held
  std::vector<Requirement> requirements_;
  std::vector<MovingFrame> moving_frames_;
  std::vector<Connection> connections_;
  std::vector<std::shared_ptr<const Touching>> touchings_;
  std::map<std::string, std::string> names_;  // taken name -> what has it
  std::map<std::string, Signal> signals_;
  std::map<std::string, int> waiting_states_;  // declared, but still without a rate: their coordinates
  std::map<int, NodeId> state_rates_;          // by coordinate
  int revision_ = 0;
};

}  // namespace perilune::model
