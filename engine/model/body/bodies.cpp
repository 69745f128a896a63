// SPDX-License-Identifier: MIT
#include "model/body/bodies.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/body/mass_properties.hpp"
#include "model/body/spatial_body.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

/// The data of a body element: mass, centre of mass (if given), inertia, gravity.
Vector body_data(const Symbol& mass, const Vector& center_of_mass, const Vector& inertia, const Vector& gravity) {
  Vector data{mass};
  for (const Vector* part : {&center_of_mass, &inertia, &gravity}) data.insert(data.end(), part->begin(), part->end());
  return data;
}

/// x, y (and z) of the reference point of a body, with their signals. Returns the number of the first.
int add_reference_point(Model& model, const std::string& name, const Vector& at, const Vector& velocity) {
  const int first = static_cast<int>(model.coordinates().size());
  for (std::size_t k = 0; k < at.size(); ++k) {
    add_coordinate_signals(model, name, model.add_coordinate(name, axis_names[k], "m", at[k], velocity[k]),
                           axis_names[k], "m");
  }
  return first;
}

}  // namespace

void add_center_of_mass_signals(Model& model, const Place& body, const Vector& center_of_mass) {
  const Place center = body_place(model, body, center_of_mass);
  for (std::size_t k = 0; k < center_of_mass.size(); ++k) {
    add_signal(model, body.name, std::string("com_") + axis_names[k], "m",
               [center, k](const Model& m) { return position_of(m, center)[k]; });
  }
}

void check_spatial_mass(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                        const Vector& center_of_mass) {
  if (!center_of_mass.empty()) check_dimension(model, center_of_mass, "center_of_mass");
  if (inertia.size() != 6) throw Error("inertia needs 6 numbers: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz");
  require(model, "body \"" + name + "\"", body_data(mass, {}, inertia, {}), fault_of_spatial_body);
}

Place add_planar_body(Model& model, const std::string& name, const Symbol& mass, const Symbol& inertia,
                      const Vector& at, const Symbol& angle, const Vector& velocity, const Symbol& angular_velocity,
                      const Vector& center_of_mass) {
  if (model.dimension() != 2) throw Error("a planar body needs a planar model (gravity with 2 components)");
  check_dimension(model, at, "at");
  check_dimension(model, velocity, "velocity");
  const bool has_offset = !center_of_mass.empty();
  if (has_offset) check_dimension(model, center_of_mass, "center_of_mass");
  require(model, "body \"" + name + "\"", {mass, inertia}, fault_of_planar_body);
  model.claim_name(name, "body");
  const int first = add_reference_point(model, name, at, velocity);
  const auto turn = static_cast<std::size_t>(model.add_coordinate(name, "angle", "rad", angle, angular_velocity));
  add_signal(model, name, "angle", "rad",
             [turn](const Model& m) { return symbol_of(m, m.coordinates()[turn].position); });
  add_signal(model, name, "omega", "rad/s",
             [turn](const Model& m) { return symbol_of(m, m.coordinates()[turn].velocity); });
  add_signal(model, name, "alpha", "rad/s^2",
             [turn](const Model& m) { return symbol_of(m, m.coordinates()[turn].acceleration); });
  add_element(model, has_offset ? "planar_body/offset" : "planar_body", name, consecutive(first, 3), {},
              body_data(mass, center_of_mass, {inertia}, model.gravity()));
  Place place{Place::Kind::PlanarBody, consecutive(first, 3), {0.0, 0.0}, name, {}};
  model.record().moving_frames.push_back({place});
  if (has_offset) add_center_of_mass_signals(model, place, center_of_mass);
  return place;
}

Place add_spatial_body(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                       const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                       const Vector& angular_velocity, const Vector& center_of_mass) {
  if (model.dimension() != 3) throw Error("a spatial body needs a spatial model (gravity with 3 components)");
  check_dimension(model, at, "at");
  check_dimension(model, velocity, "velocity");
  check_dimension(model, angular_velocity, "angular_velocity");
  if (orientation.size() != 4) throw Error("orientation needs 4 Euler parameters");
  check_spatial_mass(model, name, mass, inertia, center_of_mass);
  model.claim_name(name, "body");
  const int first = add_reference_point(model, name, at, velocity);
  const Vector p = unit(orientation);
  Vector rate(4);  // p' = G^T omega' / 2
  EulerRates::times_G_transposed(p.data(), angular_velocity.data(), rate.data());
  for (int i = 0; i < 4; ++i) {
    const auto at_i = static_cast<std::size_t>(i);
    const std::string what = "e" + std::to_string(i);
    const int c = model.add_coordinate(name, what, "", p[at_i], 0.5 * rate[at_i]);
    add_signal(model, name, what, "", symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].position));
  }
  // omega = 2 G(p) p' and omega' = 2 G(p) p'', since G(p') p' = 0.
  auto turning = [first](const Model& m, const Vector& x, std::size_t k) {
    Vector w(3);
    EulerRates::times_G(coordinate_symbols(m, consecutive(first + 3, 4)).data(), x.data(), w.data());
    return 2.0 * w[k];
  };
  for (std::size_t k = 0; k < 3; ++k) {
    add_signal(model, name, std::string("omega_") + axis_names[k], "rad/s",
               [=](const Model& m) { return turning(m, velocity_symbols(m, consecutive(first + 3, 4)), k); });
    add_signal(model, name, std::string("alpha_") + axis_names[k], "rad/s^2",
               [=](const Model& m) { return turning(m, acceleration_symbols(m, consecutive(first + 3, 4)), k); });
  }
  const bool has_offset = !center_of_mass.empty();
  const std::vector<int> own = consecutive(first, 7);
  add_element(model, has_offset ? "spatial_body/offset" : "spatial_body", name, own, {},
              body_data(mass, center_of_mass, inertia, model.gravity()));
  add_inner_constraint(model, "euler_normalization", name, {own.begin() + 3, own.end()},
                       {model.add_multiplier(name, "lambda")});
  Place place{Place::Kind::SpatialBody, own, {0.0, 0.0, 0.0}, name, {}};
  model.record().moving_frames.push_back({place});
  if (has_offset) add_center_of_mass_signals(model, place, center_of_mass);
  return place;
}

void set_shapes(Model& model, const Place& body, const std::vector<Shape>& shapes) {
  // The body is mostly the last there is: to look from the first on takes long where there are thousands.
  auto& frames = model.record().moving_frames;
  const auto own = std::find_if(frames.rbegin(), frames.rend(),
                                [&](const MovingFrame& frame) { return is_same_object(frame.place, body); });
  if (own != frames.rend()) own->shapes = shapes;
}

}  // namespace perilune::model
