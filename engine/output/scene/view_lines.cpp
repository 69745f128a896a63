// SPDX-License-Identifier: MIT
#include "output/scene/view_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "format/base64.hpp"

namespace perilune::output {

using namespace format;

namespace {

/// The samples of flexible lines at all times, each number as a share of its range: `low`, and the `step` of a whole
/// one.
class RangedColumn {
 public:
  void add(double x) { values_.push_back(x); }
  void scale(double factor) {
    for (double& x : values_) x *= factor;
  }
  void write(JsonWriter& json) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double x : values_) {
      if (!std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    if (!(low <= high)) low = high = 0;
    constexpr double half = 32767;
    const double step = (high - low) / (2 * half);
    std::vector<std::int16_t> out;
    for (const double x : values_) {
      const double whole = step > 0 && std::isfinite(x) ? std::round((x - low) / step) - half : -half;
      out.push_back(static_cast<std::int16_t>(whole));
    }
    json.key("low").value(low).key("high").value(high).key("values").value(base64_of(out));
  }

 private:
  std::vector<double> values_;
};

}  // namespace

void write_lines(JsonWriter& json, const Scene& scene, const simulation::Trajectory& trajectory,
                 const std::vector<double>& times, const std::vector<double>* rest) {
  const std::vector<SceneLine>& lines = scene.lines();
  std::vector<std::vector<SceneQuantity>> quantities;
  for (const SceneLine& line : lines) {
    quantities.push_back(rest ? std::vector{SceneQuantity{"displacement", ""}} : line.quantities);
  }
  std::vector<RangedColumn> positions(lines.size());
  std::vector<std::vector<RangedColumn>> values;
  for (const auto& own : quantities) values.emplace_back(own.size());
  const std::vector<BentLine> still = rest ? scene.bent_lines(rest->data()) : std::vector<BentLine>();
  double farthest = 0;
  std::vector<double> q, v;
  for (const double t : times) {
    if (lines.empty()) break;
    check_interrupt();
    trajectory.state(t, q, v);
    const std::vector<BentLine> bent = scene.bent_lines(q.data(), v.data());
    for (std::size_t i = 0; i < bent.size(); ++i) {
      for (std::size_t k = 0; k < bent[i].positions.size(); ++k) {
        const Triple& p = bent[i].positions[k];
        for (const double x : p) positions[i].add(x);
        if (!rest) continue;
        const Triple& from = still[i].positions[k];
        const double way = std::hypot(p[0] - from[0], p[1] - from[1], p[2] - from[2]);
        farthest = std::max(farthest, way);
        values[i].front().add(way);
      }
      for (std::size_t k = 0; !rest && k < bent[i].values.size(); ++k) {
        for (const double x : bent[i].values[k]) values[i][k].add(x);
      }
    }
  }
  if (farthest > 0) {
    for (auto& own : values) own.front().scale(1 / farthest);
  }
  json.key("lines").begin_array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    json.begin_object().key("name").value(lines[i].name).key("radius").value(lines[i].radius);
    json.key("samples").value(lines[i].samples);
    json.key("positions").begin_object();
    positions[i].write(json);
    json.end_object().key("quantities").begin_array();
    for (std::size_t k = 0; k < quantities[i].size(); ++k) {
      json.begin_object().key("name").value(quantities[i][k].name);
      json.key("unit").value(quantities[i][k].unit);
      values[i][k].write(json);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace perilune::output
