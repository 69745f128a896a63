// SPDX-License-Identifier: MIT
#include "model/beam/stations.hpp"

#include "model/beam/cable_element.hpp"
#include "model/beam/cubic.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

/// Of the four vectors of an element, of which two are slopes.
Vector shares_of(const std::array<Symbol, 4>& s, const Symbol& l) {
  Vector out(s.begin(), s.end());
  for (std::size_t i = 0; i < 4; ++i) {
    if (CableShapes::is_slope(static_cast<int>(i))) out[i] = out[i] * l;
  }
  return out;
}

Vector combined(const std::array<Symbol, 4>& s, const Symbol& l, const Vector& q, std::size_t D) {
  Vector out(D, 0.0);
  const Vector shares = shares_of(s, l);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t c = 0; c < D; ++c) out[c] += shares[i] * q[D * i + c];
  }
  return out;
}

template <int D>
Symbol straight_strain(const Cable& cable, const Vector& slope, const Vector& q, const Symbol& l) {
  if (cable.shape.axial == CableAxial::Green) return 0.5 * (dot(slope, slope) - 1.0);
  const Vector still(q.size(), 0.0);
  return ChordStrain<D, Symbol>(q.data(), still.data(), l).strain;
}

}  // namespace

CableStation station_of(const Model& model, const Cable& cable, const BeamSpot& spot) {
  const auto D = static_cast<std::size_t>(model.dimension());
  const auto& [first, x] = spot;
  Vector q;
  for (const Place* node : {&cable.nodes[first], &cable.nodes[first + 1]}) {
    const Vector own = coordinate_symbols(model, with_slope(*node));
    q.insert(q.end(), own.begin(), own.end());
  }
  const Symbol& l = cable.line.lengths[first];
  CableStation out;
  out.position = combined(cubic(x), l, q, D);
  out.slope = times(1.0 / l, combined(cubic_slope(x), l, q, D));
  const Vector second = times(1.0 / (l * l), combined(cubic_bend(x), l, q, D));
  if (!cable.natural.empty()) {
    const Symbol* natural = cable.natural[first].data();
    out.strain = CurvedCableStretch::strain<Symbol>(q.data(), l, CurvedCableStretch::mean<Symbol>(natural, natural, l));
    out.curvature = CurvedCableBending::bend_at<Symbol>(x, l, q.data()).across -
                    CurvedCableBending::bend_at<Symbol>(x, l, natural).across;
  } else if (D == 2) {
    out.strain = straight_strain<2>(cable, out.slope, q, l);
    out.curvature = (out.slope[0] * second[1] - out.slope[1] * second[0]) / sqrt(dot(out.slope, out.slope));
  } else {
    const Symbol least = 1e-9 / l;
    out.strain = straight_strain<3>(cable, out.slope, q, l);
    out.curvature = sqrt(dot(second, second) + least * least);
  }
  out.axial_force = cable.shape.young * cable.shape.area * out.strain;
  out.moment = cable.shape.young * cable.shape.second_moment * out.curvature;
  out.energy = 0.5 * (out.axial_force * out.strain + out.moment * out.curvature);
  return out;
}

Place place_at(const std::string& name, const Cable& cable, const BeamSpot& spot) {
  const Symbol& l = cable.line.lengths[spot.element];
  Place place{Place::Kind::Station, {}, shares_of(cubic(spot.x), l), name, {}};
  for (const Place* node : {&cable.nodes[spot.element], &cable.nodes[spot.element + 1]}) {
    const std::vector<int> own = with_slope(*node);
    place.coordinates.insert(place.coordinates.end(), own.begin(), own.end());
  }
  place.slope = times(1.0 / l, shares_of(cubic_slope(spot.x), l));
  return place;
}

}  // namespace perilune::model
