// SPDX-License-Identifier: MIT
#include "model/beam/flexible_lines.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <optional>

#include "model/beam/shear_beams.hpp"
#include "model/beam/stations.hpp"

namespace perilune::model {

namespace {

Symbol size_of(const Symbol& x) { return max(x, -x); }

/// What a line is coloured by at a place.
struct Sample {
  Vector position;
  Symbol axial_force, moment, strain;
  std::optional<Symbol> bent;  // strain by bending at the outermost fibre, of either sign
};

/// Without a fibre it has no stress; its tube is that of a round section then.
FlexibleLine sampled(const std::string& name, const std::vector<Place>& nodes, const BeamLine& course,
                     const Symbol& young, const Symbol& area, const std::optional<Symbol>& radius,
                     const std::function<Sample(const BeamSpot& spot)>& sample) {
  FlexibleLine line{name, nodes, radius ? *radius : sqrt(area / std::numbers::pi), {}, {}, {}};
  LineQuantity stress{"stress", "Pa", {}}, force{"axial_force", "N", {}}, moment{"moment", "N m", {}};
  const std::size_t elements = nodes.size() - 1;
  const auto each = static_cast<std::size_t>(samples_per_element(elements));
  for (std::size_t k = 0; k <= elements * each; ++k) {
    // Where two elements meet it is the first one's, as in spot_at.
    const std::size_t element = k == 0 ? 0 : (k - 1) / each;
    const double x = static_cast<double>(k - element * each) / static_cast<double>(each);
    line.shares.push_back(course.shares[element] + x * (course.shares[element + 1] - course.shares[element]));
    const Sample at = sample({element, x});
    line.positions.push_back(at.position);
    force.values.push_back(at.axial_force);
    moment.values.push_back(at.moment);
    // The larger one of both sides.
    if (at.bent) stress.values.push_back(young * (size_of(at.strain) + size_of(*at.bent)));
  }
  if (!stress.values.empty()) line.quantities.push_back(std::move(stress));
  line.quantities.push_back(std::move(force));
  line.quantities.push_back(std::move(moment));
  return line;
}

FlexibleLine line_of(const Model& model, const std::string& name, const Cable& cable) {
  const CableShape& shape = cable.shape;
  return sampled(name, cable.nodes, cable.line, shape.young, shape.area, shape.fibre, [&](const BeamSpot& spot) {
    const CableStation at = station_of(model, cable, spot);
    Sample sample{at.position, at.axial_force, at.moment, at.strain, {}};
    if (shape.fibre) sample.bent = *shape.fibre * at.curvature;
    return sample;
  });
}

FlexibleLine line_of(const Model& model, const std::string& name, const ShearBeam& beam) {
  const Section& section = beam.shape.section;
  return sampled(name, beam.nodes, beam.line, beam.shape.young, section.area, section.fibre, [&](const BeamSpot& spot) {
    const ShearBeamStation at = station_of(model, beam, spot);
    const Vector& m = at.moments;  // of bending, in space its size
    const Symbol moment = m.size() == 1 ? m[0] : sqrt(m[1] * m[1] + m[2] * m[2]);
    return Sample{at.position, at.forces[0], moment, at.strain, outer_strain(beam, spot, at)};
  });
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
