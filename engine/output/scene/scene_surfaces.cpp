// SPDX-License-Identifier: MIT
// What pictures show of contacts, tires and cams: surfaces and profiles, and what touches them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/contact/contact_gap.hpp"
#include "model/contact/wheel_edge.hpp"
#include "output/scene/scene.hpp"
#include "system/measure.hpp"

namespace perilune::output {

namespace {

using model::Place;
using model::Symbol;

constexpr double wheel_width = 0.3;  // of the radius: tires have none
constexpr double cells_of_patch = 3000;
constexpr std::size_t most_columns = 600;
constexpr std::size_t points_of_cam = 360;

std::vector<double> values_of(model::Model& model, const std::vector<Symbol>& list,
                              const std::vector<double>& parameters) {
  std::vector<expr::NodeId> nodes;
  for (const Symbol& x : list) nodes.push_back(x.in(model.graph()));
  const system::Measure measure(model, nodes);
  auto work = measure.make_work();
  measure.evaluate({0, nullptr, nullptr, nullptr, nullptr, parameters.data()}, work);
  std::vector<double> values;
  for (int k = 0; k < measure.output_count(); ++k) values.push_back(measure.value(work, k));
  return values;
}

/// An expression at the time 0 as a function of one or two of its variables.
std::function<double(double, double)> function_of(model::Model& model, const Symbol& what,
                                                  const std::vector<Symbol>& variables,
                                                  const std::vector<double>& parameters) {
  expr::Graph& graph = model.graph();
  const std::vector<expr::NodeId> inputs = graph.variables_of({what.in(graph)});
  const auto tape = std::make_shared<const expr::Tape>(graph, inputs, std::vector{what.in(graph)});
  const auto work = std::make_shared<std::vector<double>>(tape->make_work<double>());
  std::array<std::size_t, 2> slots{inputs.size(), inputs.size()};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const expr::Variable& variable = graph.variable_of(inputs[i]);
    if (variable.quantity == expr::Quantity::Parameter) {
      (*work)[i] = parameters[static_cast<std::size_t>(variable.index)];
    }
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (inputs[i] == variables[k].in(graph)) slots[k] = i;
    }
  }
  return [tape, work, slots](double x, double y) {
    const std::array<double, 2> at{x, y};
    for (std::size_t k = 0; k < 2; ++k) {
      if (slots[k] < static_cast<std::size_t>(tape->input_count())) (*work)[slots[k]] = at[k];
    }
    tape->evaluate(work->data());
    return (*work)[static_cast<std::size_t>(tape->output_slot(0))];
  };
}

std::function<double(double, double)> height_of(model::Model& model, const Symbol& height,
                                                const std::vector<double>& parameters) {
  expr::Graph& graph = model.graph();
  return function_of(model, height, {model::terrain_variable(graph, 0), model::terrain_variable(graph, 1)}, parameters);
}

double angle_of_cam(std::size_t k, std::size_t count) {
  return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
}

SceneCam cam_of(model::Model& model, const model::Touching& touching, const SceneEnd& on,
                const std::vector<double>& parameters) {
  const auto radius = function_of(model, *touching.profile, {model::edge_angle(model.graph())}, parameters);
  SceneCam cam{touching.name, on.frame, on.at, *on.axes, {}};
  for (std::size_t k = 0; k < points_of_cam; ++k) cam.radii.push_back(radius(angle_of_cam(k, points_of_cam), 0));
  return cam;
}

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Triple scaled(const Triple& a, double factor) { return {factor * a[0], factor * a[1], factor * a[2]}; }
Triple column(const SceneEnd& end, std::size_t k) {
  const auto& axes = *end.axes;
  return {axes[k], axes[3 + k], axes[6 + k]};
}
std::array<double, 9> as_columns(const Triple& a, const Triple& b, const Triple& c) {
  return {a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]};
}

constexpr std::array<double, 9> unturned{1, 0, 0, 0, 1, 0, 0, 0, 1};

std::array<double, 9> wheel_axes(const Triple& axis, double radius) {
  const Triple hint = std::abs(axis[2]) < 0.9 ? Triple{0, 0, 1} : Triple{1, 0, 0};
  Triple a = cross(hint, axis);
  a = scaled(a, 1 / std::sqrt(dot(a, a)));
  const Triple b = cross(axis, a);
  return as_columns(scaled(a, radius), scaled(b, radius), scaled(axis, 0.5 * wheel_width * radius));
}

/// A box with these edges, of the plane where there are two: its sides in one, and its ends. A plate of the plane is
/// one row of points.
std::vector<ScenePatch> faces_of(const std::string& name, const SceneEnd& on, const std::vector<double>& edges) {
  const auto corner = [&](const std::array<int, 3>& side) {
    Triple p = on.at;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) p[i] += 0.5 * side[k] * edges[k] * column(on, k)[i];
    }
    return p;
  };
  const auto face = [&](std::size_t columns, std::size_t normal, const std::vector<std::array<int, 3>>& sides) {
    ScenePatch out{name, on.frame, columns, {}, column(on, normal)};
    for (const std::array<int, 3>& side : sides) out.points.push_back(corner(side));
    return out;
  };
  if (edges.size() == 2 && edges[0] == 0) return {face(2, 0, {{0, -1, 0}, {0, 1, 0}})};
  if (edges.size() == 2 && edges[1] == 0) return {face(2, 1, {{-1, 0, 0}, {1, 0, 0}})};
  if (edges.size() == 2) return {face(2, 1, {{-1, 1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}})};
  std::vector<ScenePatch> out;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const int side : {1, -1}) {
      std::vector<std::array<int, 3>> corners;
      for (const int v : {-1, 1}) {
        for (const int u : {-1, 1}) {
          std::array<int, 3>& corner_of_face = corners.emplace_back();
          corner_of_face[k] = side;
          corner_of_face[(k + 1) % 3] = u;
          corner_of_face[(k + 2) % 3] = v;
        }
      }
      out.push_back(face(2, k, corners));
    }
  }
  return out;
}

}  // namespace

std::vector<Triple> SceneCam::outline() const {
  std::vector<Triple> out;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const double angle = angle_of_cam(k, radii.size()), x = radii[k] * std::cos(angle), y = radii[k] * std::sin(angle);
    Triple& p = out.emplace_back(at);
    for (std::size_t i = 0; i < 3; ++i) p[i] += x * axes[3 * i] + y * axes[3 * i + 1];
  }
  return out;
}

void Scene::add_touchings(model::Model& model, const std::vector<double>& parameters) {
  const auto end_at = [&](const Place& place) {
    SceneEnd end = end_of(place, values_of(model, place.local, parameters), values_of(model, place.axes, parameters));
    if (!end.axes) end.axes = unturned;
    return end;
  };
  for (const auto& touching : model.record().touchings) {
    const SceneEnd on = end_at(touching->a);
    const auto* terrain = std::get_if<model::Terrain>(&touching->surface);
    const expr::NodeId height = terrain ? terrain->height.in(model.graph()) : expr::no_node;
    Ground* ground = nullptr;
    const auto* ball = std::get_if<model::Ball>(&touching->surface);
    if (touching->profile) {
      cams_.push_back(cam_of(model, *touching, on, parameters));
    } else if (ball && (is_planar_ || !touching->hides_surface)) {  // in space a hollow one would hide what is in it
      const double r = values_of(model, {ball->radius}, parameters)[0];
      rounds_.push_back({touching->name, false, touching->hides_surface, on.frame, on.at, {r, 0, 0, 0, r, 0, 0, 0, r}});
    } else if (const auto* box = std::get_if<model::Box>(&touching->surface)) {
      for (ScenePatch& face : faces_of(touching->name, on, values_of(model, box->edges, parameters))) {
        boxes_.push_back(std::move(face));
      }
    } else if (!touching->hides_surface) {
      const auto same = [&](const Ground& other) {
        return other.height_node == height && other.on.frame == on.frame && other.on.at == on.at &&
               other.on.axes == on.axes;
      };
      auto found = std::find_if(grounds_.begin(), grounds_.end(), same);
      if (found == grounds_.end()) {
        grounds_.push_back(
            {touching->name, on, terrain ? height_of(model, terrain->height, parameters) : nullptr, height});
        found = grounds_.end() - 1;
      }
      ground = &*found;
    }
    std::vector<double> size = values_of(model, {touching->round.radius}, parameters);
    if (!touching->round.semi_axes.empty()) size = values_of(model, touching->round.semi_axes, parameters);
    if (size.size() == 1) size.assign(3, size[0]);
    if (size.size() == 2) size.push_back(std::min(size[0], size[1]));
    const double reach = *std::max_element(size.begin(), size.end());
    for (const Place& place : touching->b) {
      const SceneEnd end = end_at(place);
      if (ground) {
        ground->touched_by.push_back(end);
        ground->reach = std::max(ground->reach, reach);
      }
      if (!(reach > 0)) continue;
      SceneRound round{touching->name, !touching->wheel_axis.empty(), false, end.frame, end.at, {}};
      if (round.is_wheel) {
        const std::vector<double> axis = values_of(model, touching->wheel_axis, parameters);
        round.axes = wheel_axes({axis[0], axis[1], axis[2]}, reach);
      } else {
        round.axes = as_columns(scaled(column(end, 0), size[0]), scaled(column(end, 1), size[1]),
                                scaled(column(end, 2), size[2]));
      }
      rounds_.push_back(round);
    }
  }
}

ScenePatch Scene::patch(const Ground& ground, const std::array<double, 2>& low,
                        const std::array<double, 2>& high) const {
  const double length = high[0] - low[0], width = high[1] - low[1];
  std::size_t columns = 2, rows = is_planar_ ? 1 : 2;
  if (ground.height) {
    columns = is_planar_ ? most_columns
                         : std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(cells_of_patch * length / width)),
                                                   9, most_columns);
    if (!is_planar_) {
      rows = std::clamp<std::size_t>(static_cast<std::size_t>(cells_of_patch / static_cast<double>(columns)), 9,
                                     most_columns);
    }
  }
  ScenePatch out{ground.name, ground.on.frame, columns, {}, column(ground.on, is_planar_ ? 1 : 2)};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      const double x = low[0] + length * static_cast<double>(i) / static_cast<double>(columns - 1);
      const double y = rows > 1 ? low[1] + width * static_cast<double>(j) / static_cast<double>(rows - 1) : 0;
      double height = ground.height ? ground.height(x, y) : 0;
      if (!std::isfinite(height)) height = 0;
      Triple p = ground.on.at;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] += x * column(ground.on, 0)[k] + height * out.normal[k];
        if (!is_planar_) p[k] += y * column(ground.on, 1)[k];
      }
      out.points.push_back(p);
    }
  }
  return out;
}

std::vector<ScenePatch> Scene::patches(const std::vector<std::vector<double>>& motion) const {
  std::vector<ScenePatch> out;
  for (const Ground& ground : grounds_) {
    std::array<double, 2> low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
    for (const std::vector<double>& q : motion) {
      const Triple origin = place(ground.on, q.data());
      const Pose frame = pose(ground.on.frame, q.data());
      for (const SceneEnd& end : ground.touched_by) {
        Triple apart = place(end, q.data());
        for (std::size_t k = 0; k < 3; ++k) apart[k] -= origin[k];
        for (std::size_t k = 0; k < 2; ++k) {
          const double x = dot(frame.direction(column(ground.on, k)), apart);
          if (!std::isfinite(x)) continue;
          low[k] = std::min(low[k], x);
          high[k] = std::max(high[k], x);
        }
      }
    }
    const double span = std::max({high[0] - low[0], is_planar_ ? 0.0 : high[1] - low[1], 4 * ground.reach});
    if (!std::isfinite(span)) continue;
    const double margin = span > 0 ? 0.12 * span + ground.reach : 0.5;
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] -= margin;
      high[k] += margin;
    }
    out.push_back(patch(ground, low, high));
  }
  out.insert(out.end(), boxes_.begin(), boxes_.end());
  return out;
}

}  // namespace perilune::output
