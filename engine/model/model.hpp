// SPDX-License-Identifier: MIT
// What the user declares: parameters, coordinates and elements. Mutable and small; system::System compiles it.
#pragma once
#include <array>
#include <cstdint>
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
  double value = 0;  // in its unit, as the bounds
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  NodeId node = expr::no_node;      // of that value
  double size = 1;                  // of its unit, in SI units: 0.001 for "mm"
  NodeId quantity = expr::no_node;  // what it stands for in expressions, in SI units: size * node
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
  std::string owner;  // name of the object that it belongs to
  bool is_removed = false;
};

struct Multiplier {
  std::string name;
  NodeId node;
  std::string owner;  // name of the object whose constraint it belongs to
  bool is_removed = false;
};

/// Where something attaches: a fixed point of space, a point of the model, a station of a slender beam, or a point
/// fixed to a body; a marker where it has axes.
struct Place {
  enum class Kind { Ground, Point, Station, PlanarBody, SpatialBody, NaturalBody };
  Kind kind = Kind::Ground;
  /// Of the point or body, in the order of the q of its place (place.hpp), or of the station's element; none for
  /// ground. Points and bodies may have them in common with others, so they need not stand side by side.
  std::vector<int> coordinates;
  /// Ground: position in space; body: position in the body frame; station: the shares of its element's four vectors in
  /// its position (StationPlace); empty for a point.
  std::vector<Symbol> local;
  std::string name;  // for messages
  /// Axes of a marker in the body frame (in space for ground). Spatial: 3 x 3 row-major, its columns the unit vectors
  /// x, y, z; planar: the angle. Empty: those of the body, none for a point.
  std::vector<Symbol> axes{};
  std::vector<Symbol> slope{};  // station: the shares of the four vectors in its slope r'
};

/// A unit vector of space as three coordinates: one that was declared, or an axis of a body in natural coordinates.
struct FreeVector {
  std::vector<int> coordinates;
  std::string name;  // for messages: "axis", "arm.w"
};

/// Whether a place has directions of its own: on bodies and the ground. Points and stations do not turn.
inline bool has_directions(const Place& place) {
  return place.kind != Place::Kind::Point && place.kind != Place::Kind::Station;
}

/// Whether two places are on the same point, body or element of a beam, or both on the ground.
inline bool is_same_object(const Place& a, const Place& b) {
  return a.kind == b.kind && a.coordinates == b.coordinates;
}

/// Triangles for pictures, in the unit of the file that they are from; their corners go against the clock as seen from
/// outside.
struct Triangles {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices of vertices
  std::array<double, 3> lowest, highest;                // of the vertices
};

/// A solid to be drawn, centred at `at` of the body frame with its axes as the columns of a row-major 3 x 3 matrix.
struct Shape {
  enum class Kind { Box, Cylinder, Sphere, Rod, Surface };
  Kind kind = Kind::Box;
  /// m. Box: edges along x, y, z; cylinder: radius, inner radius, length along z; sphere: radius; rod: length along z;
  /// surface: the unit of its file along x, y, z, negative where it is mirrored.
  std::vector<Symbol> size;
  std::vector<Symbol> at, axes;
  std::shared_ptr<const Triangles> surface = {};  // of Kind::Surface
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

/// A declared element: which physics on which coordinates and data.
struct Element {
  /// Where its equations are: in the registry of kernels, or in the element itself, as expressions.
  enum class Form {
    Registered,
    Law,               // generalized forces on `coordinates`, expressions of anything
    Relation,          // a constraint on positions
    VelocityRelation,  // a constraint on velocities alone (nonholonomic)
  };
  Form form;
  std::string type;  // Registered: its entry of the registry; else what was declared ("contact", "spring")
  std::string name, defined_at;
  std::vector<int> coordinates;
  std::vector<int> multipliers;
  std::vector<NodeId> data;          // expressions of parameters
  std::vector<NodeId> law;           // all forms but Registered: one expression for each coordinate, or the constraint
  std::vector<int> reads = {};       // Law only: multipliers that the forces read
  bool reads_accelerations = false;  // Law only: of their coordinates
  NodeId potential = expr::no_node;  // Law only: energy stored (J), if any
  bool is_inner = false;             // it keeps the coordinates of its object consistent, as that of a quaternion
  bool is_removed = false;           // it is empty, and holds its number for those that follow
};

/// Elements that have an expression instead of a kernel of the registry.
inline bool is_expression(const Element& element) { return element.form != Element::Form::Registered; }
/// The inertia of a first-order state: no mass, and there in every phase.
inline bool is_inertia_of_state(const Element& element) {
  return element.form == Element::Form::Registered && element.type == "state";
}
inline bool constrains_velocities(const Element& element) { return element.form == Element::Form::VelocityRelation; }

using Vector = std::vector<Symbol>;  // 2 or 3 components

/// Data that must make sense together, at every parameter set.
struct Requirement {
  std::string owner;  // body "arm"
  std::string defined_at;
  std::vector<NodeId> values;  // expressions of parameters
  /// "mass must be positive, got -1"; empty if nothing is wrong.
  std::function<std::string(const double* values)> fault;
};

/// Where a law changes its form: where a function of time, positions, velocities and parameters changes its sign.
struct Switch {
  std::string name;
  NodeId function;
  NodeId positive;  // stands for it where nothing that acts reads it
  bool is_held;     // else laws decide themselves, and it only says when
  bool is_of_objectives = false;
  bool is_of_kink = false;  // of a law that decides itself: steps end with its zeros, wherever parameters move these
};

/// The name of in_statics (law/switches.hpp) among the switches.
constexpr const char* statics_switch = "statics";

class Model;
struct Touching;
struct Cable;
struct ShearBeam;

/// What can be measured: its unit, and its expression for a model that has it, the one it was declared in or a snapshot
/// of that one.
struct Signal {
  std::function<Symbol(const Model&)> make;
  std::string unit;
  std::string owner, what;      // the object, and which of its signals: its name is owner.what
  std::string shown_unit = {};  // what files and pictures show it in; empty: its unit
  double shown_size = 1;        // how many of `unit` that is
  bool is_named = false;        // declared by the user (named_signals.hpp)
};

/// A number that takes another value at ticks alone (force/sampled.hpp).
struct SampledNumber {
  double period, first;    // s
  NodeId next;             // no_node until it is known
  std::string defined_at;  // where that was declared
};

/// A torsion spring that is linear: -(stiffness (measure - free) + damping measure' + constant) along the measure.
struct LinearSpring {
  NodeId measure, stiffness, free, damping, constant;
};

/// Where something comes to a position that its equations do not describe.
struct Limit {
  int multiplier;       // without which it is none, as that of a rolling; or -1
  std::string warning;  // after "at t = ...: "
  int element = -1;     // without which it is none; or -1
};

/// What the declaring functions note beside coordinates and elements, each in the lists of its subject.
struct Record {
  std::string defined_at;                 // script position of what is declared from now on
  std::map<std::string, Signal> signals;  // signals.hpp, by name
  std::vector<Requirement> requirements;  // those that parameters can break; the others hold
  // law/switches.hpp
  std::vector<Switch> switches;
  std::map<std::pair<NodeId, bool>, int> switch_by_function;  // and whether it is held
  std::set<std::string> unfollowed;                           // laws and integrands with too many conditions
  // contact/rolling.hpp: what holds though nothing would hold it so.
  std::set<int> pushes;         // multipliers, negative while what touches is pushed apart
  std::map<int, Limit> limits;  // by the number of a switch, which is negative beyond
  // force/control.hpp, by coordinate
  std::map<std::string, int> waiting_states;  // declared, but still without a rate
  std::map<int, NodeId> state_rates;
  std::map<int, SampledNumber> sampled;  // force/sampled.hpp, by coordinate
  std::set<int> unlimited_integrals;     // of PID controllers without limits
  std::set<std::pair<std::string, std::string>>
      cut_off;              // of such a controller: the law that does it, and the controller
  std::set<int> followers;  // of rate limits and filters, which pass on what they read
  std::map<std::string, std::shared_ptr<const Cable>> cables;           // beam/cables.hpp, by name
  std::map<std::string, std::shared_ptr<const ShearBeam>> shear_beams;  // beam/shear_beams.hpp, by name
  std::map<std::string, LinearSpring> linear_springs;                   // force/force_kinds.cpp, by name
  std::set<int> sloped_points;                                          // by first coordinate (place/places.hpp)
  std::vector<int> anchors;  // coordinates of what is zero where a contact begins to act (contact.cpp)
  std::set<std::pair<int, int>> normal_vectors;  // that a body keeps normal, by first coordinate (natural_bodies.cpp)
  std::vector<MovingFrame> moving_frames;        // in order of declaration; for pictures, and for what turns as a whole
  // For pictures, in order of declaration. Nothing else depends on them.
  std::vector<Shape> ground_shapes;
  std::vector<Connection> connections;
  std::vector<std::shared_ptr<const Touching>> touchings;  // surfaces of contacts and tires (contact/contact_gap.hpp)
};

/// Coordinates, multipliers and elements on an expression graph: what a system is compiled from. Bodies, joints, forces
/// and contacts are declared by the functions of the folders beside this file, which build on these few.
///
/// A copy is a snapshot: what is declared afterwards in one of the two is unknown to the other. They share the graph,
/// which only grows, so that expressions of either mean the same in both.
class Model {
 public:
  /// `gravity` has 2 components for a planar model and 3 for a spatial one (m/s^2).
  Model(std::string name, const std::vector<double>& gravity);
  Model(const Model&) = default;
  Model(const Model& other, std::string name) : Model(other) { name_ = std::move(name); }
  Model& operator=(const Model&) = delete;
  /// Gravity may depend on parameters: set it before the first body.
  void set_gravity(const Vector& gravity);

  const std::string& name() const { return name_; }
  int dimension() const { return dimension_; }
  const Vector& gravity() const { return gravity_; }
  /// Whoever has a model may add expressions, which changes nothing that is declared.
  Graph& graph() const { return *graph_; }
  NodeId time() const { return time_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  const std::vector<Multiplier>& multipliers() const { return multipliers_; }
  const std::vector<Element>& elements() const { return elements_; }
  /// Numbers among the coordinates and multipliers that are left, by which systems and measures know them; -1 for what
  /// was removed (removal.hpp).
  const std::vector<int>& coordinate_numbers() const { return coordinate_numbers_; }
  const std::vector<int>& multiplier_numbers() const { return multiplier_numbers_; }
  int coordinate_count() const { return coordinate_count_; }
  int multiplier_count() const { return multiplier_count_; }
  bool has_removed() const { return has_removed_; }
  const Record& record() const { return record_; }
  Record& record() { return record_; }
  /// Counts every change of the declared structure (not of parameter values).
  int revision() const { return revision_; }
  /// For a change of the record that systems must know of.
  void note_change() { ++revision_; }

  // Everything below, and every declaring function, throws Error when a name is taken, a place does not fit the
  // dimension, or a number is wrong.

  /// What the parameter stands for in SI units; value and bounds are in its unit (unit_in_si()).
  Symbol add_parameter(const std::string& name, double value, const std::string& unit, double lower, double upper);
  /// Changes a parameter's value; expressions follow. Throws Error outside its bounds or for a non-finite value.
  void set_parameter(int index, double value);

  /// Takes the name for `what` ("body").
  void claim_name(const std::string& name, const char* what);
  /// Named owner.what. Returns its number. Name and unit are those of the position; for Role::State of the state, the
  /// velocity.
  int add_coordinate(const std::string& owner, const std::string& what, const std::string& unit, const Symbol& position,
                     const Symbol& velocity, Role role = Role::Motion);
  void set_initial_velocity(int coordinate, const Symbol& velocity);
  /// Named owner.what, with a signal of its name. Returns its number.
  int add_multiplier(const std::string& owner, const std::string& what);
  void add_element(Element element);
  /// Takes back all that belongs to the objects of these names, which become free. What is left keeps its place in the
  /// lists above. Nothing else may depend on them: removal.hpp has the check.
  void erase(const std::set<std::string>& objects);

  /// Node of a signal by name, e.g. "P2.x", "s1.length", "energy.total", "constraint.drift", "t". Throws Error when
  /// there is none.
  NodeId signal(const std::string& name) const;

 private:
  std::string name_;
  int dimension_;
  std::shared_ptr<Graph> graph_;
  Vector gravity_;
  NodeId time_;
  std::vector<Parameter> parameters_;
  std::vector<Coordinate> coordinates_;
  std::vector<Multiplier> multipliers_;
  std::vector<Element> elements_;
  Record record_;
  std::map<std::string, std::string> names_;  // taken name -> what has it
  std::vector<int> coordinate_numbers_, multiplier_numbers_;
  int coordinate_count_ = 0, multiplier_count_ = 0;
  bool has_removed_ = false;
  int revision_ = 0;
};

inline Symbol symbol_of(const Model& model, NodeId id) { return {model.graph(), id}; }

}  // namespace perilune::model
