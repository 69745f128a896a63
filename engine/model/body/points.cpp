// SPDX-License-Identifier: MIT
#include "model/body/points.hpp"

#include "error.hpp"
#include "model/body/mass_properties.hpp"
#include "model/declare.hpp"
#include "model/joint/joints.hpp"
#include "model/law/symbolic.hpp"
#include "model/signals.hpp"

namespace perilune::model {

Place add_point(Model& model, const std::string& name, const Vector& at, const Vector& velocity, const Symbol& mass) {
  check_dimension(model, at, "at");
  check_dimension(model, velocity, "velocity");
  require(model, "point \"" + name + "\"", {mass}, fault_of_point);
  model.claim_name(name, "point");
  std::vector<int> own;
  for (int k = 0; k < model.dimension(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    own.push_back(model.add_coordinate(name, axis_names[k], "m", at[i], velocity[i]));
    add_coordinate_signals(model, name, own.back(), axis_names[k], "m");
  }
  const NodeId mass_node = mass.in(model.graph());
  if (!model.graph().is_constant(mass_node) || model.graph().constant_value(mass_node) != 0) {
    std::vector<Symbol> data{mass};
    data.insert(data.end(), model.gravity().begin(), model.gravity().end());
    add_element(model, "point_mass/" + std::to_string(model.dimension()), name, own, {}, data);
  }
  model.record().moving_frames.push_back({{Place::Kind::Point, own, {}, name, {}}});
  return model.record().moving_frames.back().place;
}

void add_bar(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol& mass,
             const Symbol* length) {
  for (const Place* p : {&a, &b}) {
    if (p->kind != Place::Kind::Ground && p->kind != Place::Kind::Point) {
      const char* kind =
          has_directions(*p)
              ? "is a body; distance joins places on bodies without mass, as does a body between two joints with it"
              : "is a place between nodes of a beam; take one of its nodes (nodes_at)";
      throw Error("bar \"" + name + "\": an end must be a point or fixed in space, \"" + p->name + "\" " + kind);
    }
  }
  const Place& first = a.kind == Place::Kind::Ground ? a : b.kind == Place::Kind::Ground ? b : a;
  const Place& second = &first == &a ? b : a;
  require(model, "bar \"" + name + "\"", {mass}, fault_of_mass);
  add_distance(model, name, a, b, length);
  Connection& shown = model.record().connections.back();
  shown.kind = "bar";
  shown.mark = Mark::Bar;
  std::vector<Symbol> data{mass};
  data.insert(data.end(), model.gravity().begin(), model.gravity().end());
  data.insert(data.end(), first.local.begin(), first.local.end());
  std::vector<int> own;
  for (const Place* p : {&first, &second}) {
    own.insert(own.end(), p->coordinates.begin(), p->coordinates.end());
  }
  const std::string ends = first.kind == Place::Kind::Ground ? "ground-point" : "point-point";
  add_element(model, "bar/" + ends + "/" + std::to_string(model.dimension()), name, own, {}, data);
}

}  // namespace perilune::model
