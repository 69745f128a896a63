// SPDX-License-Identifier: MIT
// How the constraints that close loops depend on the coordinates of the tree.
#include <algorithm>
#include <cmath>

#include "formulation/tree/loops/loop_recursion.hpp"
#include "model/body/spatial_body.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::Vector4d;
using Joint = Link::Joint;

/// The moment of forces on Euler parameters.
Vector3d moment_of(const double* p, const Matrix3d& A, const double* pull) {
  Vector3d own;
  model::EulerRates::times_G(p, pull, own.data());
  return 0.5 * (A * own);
}

}  // namespace

void LoopRecursion::find_columns(const Node& x) {
  for (std::size_t k = 0; k < tree_.states_.size(); ++k) {
    if (is_on_path_[k]) find_columns_of(k, x);
  }
}

/// Motions by the rates of the link's coordinates, from those by the joint's own rates.
void LoopRecursion::find_columns_of(std::size_t k, const Node& x) {
  const Link& link = tree_.tree_.links[k];
  State& s = tree_.states_[k];
  Column* const first = columns_.data() + first_column_[k];
  const auto count = static_cast<int>(first_column_[k + 1] - first_column_[k]);
  if (link.slide_drive != Link::not_driven) tree_.follow_thread(link, s, x);
  Matrix3d turn, move;  // by the joint's own rates
  int own = 0;          // coordinates before those of turning
  if (link.joint == Joint::Free) {
    for (; own < 3; ++own) {
      first[own].turn.setZero();
      first[own].move = Vector3d::Unit(own);
    }
    turn.setIdentity();
    move.setZero();
  } else {
    tree_.set_columns(link, s);
    turn = s.turn;
    move = s.move;
  }
  const int freedoms = count - own;
  if (freedoms == 1 && first->is_angle) {
    first->turn = turn.col(0);
    first->move = move.col(0);
    return;
  }
  // Rates of the coordinates by those of the joint.
  Matrix3d rates = Matrix3d::Identity();
  for (int j = 0; j < freedoms; ++j) {
    const Vector4d of_parameters = parameter_rates(x.q + link.body + 3, s.A, turn.col(j));
    for (int i = 0; i < freedoms; ++i) {
      const Column& column = first[own + i];
      const int component = column.coordinate - link.body;
      rates(i, j) = column.is_angle ? (j == 0 ? 1 : 0)
                    : component < 3 ? move(component, j)
                                    : of_parameters[component - 3];
    }
  }
  const Matrix3d inverse = rates.inverse();
  for (int i = 0; i < freedoms; ++i) {
    first[own + i].turn = turn.leftCols(freedoms) * inverse.col(i).head(freedoms);
    first[own + i].move = move.leftCols(freedoms) * inverse.col(i).head(freedoms);
  }
}

void LoopRecursion::set_wrenches(const Cuts::Row& row, const Node& x) {
  for (std::size_t i = 0; i < row.path.size(); ++i) wrenches_[i] = {Vector3d::Zero(), Vector3d::Zero(), 0, 0};
  auto on = row.path.begin();
  for (auto place = row.places.begin(); place != row.places.end();) {
    const int link = place->link;
    double pull[Cuts::Place::angle + 1]{};
    for (; place != row.places.end() && place->link == link; ++place) {
      pull[place->component] = row.slopes[static_cast<std::size_t>(place - row.places.begin())];
    }
    on = std::lower_bound(on, row.path.end(), link);
    Wrench& own = wrenches_[static_cast<std::size_t>(on - row.path.begin())];
    const auto k = static_cast<std::size_t>(link);
    own.force = Vector3d(pull[0], pull[1], pull[2]);
    own.moment = moment_of(x.q + tree_.tree_.links[k].body + 3, tree_.states_[k].A, pull + 3);
    own.forces = own.force.norm();
    own.moments = own.moment.norm();
  }
}

void LoopRecursion::find_slopes(const Node& x) {
  const std::vector<Cuts::Row>& rows = cuts_.rows();
  slopes_.setZero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns_.size()));
  const auto carry = [&](std::size_t link, const Wrench& of, Wrench& to) {
    to.force += of.force;
    to.moment += of.moment + tree_.states_[link].from_parent.cross(of.force);
    to.forces += of.forces;
    to.moments += of.moments + tree_.states_[link].from_parent.norm() * of.forces;
  };
  sizes_.assign(rows.size(), 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Cuts::Row& row = rows[r];
    const auto at = static_cast<Eigen::Index>(r);
    set_wrenches(row, x);
    for (std::size_t i = row.path.size(); i-- > 0;) {
      const auto k = static_cast<std::size_t>(row.path[i]);
      const Wrench& own = wrenches_[i];
      for (std::size_t c = first_column_[k]; c < first_column_[k + 1]; ++c) {
        const Column& column = columns_[c];
        slopes_(at, static_cast<Eigen::Index>(c)) = column.turn.dot(own.moment) + column.move.dot(own.force);
        sizes_[r] = std::max(sizes_[r], column.turn.norm() * own.moments + column.move.norm() * own.forces);
      }
      if (row.parent[i] >= 0) carry(k, own, wrenches_[static_cast<std::size_t>(row.parent[i])]);
    }
    for (std::size_t i = 0; i < row.places.size(); ++i) {
      const Cuts::Place& place = row.places[i];
      const auto k = static_cast<std::size_t>(place.link);
      if (place.component != Cuts::Place::angle || !tree_.tree_.links[k].turns_freely()) continue;
      slopes_(at, static_cast<Eigen::Index>(first_column_[k + 1]) - 1) += row.slopes[i];
      sizes_[r] = std::max(sizes_[r], std::abs(row.slopes[i]));
    }
  }
  // Coordinates but angles are in space: they stay where what the link hangs on moves, and its joint gives way.
  for (std::size_t c = columns_.size(); c-- > 0;) {
    const Column& column = columns_[c];
    const Link* link = &tree_.tree_.links[column.link];
    if (column.is_angle || link->parent == Link::ground) continue;
    const State& s = tree_.states_[column.link];
    double pull[7]{};
    pull[column.coordinate - link->body] = 1;
    Wrench wrench{moment_of(x.q + link->body + 3, s.A, pull + 3), Vector3d(pull[0], pull[1], pull[2]), 0, 0};
    for (std::size_t k = column.link; link->parent != Link::ground;) {
      Wrench next{Vector3d::Zero(), Vector3d::Zero(), 0, 0};
      carry(k, wrench, next);
      wrench = next;
      k = static_cast<std::size_t>(link->parent);
      link = &tree_.tree_.links[k];
      for (std::size_t other = first_column_[k]; other < first_column_[k + 1]; ++other) {
        const double slope = columns_[other].turn.dot(wrench.moment) + columns_[other].move.dot(wrench.force);
        slopes_.col(static_cast<Eigen::Index>(other)) -= slope * slopes_.col(static_cast<Eigen::Index>(c));
      }
    }
  }
}

}  // namespace perilune::formulation
