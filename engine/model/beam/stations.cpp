// SPDX-License-Identifier: MIT
#include "model/beam/stations.hpp"

#include <algorithm>
#include <cmath>

#include "model/beam/cable_element.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

namespace {

/// Sum of s_i x_i over the four vectors of an element.
Vector combined(const Symbol (&s)[4], const Vector& q, std::size_t D) {
  Vector out(D, 0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t c = 0; c < D; ++c) out[c] += s[i] * q[D * i + c];
  }
  return out;
}

template <int D>
Symbol chord_strain(const Vector& q, const Symbol& l) {
  const Vector still(q.size(), 0.0);
  return ChordStrain<D, Symbol>(q.data(), still.data(), l).strain;
}

}  // namespace

CableStation station_of(const Model& model, const Cable& cable, double share) {
  const auto D = static_cast<std::size_t>(model.dimension());
  const auto count = static_cast<double>(cable.nodes.size() - 1);
  const double element = std::clamp(std::ceil(share * count) - 1, 0.0, count - 1), x = share * count - element;
  const auto first = static_cast<std::size_t>(element);
  Vector q;
  for (const Place* node : {&cable.nodes[first], &cable.nodes[first + 1]}) {
    const Vector own = coordinate_symbols(model, node->first_coordinate, 2 * model.dimension());
    q.insert(q.end(), own.begin(), own.end());
  }
  const Symbol& l = cable.element_length;
  const Symbol s[4] = {1 - 3 * x * x + 2 * x * x * x, l * (x - 2 * x * x + x * x * x), 3 * x * x - 2 * x * x * x,
                       l * (x * x * x - x * x)};
  const Symbol along[4] = {6 * (x * x - x) / l, 1 - 4 * x + 3 * x * x, 6 * (x - x * x) / l, 3 * x * x - 2 * x};
  const Symbol across[4] = {(12 * x - 6) / (l * l), (6 * x - 4) / l, (6 - 12 * x) / (l * l), (6 * x - 2) / l};
  CableStation out;
  out.position = combined(s, q, D);
  out.slope = combined(along, q, D);
  const Vector second = combined(across, q, D);
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
  return out;
}

}  // namespace perilune::model
