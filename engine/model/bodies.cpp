// SPDX-License-Identifier: MIT
// Declaration of rigid bodies.
#include "error.hpp"
#include "model/body/mass_properties.hpp"
#include "model/body/spatial_body.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

namespace {

std::vector<int> consecutive(int first, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
  return numbers;
}

/// The data of a body element: mass, centre of mass (if given), inertia, gravity.
Vector body_data(const Symbol& mass, const Vector& center_of_mass, const Vector& inertia, const Vector& gravity) {
  Vector data{mass};
  for (const Vector* part : {&center_of_mass, &inertia, &gravity}) data.insert(data.end(), part->begin(), part->end());
  return data;
}

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

}  // namespace

int Model::add_reference_point(const std::string& name, const Vector& at, const Vector& velocity) {
  const int first = static_cast<int>(coordinates_.size());
  for (std::size_t k = 0; k < at.size(); ++k) {
    add_coordinate_signals(name, add_coordinate(name + "." + axis_names[k], "m", at[k], velocity[k]), axis_names[k],
                           "m");
  }
  return first;
}

void Model::add_center_of_mass_signals(const Place& body, const Vector& center_of_mass) {
  const Place center = body_place(body, center_of_mass);
  for (std::size_t k = 0; k < center_of_mass.size(); ++k) {
    add_signal(body.name + ".com_" + axis_names[k], "m", [center, k](const Model& m) { return m.position(center)[k]; });
  }
}

Place Model::add_planar_body(const std::string& name, const Symbol& mass, const Symbol& inertia, const Vector& at,
                             const Symbol& angle, const Vector& velocity, const Symbol& angular_velocity,
                             const Vector& center_of_mass) {
  if (dimension_ != 2) throw Error("a planar body needs a planar model (gravity with 2 components)");
  check_dimension(at, "at");
  check_dimension(velocity, "velocity");
  const bool has_offset = !center_of_mass.empty();
  if (has_offset) check_dimension(center_of_mass, "center_of_mass");
  require("body \"" + name + "\"", {mass, inertia}, fault_of_planar_body);
  claim_name(name, "body");
  const int first = add_reference_point(name, at, velocity);
  const auto turn = static_cast<std::size_t>(add_coordinate(name + ".angle", "rad", angle, angular_velocity));
  add_signal(name + ".angle", "rad", [turn](const Model& m) { return m.node_symbol(m.coordinates_[turn].position); });
  add_signal(name + ".omega", "rad/s", [turn](const Model& m) { return m.node_symbol(m.coordinates_[turn].velocity); });
  add_signal(name + ".alpha", "rad/s^2",
             [turn](const Model& m) { return m.node_symbol(m.coordinates_[turn].acceleration); });
  add_element(has_offset ? "planar_body/offset" : "planar_body", name, consecutive(first, 3), {},
              body_data(mass, center_of_mass, {inertia}, gravity_));
  const Place place = add_moving_frame({Place::Kind::PlanarBody, first, {0.0, 0.0}, name, {}});
  if (has_offset) add_center_of_mass_signals(place, center_of_mass);
  return place;
}

void Model::check_spatial_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                               const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                               const Vector& angular_velocity, const Vector& center_of_mass) {
  if (dimension_ != 3) throw Error("a spatial body needs a spatial model (gravity with 3 components)");
  check_dimension(at, "at");
  check_dimension(velocity, "velocity");
  check_dimension(angular_velocity, "angular_velocity");
  if (!center_of_mass.empty()) check_dimension(center_of_mass, "center_of_mass");
  if (inertia.size() != 6) throw Error("inertia needs 6 numbers: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz");
  if (orientation.size() != 4) throw Error("orientation needs 4 Euler parameters");
  require("body \"" + name + "\"", body_data(mass, {}, inertia, {}), fault_of_spatial_body);
}

Place Model::add_spatial_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                              const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                              const Vector& angular_velocity, const Vector& center_of_mass) {
  check_spatial_body(name, mass, inertia, at, orientation, velocity, angular_velocity, center_of_mass);
  claim_name(name, "body");
  const int first = add_reference_point(name, at, velocity);
  const Vector p = unit(orientation);
  Vector rate(4);  // p' = G^T omega' / 2
  EulerRates::times_G_transposed(p.data(), angular_velocity.data(), rate.data());
  for (int i = 0; i < 4; ++i) {
    const auto at_i = static_cast<std::size_t>(i);
    const int c = add_coordinate(name + ".e" + std::to_string(i), "", p[at_i], 0.5 * rate[at_i]);
    add_signal(coordinates_[static_cast<std::size_t>(c)].name, "",
               node_symbol(coordinates_[static_cast<std::size_t>(c)].position));
  }
  // omega = 2 G(p) p' and omega' = 2 G(p) p'', since G(p') p' = 0.
  auto turning = [first](const Model& m, const Vector& x, std::size_t k) {
    Vector w(3);
    EulerRates::times_G(m.coordinate_symbols(first + 3, 4).data(), x.data(), w.data());
    return 2.0 * w[k];
  };
  for (std::size_t k = 0; k < 3; ++k) {
    add_signal(name + ".omega_" + axis_names[k], "rad/s",
               [=](const Model& m) { return turning(m, m.velocity_symbols(first + 3, 4), k); });
    add_signal(name + ".alpha_" + axis_names[k], "rad/s^2",
               [=](const Model& m) { return turning(m, m.acceleration_symbols(first + 3, 4), k); });
  }
  const bool has_offset = !center_of_mass.empty();
  const std::vector<int> own = consecutive(first, 7);
  add_element(has_offset ? "spatial_body/offset" : "spatial_body", name, own, {},
              body_data(mass, center_of_mass, inertia, gravity_));
  add_element("euler_normalization", name, {own.begin() + 3, own.end()}, {add_multiplier(name + ".lambda")}, {});
  const Place place = add_moving_frame({Place::Kind::SpatialBody, first, {0.0, 0.0, 0.0}, name, {}});
  if (has_offset) add_center_of_mass_signals(place, center_of_mass);
  return place;
}

Place Model::add_natural_body(const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                              const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                              const Vector& angular_velocity, const Vector& center_of_mass) {
  check_spatial_body(name, mass, inertia, at, orientation, velocity, angular_velocity, center_of_mass);
  claim_name(name, "body");
  const int first = add_reference_point(name, at, velocity);
  const Vector p = unit(orientation), &w = angular_velocity;
  Vector A(9);
  rotation_matrix(p.data(), A.data());
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t next = (j + 1) % 3, last = (j + 2) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      // u' = omega x u, in body components: e_j' = omega_last e_next - omega_next e_last.
      add_coordinate(name + "." + "uvw"[j] + "_" + axis_names[k], "", A[3 * k + j],
                     w[last] * A[3 * k + next] - w[next] * A[3 * k + last]);
      const auto c = coordinates_.size() - 1;
      add_signal(coordinates_[c].name, "", node_symbol(coordinates_[c].position));
    }
  }
  // omega_x = v'.w and so on in a cycle; its derivative is v''.w + v'.w'.
  for (std::size_t k = 0; k < 3; ++k) {
    const int moving = first + 3 + 3 * static_cast<int>((k + 1) % 3),
              other = first + 3 + 3 * static_cast<int>((k + 2) % 3);
    add_signal(name + ".omega_" + axis_names[k], "rad/s",
               [=](const Model& m) { return dot(m.velocity_symbols(moving, 3), m.coordinate_symbols(other, 3)); });
    add_signal(name + ".alpha_" + axis_names[k], "rad/s^2", [=](const Model& m) {
      return dot(m.acceleration_symbols(moving, 3), m.coordinate_symbols(other, 3)) +
             dot(m.velocity_symbols(moving, 3), m.velocity_symbols(other, 3));
    });
  }
  const bool has_offset = !center_of_mass.empty();
  const Vector s = has_offset ? center_of_mass : Vector(3, 0.0);
  Vector data = pseudo_inertia(mass, s, inertia);
  data.insert(data.end(), gravity_.begin(), gravity_.end());
  add_element("natural_body", name, consecutive(first, 12), {}, data);
  std::vector<int> multipliers;
  for (const char* pair : {"uu", "vv", "ww", "uv", "uw", "vw"}) {
    multipliers.push_back(add_multiplier(name + ".lambda_" + pair));
  }
  add_element("orthonormal_axes", name, consecutive(first + 3, 9), multipliers, {});
  const Place place = add_moving_frame({Place::Kind::NaturalBody, first, {0.0, 0.0, 0.0}, name, {}});
  if (has_offset) add_center_of_mass_signals(place, center_of_mass);
  return place;
}

}  // namespace perilune::model
