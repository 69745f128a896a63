// SPDX-License-Identifier: MIT
// Linear springs, and how two places become an element.
#include <cmath>

#include "error.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

bool Model::add_two_place_element(const std::string& kind, const std::string& name, const Place& a, const Place& b,
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
  return in_order;
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
  connections_.push_back({"spring", Mark::Coil, name, a, b});
  add_length_signals(name, a, b);
  const Symbol l0 = *free_length;
  add_signal(name + ".force", "N", [=](const Model& m) {
    return stiffness * (m.node_symbol(m.signal(name + ".length")) - l0) +
           damping * m.node_symbol(m.signal(name + ".rate")) + force;
  });
  add_signal(name + ".dissipation", "W", [=](const Model& m) {
    const Symbol rate = m.node_symbol(m.signal(name + ".rate"));
    return damping * rate * rate;
  });
  add_two_place_element("spring", name, a, b, {}, {stiffness, l0, damping, force});
}

}  // namespace perilune::model
