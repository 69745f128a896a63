// SPDX-License-Identifier: MIT
#include "model/beam/shear_beams.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/beam/cubic.hpp"
#include "model/body/bodies.hpp"
#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/force/control.hpp"
#include "model/force/forces.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

std::string fault_of_shear_beam(const double* values) {
  constexpr const char* names[] = {
      "young",          "density", "area", "second_moment", "shear_factor", "second_moment_across", "torsion_constant",
      "torsion_modulus"};
  for (int k = 0; k < 8; ++k) {
    if (!(values[k] > 0)) return std::string(names[k]) + " must be positive, got " + text_of(values[k]);
  }
  if (!(values[8] >= 0)) return "damping must not be negative, got " + text_of(values[8]);
  if (!(values[9] > -1 && values[9] <= 0.5)) {
    return "poisson must be above -1 and at most 0.5, got " + text_of(values[9]);
  }
  return "";
}

/// Stiffnesses of an element by its strains: elongation, shear, then torsion and bending.
struct Stiffness {
  Vector stretch;    // N
  Vector curvature;  // N m^2
  Symbol firm;       // N, of the section alone in shear
};

Stiffness stiffness_of(const ShearBeamShape& shape, const Symbol& l) {
  const Section& s = shape.section;
  const Symbol shear_modulus = shape.young / (2.0 * (1.0 + shape.poisson));
  const Symbol bending = shape.young * s.second_moment, across = s.across ? shape.young * *s.across : bending;
  const Symbol firm = shape.shear_factor * shear_modulus * s.area;
  const auto shear = [&](const Symbol& EI) { return 1.0 / (1.0 / firm + l * l / (12.0 * EI)); };
  if (shape.course.through.front().size() == 2) return {{shape.young * s.area, shear(bending)}, {bending}, firm};
  return {{shape.young * s.area, shear(bending), shear(across)},
          {shear_modulus * *s.torsion_constant, across, bending},
          firm};
}

using Axes = std::array<Vector, 3>;  // of a section in space, as columns: along the beam, near `up`, and across

Axes axes_of(const Vector& along, const Vector& up) {
  const Vector z = unit(cross(along, up));
  return {along, cross(z, along), z};
}

/// Of the section at the beam's first end.
Axes first_axes(const Model& model, const ShearBeamShape& shape, const Vector& along) {
  if (shape.up) return axes_of(along, *shape.up);
  const std::vector<double> way = present_values(model, along);
  std::size_t least = 2;  // any normal will do
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(way[k]) < std::abs(way[least]) - 1e-9) least = k;
  }
  Vector up = {0.0, 0.0, 0.0};
  up[least] = 1.0;
  return axes_of(along, up);
}

/// Those of the next section: by `up`, or turned by the smallest rotation that takes one direction to the other.
Axes next_axes(const ShearBeamShape& shape, const Axes& axes, const Vector& along) {
  if (shape.up) return axes_of(along, *shape.up);
  const Vector sum = plus(axes[0], along);
  const Vector z = minus(axes[2], times(dot(axes[2], along) / (1.0 + dot(axes[0], along)), sum));
  return {along, cross(z, along), z};
}

void check_up(const Model& model, const std::string& name, const Vector& up, const Vector& along) {
  const std::vector<double> x = present_values(model, cross(along, up)), own = present_values(model, up);
  if (std::hypot(x[0], x[1], x[2]) > 1e-6 * std::hypot(own[0], own[1], own[2])) return;
  throw Error("beam \"" + name + "\": up must not be zero or along the beam");
}

/// Euler parameters of the axes, by the formula that divides by the largest at the parameters' present values.
std::vector<Symbol> euler_parameters(const Model& model, const Axes& axes) {
  const auto R = [&](std::size_t i, std::size_t j) -> const Symbol& { return axes[j][i]; };
  const Vector squares = {1.0 + R(0, 0) + R(1, 1) + R(2, 2), 1.0 + R(0, 0) - R(1, 1) - R(2, 2),
                          1.0 - R(0, 0) + R(1, 1) - R(2, 2), 1.0 - R(0, 0) - R(1, 1) + R(2, 2)};
  const std::vector<double> now = present_values(model, squares);
  const auto k = static_cast<std::size_t>(std::max_element(now.begin(), now.end()) - now.begin());
  const Symbol p = 0.5 * sqrt(squares[k]), part = 0.25 / p;
  const Vector odd = {R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  if (k == 0) return {p, part * odd[0], part * odd[1], part * odd[2]};
  std::vector<Symbol> out(4);
  out[0] = part * odd[k - 1];
  for (std::size_t j = 1; j < 4; ++j) out[j] = j == k ? p : part * (R(k - 1, j - 1) + R(j - 1, k - 1));
  return out;
}

Symbol energy_of(const Stiffness& stiffness, const BeamStrains& strains, const Symbol& l) {
  Symbol sum = 0.0;
  for (std::size_t k = 0; k < strains.stretch.size(); ++k) {
    sum += stiffness.stretch[k] * strains.stretch[k] * strains.stretch[k];
  }
  for (std::size_t k = 0; k < strains.curvature.size(); ++k) {
    sum += stiffness.curvature[k] * strains.curvature[k] * strains.curvature[k];
  }
  return 0.5 * l * sum;
}

/// -factor times the gradient of an expression of the coordinates.
void add_descent(Model& model, GeneralizedForce& total, const std::vector<int>& coordinates, const Symbol& expression,
                 const Symbol& factor) {
  expr::Graph& graph = model.graph();
  std::vector<expr::NodeId> nodes;
  for (int c : coordinates) nodes.push_back(model.coordinates()[static_cast<std::size_t>(c)].position);
  const std::vector<expr::NodeId> slopes = expr::gradient(graph, expression.in(graph), nodes);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    total.add_on_coordinate(coordinates[k], -(factor * Symbol(graph, slopes[k])));
  }
}

/// Strains of an element beyond those that it has as declared.
BeamStrains strains_beyond(const BeamStrains& strains, const ShearBeam& beam, std::size_t element) {
  if (beam.natural.empty()) return strains;
  const BeamStrains& natural = beam.natural[element];
  return {minus(strains.stretch, natural.stretch), minus(strains.curvature, natural.curvature)};
}

BeamStrains strains_of(const Model& model, const ShearBeam& beam, std::size_t element) {
  const auto coordinates = [&](const Place& node) { return coordinate_symbols(model, node.coordinates); };
  return beam_strains(coordinates(beam.nodes[element]), coordinates(beam.nodes[element + 1]),
                      beam.line.lengths[element]);
}

void add_segment(Model& model, const std::string& name, const ShearBeam& beam, std::size_t number) {
  const Symbol &l = beam.line.lengths[number], &damping = beam.shape.damping;
  const Place &a = beam.nodes[number], &b = beam.nodes[number + 1];
  const Stiffness stiffness = stiffness_of(beam.shape, l);
  const BeamStrains strains = strains_beyond(strains_of(model, beam, number), beam, number);
  const Symbol energy = energy_of(stiffness, strains, l);
  std::vector<int> coordinates;
  for (const Place* node : {&a, &b}) {
    coordinates.insert(coordinates.end(), node->coordinates.begin(), node->coordinates.end());
  }
  GeneralizedForce total(model);
  add_descent(model, total, coordinates, energy, 1.0);
  if (!(damping.is_number() && damping.number() == 0)) {
    const auto damp = [&](const Vector& of, const Vector& by) {
      for (std::size_t k = 0; k < of.size(); ++k) {
        add_descent(model, total, coordinates, of[k], l * damping * by[k] * rate_of(model, of[k]));
      }
    };
    damp(strains.stretch, stiffness.stretch);
    damp(strains.curvature, stiffness.curvature);
  }
  Element element = law_element(model, name, "beam", total);
  element.potential = energy.in(model.graph());
  model.add_element(std::move(element));
  model.record().connections.push_back({"beam", Mark::Bar, name, a, b});
}

/// Euler parameters of the sections, of which no two neighbours are each other's opposite.
std::vector<std::vector<Symbol>> orientations_of(Model& model, const std::string& name, const ShearBeamShape& shape,
                                                 std::vector<Axes>& axes, const BeamLine& line) {
  std::vector<std::vector<Symbol>> out;
  Vector ups;  // cosines between the axes across one section and the next
  for (const Vector& along : line.directions) {
    if (shape.up) check_up(model, name, *shape.up, along);
    const bool is_first = out.empty();
    if (!is_first && line.is_straight) {
      axes.push_back(axes.front());
      out.push_back(out.front());
      continue;
    }
    axes.push_back(is_first ? first_axes(model, shape, along) : next_axes(shape, axes.back(), along));
    if (!is_first && shape.up) ups.push_back(dot(axes.back()[2], axes[axes.size() - 2][2]));
    std::vector<Symbol> p = euler_parameters(model, axes.back());
    if (!is_first && present_values(model, {dot(out.back(), p)})[0] < 0) p = opposite(p);
    out.push_back(std::move(p));
  }
  require(model, "beam \"" + name + "\"", ups, [count = ups.size()](const double* cosine) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!(cosine[k] > 0)) {
        return "the line passes the direction of up between nodes " + std::to_string(k + 1) + " and " +
               std::to_string(k + 2) + ", where the section would turn about it: choose up across the line";
      }
    }
    return std::string();
  });
  return out;
}

/// Angle (rad) from one direction in the plane to another, below half a turn.
Symbol turn_between(const Vector& a, const Vector& b) {
  return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

void add_nodes(Model& model, const std::string& name, ShearBeam& beam) {
  const ShearBeamShape& shape = beam.shape;
  const BeamLine& line = beam.line;
  const bool is_planar = model.dimension() == 2;
  const Section& s = shape.section;
  const Vector weights = node_weights(line);
  require(model, "beam \"" + name + "\"", weights, [count = weights.size()](const double* weight) {
    if (std::all_of(weight, weight + count, [](double w) { return w > 0; })) return "";
    return "its elements are too unlike for its mass, which is in its nodes: give it more elements";
  });
  std::vector<Axes> axes;
  std::vector<std::vector<Symbol>> orientations;
  if (!is_planar) orientations = orientations_of(model, name, shape, axes, line);
  std::vector<Vector> initial;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Symbol own = weights[i] * shape.density, about_z = own * s.second_moment,
                 about_y = s.across ? own * *s.across : about_z;
    const Vector& at = line.positions[i];
    const Vector velocity = plus(shape.velocity, swept(shape.angular_velocity, minus(at, line.positions[0])));
    const std::string node = name + "_" + std::to_string(i + 1);
    if (is_planar) {
      const Vector& along = line.directions[i];
      // Angles of neighbours differ by what the line turns, not by what atan2 makes of it.
      const Symbol angle = i == 0 || line.is_straight ? atan2(line.directions[0][1], line.directions[0][0])
                                                      : initial.back()[2] + turn_between(line.directions[i - 1], along);
      beam.nodes.push_back(
          add_planar_body(model, node, own * s.area, about_z, at, angle, velocity, shape.angular_velocity[0]));
      initial.push_back({at[0], at[1], angle});
      continue;
    }
    const Vector &omega = shape.angular_velocity,
                 spin = {dot(axes[i][0], omega), dot(axes[i][1], omega), dot(axes[i][2], omega)};
    beam.nodes.push_back(add_spatial_body(model, node, own * s.area,
                                          {about_y + about_z, about_y, about_z, 0.0, 0.0, 0.0}, at, orientations[i],
                                          velocity, spin));
    initial.push_back(at);
    initial.back().insert(initial.back().end(), orientations[i].begin(), orientations[i].end());
  }
  if (line.is_straight) return;
  for (std::size_t k = 0; k < line.lengths.size(); ++k) {
    beam.natural.push_back(beam_strains(initial[k], initial[k + 1], line.lengths[k]));
  }
}

Vector section_direction(const Model& model, const Place& node, const Vector& local) {
  return out_of_axes(orientation(model, node), local);
}

}  // namespace

const ShearBeam& add_shear_beam(Model& model, const std::string& name, const ShearBeamShape& shape) {
  check_dimension(model, shape.velocity, "velocity");
  const std::string owner = "beam \"" + name + "\"";
  const Section& section = shape.section;
  const auto made = std::make_shared<ShearBeam>(ShearBeam{shape, lay_line(model, owner, shape.course), {}, {}});
  require(model, owner,
          {shape.young, shape.density, section.area, section.second_moment, shape.shear_factor,
           section.across.value_or(1.0), section.torsion_constant.value_or(1.0), section.torsion_modulus.value_or(1.0),
           shape.damping, shape.poisson},
          fault_of_shear_beam);
  const std::size_t elements = made->line.lengths.size();
  if (elements < 2) {
    throw Error(owner + ": elements must be at least 2 with kind = \"shear\", whose mass is in its nodes");
  }
  model.claim_name(name, "beam");
  add_nodes(model, name, *made);
  for (std::size_t i = 0; i < elements; ++i) add_segment(model, name, *made, i);
  add_signal(model, name, "strain_energy", "J", [made, elements](const Model& m) {
    Symbol sum = 0.0;
    for (std::size_t i = 0; i < elements; ++i) {
      const Symbol& l = made->line.lengths[i];
      sum += energy_of(stiffness_of(made->shape, l), strains_beyond(strains_of(m, *made, i), *made, i), l);
    }
    return sum;
  });
  add_signal(model, name, "length", "m", [made](const Model& m) {
    Symbol sum = 0.0;
    for (std::size_t i = 0; i + 1 < made->nodes.size(); ++i) sum += length_of(m, made->nodes[i], made->nodes[i + 1]);
    return sum;
  });
  model.record().shear_beams[name] = made;
  return *made;
}

std::optional<Symbol> outer_strain(const ShearBeam& beam, const BeamSpot& spot, const ShearBeamStation& at) {
  const Section& section = beam.shape.section;
  if (!section.fibre) return std::nullopt;
  if (at.moments.size() == 1 || !section.across) return *section.fibre * at.curvature;
  if (!section.fibre_across) return std::nullopt;
  const Symbol least = 1e-9 / beam.line.lengths[spot.element];
  const auto size = [&](const Symbol& curvature) { return sqrt(curvature * curvature + least * least); };
  return *section.fibre * size(at.moments[2] / (beam.shape.young * section.second_moment)) +
         *section.fibre_across * size(at.moments[1] / (beam.shape.young * *section.across));
}

std::optional<Symbol> torsion_stress(const ShearBeam& beam, const ShearBeamStation& at) {
  const std::optional<Symbol>& modulus = beam.shape.section.torsion_modulus;
  if (at.moments.size() == 1 || !modulus) return std::nullopt;
  return at.moments[0] / *modulus;
}

Symbol von_mises_stress(const Symbol& young, const Symbol& strain, const Symbol& bent, const Symbol& torsion) {
  const Symbol least = strain - bent, most = strain + bent;
  return sqrt(young * young * max(least * least, most * most) + 3.0 * torsion * torsion);
}

const ShearBeam* find_shear_beam(const Model& model, const std::string& name) {
  const auto found = model.record().shear_beams.find(name);
  return found == model.record().shear_beams.end() ? nullptr : found->second.get();
}

ShearBeamStation station_of(const Model& model, const ShearBeam& beam, const BeamSpot& spot) {
  const auto& [first, x] = spot;
  const Place &a = beam.nodes[first], &b = beam.nodes[first + 1];
  const Symbol& l = beam.line.lengths[first];
  const Stiffness stiffness = stiffness_of(beam.shape, l);
  const BeamStrains strains = strains_of(model, beam, first), beyond = strains_beyond(strains, beam, first);
  ShearBeamStation out;
  for (std::size_t k = 0; k < strains.stretch.size(); ++k)
    out.forces.push_back(stiffness.stretch[k] * beyond.stretch[k]);
  for (std::size_t k = 0; k < strains.curvature.size(); ++k) {
    out.moments.push_back(stiffness.curvature[k] * beyond.curvature[k]);
  }
  // The element's strains are those of its middle. From there n' = -K x n and m' = -K x m - (e_1 + Gamma) x n, along
  // the axes of the section.
  const Symbol off = (x - 0.5) * l;
  Vector local = strains.stretch;
  local[0] += 1.0;
  const Vector forces = out.forces, moments = out.moments;
  if (moments.size() == 1) {
    out.moments[0] -= off * (local[0] * forces[1] - local[1] * forces[0]);
    out.forces = minus(forces, times(off, swept(strains.curvature, forces)));
    out.curvature = out.moments[0] / stiffness.curvature[0];
  } else {
    const Vector turning = plus(cross(strains.curvature, moments), cross(local, forces));
    out.moments = minus(moments, times(off, turning));
    out.forces = minus(forces, times(off, cross(strains.curvature, forces)));
    const Symbol y = out.moments[1] / stiffness.curvature[1], z = out.moments[2] / stiffness.curvature[2];
    const Symbol least = 1e-9 / l;
    out.curvature = sqrt(y * y + z * z + least * least);
  }
  out.strain = out.forces[0] / stiffness.stretch[0];
  Symbol twice = out.forces[0] * out.strain;
  for (std::size_t k = 1; k < out.forces.size(); ++k) twice += out.forces[k] * out.forces[k] / stiffness.firm;
  for (std::size_t k = 0; k < out.moments.size(); ++k)
    twice += out.moments[k] * out.moments[k] / stiffness.curvature[k];
  out.energy = 0.5 * twice;
  // Of what the element has across its middle, bending that changes along it is not a slope against the sections.
  const Symbol& firm = stiffness.firm;
  for (std::size_t k = 1; k < local.size(); ++k) local[k] = forces[k] / firm;
  const Vector start = section_direction(model, a, local), end = section_direction(model, b, local);
  const Vector from = position_of(model, a), to = position_of(model, b);
  const std::array<Symbol, 4> s = cubic(x), along = cubic_slope(x);
  for (std::size_t k = 0; k < from.size(); ++k) {
    out.position.push_back(s[0] * from[k] + s[2] * to[k] + l * (s[1] * start[k] + s[3] * end[k]));
    out.slope.push_back((along[0] * from[k] + along[2] * to[k]) / l + along[1] * start[k] + along[3] * end[k]);
  }
  return out;
}

}  // namespace perilune::model
