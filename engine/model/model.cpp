// SPDX-License-Identifier: MIT
#include "model/model.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "error.hpp"
#include "expr/tape.hpp"
#include "model/body/mass_properties.hpp"
#include "model/kinks.hpp"
#include "model/place/place.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

Model::Model(std::string name, const std::vector<double>& gravity)
    : name_(std::move(name)), dimension_(static_cast<int>(gravity.size())), graph_(std::make_shared<Graph>()) {
  if (dimension_ != 2 && dimension_ != 3) {
    throw Error("gravity needs 2 components for a planar model or 3 for a spatial one, not " +
                std::to_string(dimension_));
  }
  gravity_.assign(gravity.begin(), gravity.end());
  time_ = graph_->variable(expr::Quantity::Time, 0, "t");
  add_model_signals();
}

void Model::set_gravity(const Vector& gravity) {
  check_dimension(gravity, "gravity");
  if (!elements_.empty()) throw Error("gravity must be set before the first body, bar or mass is declared");
  gravity_ = gravity;
}

void Model::check_dimension(const Vector& vector, const char* what) const {
  if (static_cast<int>(vector.size()) != dimension_) {
    throw Error(std::string(what) + " needs " + std::to_string(dimension_) + " components in a " +
                (dimension_ == 2 ? "planar" : "spatial") + " model, not " + std::to_string(vector.size()));
  }
}

void Model::claim_name(const std::string& name, const char* what) {
  const auto [it, is_new] =
      names_.try_emplace(name, std::string(what) + (defined_at_.empty() ? "" : " at " + defined_at_));
  if (!is_new) throw Error(std::string(what) + " \"" + name + "\": the name is taken by the " + it->second);
  ++revision_;
}

namespace {

void check_value(const Parameter& p, double value) {
  if (!std::isfinite(value)) throw Error("parameter \"" + p.name + "\": the value must be a finite number");
  if (value >= p.lower && value <= p.upper) return;
  auto text = [](double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", x);
    return std::string(buffer);
  };
  throw Error("parameter \"" + p.name + "\": the value " + text(value) + " is outside its bounds " + text(p.lower) +
              " to " + text(p.upper));
}

}  // namespace

Symbol Model::add_parameter(const std::string& name, double value, const std::string& unit, double lower,
                            double upper) {
  Parameter parameter{name, unit, value, lower, upper, expr::no_node, defined_at_};
  check_value(parameter, value);
  claim_name(name, "parameter");
  parameter.node = graph_->variable(expr::Quantity::Parameter, static_cast<int>(parameters_.size()), name);
  parameters_.push_back(std::move(parameter));
  return node_symbol(parameters_.back().node);
}

int Model::switch_of(const std::string& name, const Symbol& function, bool is_held) {
  const NodeId id = function.in(*graph_);
  const auto [known, is_new] = switch_by_function_.emplace(std::pair(id, is_held), static_cast<int>(switches_.size()));
  if (is_new) switches_.push_back({name, id, graph_->constant(1), is_held});
  return known->second;
}

Symbol Model::is_negative(const std::string& name, const Symbol& function) {
  const int index = switch_of(name, function, true);
  const std::string& first = switches_[static_cast<std::size_t>(index)].name;
  const Symbol side = node_symbol(graph_->variable(expr::Quantity::Side, index, "side of " + first));
  return less(Symbol::where(side, -side, function), 0.0);
}

void Model::watch(const std::string& name, const Symbol& function) { switch_of(name, function, false); }

void Model::leave_unfollowed(const std::string& name) {
  if (unfollowed_.insert(name).second) ++revision_;
}

std::vector<int> Model::switches_of(const std::vector<NodeId>& nodes) const {
  if (switches_.empty()) return {};
  std::vector<char> found(switches_.size());
  std::vector<NodeId> waiting = nodes;
  while (!waiting.empty()) {
    std::vector<NodeId> functions;
    for (const NodeId id : graph_->variables_of(waiting)) {
      const expr::Variable& v = graph_->variable_of(id);
      if (v.quantity != expr::Quantity::Side || std::exchange(found[static_cast<std::size_t>(v.index)], 1)) continue;
      functions.push_back(switches_[static_cast<std::size_t>(v.index)].function);
    }
    waiting = std::move(functions);
  }
  std::unordered_set<NodeId> decided;  // by the nodes themselves
  if (std::any_of(switches_.begin(), switches_.end(), [](const Switch& s) { return !s.is_held; })) {
    const std::vector<NodeId> needed = graph_->needed_by(nodes);
    decided.insert(needed.begin(), needed.end());
  }
  std::vector<int> out;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const bool is_watched = !switches_[k].is_held && decided.contains(switches_[k].function);
    if (found[k] || is_watched) out.push_back(static_cast<int>(k));
  }
  return out;
}

Symbol Model::integrand(const std::string& objective, const Symbol& x) {
  const Symbol out = with_switches(*this, objective, x);
  for (int k : switches_of({out.in(*graph_)})) {
    // Systems that were compiled before do not know of it.
    if (!std::exchange(switches_[static_cast<std::size_t>(k)].is_of_objectives, true)) ++revision_;
  }
  return out;
}

Symbol Model::in_statics() {
  std::size_t k = 0;
  while (k < switches_.size() && switches_[k].name != statics_switch) ++k;
  if (k == switches_.size()) switches_.push_back({statics_switch, graph_->constant(1), graph_->constant(1), true});
  const NodeId side = graph_->variable(expr::Quantity::Side, static_cast<int>(k), "side of statics");
  return less(-node_symbol(side), 0.0);
}

void Model::set_parameter(int index, double value) {
  Parameter& p = parameters_.at(static_cast<std::size_t>(index));
  check_value(p, value);
  p.value = value;
}

namespace {

// The name of a coordinate's rate, as the signals have it: P1.x gives P1.vx, arm.angle gives arm.omega.
std::string rate_name(const std::string& name, int order) {
  const std::size_t dot = name.rfind('.') + 1;
  const std::string owner = name.substr(0, dot), what = name.substr(dot);
  if (what == "angle") return owner + (order == 1 ? "omega" : "alpha");
  if (what.size() == 1) return owner + (order == 1 ? "v" : "a") + what;
  return name + (order == 1 ? "'" : "''");
}

}  // namespace

int Model::add_coordinate(const std::string& name, const std::string& unit, const Symbol& position,
                          const Symbol& velocity, Role role) {
  const int index = static_cast<int>(coordinates_.size());
  using expr::Quantity;
  coordinates_.push_back({name, unit, graph_->variable(Quantity::Position, index, name),
                          graph_->variable(Quantity::Velocity, index, rate_name(name, 1)),
                          graph_->variable(Quantity::Acceleration, index, rate_name(name, 2)), position.in(*graph_),
                          velocity.in(*graph_), role});
  return index;
}

int Model::add_multiplier(const std::string& name) {
  const int index = static_cast<int>(multipliers_.size());
  multipliers_.push_back({name, graph_->variable(expr::Quantity::Multiplier, index, name)});
  add_signal(name, "", node_symbol(multipliers_.back().node));
  return index;
}

void Model::add_element(std::string type, const std::string& name, std::vector<int> coordinates,
                        std::vector<int> multipliers, const std::vector<Symbol>& data) {
  Element element{std::move(type), name, defined_at_, std::move(coordinates), std::move(multipliers), {}, {}};
  for (const Symbol& s : data) element.data.push_back(s.in(*graph_));
  elements_.push_back(std::move(element));
  ++revision_;
}

void Model::require(const std::string& owner, const Vector& values, std::string (*fault)(const double*)) {
  const std::string now = fault(present_values(values).data());
  if (!now.empty()) throw Error(owner + ": " + now);
  Requirement requirement{owner, defined_at_, {}, fault};
  bool is_constant = true;
  for (const Symbol& value : values) {
    requirement.values.push_back(value.in(*graph_));
    is_constant = is_constant && graph_->is_constant(requirement.values.back());
  }
  if (!is_constant) requirements_.push_back(std::move(requirement));
}

Vector Model::initial_coordinates(int first, int count) const {
  Vector out;
  for (int i = 0; i < count; ++i)
    out.push_back(node_symbol(coordinates_[static_cast<std::size_t>(first + i)].initial_position));
  return out;
}
Vector Model::coordinate_symbols(int first, int count) const {
  Vector out;
  for (int i = 0; i < count; ++i)
    out.push_back(node_symbol(coordinates_[static_cast<std::size_t>(first + i)].position));
  return out;
}
Vector Model::velocity_symbols(int first, int count) const {
  Vector out;
  for (int i = 0; i < count; ++i)
    out.push_back(node_symbol(coordinates_[static_cast<std::size_t>(first + i)].velocity));
  return out;
}

Vector Model::acceleration_symbols(int first, int count) const {
  Vector out;
  for (int i = 0; i < count; ++i)
    out.push_back(node_symbol(coordinates_[static_cast<std::size_t>(first + i)].acceleration));
  return out;
}

std::vector<double> Model::present_values(const Vector& expressions) const {
  std::vector<NodeId> inputs, outputs;
  for (const Parameter& p : parameters_) inputs.push_back(p.node);
  for (const Symbol& s : expressions) outputs.push_back(s.in(*graph_));
  for (NodeId id : graph_->variables_of(outputs)) {
    if (graph_->variable_of(id).quantity == expr::Quantity::Side) inputs.push_back(id);
  }
  const expr::Tape tape(*graph_, inputs, outputs);
  auto work = tape.make_work<double>();  // no side is held: they are zero
  for (std::size_t i = 0; i < parameters_.size(); ++i) work[i] = parameters_[i].value;
  tape.evaluate(work.data());
  std::vector<double> values;
  for (int k = 0; k < tape.output_count(); ++k) values.push_back(work[static_cast<std::size_t>(tape.output_slot(k))]);
  return values;
}

// ---- for pictures ----

const Place& Model::add_moving_frame(Place place) {
  moving_frames_.push_back({std::move(place)});
  return moving_frames_.back().place;
}

void Model::set_shapes(const Place& body, std::vector<Shape> shapes) {
  for (MovingFrame& frame : moving_frames_) {
    if (frame.place.first_coordinate == body.first_coordinate) frame.shapes = std::move(shapes);
  }
}

// ---- places ----

Place Model::ground_place(const Vector& at) const {
  check_dimension(at, "ground: at");
  return {Place::Kind::Ground, -1, at, "ground", {}};
}

Place Model::body_place(const Place& body, const Vector& local) const {
  if (body.kind == Place::Kind::Point) throw Error("\"" + body.name + "\" is a point: it has no body frame");
  check_dimension(local, "the position on a body");
  Place place = body;
  place.local = local;
  return place;
}

namespace {

Vector place_position(const Place& place, const Vector& q, int dimension) {
  Vector r(static_cast<std::size_t>(dimension));
  switch (place.kind) {
    case Place::Kind::Ground:
      return place.local;
    case Place::Kind::Point:
      return q;
    case Place::Kind::PlanarBody:
      PlanarPlace::position(q.data(), place.local.data(), r.data());
      break;
    case Place::Kind::SpatialBody:
      SpatialPlace::position(q.data(), place.local.data(), r.data());
      break;
    case Place::Kind::NaturalBody:
      NaturalPlace::position(q.data(), place.local.data(), r.data());
      break;
  }
  return r;
}

}  // namespace

Vector Model::initial_position(const Place& place) const {
  const int n = coordinate_count(place.kind, dimension_);
  return place_position(place, initial_coordinates(place.first_coordinate, n), dimension_);
}

Vector Model::position(const Place& place) const {
  const int n = coordinate_count(place.kind, dimension_);
  return place_position(place, coordinate_symbols(place.first_coordinate, n), dimension_);
}

Vector Model::velocity(const Place& place) const {
  const int n = coordinate_count(place.kind, dimension_);
  const Vector q = coordinate_symbols(place.first_coordinate, n), v = velocity_symbols(place.first_coordinate, n);
  Vector out;
  for (int k = 0; k < dimension_; ++k) {
    // Row k of the place's Jacobian is U^T e_k.
    Vector e(static_cast<std::size_t>(dimension_), 0.0), row(static_cast<std::size_t>(n));
    e[static_cast<std::size_t>(k)] = 1.0;
    if (place.kind == Place::Kind::PlanarBody) PlanarPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::SpatialBody) SpatialPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::NaturalBody) NaturalPlace::pull(q.data(), place.local.data(), e.data(), row.data());
    if (place.kind == Place::Kind::Point) row = e;
    out.push_back(dot(row, v));
  }
  return out;
}

// ---- points and bars ----

Place Model::add_point(const std::string& name, const Vector& at, const Vector& velocity, const Symbol& mass) {
  check_dimension(at, "at");
  check_dimension(velocity, "velocity");
  require("point \"" + name + "\"", {mass}, fault_of_point);
  claim_name(name, "point");
  const int first = static_cast<int>(coordinates_.size());
  std::vector<int> own;
  for (int k = 0; k < dimension_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    own.push_back(add_coordinate(name + "." + axis_names[k], "m", at[i], velocity[i]));
    add_coordinate_signals(name, own.back(), axis_names[k], "m");
  }
  if (!graph_->is_constant(mass.in(*graph_)) || graph_->constant_value(mass.in(*graph_)) != 0) {
    std::vector<Symbol> data{mass};
    data.insert(data.end(), gravity_.begin(), gravity_.end());
    add_element("point_mass/" + std::to_string(dimension_), name, own, {}, data);
  }
  return add_moving_frame({Place::Kind::Point, first, {}, name, {}});
}

void Model::add_bar(const std::string& name, const Place& a, const Place& b, const Symbol& mass, const Symbol* length) {
  for (const Place* p : {&a, &b}) {
    if (p->kind != Place::Kind::Ground && p->kind != Place::Kind::Point) {
      throw Error("bar \"" + name + "\": an end must be a point or fixed in space, \"" + p->name + "\" is a body");
    }
  }
  const Place& first = a.kind == Place::Kind::Ground ? a : b.kind == Place::Kind::Ground ? b : a;
  const Place& second = &first == &a ? b : a;
  require("bar \"" + name + "\"", {mass}, fault_of_mass);
  add_distance(name, a, b, length);
  connections_.back().kind = "bar";
  connections_.back().mark = Mark::Bar;
  std::vector<Symbol> data{mass};
  data.insert(data.end(), gravity_.begin(), gravity_.end());
  data.insert(data.end(), first.local.begin(), first.local.end());
  std::vector<int> own;
  for (const Place* p : {&first, &second}) {
    for (int k = 0; p->kind == Place::Kind::Point && k < dimension_; ++k) own.push_back(p->first_coordinate + k);
  }
  const std::string ends = first.kind == Place::Kind::Ground ? "ground-point" : "point-point";
  add_element("bar/" + ends + "/" + std::to_string(dimension_), name, own, {}, data);
}

}  // namespace perilune::model
