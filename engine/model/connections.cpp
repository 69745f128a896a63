// Springs and user laws: what acts between the coordinates of a model.
#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "model/body/spatial_body.hpp"
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
  check_pair("spring \"" + name + "\"", a, b);
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
