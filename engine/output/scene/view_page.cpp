// SPDX-License-Identifier: MIT
#include "output/scene/view_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "error.hpp"
#include "format/base64.hpp"
#include "format/json.hpp"
#include "format/text.hpp"
#include "model/beam/flexible_lines.hpp"
#include "model/contact/contact_gap.hpp"
#include "model/signals.hpp"
#include "output/scene/scene.hpp"
#include "output/scene/view_arrows.hpp"
#include "output/scene/view_json.hpp"
#include "output/scene/view_lines.hpp"
#include "output/scene/view_surfaces.hpp"
#include "output/scene/viewer_bundle.hpp"

namespace perilune::output {

using namespace format;

namespace {

constexpr double kFramesPerSecond = 60;
constexpr std::size_t kFewest = 301, kMost = 2001;
constexpr double kBytes = 3e5;              // before base64, as long as that leaves ...
constexpr std::size_t kFewestOfMany = 121;  // ... so many frames of a large mechanism

double start_of(const Trajectory& trajectory) { return trajectory.times().front(); }
double end_of(const Trajectory& trajectory) { return trajectory.times().back(); }

/// The common times of all runs.
struct Grid {
  double start, duration;
  std::size_t count;

  double time(std::size_t k) const {
    return count > 1 ? start + duration * static_cast<double>(k) / static_cast<double>(count - 1) : start;
  }
};

Grid make_grid(const std::vector<ViewedRun>& runs) {
  double start = std::numeric_limits<double>::infinity(), end = -start, bytes = 0;
  for (const ViewedRun& run : runs) {
    start = std::min(start, start_of(*run.trajectory));
    end = std::max(end, end_of(*run.trajectory));
    const model::Model& model = run.trajectory->model();
    for (const model::MovingFrame& frame : model.record().moving_frames) {
      bytes += frame.place.kind == model::Place::Kind::Point ? 12 : 20;
    }
    for (const model::FlexibleLine& line : flexible_lines(model)) {
      bytes += static_cast<double>(line.positions.size() * (6 + 2 * line.quantities.size()));
    }
    bytes += 4 * static_cast<double>(run.signals.size());
    const std::size_t connections = model.record().connections.size();
    if (connections <= most_arrows) bytes += 6 * static_cast<double>(connections);
  }
  if (!(end > start)) return {start, 0, 1};
  const double wish = std::ceil(kFramesPerSecond * (end - start) * (1 - 1e-12)) + 1;
  const auto affordable = static_cast<std::size_t>(std::min(kBytes / std::max(bytes, 1.0), 1e6));
  const std::size_t count = std::clamp(static_cast<std::size_t>(std::min(wish, 1e6)), kFewest, kMost);
  return {start, end - start, std::min(count, std::max(affordable, kFewestOfMany))};
}

const char* name_of(model::Shape::Kind kind) {
  switch (kind) {
    case model::Shape::Kind::Box:
      return "box";
    case model::Shape::Kind::Cylinder:
      return "cylinder";
    case model::Shape::Kind::Sphere:
      return "sphere";
    case model::Shape::Kind::Rod:
      return "rod";
    case model::Shape::Kind::Surface:
      return "surface";
  }
  return "";
}

void write_connections(JsonWriter& json, const Scene& scene) {
  json.key("connections").begin_array();
  for (const SceneConnection& connection : scene.connections()) {
    json.begin_object().key("kind").value(connection.kind).key("name").value(connection.name);
    json.key("mark").value(name_of(connection.mark));
    write_end(json, "a", connection.a);
    write_end(json, "b", connection.b);
    json.end_object();
  }
  json.end_array();
}

void write_surfaces(JsonWriter& json, const Scene& scene, const Trajectory& trajectory,
                    const std::vector<double>& times) {
  json.key("rounds").begin_array();
  for (const SceneRound& round : scene.rounds()) {
    json.begin_object()
        .key("kind")
        .value(round.is_hollow  ? "ring"
               : round.is_wheel ? "wheel"
                                : "ball")
        .key("name")
        .value(round.name);
    json.key("frame").value(round.frame);
    write_list(json, "at", round.at);
    write_list(json, "axes", round.axes);
    json.end_object();
  }
  json.end_array().key("cams").begin_array();
  for (const SceneCam& cam : scene.cams()) {
    json.begin_object().key("name").value(cam.name).key("frame").value(cam.frame);
    write_list(json, "at", cam.at);
    write_list(json, "axes", cam.axes);
    json.key("radii").value(base64_of(std::vector<float>(cam.radii.begin(), cam.radii.end()))).end_object();
  }
  json.end_array().key("patches").begin_array();
  std::vector<std::vector<double>> motion(times.size());
  std::vector<double> v;
  for (std::size_t k = 0; k < times.size(); ++k) {
    check_interrupt();
    trajectory.state(times[k], motion[k], v);
  }
  for (const ScenePatch& patch : scene.patches(motion)) {
    std::vector<float> points;
    for (const Triple& p : patch.points) {
      for (const double x : p) points.push_back(static_cast<float>(x));
    }
    json.begin_object().key("name").value(patch.name).key("frame").value(patch.frame);
    json.key("columns").value(patch.columns);
    write_list(json, "normal", patch.normal);
    json.key("points").value(base64_of(points)).end_object();
  }
  json.end_array();
}

void write_frames(JsonWriter& json, const Scene& scene, const Trajectory& trajectory, const std::vector<double>& times,
                  const Surfaces& surfaces) {
  std::vector<std::vector<float>> positions(scene.frames().size());
  std::vector<std::vector<std::int16_t>> rotations(scene.frames().size());
  std::vector<double> q, v;
  for (const double t : times) {
    check_interrupt();
    trajectory.state(t, q, v);
    for (std::size_t i = 0; i < scene.frames().size(); ++i) {
      const Pose pose = scene.pose(static_cast<int>(i), q.data());
      for (const double x : pose.position) positions[i].push_back(static_cast<float>(x));
      if (scene.frames()[i].is_point()) continue;
      for (const std::size_t k : {1u, 2u, 3u, 0u}) rotations[i].push_back(rounded(pose.rotation[k]));
    }
  }
  json.key("frames").begin_array();
  for (std::size_t i = 0; i < scene.frames().size(); ++i) {
    const SceneFrame& frame = scene.frames()[i];
    json.begin_object()
        .key("kind")
        .value(frame.is_point()    ? "point"
               : frame.is_ground() ? "ground"
                                   : "body")
        .key("name")
        .value(frame.name);
    json.key("shapes").begin_array();
    for (const SceneShape& shape : frame.shapes) {
      json.begin_object().key("kind").value(name_of(shape.kind));
      write_list(json, "size", shape.size);
      write_list(json, "at", shape.at);
      write_list(json, "axes", shape.axes);
      if (shape.surface) {
        const auto found = std::find(surfaces.begin(), surfaces.end(), shape.surface.get());
        json.key("surface").value(static_cast<std::size_t>(found - surfaces.begin()));
      }
      json.end_object();
    }
    json.end_array();
    json.key("positions").value(base64_of(positions[i]));
    if (frame.is_inner) json.key("inner").value(true);
    if (frame.is_coordinate) json.key("coordinate").value(true);
    if (!frame.is_point()) json.key("quaternions").value(base64_of(rotations[i]));
    json.end_object();
  }
  json.end_array();
}

void write_signal(JsonWriter& json, const std::string& name, const std::string& unit,
                  const std::vector<double>& values) {
  // Single precision about the first value: what is nearly constant keeps its digits.
  const double offset = std::isfinite(values.front()) ? values.front() : 0;
  std::vector<float> differences;
  for (const double x : values) differences.push_back(static_cast<float>(x - offset));
  json.begin_object().key("name").value(name).key("unit").value(unit).key("offset").value(offset);
  json.key("values").value(base64_of(differences)).end_object();
}

void write_run(JsonWriter& json, const ViewedRun& run, const Grid& grid, const Surfaces& surfaces) {
  const Trajectory& trajectory = *run.trajectory;
  model::Model& model = trajectory.model();
  std::vector<double> times;
  std::size_t first = 0;
  for (std::size_t k = 0; k < grid.count; ++k) {
    // Rounding must not lose the ends.
    const double slack = 1e-9 * grid.duration, t = grid.time(k);
    if (t < start_of(trajectory) - slack || t > end_of(trajectory) + slack) continue;
    if (times.empty()) first = k;
    times.push_back(std::clamp(t, start_of(trajectory), end_of(trajectory)));
  }
  if (times.empty()) times.push_back(start_of(trajectory));
  const Scene scene = scene_of(trajectory);
  const ViewArrows arrows = run.swings_about ? ViewArrows() : ViewArrows(model, scene);
  std::vector<expr::NodeId> nodes;
  for (const model::ShownSignal& signal : run.signals) nodes.push_back(signal.node);
  nodes.insert(nodes.end(), arrows.nodes().begin(), arrows.nodes().end());
  const std::vector<std::vector<double>> columns = trajectory.evaluate(nodes, times);
  auto column = columns.begin();

  json.begin_object().key("name").value(run.name).key("ghost").value(run.is_ghost).key("first").value(first);
  json.key("last").value(first + times.size() - 1);
  write_frames(json, scene, trajectory, times, surfaces);
  write_connections(json, scene);
  write_lines(json, scene, trajectory, times, run.swings_about.get());
  write_surfaces(json, scene, trajectory, times);
  json.key("signals").begin_array();
  for (const model::ShownSignal& signal : run.signals) write_signal(json, signal.name, signal.unit, *column++);
  json.end_array();
  arrows.write(json, scene, trajectory, times, {column, columns.end()});
  json.end_object();
}

std::string how_of(const Trajectory& trajectory) {
  const std::size_t steps = trajectory.times().size() - 1;
  return trajectory.how() + (steps > 0 ? ", " + std::to_string(steps) + (steps == 1 ? " step" : " steps") : "");
}

/// What stands in the place of the viewer, so that scripts run to their end without it.
void write_excuse(const std::string& title, const std::string& report, std::ostream& out) {
  out << "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" << xml_text(title) << "</title>\n<h1>" << xml_text(title)
      << "</h1>\n<p>" << xml_text(std::string(missing_viewer())) << "</p>\n"
      << report;
}

}  // namespace

std::string_view missing_viewer() {
  if (!viewer_bundle().empty()) return {};
  return "this perilune was built without its viewer, which needs Node and npm; to get it: apt-get install nodejs npm, "
         "then build again: cmake --preset release && cmake --build --preset release";
}

std::vector<std::string> signals_to_view(model::Model& model) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, std::size_t limit) {
    if (names.size() < limit && has_signal(model, name)) names.push_back(name);
  };
  for (const model::Connection& connection : model.record().connections) {
    for (const char* what : {".angle", ".displacement"}) add(connection.name + what, most);
  }
  const bool has_joints = !names.empty();
  for (const model::MovingFrame& frame : model.record().moving_frames) {
    if (has_joints) break;
    for (const char* what : {".x", ".y", ".z"}) add(frame.place.name + what, most);
  }
  const std::size_t all = names.size() + 4;
  for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"}) add(name, all);
  if (model.multiplier_count() > 0) add("constraint.drift", all);
  return names;
}

void write_view_page(const std::string& title, const std::vector<ViewedRun>& runs, std::ostream& out,
                     const std::string& report) {
  const int dimension = runs.front().trajectory->model().dimension();
  for (const ViewedRun& run : runs) {
    if (run.trajectory->model().dimension() == dimension) continue;
    throw Error("runs of planar and of spatial models do not go on one page");
  }
  const Triple up = scene_of(*runs.front().trajectory).up();
  if (viewer_bundle().empty()) return write_excuse(title, report, out);
  std::string_view page = viewer_bundle();
  const auto until = [&](std::string_view mark) {
    const std::size_t at = page.find(mark);
    out << page.substr(0, at);
    page.remove_prefix(at + mark.size());
  };
  const Grid grid = make_grid(runs);
  until("<!--TITLE-->");
  out << xml_text(title);
  until("<!--REPORT-->");
  out << report;
  until("/*DATA*/");
  JsonWriter json(out, 0);
  json.begin_object().key("title").value(title);
  json.key("how").value(runs.size() == 1 ? how_of(*runs.front().trajectory) : "");
  json.key("planar").value(dimension == 2).key("swing").value(runs.front().swings_about != nullptr);
  write_list(json, "up", up);
  json.key("start").value(grid.start).key("duration").value(grid.duration).key("count").value(grid.count);
  const Surfaces surfaces = surfaces_of(runs);
  json.key("surfaces").begin_array();
  for (const model::Triangles* surface : surfaces) write_surface(json, *surface);
  json.end_array().key("runs").begin_array();
  for (const ViewedRun& run : runs) write_run(json, run, grid, surfaces);
  json.end_array().end_object();
  out << page;
}

}  // namespace perilune::output
