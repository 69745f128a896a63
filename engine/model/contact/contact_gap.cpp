// SPDX-License-Identifier: MIT
#include "model/contact/contact_gap.hpp"

#include "expr/rewrite.hpp"
#include "model/body/orientation.hpp"
#include "model/contact/box_gap.hpp"
#include "model/law/kinks.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

using expr::Quantity;

Symbol terrain_variable(Graph& graph, int k) {
  return {graph, graph.variable(Quantity::Argument, k, std::string(axis_names[k]) + " of the terrain")};
}

std::vector<Push> acting(const Model& model, std::vector<Push> pushes) {
  for (Push& push : pushes) {
    for (Symbol& x : push.force) x = while_acting(model, model.elements().size() - 1, x);
  }
  return pushes;
}

bool is_point(const Round& round) {
  return round.semi_axes.empty() && round.radius.is_number() && round.radius.number() == 0;
}

namespace {

constexpr int newton_steps = 3;   // to the foot on a terrain: the last error is that of the first to the power 8
constexpr int secular_steps = 8;  // to the foot on an ellipsoid: rounding up to an aspect of 10

/// Where each of these variables stands for a symbol.
class Substitution {
 public:
  Substitution(Graph& graph, const Vector& variables, const Vector& values) : graph_(graph) {
    for (std::size_t k = 0; k < values.size(); ++k) by_[variables[k].in(graph)] = values[k].in(graph);
  }
  Symbol operator()(const Symbol& x) const { return {graph_, expr::substitute(graph_, x.in(graph_), by_)}; }
  Vector operator()(const Vector& v) const {
    Vector out;
    for (const Symbol& x : v) out.push_back((*this)(x));
    return out;
  }

 private:
  Graph& graph_;
  expr::NodeMap by_;
};

/// A terrain and its slopes as expressions of the terrain's variables.
struct Relief {
  Vector variables;  // along the plane
  Symbol height;
  Vector slopes, curvatures;  // curvatures: row-major
  Symbol rate;                // by time
};

Symbol slope_of(Graph& graph, const Symbol& what, const Symbol& variable) {
  return {graph, expr::derivative(graph, what.in(graph), {{variable.in(graph), graph.constant(1)}})};
}

Relief relief_of(Model& model, const Symbol& height) {
  Graph& graph = model.graph();
  Relief relief;
  relief.height = height;
  for (int k = 0; k < model.dimension() - 1; ++k) relief.variables.push_back(terrain_variable(graph, k));
  for (const Symbol& x : relief.variables) relief.slopes.push_back(slope_of(graph, height, x));
  for (const Symbol& slope : relief.slopes) {
    for (const Symbol& x : relief.variables) relief.curvatures.push_back(slope_of(graph, slope, x));
  }
  relief.rate = slope_of(graph, height, Symbol(graph, model.time()));
  return relief;
}

/// Steps end where the height changes its form with time, whatever the place.
Symbol with_switches_in_time(Model& model, const std::string& name, const Symbol& height) {
  Graph& graph = model.graph();
  return with_switches(model, name + ".height", height, [&](const Symbol& x) -> std::optional<Symbol> {
    for (NodeId id : graph.variables_of({x.in(graph)})) {
      const Quantity quantity = graph.variable_of(id).quantity;
      if (quantity != Quantity::Time && quantity != Quantity::Parameter) return std::nullopt;
    }
    return x;
  });
}

/// The distance of a point from the tangent plane of the terrain below it: the force along its gradient keeps energy.
/// Steps end where the point passes a corner, as the slope is held on both sides.
Gap gap_of_point(Model& model, const TerrainSwitches& switches, const Terrain& terrain, const Vector& axes,
                 const Vector& apart) {
  Graph& graph = model.graph();
  Vector variables;
  std::vector<NodeId> nodes;
  for (int k = 0; k < model.dimension(); ++k) {
    variables.push_back(terrain_variable(graph, k));
    nodes.push_back(variables.back().in(graph));
  }
  const Substitution here(graph, variables, into_axes(axes, apart));
  const Symbol height = switches.at_corners ? with_switches(model, switches.name + ".corner", terrain.height,
                                                            [&](const Symbol& x) { return here(x); })
                                            : terrain.height;
  const Relief relief = relief_of(model, height);
  Symbol distance = variables.back() - height;
  if (!terrain.is_vertical) distance = distance / sqrt(1.0 + dot(relief.slopes, relief.slopes));
  Vector slope;
  for (NodeId id : expr::gradient(graph, distance.in(graph), nodes)) slope.push_back(here(Symbol(graph, id)));
  return {here(distance), out_of_axes(axes, slope), Vector(apart.size(), 0.0),
          here(slope_of(graph, distance, Symbol(graph, model.time())))};
}

/// Of what is round and convex: the lowest point for a surface with a normal along v, of any length. The part
/// d(lowest) = -turn dv of it that lies in the plane of a terrain is for Newton's method.
struct Lowest {
  Vector at;
  Symbol depth;  // below the centre, along v / |v|
  Vector turn;   // row-major, without the last axis
};

/// matrix: W with the squares of the semi-axes along its axes, row-major; for a sphere r^2 times 1.
Lowest lowest_of(const Vector& matrix, const Vector& v) {
  const Vector image = out_of_axes(matrix, v);
  const Symbol extent = sqrt(dot(v, image)), cube = extent * extent * extent;
  Lowest lowest{times(-1.0 / extent, image), extent / sqrt(dot(v, v)), {}};
  const std::size_t n = v.size();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    for (std::size_t j = 0; j + 1 < n; ++j) {
      lowest.turn.push_back(matrix[n * i + j] / extent - image[i] * image[j] / cube);
    }
  }
  return lowest;
}

/// x of matrix x = right side (1 or 2 unknowns). In a valley as narrow as what lies in it the matrix is singular.
Vector solved(const Vector& matrix, const Vector& right) {
  constexpr double least = 0.1;
  if (right.size() == 1) return {right[0] / max(matrix[0], least)};
  const Symbol determinant = max(matrix[0] * matrix[3] - matrix[1] * matrix[2], least);
  return {(matrix[3] * right[0] - matrix[1] * right[1]) / determinant,
          (matrix[0] * right[1] - matrix[2] * right[0]) / determinant};
}

/// The closest pair of points of what is round and the terrain, in the axes of a: the foot lies `offset` away from
/// below the centre.
class ClosestPair {
 public:
  ClosestPair(Model& model, const Terrain& terrain, Vector centre, Vector matrix)
      : model_(model),
        relief_(relief_of(model, terrain.height)),
        centre_(std::move(centre)),
        matrix_(std::move(matrix)) {
    move_to(Vector(centre_.size() - 1, 0.0));
    for (int k = 0; k < newton_steps; ++k) move_to(improved());
  }

  Symbol gap() const { return gap_; }
  Symbol drift() const { return -at_foot(relief_.rate) / steepness_; }
  Vector normal() const { return times(1.0 / steepness_, upward_); }
  Vector arm() const { return lowest_.at; }

 private:
  Vector foot() const { return plus(Vector(centre_.begin(), centre_.end() - 1), offset_); }
  Symbol at_foot(const Symbol& x) const { return Substitution(model_.graph(), relief_.variables, foot())(x); }
  Vector at_foot(const Vector& v) const { return Substitution(model_.graph(), relief_.variables, foot())(v); }

  void move_to(const Vector& offset) {
    offset_ = offset;
    upward_ = times(-1.0, at_foot(relief_.slopes));
    upward_.push_back(1.0);
    steepness_ = sqrt(dot(upward_, upward_));
    lowest_ = lowest_of(matrix_, upward_);
    Vector above = times(-1.0, offset_);
    above.push_back(centre_.back() - at_foot(relief_.height));
    gap_ = dot(upward_, above) / steepness_ - lowest_.depth;
  }

  /// One step of Newton's method for offset = lowest - gap n in the plane, kept within the extent of what is round. Out
  /// of contact the gap is left out: a foot far away could lie on another hill.
  Vector improved() const {
    const std::size_t n = offset_.size();
    const Symbol below = min(gap_, 0.0), cube = steepness_ * steepness_ * steepness_;
    const Vector bend = at_foot(relief_.curvatures);
    Vector missing, matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      missing.push_back(lowest_.at[i] - below * upward_[i] / steepness_ - offset_[i]);
      for (std::size_t j = 0; j < n; ++j) {
        matrix[n * i + j] = i == j ? 1.0 : 0.0;
        for (std::size_t k = 0; k < n; ++k) {
          const Symbol turn = (i == k ? 1.0 / steepness_ : Symbol(0.0)) - upward_[i] * upward_[k] / cube;
          matrix[n * i + j] -= (lowest_.turn[n * i + k] + below * turn) * bend[n * k + j];
        }
      }
    }
    Vector out = plus(offset_, solved(matrix, missing));
    for (std::size_t i = 0; i < n; ++i) {
      const Symbol extent = sqrt(matrix_[(n + 1) * i + i]);
      out[i] = max(min(out[i], extent), -extent);
    }
    return out;
  }

  Model& model_;
  Relief relief_;
  Vector centre_, matrix_, offset_, upward_;
  Symbol steepness_, gap_;
  Lowest lowest_;
};

/// The squares of the semi-axes of what is round about b, in the axes of a.
Vector shape_matrix(Model& model, const Vector& axes, const Place& b, const Round& round) {
  const auto n = static_cast<std::size_t>(model.dimension());
  Vector matrix(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    if (round.semi_axes.empty()) {
      matrix[(n + 1) * k] = round.radius * round.radius;
      continue;
    }
    const Vector semi_axis = times(round.semi_axes[k], into_axes(axes, axis_of(model, b, static_cast<int>(k))));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[n * i + j] += semi_axis[i] * semi_axis[j];
    }
  }
  return matrix;
}

/// matrix: as that of shape_matrix, of what is not a point.
Gap gap_of_terrain(Model& model, const TerrainSwitches& switches, const Vector& axes, const Terrain& terrain,
                   const Vector& apart, const std::optional<Vector>& matrix) {
  const Terrain held{switches.in_time ? with_switches_in_time(model, switches.name, terrain.height) : terrain.height,
                     terrain.is_vertical};
  if (!matrix) return gap_of_point(model, switches, held, axes, apart);
  const ClosestPair pair(model, held, into_axes(axes, apart), *matrix);
  return {pair.gap(), out_of_axes(axes, pair.normal()), out_of_axes(axes, pair.arm()), pair.drift()};
}

Gap gap_of_plane(Model& model, const Place& a, const Place& b, const Round& round) {
  const Vector normal = axis_of(model, a, model.dimension() - 1);
  const Symbol height = dot(normal, minus(position_of(model, b), position_of(model, a)));
  if (round.semi_axes.empty()) return {height - round.radius, normal, times(-round.radius, unit(normal))};
  Vector scaled;
  const Vector own = into_axes(orientation(model, b), normal);
  for (std::size_t k = 0; k < own.size(); ++k) scaled.push_back(round.semi_axes[k] * own[k]);
  const Symbol extent = sqrt(dot(scaled, scaled));
  for (std::size_t k = 0; k < own.size(); ++k) scaled[k] = -round.semi_axes[k] * scaled[k] / extent;
  return {height - extent, normal, out_of_axes(orientation(model, b), scaled)};
}

/// From the centre y of the ball in the axes of b: the foot x_i = s_i^2 y_i / (s_i^2 + t) lies on the ellipsoid, and y
/// along its normal, where the length of p_i = s_i y_i / (s_i^2 + t) is 1. Newton's method for 1 = 1 / |p|, which is
/// concave in t, converges from below; for a sphere in one step.
Gap gap_of_ellipsoid(Model& model, const Place& b, const Round& round, const Symbol& radius, const Vector& apart) {
  const Vector axes = orientation(model, b), y = into_axes(axes, times(-1.0, apart));
  Vector squares, w(y.size());
  for (const Symbol& s : round.semi_axes) squares.push_back(s * s);
  Symbol t = 0.0;
  for (int step = 0; step < secular_steps; ++step) {
    Symbol square = 0.0, slope = 0.0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const Symbol reach = squares[k] + t, p = round.semi_axes[k] * y[k] / reach;
      square += p * p;
      slope += p * p / reach;
    }
    t += square * (sqrt(square) - 1.0) / slope;
  }
  for (std::size_t k = 0; k < y.size(); ++k) w[k] = y[k] / (squares[k] + t);
  const Symbol length = sqrt(dot(w, w));
  Vector foot, normal;
  for (std::size_t k = 0; k < y.size(); ++k) {
    foot.push_back(squares[k] * w[k]);
    normal.push_back(-w[k] / length);
  }
  return {t * length - radius, out_of_axes(axes, normal), out_of_axes(axes, foot)};
}

Gap gap_of_ball(Model& model, const Place& a, const Ball& ball, const Place& b, const Round& round) {
  const Vector apart = minus(position_of(model, b), position_of(model, a));
  const Symbol distance = sqrt(dot(apart, apart));
  if (!round.semi_axes.empty()) {
    Gap gap = gap_of_ellipsoid(model, b, round, ball.radius, apart);
    Symbol longest = round.semi_axes[0];
    for (const Symbol& s : round.semi_axes) longest = max(longest, s);
    constexpr double clear = 1e-9;  // of rounding: the gap itself decides wherever they are near
    gap.least = distance - (1 + clear) * (longest + ball.radius);
    return gap;
  }
  const Vector normal = times(1.0 / distance, apart);
  return {distance - ball.radius - round.radius, normal, times(-round.radius, normal)};
}

}  // namespace

Gap gap_of(Model& model, const TerrainSwitches& switches, const Place& a, const Surface& surface, const Place& b,
           const Round& round) {
  if (const Ball* ball = std::get_if<Ball>(&surface)) return gap_of_ball(model, a, *ball, b, round);
  if (const Terrain* terrain = std::get_if<Terrain>(&surface)) {
    const Vector axes = orientation(model, a), apart = minus(position_of(model, b), position_of(model, a));
    std::optional<Vector> matrix;
    if (!is_point(round)) matrix = shape_matrix(model, axes, b, round);
    return gap_of_terrain(model, switches, axes, *terrain, apart, matrix);
  }
  if (const Box* box = std::get_if<Box>(&surface)) {
    return gap_of_box(orientation(model, a), minus(position_of(model, b), position_of(model, a)), *box, round.radius);
  }
  return gap_of_plane(model, a, b, round);
}

Gap gap_of_sphere(Model& model, const TerrainSwitches& switches, const Place& a, const Terrain& terrain,
                  const Vector& apart, const Symbol& radius) {
  std::optional<Vector> matrix;
  if (!is_point({radius})) {
    matrix = Vector(apart.size() * apart.size(), 0.0);
    for (std::size_t k = 0; k < apart.size(); ++k) (*matrix)[(apart.size() + 1) * k] = radius * radius;
  }
  return gap_of_terrain(model, switches, orientation(model, a), terrain, apart, matrix);
}

}  // namespace perilune::model
