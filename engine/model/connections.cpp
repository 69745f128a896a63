// Bars, joints and linear springs: what connects the coordinates of a model.
#include <cmath>

#include "error.hpp"
#include "model/body/inertia.hpp"
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

void check_pair(const char* what, const std::string& name, const Place& a, const Place& b) {
  const std::string who = std::string(what) + " \"" + name + "\": ";
  if (a.kind == Place::Kind::Ground && b.kind == Place::Kind::Ground) {
    throw Error(who + "both ends are fixed in space; one must be a point or a body");
  }
  if (a.kind == b.kind && a.first_coordinate == b.first_coordinate) {
    throw Error(who + "both ends are on \"" + a.name + "\"; they must be on different objects");
  }
}

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
  add_signal(name + ".dissipation", "W", [=, this] {
    const Symbol rate = node_symbol(signal(name + ".rate"));
    return damping * rate * rate;
  });
  add_two_place_element("spring", name, a, b, {}, {stiffness, l0, damping, force});
}

}  // namespace perilune::model
