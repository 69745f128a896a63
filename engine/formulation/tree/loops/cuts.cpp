// SPDX-License-Identifier: MIT
#include "formulation/tree/loops/cuts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "formulation/tree/drive.hpp"

namespace perilune::formulation {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

void set_path(const std::vector<int>& parents, Cuts::Row& row) {
  std::set<int> links;
  for (const Cuts::Place& each : row.places) {
    for (int k = each.link; k >= 0; k = parents[static_cast<std::size_t>(k)]) links.insert(k);
  }
  row.path.assign(links.begin(), links.end());
  for (const int k : row.path) {
    const int parent = parents[static_cast<std::size_t>(k)];
    const auto found = std::lower_bound(row.path.begin(), row.path.end(), parent);
    row.parent.push_back(parent < 0 ? -1 : static_cast<int>(found - row.path.begin()));
  }
}

std::size_t find(const std::vector<Cuts::Place>& places, const Cuts::Place& place) {
  return static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), place) - places.begin());
}

}  // namespace

double Cuts::Row::acceleration(const double* a) const {
  double out = bias;
  for (std::size_t i = 0; i < places.size(); ++i) out += slopes[i] * a[places[i].coordinate];
  return out;
}

Cuts::Cuts(const system::System& system, const Closers& closers, const std::map<int, Place>& owners,
           const std::vector<int>& parents)
    : scratch_(system.scratch_size()) {
  std::map<int, int> angle_at;  // by coordinate
  const auto element_of = [&](const system::Elements& from, int first) {
    Element out{from.kernel, from.batch, first};
    const int nq = from.kernel->coordinate_count(), nc = from.kernel->constraint_count();
    out.batch.multipliers.clear();
    for (int k = 0; k < nc; ++k) out.batch.multipliers.push_back(k);
    out.batch.mn.clear();
    for (int k = 0; k < nc * nq; ++k) out.batch.mn.push_back(k);
    raw_.resize(std::max(raw_.size(), static_cast<std::size_t>(nc * nq)));
    for (auto* list : {&value_, &rate_, &bias_}) list->resize(std::max(list->size(), static_cast<std::size_t>(nc)));
    return out;
  };
  for (const Closers::Follower& each : closers.followers) {
    angle_at[each.angle] = static_cast<int>(angles_.size());
    Angle angle;
    angle.coordinate = each.angle;
    angle.element = element_of(each.turn, 0);
    angle.row.multiplier = each.turn.batch.multipliers.front();
    const std::vector<int>& read = angle.element.batch.coordinates;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i] == each.angle) angle.own = static_cast<int>(i);
      if (read[i] != each.angle) angle.row.places.push_back(owners.at(read[i]));
    }
    std::sort(angle.row.places.begin(), angle.row.places.end());
    for (const Place& place : angle.row.places) {
      angle.at.push_back(static_cast<int>(std::find(read.begin(), read.end(), place.coordinate) - read.begin()));
    }
    angle.row.slopes.resize(angle.row.places.size());
    angles_.push_back(std::move(angle));
  }
  for (const system::Elements& each : closers.cuts) {
    elements_.push_back(element_of(each, static_cast<int>(rows_.size())));
    const std::vector<int>& read = each.batch.coordinates;
    for (std::size_t r = 0; r < each.batch.multipliers.size(); ++r) {
      Row row;
      row.multiplier = each.batch.multipliers[r];
      std::set<Place> places;
      for (const int i : read) {
        if (const auto found = angle_at.find(i); found != angle_at.end()) {
          const std::vector<Place>& of_angle = angles_[static_cast<std::size_t>(found->second)].row.places;
          places.insert(of_angle.begin(), of_angle.end());
        } else {
          places.insert(owners.at(i));
        }
      }
      row.places.assign(places.begin(), places.end());
      row.slopes.resize(row.places.size());
      std::vector<std::size_t> columns;
      for (const Place& place : row.places) {
        const auto found = std::find(read.begin(), read.end(), place.coordinate);
        columns.push_back(found == read.end() ? none
                                              : r * read.size() + static_cast<std::size_t>(found - read.begin()));
      }
      columns_.push_back(std::move(columns));
      for (std::size_t i = 0; i < read.size(); ++i) {
        const auto found = angle_at.find(read[i]);
        if (found == angle_at.end()) continue;
        Reading reading{static_cast<int>(rows_.size()), found->second, r * read.size() + i, {}, 0};
        for (const Place& place : angles_[static_cast<std::size_t>(found->second)].row.places) {
          reading.to.push_back(find(row.places, place));
        }
        readings_.push_back(std::move(reading));
      }
      set_path(parents, row);
      rows_.push_back(std::move(row));
    }
  }
}

void Cuts::evaluate(const Element& element, const Node& x, const system::Data& data) {
  std::fill_n(raw_.begin(), element.batch.mn.size(), 0.0);
  model::Blocks blocks;
  blocks.phi = value_.data();
  blocks.phi_rate = rate_.data();
  blocks.phi_bias = bias_.data();
  blocks.jacobian = raw_.data();
  blocks.scratch = scratch_.data();
  element.kernel->evaluate(element.batch, {x.t, x.q, x.v, nullptr, nullptr}, data.packed.data(), blocks);
}

bool Cuts::place(Angle& angle, const Node& x, const system::Data& data) {
  double &theta = x.q[angle.coordinate], &rate = x.v[angle.coordinate];
  for (int step = 0; step < most_drive_steps; ++step) {
    evaluate(angle.element, x, data);
    angle.slope = raw_[static_cast<std::size_t>(angle.own)];
    const DriveStep left{value_[0] / angle.slope, rate_[0] / angle.slope};
    if (!std::isfinite(left.position + left.velocity)) return false;
    if (left.is_small(theta, rate, step)) {
      for (std::size_t i = 0; i < angle.at.size(); ++i) {
        angle.row.slopes[i] = raw_[static_cast<std::size_t>(angle.at[i])];
      }
      angle.row.bias = bias_[0];
      return true;
    }
    theta -= left.position;
    rate -= left.velocity;
  }
  return false;
}

bool Cuts::place_angles(const Node& x, const system::Data& data) {
  return std::all_of(angles_.begin(), angles_.end(), [&](Angle& angle) { return place(angle, x, data); });
}

bool Cuts::evaluate(const Node& x, const system::Data& data) {
  if (!readings_.empty() && !place_angles(x, data)) return false;
  auto reading = readings_.begin();
  for (const Element& element : elements_) {
    evaluate(element, x, data);
    for (std::size_t k = 0; k < element.batch.multipliers.size(); ++k) {
      const std::size_t r = static_cast<std::size_t>(element.first) + k;
      Row& row = rows_[r];
      row.value = value_[k];
      row.rate = rate_[k];
      row.bias = bias_[k];
      for (std::size_t i = 0; i < row.slopes.size(); ++i) {
        row.slopes[i] = columns_[r][i] == none ? 0 : raw_[columns_[r][i]];
      }
      for (; reading != readings_.end() && reading->row == static_cast<int>(r); ++reading) {
        const Angle& angle = angles_[static_cast<std::size_t>(reading->angle)];
        reading->slope = raw_[reading->column];
        const double factor = reading->slope / angle.slope;
        row.bias -= factor * angle.row.bias;
        for (std::size_t i = 0; i < reading->to.size(); ++i) row.slopes[reading->to[i]] -= factor * angle.row.slopes[i];
      }
    }
  }
  return true;
}

void Cuts::pass_torques(AppliedForces& forces) const {
  for (const Angle& angle : angles_) {
    const double lambda = forces[angle.coordinate] / angle.slope;
    if (lambda == 0) continue;
    for (std::size_t i = 0; i < angle.row.places.size(); ++i) {
      forces.add(angle.row.places[i].coordinate, -lambda * angle.row.slopes[i]);
    }
  }
}

void Cuts::add_reactions(const double* lambda, AppliedForces& forces) const {
  for (const Row& row : rows_) {
    const double own = *lambda++;
    for (std::size_t i = 0; i < row.places.size(); ++i) {
      forces.add(row.places[i].coordinate, -own * row.slopes[i]);
    }
  }
}

void Cuts::finish_angles(const double* lambda, const AppliedForces& forces, const Node& x) const {
  for (const Angle& angle : angles_) {
    x.a[angle.coordinate] = -angle.row.acceleration(x.a) / angle.slope;
    x.lambda[angle.row.multiplier] = forces[angle.coordinate] / angle.slope;
  }
  for (const Reading& each : readings_) {
    const Angle& angle = angles_[static_cast<std::size_t>(each.angle)];
    x.lambda[angle.row.multiplier] -= each.slope * lambda[each.row] / angle.slope;
  }
}

}  // namespace perilune::formulation
