// SPDX-License-Identifier: MIT
#include "model/beam/flexible_lines.hpp"

#include <algorithm>
#include <numbers>

#include "model/beam/shear_beams.hpp"
#include "model/beam/stations.hpp"

namespace perilune::model {

namespace {

Symbol size_of(const Symbol& x) { return max(x, -x); }

FlexibleLine line_of(const Model& model, const std::string& name, const Cable& cable) {
  const CableShape& shape = cable.shape;
  const Symbol radius = shape.fibre ? *shape.fibre : sqrt(shape.area / std::numbers::pi);
  FlexibleLine line{name, cable.nodes, radius, {}, {}};
  LineQuantity stress{"stress", "Pa", {}}, force{"axial_force", "N", {}}, moment{"moment", "N m", {}};
  const std::size_t elements = cable.nodes.size() - 1;
  const int count = static_cast<int>(elements) * samples_per_element(elements);
  for (int k = 0; k <= count; ++k) {
    const CableStation at = station_of(model, cable, static_cast<double>(k) / count);
    line.positions.push_back(at.position);
    force.values.push_back(at.axial_force);
    moment.values.push_back(at.moment);
    // The larger one of both sides.
    if (shape.fibre) stress.values.push_back(shape.young * (size_of(at.strain) + *shape.fibre * size_of(at.curvature)));
  }
  if (shape.fibre) line.quantities.push_back(std::move(stress));
  line.quantities.push_back(std::move(force));
  line.quantities.push_back(std::move(moment));
  return line;
}

FlexibleLine line_of(const Model& model, const std::string& name, const ShearBeam& beam) {
  const Section& section = beam.shape.section;
  const Symbol radius = section.fibre ? *section.fibre : sqrt(section.area / std::numbers::pi);
  FlexibleLine line{name, beam.nodes, radius, {}, {}};
  LineQuantity stress{"stress", "Pa", {}}, force{"axial_force", "N", {}}, moment{"moment", "N m", {}};
  // Of a section that bends unlike about its axes the outermost fibre is that of one of them alone.
  const bool has_stress = section.fibre && (model.dimension() == 2 || !section.across);
  const std::size_t elements = beam.nodes.size() - 1;
  const int count = static_cast<int>(elements) * samples_per_element(elements);
  for (int k = 0; k <= count; ++k) {
    const ShearBeamStation at = station_of(model, beam, static_cast<double>(k) / count);
    line.positions.push_back(at.position);
    force.values.push_back(at.forces[0]);
    const Vector& m = at.moments;  // of bending, in space its size
    moment.values.push_back(m.size() == 1 ? m[0] : sqrt(m[1] * m[1] + m[2] * m[2]));
    if (has_stress) {
      stress.values.push_back(beam.shape.young * (size_of(at.strain) + *section.fibre * size_of(at.curvature)));
    }
  }
  if (has_stress) line.quantities.push_back(std::move(stress));
  line.quantities.push_back(std::move(force));
  line.quantities.push_back(std::move(moment));
  return line;
}

}  // namespace

int samples_per_element(std::size_t elements) {
  constexpr std::size_t most = 6, together = 240;
  return static_cast<int>(std::clamp(together / std::max<std::size_t>(elements, 1), std::size_t{1}, most));
}

std::vector<FlexibleLine> flexible_lines(const Model& model) {
  std::vector<FlexibleLine> lines;
  for (const auto& [name, cable] : model.record().cables) lines.push_back(line_of(model, name, *cable));
  for (const auto& [name, beam] : model.record().shear_beams) lines.push_back(line_of(model, name, *beam));
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return lines;
}

}  // namespace perilune::model
