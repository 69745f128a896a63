// SPDX-License-Identifier: MIT
#include "model/beam/shear_beams.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/beam/beam_strains.hpp"
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
      "length",          "young", "density", "area", "second_moment", "shear_factor", "second_moment_across",
      "torsion_constant"};
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
  if (shape.from.size() == 2) return {{shape.young * s.area, shear(bending)}, {bending}, firm};
  return {{shape.young * s.area, shear(bending), shear(across)},
          {shear_modulus * *s.torsion_constant, across, bending},
          firm};
}

/// Shares of the element's length at the nodes: the trapezoidal rule with Gregory's corrections of its ends, where
/// there are enough of them, and the rules of Simpson below.
std::vector<double> weights_of(int elements) {
  if (elements == 2) return {1.0 / 3, 4.0 / 3, 1.0 / 3};
  if (elements == 3) return {3.0 / 8, 9.0 / 8, 9.0 / 8, 3.0 / 8};
  std::vector<double> weights(static_cast<std::size_t>(elements) + 1, 1.0);
  weights.front() = weights.back() = 0.5;
  constexpr double corrections[] = {-1.0 / 8, 1.0 / 6, -1.0 / 24};
  for (std::size_t k = 0; k < 3; ++k) {
    weights[k] += corrections[k];
    weights[weights.size() - 1 - k] += corrections[k];
  }
  return weights;
}

/// Axes of the section in space, as columns: along the beam, near `up`, and across.
std::array<Vector, 3> axes_of(const Model& model, const std::string& name, const ShearBeamShape& shape,
                              const Vector& along) {
  Vector up = {0.0, 0.0, 0.0};
  const std::vector<double> way = present_values(model, along);
  if (shape.up) {
    up = *shape.up;
    const std::vector<double> x = present_values(model, cross(along, up)), own = present_values(model, up);
    const double length = std::hypot(own[0], own[1], own[2]);
    if (!(std::hypot(x[0], x[1], x[2]) > 1e-6 * length)) {
      throw Error("beam \"" + name + "\": up must not be zero or along the beam");
    }
  } else {
    std::size_t least = 2;  // any normal will do
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(way[k]) < std::abs(way[least]) - 1e-9) least = k;
    }
    up[least] = 1.0;
  }
  const Vector z = unit(cross(along, up));
  return {along, cross(z, along), z};
}

/// Euler parameters of the axes, by the formula that divides by the largest at the parameters' present values.
std::vector<Symbol> euler_parameters(const Model& model, const std::array<Vector, 3>& axes) {
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

void add_segment(Model& model, const std::string& name, const ShearBeamShape& shape, const Symbol& l, const Place& a,
                 const Place& b) {
  const Stiffness stiffness = stiffness_of(shape, l);
  const BeamStrains strains = beam_strains(model, a, b, l);
  const Symbol energy = energy_of(stiffness, strains, l);
  std::vector<int> coordinates;
  for (const Place* node : {&a, &b}) {
    for (int k = 0; k < coordinate_count(node->kind, model.dimension()); ++k) {
      coordinates.push_back(node->first_coordinate + k);
    }
  }
  GeneralizedForce total(model);
  add_descent(model, total, coordinates, energy, 1.0);
  if (!(shape.damping.is_number() && shape.damping.number() == 0)) {
    const auto damp = [&](const Vector& of, const Vector& by) {
      for (std::size_t k = 0; k < of.size(); ++k) {
        add_descent(model, total, coordinates, of[k], l * shape.damping * by[k] * rate_of(model, of[k]));
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

void add_nodes(Model& model, const std::string& name, ShearBeam& beam, const Symbol& length) {
  const ShearBeamShape& shape = beam.shape;
  const std::size_t D = shape.from.size();
  const Section& s = shape.section;
  const Vector way = minus(shape.to, shape.from), along = times(1.0 / length, way);
  const Vector drag = swept(shape.angular_velocity, way);
  const std::vector<double> weights = weights_of(shape.elements);
  std::vector<Symbol> orientation;
  Vector spin = shape.angular_velocity;
  if (D == 3) {
    const std::array<Vector, 3> axes = axes_of(model, name, shape, along);
    orientation = euler_parameters(model, axes);
    spin = {dot(axes[0], shape.angular_velocity), dot(axes[1], shape.angular_velocity),
            dot(axes[2], shape.angular_velocity)};
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = static_cast<double>(i) / shape.elements;
    const Symbol own = weights[i] * beam.element_length * shape.density;
    const Vector at = plus(shape.from, times(share, way)), velocity = plus(shape.velocity, times(share, drag));
    const std::string node = name + "_" + std::to_string(i + 1);
    const Symbol about_z = own * s.second_moment, about_y = s.across ? own * *s.across : about_z;
    beam.nodes.push_back(
        D == 2 ? add_planar_body(model, node, own * s.area, about_z, at, atan2(way[1], way[0]), velocity, spin[0])
               : add_spatial_body(model, node, own * s.area, {about_y + about_z, about_y, about_z, 0.0, 0.0, 0.0}, at,
                                  orientation, velocity, spin));
  }
}

Vector section_direction(const Model& model, const Place& node, const Vector& local) {
  return out_of_axes(orientation(model, node), local);
}

}  // namespace

const ShearBeam& add_shear_beam(Model& model, const std::string& name, const ShearBeamShape& shape) {
  check_dimension(model, shape.from, "from");
  check_dimension(model, shape.to, "to");
  check_dimension(model, shape.velocity, "velocity");
  const Vector way = minus(shape.to, shape.from);
  const Symbol length = sqrt(dot(way, way)), l = length / static_cast<double>(shape.elements);
  const Section& section = shape.section;
  require(model, "beam \"" + name + "\"",
          {length, shape.young, shape.density, section.area, section.second_moment, shape.shear_factor,
           section.across.value_or(1.0), section.torsion_constant.value_or(1.0), shape.damping, shape.poisson},
          fault_of_shear_beam);
  if (shape.elements < 2) {
    throw Error("beam \"" + name + "\": elements must be at least 2 with kind = \"shear\", whose mass is in its nodes");
  }
  model.claim_name(name, "beam");
  const auto made = std::make_shared<ShearBeam>(ShearBeam{shape, l, {}});
  add_nodes(model, name, *made, length);
  for (std::size_t i = 0; i + 1 < made->nodes.size(); ++i) {
    add_segment(model, name, shape, l, made->nodes[i], made->nodes[i + 1]);
  }
  add_signal(model, name, "strain_energy", "J", [made](const Model& m) {
    Symbol sum = 0.0;
    const Stiffness stiffness = stiffness_of(made->shape, made->element_length);
    for (std::size_t i = 0; i + 1 < made->nodes.size(); ++i) {
      sum += energy_of(stiffness, beam_strains(m, made->nodes[i], made->nodes[i + 1], made->element_length),
                       made->element_length);
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

const ShearBeam* find_shear_beam(const Model& model, const std::string& name) {
  const auto found = model.record().shear_beams.find(name);
  return found == model.record().shear_beams.end() ? nullptr : found->second.get();
}

ShearBeamStation station_of(const Model& model, const ShearBeam& beam, double share) {
  const auto [first, x] = spot_at(share, beam.nodes.size() - 1);
  const Place &a = beam.nodes[first], &b = beam.nodes[first + 1];
  const Symbol& l = beam.element_length;
  const Stiffness stiffness = stiffness_of(beam.shape, l);
  const BeamStrains strains = beam_strains(model, a, b, l);
  ShearBeamStation out;
  for (std::size_t k = 0; k < strains.stretch.size(); ++k)
    out.forces.push_back(stiffness.stretch[k] * strains.stretch[k]);
  for (std::size_t k = 0; k < strains.curvature.size(); ++k) {
    out.moments.push_back(stiffness.curvature[k] * strains.curvature[k]);
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
  // Of what the element has across its middle, bending that changes along it is not a slope against the sections.
  const Symbol& firm = stiffness.firm;
  for (std::size_t k = 1; k < local.size(); ++k) local[k] = forces[k] / firm;
  const Vector start = section_direction(model, a, local), end = section_direction(model, b, local);
  const Vector from = position_of(model, a), to = position_of(model, b);
  const std::array<double, 4> s = cubic(x), along = cubic_slope(x);
  for (std::size_t k = 0; k < from.size(); ++k) {
    out.position.push_back(s[0] * from[k] + s[2] * to[k] + l * (s[1] * start[k] + s[3] * end[k]));
    out.slope.push_back((along[0] * from[k] + along[2] * to[k]) / l + along[1] * start[k] + along[3] * end[k]);
  }
  return out;
}

}  // namespace perilune::model
