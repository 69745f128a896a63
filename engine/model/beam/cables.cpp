// SPDX-License-Identifier: MIT
#include "model/beam/cables.hpp"

#include "error.hpp"
#include "model/beam/cable_element.hpp"
#include "model/declare.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

const char* element_of(CableAxial axial) {
  switch (axial) {
    case CableAxial::Chord:
      return "cable/chord/";
    case CableAxial::Green:
      return "cable/green/";
    case CableAxial::Printed:
      return "cable/printed/";
  }
  return "";
}

std::string fault_of_cable(const double* values) {
  constexpr const char* names[] = {"young", "density", "area", "second_moment"};
  for (int k = 0; k < 4; ++k) {
    if (!(values[k] > 0)) return std::string(names[k]) + " must be positive, got " + text_of(values[k]);
  }
  if (!(values[4] >= 0)) return "damping must not be negative, got " + text_of(values[4]);
  return "";
}

Place add_node(Model& model, const std::string& name, const Vector& at, const Vector& velocity, const Vector& slope,
               const Vector& slope_rate) {
  model.claim_name(name, "node");
  const int first = static_cast<int>(model.coordinates().size());
  for (std::size_t k = 0; k < at.size(); ++k) {
    const int c = model.add_coordinate(name, axis_names[k], "m", at[k], velocity[k]);
    add_coordinate_signals(model, name, c, axis_names[k], "m");
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::string what = std::string("slope_") + axis_names[k];
    const auto c = static_cast<std::size_t>(model.add_coordinate(name, what, "", slope[k], slope_rate[k]));
    add_signal(model, name, what, "", [c](const Model& m) { return symbol_of(m, m.coordinates()[c].position); });
    add_signal(model, name, "v" + what, "1/s",
               [c](const Model& m) { return symbol_of(m, m.coordinates()[c].velocity); });
  }
  model.record().sloped_points.insert(first);
  model.record().moving_frames.push_back({{Place::Kind::Point, consecutive(first, model.dimension()), {}, name, {}}});
  return model.record().moving_frames.back().place;
}

Vector coordinates_of_element(const Model& model, const Place& a, const Place& b) {
  Vector q = coordinate_symbols(model, with_slope(a));
  const Vector end = coordinate_symbols(model, with_slope(b));
  q.insert(q.end(), end.begin(), end.end());
  return q;
}

Vector bending_of(const CableShape& shape, const Symbol& l) {
  return {shape.young * shape.second_moment, l, shape.damping};
}
Vector stretching_of(const CableShape& shape, const Symbol& l) { return {shape.young * shape.area, l, shape.damping}; }

Vector curved_bending_of(const CableShape& shape, const Symbol& l, const Vector& natural) {
  Vector out = bending_of(shape, l), along;
  for (const double at : CurvedCableBending::at) {
    const CableBend<Symbol> bend = CurvedCableBending::bend_at<Symbol>(at, l, natural.data());
    out.push_back(bend.across);
    along.push_back(bend.along);
  }
  out.insert(out.end(), along.begin(), along.end());
  return out;
}
Vector curved_stretching_of(const CableShape& shape, const Symbol& l, const Vector& natural) {
  Vector out = stretching_of(shape, l);
  out.push_back(CurvedCableStretch::mean<Symbol>(natural.data(), natural.data(), l));
  return out;
}

Symbol curved_strain_energy(const Model& model, const Cable& cable) {
  Symbol sum = 0.0;
  for (std::size_t k = 0; k < cable.natural.size(); ++k) {
    const Vector q = coordinates_of_element(model, cable.nodes[k], cable.nodes[k + 1]);
    const Symbol& l = cable.line.lengths[k];
    sum += CurvedCableBending::potential(q.data(), curved_bending_of(cable.shape, l, cable.natural[k]).data());
    sum += CurvedCableStretch::potential(q.data(), curved_stretching_of(cable.shape, l, cable.natural[k]).data());
  }
  return sum;
}

template <int D>
Symbol strain_energy(const Model& model, const Cable& cable) {
  Symbol sum = 0.0;
  for (std::size_t k = 0; k < cable.line.lengths.size(); ++k) {
    const Vector q = coordinates_of_element(model, cable.nodes[k], cable.nodes[k + 1]);
    const Symbol& l = cable.line.lengths[k];
    const Vector bending = bending_of(cable.shape, l), stretching = stretching_of(cable.shape, l);
    sum += CableBending<D>::potential(q.data(), bending.data());
    if (cable.shape.axial == CableAxial::Chord) sum += CableChord<D>::potential(q.data(), stretching.data());
    if (cable.shape.axial == CableAxial::Green) sum += CableGreen<D>::potential(q.data(), stretching.data());
  }
  return sum;
}

}  // namespace

const Cable& add_cable(Model& model, const std::string& name, const CableShape& shape) {
  check_dimension(model, shape.velocity, "velocity");
  const std::string owner = "beam \"" + name + "\"";
  if (shape.course.through.size() > 2 && model.dimension() == 3) {
    throw Error(owner +
                ": in space a slender beam is straight, as it knows no torsion that would say which way it is "
                "curved; with kind = \"shear\" it may go along points");
  }
  const auto made = std::make_shared<Cable>(Cable{shape, lay_line(model, owner, shape.course), {}, {}});
  const BeamLine& line = made->line;
  require(model, owner, {shape.young, shape.density, shape.area, shape.second_moment, shape.damping}, fault_of_cable);
  model.claim_name(name, "beam");
  std::vector<Place>& nodes = made->nodes;
  for (std::size_t i = 0; i < line.positions.size(); ++i) {
    const Vector drag = swept(shape.angular_velocity, minus(line.positions[i], line.positions.front()));
    nodes.push_back(add_node(model, name + "_" + std::to_string(i + 1), line.positions[i], plus(shape.velocity, drag),
                             line.directions[i], swept(shape.angular_velocity, line.directions[i])));
  }
  const std::string dimension = std::to_string(model.dimension());
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    std::vector<int> own;
    for (const Place* node : {&nodes[i], &nodes[i + 1]}) {
      const std::vector<int> both = with_slope(*node);
      own.insert(own.end(), both.begin(), both.end());
    }
    const Symbol& l = line.lengths[i];
    Vector inertia{shape.density * shape.area, l};
    inertia.insert(inertia.end(), model.gravity().begin(), model.gravity().end());
    add_element(model, "cable/inertia/" + dimension, name, own, {}, inertia);
    if (line.is_straight) {
      add_element(model, "cable/bending/" + dimension, name, own, {}, bending_of(shape, l));
      add_element(model, element_of(shape.axial) + dimension, name, own, {}, stretching_of(shape, l));
    } else {
      Vector& natural = made->natural.emplace_back();
      for (const std::size_t end : {i, i + 1}) {
        for (const auto* part : {&line.positions, &line.directions}) {
          natural.insert(natural.end(), (*part)[end].begin(), (*part)[end].end());
        }
      }
      add_element(model, "cable/curved_bending/2", name, own, {}, curved_bending_of(shape, l, natural));
      add_element(model, "cable/curved_stretch/2", name, own, {}, curved_stretching_of(shape, l, natural));
    }
    model.record().connections.push_back({"beam", Mark::Bar, name, nodes[i], nodes[i + 1]});
  }
  add_signal(model, name, "strain_energy", "J", [made](const Model& m) {
    if (!made->line.is_straight) return curved_strain_energy(m, *made);
    return m.dimension() == 2 ? strain_energy<2>(m, *made) : strain_energy<3>(m, *made);
  });
  add_signal(model, name, "length", "m", [made](const Model& m) {
    Symbol sum = 0.0;
    for (std::size_t i = 0; i + 1 < made->nodes.size(); ++i) sum += length_of(m, made->nodes[i], made->nodes[i + 1]);
    return sum;
  });
  model.record().cables[name] = made;
  return *made;
}

const Cable* find_cable(const Model& model, const std::string& name) {
  const auto found = model.record().cables.find(name);
  return found == model.record().cables.end() ? nullptr : found->second.get();
}

void add_clamp(Model& model, const std::string& name, const Place& node, const Place& body) {
  if (!has_slope(model, node)) {
    const bool is_body = node.kind == Place::Kind::PlanarBody || node.kind == Place::Kind::SpatialBody;
    throw Error("clamp \"" + name + "\": \"" + node.name + "\" is no place of a slender beam, " +
                (is_body ? "but a body; use m:weld { body, node, at = ... }" : "so that it has no direction to hold"));
  }
  if (!has_directions(body)) {
    throw Error("clamp \"" + name + "\": \"" + body.name +
                "\" is a point, which does not turn; a clamp needs a body or " + "the ground");
  }
  const Vector at = initial_position(model, node);
  const Place marker = body.kind == Place::Kind::Ground ? ground_place(model, at) : attach(model, body, at, {});
  add_coincidence(model, name, marker, node);
  model.record().connections.back().kind = "clamp";
  model.record().connections.back().mark = Mark::Clamp;
  const int D = model.dimension();
  const Vector slope = slope_of(model, node), declared = to_local_direction(model, body, initial_slope(model, node));
  std::vector<Vector> normals;  // to the declared slope, in space
  if (D == 2) {
    normals = {in_space(model, body, {-declared[1], declared[0]})};
  } else {
    const Place axes = with_axis(model, body, declared);
    normals = {axis_of(model, axes, 0), axis_of(model, axes, 1)};
  }
  for (std::size_t k = 0; k < normals.size(); ++k) {
    const std::string multiplier = "slope_" + std::to_string(k + 1);
    add_relation_element(model, name, "clamp", dot(normals[k], slope), multiplier.c_str());
  }
}

}  // namespace perilune::model
