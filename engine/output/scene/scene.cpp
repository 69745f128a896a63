// SPDX-License-Identifier: MIT
#include "output/scene/scene.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "system/measure.hpp"

namespace perilune::output {

namespace {

using model::Place;
using model::Symbol;

/// Hands out numbers for expressions of parameters, all evaluated by one tape.
class Numbers {
 public:
  explicit Numbers(model::Model& model) : model_(model), graph_(model.graph()) {}

  void ask(const std::vector<Symbol>& list) {
    for (const Symbol& x : list) nodes_.push_back(x.in(graph_));
  }
  void evaluate(const std::vector<double>& parameters) {
    const system::Measure measure(model_, nodes_);
    auto work = measure.make_work();
    measure.evaluate({0, nullptr, nullptr, nullptr, nullptr, parameters.data()}, work);
    for (int k = 0; k < measure.output_count(); ++k) values_.push_back(measure.value(work, k));
  }
  /// In the order in which they were asked for.
  std::vector<double> next(const std::vector<Symbol>& list) {
    const auto from = values_.begin() + next_;
    next_ += static_cast<std::ptrdiff_t>(list.size());
    return {from, values_.begin() + next_};
  }
  template <std::size_t N>
  std::array<double, N> next_array(const std::vector<Symbol>& list) {
    std::array<double, N> out{};
    const std::vector<double> values = next(list);
    std::copy_n(values.begin(), std::min(N, values.size()), out.begin());
    return out;
  }

 private:
  model::Model& model_;
  expr::Graph& graph_;
  std::vector<expr::NodeId> nodes_;
  std::vector<double> values_;
  std::ptrdiff_t next_ = 0;
};

constexpr std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

std::array<double, 4> normalized(std::array<double, 4> e) {
  double square = 0;
  for (const double x : e) square += x * x;
  if (!(square > 0)) return {1, 0, 0, 0};
  for (double& x : e) x /= std::sqrt(square);
  return e;
}

std::vector<Place> places_of_frames(const model::Model& model) {
  std::vector<Place> out;
  for (const model::MovingFrame& frame : model.record().moving_frames) out.push_back(frame.place);
  return out;
}

std::vector<SceneShape> next_shapes(Numbers& numbers, const std::vector<model::Shape>& shapes) {
  std::vector<SceneShape> out;
  for (const model::Shape& shape : shapes) {
    SceneShape& drawn = out.emplace_back(SceneShape{shape.kind, numbers.next(shape.size), {}, {}, shape.surface});
    drawn.at = numbers.next_array<3>(shape.at);
    drawn.axes = numbers.next_array<9>(shape.axes);
  }
  return out;
}

/// Of a rotation matrix, row-major: from the largest of the four parameters, so that nothing is divided by a small one.
std::array<double, 4> euler_parameters(const std::array<double, 9>& R) {
  const std::array<double, 4> squares{1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                                      1 - R[0] - R[4] + R[8]};
  const double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1], d = R[1] + R[3], e = R[2] + R[6], f = R[5] + R[7];
  switch (std::max_element(squares.begin(), squares.end()) - squares.begin()) {
    case 0:
      return normalized({squares[0], a, b, c});
    case 1:
      return normalized({a, squares[1], d, e});
    case 2:
      return normalized({b, d, squares[2], f});
    default:
      return normalized({c, e, f, squares[3]});
  }
}

}  // namespace

Triple SceneShape::half_edges() const {
  const std::vector<double>& s = size;
  Triple half{};
  switch (kind) {
    case model::Shape::Kind::Box:
      return {s[0] / 2, s[1] / 2, s[2] / 2};
    case model::Shape::Kind::Cylinder:
      return {s[0], s[0], s[2] / 2};
    case model::Shape::Kind::Sphere:
      return {s[0], s[0], s[0]};
    case model::Shape::Kind::Rod:
      return {0, 0, s[0] / 2};
    case model::Shape::Kind::Surface:
      for (std::size_t k = 0; k < 3; ++k) half[k] = std::abs(s[k]) * (surface->highest[k] - surface->lowest[k]) / 2;
      break;
  }
  return half;
}

Triple SceneShape::middle() const {
  Triple out{};
  if (!surface) return out;
  for (std::size_t k = 0; k < 3; ++k) out[k] = size[k] * (surface->highest[k] + surface->lowest[k]) / 2;
  return out;
}

Triple SceneShape::point(const Triple& own) const {
  Triple out = at;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) out[k] += axes[3 * k + j] * own[j];
  }
  return out;
}

Triple Pose::direction(const Triple& v) const {
  const double w = rotation[0], x = rotation[1], y = rotation[2], z = rotation[3];
  // v + 2 e x (e x v + e0 v)
  const Triple t{y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1], x * v[1] - y * v[0] + w * v[2]};
  return {v[0] + 2 * (y * t[2] - z * t[1]), v[1] + 2 * (z * t[0] - x * t[2]), v[2] + 2 * (x * t[1] - y * t[0])};
}

Triple Pose::point(const Triple& local) const {
  Triple out = direction(local);
  for (std::size_t k = 0; k < 3; ++k) out[k] += position[k];
  return out;
}

Scene::Scene(model::Model& model, const std::vector<double>& parameters)
    : is_planar_(model.dimension() == 2),
      numbers_(model.coordinate_numbers()),
      lines_(model, parameters, places_of_frames(model)) {
  std::set<std::string> beams;
  for (const SceneLine& line : lines()) beams.insert(line.name);
  const auto is_element = [&](const model::Connection& c) { return c.kind == "beam" && beams.count(c.name) > 0; };
  Numbers numbers(model);
  numbers.ask(model.gravity());
  const auto ask = [&](const std::vector<model::Shape>& shapes) {
    for (const model::Shape& shape : shapes) {
      for (const auto* list : {&shape.size, &shape.at, &shape.axes}) numbers.ask(*list);
    }
  };
  for (const model::MovingFrame& frame : model.record().moving_frames) ask(frame.shapes);
  ask(model.record().ground_shapes);
  for (const model::Connection& connection : model.record().connections) {
    for (const Place* place : {&connection.a, &connection.b}) {
      numbers.ask(place->local);
      numbers.ask(place->axes);
    }
  }
  numbers.evaluate(parameters);

  const Triple g = numbers.next_array<3>(model.gravity());
  const double size = std::hypot(g[0], g[1], g[2]);
  up_ = is_planar_ ? Triple{0, 1, 0} : size > 0 ? Triple{-g[0] / size, -g[1] / size, -g[2] / size} : Triple{0, 0, 1};
  for (const model::MovingFrame& frame : model.record().moving_frames) {
    frame_of_coordinates_[frame.place.coordinates] = static_cast<int>(frames_.size());
    frames_.push_back({frame.place.name, frame.place.kind, numbered(frame.place), next_shapes(numbers, frame.shapes)});
  }
  if (!model.record().ground_shapes.empty()) {
    frames_.push_back({"ground", Place::Kind::Ground, {}, next_shapes(numbers, model.record().ground_shapes)});
  }
  const auto next_end = [&](const Place& place) {
    const std::vector<double> local = numbers.next(place.local);
    return end_of(place, local, numbers.next(place.axes));
  };
  for (const model::Connection& connection : model.record().connections) {
    if (is_element(connection)) {
      for (const Place* place : {&connection.a, &connection.b}) next_end(*place);
      continue;
    }
    SceneConnection& out = connections_.emplace_back();
    out.kind = connection.kind;
    out.mark = connection.mark;
    out.name = connection.name;
    out.a = next_end(connection.a);
    out.b = next_end(connection.b);
  }
  add_touchings(model, parameters);
  find_inner_nodes();
  place_joint_coordinates(model);
}

std::vector<int> Scene::numbered(const Place& place) const {
  std::vector<int> out;
  for (const int i : place.coordinates) out.push_back(numbers_[static_cast<std::size_t>(i)]);
  return out;
}

SceneEnd Scene::end_of(const Place& place, const std::vector<double>& local, const std::vector<double>& axes) {
  SceneEnd end;
  if (place.kind == Place::Kind::Station) {
    end.frame = static_cast<int>(frames_.size());
    frames_.push_back({place.name, place.kind, numbered(place), {}, local});
    return end;
  }
  if (place.kind != Place::Kind::Ground) end.frame = frame_of_coordinates_.at(place.coordinates);
  std::copy_n(local.begin(), std::min(local.size(), end.at.size()), end.at.begin());
  if (!has_directions(place)) return end;
  end.axes = identity;
  if (axes.size() == 9) std::copy(axes.begin(), axes.end(), end.axes->begin());
  if (axes.size() == 1) {
    const double c = std::cos(axes[0]), s = std::sin(axes[0]);
    end.axes = {c, -s, 0, s, c, 0, 0, 0, 1};
  }
  return end;
}

JointCoordinates::JointCoordinates(const model::Model& model) : model_(model) {
  for (const model::Element& element : model.elements()) {
    if (element.is_removed || element.form != model::Element::Form::Relation) continue;
    for (const int c : element.coordinates) relations_[c].push_back(&element);
  }
}

std::optional<JointCoordinates::Moved> JointCoordinates::moved_by(const Place& place) const {
  if (place.kind != Place::Kind::Point || relations_.empty()) return std::nullopt;
  std::optional<int> along;
  for (const int c : place.coordinates) {
    const std::vector<const model::Element*> all = ties(c);
    const std::string off = model_.coordinates()[static_cast<std::size_t>(c)].owner + "_off_";
    if (std::ranges::any_of(all, [&](const auto* one) {
          return one->coordinates.size() == 1 && one->name.starts_with(off);
        })) {
      continue;
    }
    if (along || all.empty()) return std::nullopt;
    along = c;
  }
  const int frame = along ? frame_of(*along) : -1;
  return frame < 0 ? std::nullopt : std::optional(Moved{*along, frame});
}

std::vector<const model::Element*> JointCoordinates::ties(int coordinate) const {
  const auto found = relations_.find(coordinate);
  return found == relations_.end() ? std::vector<const model::Element*>{} : found->second;
}

/// Tied to a coordinate are the body that it moves and what carries that, which was declared before; or the angle of a
/// joint.
int JointCoordinates::frame_of(int coordinate) const {
  const std::vector<model::MovingFrame>& all = model_.record().moving_frames;
  const auto last = [&](const auto& is_tied) {
    int found = -1;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Place& place = all[k].place;
      if (place.kind == Place::Kind::SpatialBody && is_tied(place.coordinates)) found = static_cast<int>(k);
    }
    return found;
  };
  std::set<int> others;
  std::set<std::string> joints;
  for (const model::Element* tie : ties(coordinate)) {
    others.insert(tie->coordinates.begin(), tie->coordinates.end());
    for (const int c : tie->coordinates) joints.insert(model_.coordinates()[static_cast<std::size_t>(c)].owner);
  }
  const int body = last(
      [&](const std::vector<int>& own) { return std::ranges::any_of(own, [&](int c) { return others.contains(c); }); });
  if (body >= 0) return body;
  return last([&](const std::vector<int>& own) {
    return std::ranges::any_of(model_.record().connections, [&](const model::Connection& one) {
      return joints.contains(one.name) && (one.a.coordinates == own || one.b.coordinates == own);
    });
  });
}

void Scene::place_joint_coordinates(const model::Model& model) {
  const JointCoordinates joint_coordinates(model);
  for (std::size_t k = 0; k < model.record().moving_frames.size(); ++k) {
    const auto moved = joint_coordinates.moved_by(model.record().moving_frames[k].place);
    if (!moved) continue;
    const std::vector<int>& body = frames_[static_cast<std::size_t>(moved->frame)].coordinates;
    frames_[k].coordinates.assign(body.begin(), body.begin() + 3);
    frames_[k].is_coordinate = true;
  }
}

void Scene::find_inner_nodes() {
  for (const SceneLine& line : lines()) {
    for (const int node : line.nodes) frames_[static_cast<std::size_t>(node)].is_inner = true;
  }
  for (const SceneConnection& connection : connections_) {
    for (const SceneEnd* end : {&connection.a, &connection.b}) {
      if (end->frame < 0 || connection.mark == model::Mark::Arrow) continue;
      SceneFrame& frame = frames_[static_cast<std::size_t>(end->frame)];
      if (frame.is_point()) frame.is_inner = false;  // a node that is a body has no picture of its own at all
    }
  }
}

Pose Scene::pose(int frame, const double* q) const {
  Pose out;
  if (frame < 0) return out;
  const SceneFrame& what = frames_[static_cast<std::size_t>(frame)];
  if (what.is_ground()) return out;
  std::vector<double> own;
  for (const int i : what.coordinates) own.push_back(q[i]);
  const std::size_t dimension = is_planar_ ? 2 : 3;
  if (what.kind == Place::Kind::Station) {
    for (std::size_t k = 0; k < dimension; ++k) {
      for (std::size_t j = 0; j < what.shares.size(); ++j) out.position[k] += what.shares[j] * own[dimension * j + k];
    }
    return out;
  }
  std::copy_n(own.begin(), dimension, out.position.begin());
  if (what.kind == Place::Kind::PlanarBody) out.rotation = {std::cos(own[2] / 2), 0, 0, std::sin(own[2] / 2)};
  if (what.kind == Place::Kind::SpatialBody) out.rotation = normalized({own[3], own[4], own[5], own[6]});
  if (what.kind == Place::Kind::NaturalBody) {
    const double *u = &own[3], *v = &own[6], *w = &own[9];
    out.rotation = euler_parameters({u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2]});
  }
  return out;
}

Scene scene_of(const simulation::Trajectory& run) { return {run.model(), run.run().data->parameters}; }

}  // namespace perilune::output
