// SPDX-License-Identifier: MIT
#include "model/body/natural_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_body.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/place.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

constexpr double agreement = 1e-6;  // of unit vectors that are declared twice: rounded input, but no mistake
constexpr const char* axis_letters[] = {"u", "v", "w"};

/// The ten numbers of the pseudo-inertia matrix about the reference point (order: model::NaturalBody) of a body with
/// centre of mass s and inertia tensor J about it: P_C = tr(J) I / 2 - J, P = P_C + m s s^T.
Vector pseudo_inertia(const Symbol& m, const Vector& s, const Vector& J) {
  const Symbol half_trace = 0.5 * (J[0] + J[1] + J[2]);
  Vector out{m};
  for (const Symbol& x : s) out.push_back(m * x);
  for (std::size_t k = 0; k < 3; ++k) out.push_back(half_trace - J[k] + m * s[k] * s[k]);
  out.push_back(m * s[0] * s[1] - J[3]);
  out.push_back(m * s[0] * s[2] - J[4]);
  out.push_back(m * s[1] * s[2] - J[5]);
  return out;
}

/// The axes of a body in space and their rates, at the start.
struct StartFrame {
  std::array<Vector, 3> axes, rates;
};

std::string shared_axis(const NaturalStart& start, std::size_t j) {
  return std::string(axis_letters[j]) + " (\"" + start.axes[j]->name + "\")";
}

void require_agreement(Model& model, const std::string& who, const Vector& difference, const Symbol& size,
                       const std::string& fault) {
  require(model, who, {difference[0], difference[1], difference[2], size}, [fault](const double* x) {
    const double off = std::hypot(x[0], x[1], x[2]);
    return off <= agreement * x[3] ? std::string() : fault + text_of(off);
  });
}

/// Of what the body shares, as it is declared, and of the third axis where it shares two.
StartFrame shared_frame(Model& model, const std::string& who, const NaturalStart& start) {
  StartFrame frame;
  for (std::size_t j = 0; j < 3; ++j) {
    if (!start.axes[j]) continue;
    frame.axes[j] = initial_coordinates(model, start.axes[j]->coordinates);
    frame.rates[j] = initial_velocities(model, start.axes[j]->coordinates);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i + 1; j < 3; ++j) {
      if (!start.axes[i] || !start.axes[j]) continue;
      const std::string both = shared_axis(start, i) + " and " + shared_axis(start, j);
      if (start.axes[i]->coordinates == start.axes[j]->coordinates) {
        throw Error(who + ": " + both + " are the same vector; two axes of a body are at right angles");
      }
      require(model, who, {dot(frame.axes[i], frame.axes[j])}, [both](const double* cosine) {
        if (std::abs(*cosine) <= agreement) return std::string();
        const double angle = std::acos(std::clamp(*cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
        return both + " start at an angle of " + text_of(angle) + " degrees; two axes of a body are at right angles";
      });
      const Symbol rate = dot(frame.rates[i], frame.axes[j]) + dot(frame.axes[i], frame.rates[j]);
      const Symbol size = 1.0 + sqrt(dot(frame.rates[i], frame.rates[i]) + dot(frame.rates[j], frame.rates[j]));
      require_agreement(
          model, who, {rate, 0.0, 0.0}, size,
          both + " do not start with velocities that keep them at right angles: the rate of their product is (1/s) ");
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    if (!start.axes[next] || !start.axes[last]) continue;
    const Vector third = cross(frame.axes[next], frame.axes[last]);
    if (start.axes[k]) {
      require(model, who, {dot(third, frame.axes[k])}, [](const double* product) {
        return *product > 0 ? "" : "its axes u, v, w would be left-handed; exchange two of them";
      });
      continue;
    }
    frame.axes[k] = third;
    frame.rates[k] = plus(cross(frame.rates[next], frame.axes[last]), cross(frame.axes[next], frame.rates[last]));
  }
  return frame;
}

/// From the axis of space to the shared one by the shortest way.
Vector shortest_turn(Model& model, const std::string& who, const NaturalStart& start, const StartFrame& shared) {
  for (std::size_t j = 0; j < 3; ++j) {
    if (!start.axes[j]) continue;
    Vector from(3, 0.0);
    from[j] = 1.0;
    const Symbol nearness = 1.0 + shared.axes[j][j];
    require(model, who, {nearness}, [what = shared_axis(start, j)](const double* x) {
      return *x > agreement ? std::string()
                            : what +
                                  " starts opposite to that axis of space, from which no turn to it is the shortest; "
                                  "give the orientation";
    });
    const Vector axis = cross(from, shared.axes[j]);
    return {nearness, axis[0], axis[1], axis[2]};
  }
  return {1.0, 0.0, 0.0, 0.0};
}

StartFrame start_frame(Model& model, const std::string& who, const NaturalStart& start) {
  StartFrame frame = shared_frame(model, who, start);
  Vector A(9);
  const Vector p = unit(start.orientation.empty() ? shortest_turn(model, who, start, frame) : start.orientation);
  rotation_matrix(p.data(), A.data());
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector own{A[j], A[3 + j], A[6 + j]};
    if (start.axes[j] && !start.orientation.empty()) {
      require_agreement(model, who, minus(own, frame.axes[j]), 1.0,
                        "its orientation has the axis " + std::string(axis_letters[j]) + " elsewhere than \"" +
                            start.axes[j]->name +
                            "\", which it shares: let both agree, or leave orientation out; their difference is ");
    }
    if (frame.axes[j].empty()) frame.axes[j] = own;
  }
  const Vector& w = start.angular_velocity;
  Vector omega(3, 0.0);  // in space; without one that is given, no spin about a shared axis
  for (std::size_t j = 0; j < 3; ++j) {
    if (!w.empty()) omega = plus(omega, times(w[j], frame.axes[j]));
    if (w.empty() && start.axes[j]) omega = cross(frame.axes[j], frame.rates[j]);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector rate = cross(omega, frame.axes[j]);
    if (start.axes[j] && !w.empty()) {
      require_agreement(model, who, minus(rate, frame.rates[j]), 1.0 + sqrt(dot(frame.rates[j], frame.rates[j])),
                        "its angular_velocity turns the axis " + std::string(axis_letters[j]) + " otherwise than \"" +
                            start.axes[j]->name +
                            "\" turns, which it shares: let both agree, or leave angular_velocity out; the difference "
                            "of their rates is (1/s) ");
    }
    if (frame.rates[j].empty()) frame.rates[j] = rate;
  }
  return frame;
}

void check_sharing(const Model& model, const std::string& who, const NaturalStart& start) {
  if (model.dimension() != 3) throw Error("a natural body needs a spatial model (gravity with 3 components)");
  for (const auto& [given, field] : {std::pair(&start.at, "at"), std::pair(&start.velocity, "velocity")}) {
    if (start.position && !given->empty()) {
      throw Error(who + ": " + field + " is that of \"" + start.position->name +
                  "\" already, whose coordinates are its position; leave " + field + " out");
    }
    if (!given->empty()) check_dimension(model, *given, field);
  }
  if (!start.angular_velocity.empty()) check_dimension(model, start.angular_velocity, "angular_velocity");
  if (!start.orientation.empty() && start.orientation.size() != 4) {
    throw Error("orientation needs 4 Euler parameters");
  }
  if (start.position && start.position->kind != Place::Kind::Point &&
      start.position->kind != Place::Kind::NaturalBody) {
    throw Error(who + ": position must be a point (m:point) or a natural_body, whose reference point it shares; \"" +
                start.position->name + "\" has no coordinates of that kind: hold the body there by a joint");
  }
}

std::vector<int> axis_coordinates(const std::vector<int>& own, std::size_t axis) {
  const auto first = own.begin() + 3 + 3 * static_cast<std::ptrdiff_t>(axis);
  return {first, first + 3};
}

/// The twelve coordinates, of which it makes those that are not shared.
std::vector<int> add_coordinates(Model& model, const std::string& name, const NaturalStart& start,
                                 const StartFrame& frame) {
  std::vector<int> own;
  const Vector none(3, 0.0), &at = start.at.empty() ? none : start.at,
                             &velocity = start.velocity.empty() ? none : start.velocity;
  for (std::size_t k = 0; k < 3; ++k) {
    own.push_back(start.position ? start.position->coordinates[k]
                                 : model.add_coordinate(name, axis_names[k], "m", at[k], velocity[k]));
    add_coordinate_signals(model, name, own.back(), axis_names[k], "m");
  }
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string what = std::string(axis_letters[j]) + "_" + axis_names[k];
      own.push_back(start.axes[j] ? start.axes[j]->coordinates[k]
                                  : model.add_coordinate(name, what, "", frame.axes[j][k], frame.rates[j][k]));
      add_signal(model, name, what, "", coordinate_symbols(model, {own.back()})[0]);
    }
  }
  return own;
}

/// Keeps the axes orthonormal, but for what is so already.
void add_axis_constraints(Model& model, const std::string& name, const NaturalStart& start,
                          const std::vector<int>& own) {
  std::vector<VectorPair> open;
  for (const VectorPair& pair : axis_pairs) {
    const auto i = static_cast<std::size_t>(pair[0]), j = static_cast<std::size_t>(pair[1]);
    const auto [least, most] = std::minmax({axis_coordinates(own, i)[0], axis_coordinates(own, j)[0]});
    const bool is_open = i == j ? !start.axes[i] : model.record().normal_vectors.insert({least, most}).second;
    if (is_open) open.push_back(pair);
  }
  std::vector<int> multipliers;
  for (const VectorPair& pair : open) {
    const auto i = static_cast<std::size_t>(pair[0]), j = static_cast<std::size_t>(pair[1]);
    multipliers.push_back(model.add_multiplier(name, std::string("lambda_") + axis_letters[i] + axis_letters[j]));
  }
  if (open.size() == axis_pairs.size()) {
    add_inner_constraint(model, "orthonormal_axes", name, {own.begin() + 3, own.end()}, multipliers);
    return;
  }
  for (std::size_t c = 0; c < open.size(); ++c) {
    const auto i = static_cast<std::size_t>(open[c][0]), j = static_cast<std::size_t>(open[c][1]);
    std::vector<int> both = axis_coordinates(own, i);
    const std::vector<int> other = axis_coordinates(own, j);
    if (i != j) both.insert(both.end(), other.begin(), other.end());
    add_inner_constraint(model, i == j ? "unit_vector" : "normal_vectors", name, both, {multipliers[c]});
  }
}

void add_turning_signals(Model& model, const std::string& name, const std::vector<int>& own) {
  // omega_x = v'.w and so on in a cycle; its derivative is v''.w + v'.w'.
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<int> moving = axis_coordinates(own, (k + 1) % 3), other = axis_coordinates(own, (k + 2) % 3);
    add_signal(model, name, std::string("omega_") + axis_names[k], "rad/s",
               [=](const Model& m) { return dot(velocity_symbols(m, moving), coordinate_symbols(m, other)); });
    add_signal(model, name, std::string("alpha_") + axis_names[k], "rad/s^2", [=](const Model& m) {
      return dot(acceleration_symbols(m, moving), coordinate_symbols(m, other)) +
             dot(velocity_symbols(m, moving), velocity_symbols(m, other));
    });
  }
}

}  // namespace

FreeVector add_vector(Model& model, const std::string& name, const Vector& direction, const Vector& angular_velocity) {
  if (model.dimension() != 3) throw Error("a free vector needs a spatial model (gravity with 3 components)");
  check_dimension(model, direction, "direction");
  check_dimension(model, angular_velocity, "angular_velocity");
  require(model, "vector \"" + name + "\"", {dot(direction, direction)},
          [](const double* square) { return *square > 0 ? "" : "its direction must not be the zero vector"; });
  model.claim_name(name, "vector");
  const Vector n = unit(direction), rate = cross(angular_velocity, n);
  FreeVector vector{{}, name};
  for (std::size_t k = 0; k < 3; ++k) {
    vector.coordinates.push_back(model.add_coordinate(name, axis_names[k], "", n[k], rate[k]));
    add_coordinate_signals(model, name, vector.coordinates.back(), axis_names[k], "");
  }
  add_inner_constraint(model, "unit_vector", name, vector.coordinates, {model.add_multiplier(name, "lambda")});
  return vector;
}

FreeVector axis_of_natural(const Place& body, std::size_t axis) {
  return {axis_coordinates(body.coordinates, axis), body.name + "." + axis_letters[axis]};
}

Place add_natural_body(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                       const NaturalStart& start, const Vector& center_of_mass) {
  const std::string who = "natural_body \"" + name + "\"";
  check_sharing(model, who, start);
  check_spatial_mass(model, name, mass, inertia, center_of_mass);
  const StartFrame frame = start_frame(model, who, start);
  if (start.position && start.axes[0] && start.axes[1] && start.axes[2]) {
    std::vector<int> all(start.position->coordinates.begin(), start.position->coordinates.begin() + 3);
    for (const auto& axis : start.axes) all.insert(all.end(), axis->coordinates.begin(), axis->coordinates.end());
    for (const MovingFrame& other : model.record().moving_frames) {
      if (other.place.kind != Place::Kind::NaturalBody || other.place.coordinates != all) continue;
      throw Error(who + " has the reference point and all axes of \"" + other.place.name +
                  "\", so that both are one body: give that one the mass of both, by mbs.assembly");
    }
  }
  model.claim_name(name, "body");
  const std::vector<int> own = add_coordinates(model, name, start, frame);
  add_turning_signals(model, name, own);
  const bool has_offset = !center_of_mass.empty();
  Vector data = pseudo_inertia(mass, has_offset ? center_of_mass : Vector(3, 0.0), inertia);
  data.insert(data.end(), model.gravity().begin(), model.gravity().end());
  add_element(model, "natural_body", name, own, {}, data);
  add_axis_constraints(model, name, start, own);
  Place place{Place::Kind::NaturalBody, own, {0.0, 0.0, 0.0}, name, {}};
  model.record().moving_frames.push_back({place});
  if (has_offset) add_center_of_mass_signals(model, place, center_of_mass);
  return place;
}

}  // namespace perilune::model
