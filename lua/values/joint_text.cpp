// SPDX-License-Identifier: MIT
#include "values/joint_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/declare.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::lua {

namespace {

using model::Model;
using model::Place;
using model::Vector;

/// To read, not to go on with: what is zero but for rounding is zero.
std::string shown(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", std::abs(x) < 1e-12 ? 0.0 : x);
  return text;
}

std::string shown(const Model& model, const Vector& v) {
  std::string text;
  for (const double x : present_values(model, v)) text += (text.empty() ? "(" : ", ") + shown(x);
  return text + ")";
}

/// Turn of b's x axis from a's about a's z axis (rad), as declared.
double declared_angle(const Model& model, const Place& a, const Place& b) {
  if (model.dimension() == 2) return present_values(model, {initial_angle(model, b) - initial_angle(model, a)})[0];
  const Vector x = initial_axis(model, b, 0);
  return present_values(model,
                        {atan2(model::dot(x, initial_axis(model, a, 1)), model::dot(x, initial_axis(model, a, 0)))})[0];
}

}  // namespace

std::string joint_text(const Model& model, const std::string& name) {
  const std::vector<model::Connection>& all = model.record().connections;
  const auto joint = std::find_if(all.begin(), all.end(), [&](const model::Connection& each) {
    return each.name == name && model::find_joint_kind(each.kind) != nullptr;
  });
  if (joint == all.end()) return "";
  const Place &a = joint->a, &b = joint->b;
  const bool in_space = model.dimension() == 3;
  std::string text = "from " + a.name + " to " + b.name + " at " + shown(model, initial_position(model, b)) + " m";
  const bool turns = model::has_signal(model, name + ".angle"),
             slides = model::has_signal(model, name + ".displacement");
  if (in_space ? has_directions(a) && (turns || slides) : slides) {
    text += (turns ? ", about " : ", along ") + shown(model, initial_axis(model, a, in_space ? 2 : 0));
  }
  if (turns) {
    text += "; angle " + shown(declared_angle(model, a, b)) +
            " rad as declared, 0 where its x axis on b lies along that on a, " +
            shown(model, initial_axis(model, a, 0));
  }
  if (slides) {
    const Vector apart = model::minus(initial_position(model, b), initial_position(model, a));
    const double along = present_values(model, {model::dot(initial_axis(model, a, in_space ? 2 : 0), apart)})[0];
    text += "; displacement " + shown(along) + " m as declared, 0 where b's place stands by a's";
  }
  return text;
}

}  // namespace perilune::lua
