// SPDX-License-Identifier: MIT
#include "model/beam/stations.hpp"

#include "model/beam/cable_element.hpp"
#include "model/beam/cubic.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

namespace {

/// Sum of s_i x_i over the four vectors of an element, of which two are slopes.
Vector combined(const std::array<Symbol, 4>& s, const Symbol& l, const Vector& q, std::size_t D) {
  Vector out(D, 0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    const Symbol share = CableShapes::is_slope(static_cast<int>(i)) ? s[i] * l : s[i];
    for (std::size_t c = 0; c < D; ++c) out[c] += share * q[D * i + c];
  }
  return out;
}

template <int D>
Symbol chord_strain(const Vector& q, const Symbol& l) {
  const Vector still(q.size(), 0.0);
  return ChordStrain<D, Symbol>(q.data(), still.data(), l).strain;
}

}  // namespace

CableStation station_of(const Model& model, const Cable& cable, const BeamSpot& spot) {
  const auto D = static_cast<std::size_t>(model.dimension());
  const auto& [first, x] = spot;
  Vector q;
  for (const Place* node : {&cable.nodes[first], &cable.nodes[first + 1]}) {
    const Vector own = coordinate_symbols(model, node->first_coordinate, 2 * model.dimension());
    q.insert(q.end(), own.begin(), own.end());
  }
  const Symbol& l = cable.line.lengths[first];
  CableStation out;
  out.position = combined(cubic(x), l, q, D);
  out.slope = times(1.0 / l, combined(cubic_slope(x), l, q, D));
  const Vector second = times(1.0 / (l * l), combined(cubic_bend(x), l, q, D));
  if (cable.shape.axial == CableAxial::Green) {
    out.strain = 0.5 * (dot(out.slope, out.slope) - 1.0);
  } else {
    out.strain = D == 2 ? chord_strain<2>(q, l) : chord_strain<3>(q, l);
  }
  if (D == 2) {
    out.curvature = (out.slope[0] * second[1] - out.slope[1] * second[0]) / sqrt(dot(out.slope, out.slope));
  } else {
    const Symbol least = 1e-9 / l;
    out.curvature = sqrt(dot(second, second) + least * least);
  }
  out.axial_force = cable.shape.young * cable.shape.area * out.strain;
  out.moment = cable.shape.young * cable.shape.second_moment * out.curvature;
  out.energy = 0.5 * (out.axial_force * out.strain + out.moment * out.curvature);
  return out;
}

}  // namespace perilune::model
