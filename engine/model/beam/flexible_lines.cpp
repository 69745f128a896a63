// SPDX-License-Identifier: MIT
#include "model/beam/flexible_lines.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <optional>

#include "expr/rewrite.hpp"
#include "model/beam/shear_beams.hpp"
#include "model/beam/stations.hpp"
#include "model/declare.hpp"
#include "model/force/control.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

Symbol size_of(const Symbol& x) { return max(x, -x); }

/// What a line is coloured by at a place, in the order of `named`.
struct Sample {
  Vector position;
  Vector values;
};
using Names = std::vector<std::pair<std::string, std::string>>;  // of quantities, with units

/// The larger magnitude of both sides of the section.
Symbol largest_stress(const Symbol& young, const Symbol& strain, const Symbol& bent) {
  return young * (size_of(strain) + size_of(bent));
}

Symbol length_of_vector(const Vector& v) { return sqrt(dot(v, v)); }

/// Coordinates of the nodes, as those that are declared.
expr::NodeMap as_declared(const Model& model, const std::vector<Place>& nodes, int each) {
  expr::NodeMap out;
  for (const Place& node : nodes) {
    const Vector now = coordinate_symbols(model, consecutive(node.coordinates.front(), each)),
                 declared = initial_coordinates(model, consecutive(node.coordinates.front(), each));
    for (std::size_t k = 0; k < now.size(); ++k) out[now[k].in(model.graph())] = declared[k].in(model.graph());
  }
  return out;
}

/// Its tube is that of a round section where the section has no fibre. What all lines have, how far they are from where
/// they are declared and how fast, is added to their own.
FlexibleLine sampled(const Model& model, const std::string& name, const std::vector<Place>& nodes,
                     const BeamLine& course, const Symbol& area, const std::optional<Symbol>& radius, int each_node,
                     const Names& names, const std::function<Sample(const BeamSpot& spot)>& sample) {
  FlexibleLine line{name, nodes, radius ? *radius : sqrt(area / std::numbers::pi), {}, {}, {}};
  for (const auto& [quantity, unit] : names) line.quantities.push_back({quantity, unit, {}});
  LineQuantity displacement{"displacement", "m", {}}, speed{"speed", "m/s", {}};
  const expr::NodeMap declared = as_declared(model, nodes, each_node);
  expr::Graph& graph = model.graph();
  const std::size_t elements = nodes.size() - 1;
  const auto each = static_cast<std::size_t>(samples_per_element(elements));
  for (std::size_t k = 0; k <= elements * each; ++k) {
    // Where two elements meet it is the first one's, as in spot_at.
    const std::size_t element = k == 0 ? 0 : (k - 1) / each;
    const double x = static_cast<double>(k - element * each) / static_cast<double>(each);
    line.shares.push_back(course.shares[element] + x * (course.shares[element + 1] - course.shares[element]));
    const Sample at = sample({element, x});
    line.positions.push_back(at.position);
    for (std::size_t i = 0; i < at.values.size(); ++i) line.quantities[i].values.push_back(at.values[i]);
    Vector way, rate;
    for (const Symbol& c : at.position) {
      way.push_back(c - Symbol(graph, expr::substitute(graph, c.in(graph), declared)));
      rate.push_back(rate_of(model, c));
    }
    displacement.values.push_back(length_of_vector(way));
    speed.values.push_back(length_of_vector(rate));
  }
  line.quantities.push_back(std::move(displacement));
  line.quantities.push_back(std::move(speed));
  return line;
}

FlexibleLine line_of(const Model& model, const std::string& name, const Cable& cable) {
  const CableShape& shape = cable.shape;
  Names names = {{"axial_force", "N"}, {"moment", "N m"}, {"strain_energy", "J/m"}};
  if (shape.fibre) names.insert(names.begin(), {"stress", "Pa"});
  return sampled(model, name, cable.nodes, cable.line, shape.area, shape.fibre, 2 * model.dimension(), names,
                 [&](const BeamSpot& spot) {
                   const CableStation at = station_of(model, cable, spot);
                   Sample sample{at.position, {}};
                   if (shape.fibre) {
                     sample.values.push_back(largest_stress(shape.young, at.strain, *shape.fibre * at.curvature));
                   }
                   for (const Symbol& x : {at.axial_force, at.moment, at.energy}) sample.values.push_back(x);
                   return sample;
                 });
}

/// Of a beam with shear: which of its stresses its section knows.
Names shear_beam_names(bool is_planar, bool has_stress, bool has_torsion) {
  Names names;
  if (has_stress) names.emplace_back("stress", "Pa");
  if (has_torsion) names.emplace_back("torsion_stress", "Pa");
  if (has_stress && has_torsion) names.emplace_back("von_mises", "Pa");
  names.emplace_back("axial_force", "N");
  if (is_planar) {
    names.insert(names.end(), {{"shear_force", "N"}, {"moment", "N m"}});
  } else {
    names.insert(names.end(), {{"shear_y", "N"},
                               {"shear_z", "N"},
                               {"torque", "N m"},
                               {"moment", "N m"},
                               {"moment_y", "N m"},
                               {"moment_z", "N m"}});
  }
  names.emplace_back("strain_energy", "J/m");
  return names;
}

FlexibleLine line_of(const Model& model, const std::string& name, const ShearBeam& beam) {
  const Section& section = beam.shape.section;
  const bool is_planar = model.dimension() == 2, has_torsion = !is_planar && section.torsion_modulus;
  const bool has_stress = section.fibre && (is_planar || !section.across || section.fibre_across);
  const int each = static_cast<int>(beam.nodes.front().coordinates.size());
  return sampled(model, name, beam.nodes, beam.line, section.area, section.fibre, each,
                 shear_beam_names(is_planar, has_stress, has_torsion), [&](const BeamSpot& spot) {
                   const ShearBeamStation at = station_of(model, beam, spot);
                   const std::optional<Symbol> bent = outer_strain(beam, spot, at), torsion = torsion_stress(beam, at);
                   const Symbol& E = beam.shape.young;
                   Sample sample{at.position, {}};
                   Vector& values = sample.values;
                   if (bent) values.push_back(largest_stress(E, at.strain, *bent));
                   if (torsion) values.push_back(*torsion);
                   if (bent && torsion) values.push_back(von_mises_stress(E, at.strain, *bent, *torsion));
                   values.insert(values.end(), at.forces.begin(), at.forces.end());
                   if (!is_planar) {  // torque, then the size of bending, and its parts
                     const Vector& m = at.moments;
                     values.insert(values.end(), {m[0], sqrt(m[1] * m[1] + m[2] * m[2]), m[1], m[2]});
                   } else {
                     values.push_back(at.moments[0]);
                   }
                   values.push_back(at.energy);
                   return sample;
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
