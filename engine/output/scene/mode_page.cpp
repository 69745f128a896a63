// SPDX-License-Identifier: MIT
#include "output/scene/mode_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>

#include "error.hpp"
#include "format/text.hpp"
#include "output/scene/scene.hpp"
#include "output/scene/view_page.hpp"

namespace perilune::output {

using namespace format;

namespace {

using Shape = std::vector<std::complex<double>>;

/// q0 + factor Re(shape exp(i turn)), and its derivative by the turn.
void swing(const SwingState& state, const Shape& shape, double factor, double turn, double* q, double* v) {
  const std::complex<double> phase = std::polar(factor, turn);
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const std::complex<double> x = shape[i] * phase;
    q[i] = state.q[i] + x.real();
    v[i] = -x.imag();
  }
  for (const model::MovingFrame& frame : state.model->record().moving_frames) {
    if (frame.place.kind != model::Place::Kind::SpatialBody) continue;
    double* e = q + state.model->coordinate_numbers()[static_cast<std::size_t>(frame.place.coordinates[3])];
    const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int k = 0; k < 4; ++k) e[k] /= length;
  }
}

/// What is seen of the mechanism, as points: frames, places of connections, corners of shapes, beams.
std::vector<Triple> seen_points(const Scene& scene, const double* q) {
  std::vector<Triple> out;
  for (std::size_t i = 0; i < scene.frames().size(); ++i) {
    if (scene.frames()[i].is_ground()) continue;
    const Pose pose = scene.pose(static_cast<int>(i), q);
    out.push_back(pose.position);
    for (const SceneShape& shape : scene.frames()[i].shapes) {
      const Triple half = shape.half_edges();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
          Triple own = shape.middle();
          own[axis] += side * half[axis];
          out.push_back(pose.point(shape.point(own)));
        }
      }
    }
  }
  for (const SceneConnection& connection : scene.connections()) {
    for (const SceneEnd* end : {&connection.a, &connection.b}) out.push_back(scene.place(*end, q));
  }
  for (const BentLine& line : scene.bent_lines(q)) out.insert(out.end(), line.positions.begin(), line.positions.end());
  return out;
}

double size_of(const std::vector<Triple>& points) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [k](const Triple& a, const Triple& b) { return a[k] < b[k]; });
    sum += ((*high)[k] - (*low)[k]) * ((*high)[k] - (*low)[k]);
  }
  return std::sqrt(sum);
}

/// The largest length over all phases of the real part of (a + i b) exp(i phase).
double largest_length(const Triple& a, const Triple& b) {
  double A = 0, B = 0, ab = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    A += a[k] * a[k];
    B += b[k] * b[k];
    ab += a[k] * b[k];
  }
  return std::sqrt((A + B + std::hypot(A - B, 2 * ab)) / 2);
}

Triple slope(const Triple& moved, const Triple& at, double step) {
  return {(moved[0] - at[0]) / step, (moved[1] - at[1]) / step, (moved[2] - at[2]) / step};
}

/// A run of one turn of the phase, 0 to 1, or of its position alone where there is no shape.
std::shared_ptr<Trajectory> swinging(const SwingState& state, const Shape& shape, double factor) {
  simulation::Problem problem;
  problem.system = state.system;
  problem.start = 0;
  problem.end = shape.empty() ? 0 : 1;
  simulation::Evaluation run;
  run.data = state.data;
  integrator::Mesh& mesh = run.solution.mesh;
  mesh = integrator::Mesh(state.system->coordinate_count(), state.system->constraint_count());
  const std::vector<double> still(state.q.size(), 0.0),
      multipliers(static_cast<std::size_t>(state.system->constraint_count()), 0.0);
  for (const double t : {problem.start, problem.end}) {
    mesh.append(t, state.q.data(), still.data(), still.data(), multipliers.data());
    if (shape.empty()) break;
  }
  simulation::Nature nature{"mode shape", {}};
  if (!shape.empty()) {
    nature.complete = [state, shape, factor](const integrator::Mesh&, double t, double* q, double* v, double* a,
                                             double* lambda) {
      constexpr double turn = 2 * std::numbers::pi;
      swing(state, shape, factor, turn * t, q, v);
      for (std::size_t i = 0; i < state.q.size(); ++i) {
        a[i] = turn * turn * (state.q[i] - q[i]);
        v[i] *= turn;
      }
      std::fill_n(lambda, state.system->constraint_count(), 0.0);
    };
  }
  return std::make_shared<Trajectory>(state.model, std::move(problem), std::move(run), std::move(nature));
}

bool oscillates(const analysis::Mode& mode) { return mode.imaginary > 0; }

/// What rounding leaves of a part of an oscillating eigenvalue is nothing.
double without_rounding(double part, const analysis::Mode& mode) {
  return oscillates(mode) && std::abs(mode.damping) < 1e-10 ? 0 : part;
}

std::string eigenvalue_text(const analysis::Mode& mode) {
  return significant(without_rounding(mode.real, mode), 5) +
         (oscillates(mode) ? " ± " + significant(mode.imaginary, 5) + " i" : "");
}

/// `is_short`: one of several, whose damping is in the table alone.
std::string caption(std::size_t number, const analysis::Mode& mode, bool is_short) {
  const std::string name = "mode " + std::to_string(number + 1) + ": ";
  if (!oscillates(mode)) return name + (is_short ? "" : "eigenvalue ") + eigenvalue_text(mode) + " 1/s";
  std::string frequency = name + significant(mode.frequency, 4) + " Hz";
  if (is_short) return frequency;
  return frequency + ", damping ratio " + significant(without_rounding(mode.damping, mode), 3);
}

std::string report_of(const analysis::Linearization& found, const std::vector<std::size_t>& numbers) {
  std::string out =
      "<section id=\"report\">\n<h2>Small motions</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">mode"
      "</th><th scope=\"col\">frequency (Hz)</th><th scope=\"col\">damping ratio</th><th scope=\"col\">eigenvalue (1/s)"
      "</th></tr></thead>\n<tbody>\n";
  bool drifts = false, decays = false, travels = false;
  for (const std::size_t k : numbers) {
    const analysis::Mode& mode = found.modes[k];
    out += "<tr><th scope=\"row\">" + std::to_string(k + 1) + "</th><td>" +
           (oscillates(mode) ? significant(mode.frequency, 6) : "none") + "</td><td>" +
           significant(without_rounding(mode.damping, mode), 5) + "</td><td>" + eigenvalue_text(mode) + "</td></tr>\n";
    const bool is_zero = mode.real == 0 && mode.imaginary == 0;
    drifts |= !oscillates(mode) && is_zero;
    decays |= !oscillates(mode) && !is_zero;
    for (const std::complex<double>& x : mode.shape) travels |= oscillates(mode) && std::abs(x.imag()) > 0.02;
  }
  out +=
      "</tbody></table></div>\n<p>Shapes are not to scale: what moves most moves by a tenth of the mechanism's size, "
      "to the first order, without the decay or growth of the motion. Grey is the position that they are about.</p>\n";
  if (travels) out += "<p>Parts that do not move in step with each other have the phases of the mode.</p>\n";
  if (decays) {
    out +=
        "<p>A mode with a real eigenvalue does not oscillate: it dies away, or grows where the eigenvalue is "
        "positive. Its shape is shown to both sides.</p>\n";
  }
  if (drifts) out += "<p>With the eigenvalue 0 nothing drives it back: the mechanism goes off in this shape.</p>\n";
  if (!found.seen_from.empty()) {
    out += "<p>Seen by who turns with " + xml_text("\"" + found.seen_from + "\"") + ".</p>\n";
  }
  return out + "</section>\n";
}

}  // namespace

double swing_amplitude(const SwingState& state, const Shape& shape) {
  constexpr double part = 0.1, widest = 0.35;
  const Scene scene(*state.model, state.data->parameters);
  const std::vector<Triple> at = seen_points(scene, state.q.data());
  const double size = size_of(at), step = 1e-6 * (size > 0 ? size : 1);
  const std::size_t frames = scene.frames().size();
  // By the real and the imaginary part of the shape; of rotations the vector part of e - e0 alone, twice its length.
  std::vector<Triple> moved[2], turned[2];
  std::vector<double> q(state.q.size()), v(q);
  for (const int side : {0, 1}) {
    swing(state, shape, step, side * -std::numbers::pi / 2, q.data(), v.data());
    for (const Triple& p : seen_points(scene, q.data())) moved[side].push_back(p);
    for (std::size_t i = 0; i < moved[side].size(); ++i) moved[side][i] = slope(moved[side][i], at[i], step);
    for (std::size_t i = 0; i < frames; ++i) {
      if (scene.frames()[i].is_inner) continue;  // a section of a beam, which bends as far as it takes
      const Pose before = scene.pose(static_cast<int>(i), state.q.data()),
                 after = scene.pose(static_cast<int>(i), q.data());
      for (const Triple& axis : {Triple{1, 0, 0}, Triple{0, 1, 0}, Triple{0, 0, 1}}) {
        turned[side].push_back(slope(after.direction(axis), before.direction(axis), step));
      }
    }
  }
  double farthest = 0, most = 0;
  for (std::size_t i = 0; i < at.size(); ++i) farthest = std::max(farthest, largest_length(moved[0][i], moved[1][i]));
  for (std::size_t i = 0; i < turned[0].size(); ++i) most = std::max(most, largest_length(turned[0][i], turned[1][i]));
  // Differences of what does not move at all are rounding.
  constexpr double negligible = 1e-8;
  double amplitude = std::numeric_limits<double>::infinity();
  if (size > 0 && farthest > negligible * size) amplitude = part * size / farthest;
  if (most > negligible) amplitude = std::min(amplitude, widest / most);
  if (std::isfinite(amplitude)) return amplitude;
  return farthest > 0 && size == 0 ? 1 / farthest : 0;  // a point alone
}

void write_mode_page(const SwingState& state, const analysis::Linearization& found,
                     const std::vector<std::size_t>& numbers, std::ostream& out) {
  std::vector<std::shared_ptr<Trajectory>> kept;
  std::vector<ViewedRun> runs;
  const auto rest = std::make_shared<const std::vector<double>>(state.q);
  for (const std::size_t k : numbers) {
    const double amplitude = swing_amplitude(state, found.modes[k].shape);
    if (amplitude == 0) {
      throw Error("mode " + std::to_string(k + 1) + " moves no body, point or beam: it is one of first-order states");
    }
    kept.push_back(swinging(state, found.modes[k].shape, amplitude));
    runs.push_back({caption(k, found.modes[k], numbers.size() > 1), kept.back().get(), {}, false, rest});
  }
  kept.push_back(swinging(state, {}, 0));
  runs.push_back({"at rest", kept.back().get(), {}, true, rest});
  write_view_page(state.model->name(), runs, out, report_of(found, numbers));
}

}  // namespace perilune::output
