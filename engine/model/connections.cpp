// Bars, joints, springs and user laws: what connects the coordinates of a model.
#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "model/body/spatial_body.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

void Model::add_two_place_element(const std::string& kind, const std::string& name, const Place& a, const Place& b,
                                  const std::vector<int>& multipliers, const std::vector<Symbol>& extra_data) {
  const bool in_order = a.kind <= b.kind;
  const Place &first = in_order ? a : b, &second = in_order ? b : a;
  std::vector<int> own;
  std::vector<Symbol> data;
  for (const Place* p : {&first, &second}) {
    for (int i = 0; i < coordinate_count(p->kind, dimension_); ++i) own.push_back(p->first_coordinate + i);
    data.insert(data.end(), p->local.begin(), p->local.end());
  }
  data.insert(data.end(), extra_data.begin(), extra_data.end());
  add_element(kind + "/" + kind_name(first.kind) + "-" + kind_name(second.kind) + "/" + std::to_string(dimension_),
              name, own, multipliers, data);
}

namespace {

void check_pair(const char* what, const std::string& name, const Place& a, const Place& b) {
  const std::string who = std::string(what) + " \"" + name + "\": ";
  if (a.kind == Place::Kind::Ground && b.kind == Place::Kind::Ground) {
    throw Error(who + "both ends are fixed in space; one must be a point or a body");
  }
  if (a.kind == b.kind && a.first_coordinate == b.first_coordinate) {
    throw Error(who + "both ends are on \"" + a.name + "\"; they must be on different objects");
  }
}

}  // namespace

void Model::add_distance(const std::string& name, const Place& a, const Place& b, const Symbol* length) {
  check_pair("distance", name, a, b);
  Symbol declared;
  if (!length) {
    const Vector u = minus(initial_position(b), initial_position(a));
    declared = sqrt(dot(u, u));
    length = &declared;
  }
  const NodeId node = length->in(*graph_);
  if (graph_->is_constant(node) && !(graph_->constant_value(node) > 0)) {
    throw Error("distance \"" + name + "\": the length must be positive; are both ends at the same place?");
  }
  claim_name(name, "distance");
  add_length_signals(name, a, b);
  add_two_place_element("distance", name, a, b, {add_multiplier(name + ".lambda")}, {*length});
}

void Model::add_coincidence(const std::string& name, const Place& a, const Place& b) {
  check_pair("joint", name, a, b);
  claim_name(name, "joint");
  std::vector<int> multipliers;
  for (int k = 0; k < dimension_; ++k) multipliers.push_back(add_multiplier(name + ".lambda_" + axis_names[k]));
  add_two_place_element("coincidence", name, a, b, multipliers, {});
}

void Model::add_spatial_revolute(const std::string& name, const Place& a, const Place& b, const Vector& axis_a,
                                 const Vector& axis_b) {
  if (dimension_ != 3) throw Error("revolute \"" + name + "\": an axis is for spatial models only");
  for (const Place* p : {&a, &b}) {
    if (p->kind == Place::Kind::Point) {
      throw Error("revolute \"" + name + "\": \"" + p->name + "\" is a point and has no axis; use a spherical joint");
    }
  }
  for (const Vector* axis : {&axis_a, &axis_b}) {
    check_dimension(*axis, "the axis");
    const NodeId square = dot(*axis, *axis).in(*graph_);
    if (graph_->is_constant(square) && !(graph_->constant_value(square) > 0)) {
      throw Error("revolute \"" + name + "\": the axis must not be the zero vector");
    }
  }
  add_coincidence(name, a, b);
  // Two directions normal to the axis on one side stay perpendicular to the axis on the other. Ground stands first.
  const bool in_order = a.kind == Place::Kind::Ground || b.kind != Place::Kind::Ground;
  const Place &first = in_order ? a : b, &second = in_order ? b : a;
  const Vector &axis_first = in_order ? axis_a : axis_b, &axis_second = in_order ? axis_b : axis_a;
  // The helper direction is the coordinate axis least aligned with the joint's axis at the parameters' present values.
  const std::vector<double> size = present_values(axis_first);
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(size[k]) < std::abs(size[least])) least = k;
  }
  Vector helper{0.0, 0.0, 0.0};
  helper[least] = 1.0;
  const Vector f = unit(cross(axis_first, helper)), g = unit(cross(axis_first, f)), axis = unit(axis_second);
  std::vector<int> own;
  for (const Place* p : {&first, &second}) {
    for (int i = 0; i < coordinate_count(p->kind, 3); ++i) own.push_back(p->first_coordinate + i);
  }
  const std::string type =
      first.kind == Place::Kind::Ground ? "perpendicular/ground-body/3" : "perpendicular/body-body/3";
  int number = 1;
  for (const Vector* normal : {&f, &g}) {
    std::vector<Symbol> data(normal->begin(), normal->end());
    data.insert(data.end(), axis.begin(), axis.end());
    add_element(type, name, own, {add_multiplier(name + ".lambda_axis" + std::to_string(number++))}, data);
  }
}

void Model::add_spring(const std::string& name, const Place& a, const Place& b, const Symbol& stiffness,
                       const Symbol* free_length, const Symbol& damping, const Symbol& force) {
  check_pair("spring", name, a, b);
  Symbol declared;
  if (!free_length) {
    const Vector u = minus(initial_position(b), initial_position(a));
    declared = sqrt(dot(u, u));
    free_length = &declared;
  }
  claim_name(name, "spring");
  add_length_signals(name, a, b);
  const Symbol l0 = *free_length;
  add_signal(name + ".force", "N", [=, this] {
    return stiffness * (node_symbol(signal(name + ".length")) - l0) + damping * node_symbol(signal(name + ".rate")) +
           force;
  });
  add_two_place_element("spring", name, a, b, {}, {stiffness, l0, damping, force});
}

void Model::add_force(const std::string& name, const Place& on, const Vector& force, const Vector& torque) {
  if (on.kind == Place::Kind::Ground) throw Error("force \"" + name + "\": a force on ground has no effect");
  check_dimension(force, "the force");
  const std::size_t turns = dimension_ == 2 ? 1 : 3;
  if (on.kind != Place::Kind::Point && !torque.empty() && torque.size() != turns) {
    throw Error("force \"" + name + "\": the torque needs " + std::to_string(turns) + " component" +
                (turns == 1 ? "" : "s") + " in a " + (dimension_ == 2 ? "planar" : "spatial") + " model, not " +
                std::to_string(torque.size()));
  }
  const int n = coordinate_count(on.kind, dimension_);
  const Vector q = coordinate_symbols(on.first_coordinate, n);
  Vector Q(static_cast<std::size_t>(n), 0.0);
  switch (on.kind) {
    case Place::Kind::PlanarBody:
      PlanarPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      if (!torque.empty()) Q[2] += torque[0];
      break;
    case Place::Kind::SpatialBody: {
      SpatialPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      if (!torque.empty()) {
        // Q_p = 2 G^T n' with the torque n' = A^T n in the body frame.
        Vector A(9), local(3), Qp(4);
        rotation_matrix(q.data() + 3, A.data());
        for (std::size_t k = 0; k < 3; ++k) local[k] = A[k] * torque[0] + A[3 + k] * torque[1] + A[6 + k] * torque[2];
        EulerRates::times_G_transposed(q.data() + 3, local.data(), Qp.data());
        for (std::size_t i = 0; i < 4; ++i) Q[3 + i] += 2.0 * Qp[i];
      }
      break;
    }
    case Place::Kind::NaturalBody:
      NaturalPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      // The torque n acts as n x u / 2 on each axis u: a small rotation phi turns u by phi x u, and over three
      // orthonormal axes the sum of (phi x u).(n x u) is 2 phi.n.
      for (std::size_t j = 3; !torque.empty() && j < 12; j += 3) {
        const Vector turned = cross(torque, {q[j], q[j + 1], q[j + 2]});
        for (std::size_t k = 0; k < 3; ++k) Q[j + k] += 0.5 * turned[k];
      }
      break;
    default:
      if (!torque.empty()) throw Error("force \"" + name + "\": a torque cannot act on the point \"" + on.name + "\"");
      Q = force;
  }
  Element element{"law", name, defined_at_, {}, {}, {}, {}};
  for (int i = 0; i < n; ++i) {
    element.coordinates.push_back(on.first_coordinate + i);
    element.law.push_back(Q[static_cast<std::size_t>(i)].in(*graph_));
  }
  for (NodeId id : graph_->variables_of(element.law)) {
    const expr::Variable& variable = graph_->variable_of(id);
    using expr::Quantity;
    if (variable.quantity == Quantity::Acceleration || variable.quantity == Quantity::Multiplier) {
      throw Error("force \"" + name + "\": a force law cannot read '" + variable.name +
                  "': accelerations and multipliers follow from the forces");
    }
    if (variable.quantity == Quantity::Parameter) element.data.push_back(id);
    if (variable.quantity != Quantity::Position && variable.quantity != Quantity::Velocity) continue;
    if (std::find(element.coordinates.begin(), element.coordinates.end(), variable.index) ==
        element.coordinates.end()) {
      element.coordinates.push_back(variable.index);
      element.law.push_back(graph_->constant(0));
    }
  }
  claim_name(name, "force");
  elements_.push_back(std::move(element));
  for (std::size_t k = 0; k < force.size(); ++k) {
    add_signal(name + ".f" + axis_names[k], "N", [f = force[k]] { return f; });
  }
}

}  // namespace perilune::model
