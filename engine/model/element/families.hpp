// SPDX-License-Identifier: MIT
// One registration function per element family; each lives in its own file to be compiled on its own.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "model/element/kernel.hpp"
#include "model/place/place.hpp"

namespace perilune::model {

using KernelMap = std::map<std::string, std::unique_ptr<const Kernel>>;

void register_distances(KernelMap& all);
void register_coincidences(KernelMap& all);
void register_directions(KernelMap& all);
void register_offsets(KernelMap& all);
void register_springs(KernelMap& all);
void register_states(KernelMap& all);
void register_inertias(KernelMap& all);
void register_cables(KernelMap& all);

/// Registers Wrap<Element<A, B>> for every pair of places of which at least one moves; ground stands before points,
/// points before stations of beams, these before bodies, those with Euler parameters before those in natural
/// coordinates.
template <template <class> class Wrap, template <class, class> class Element>
void register_pairs(KernelMap& all, const std::string& what) {
  auto add = [&]<class A, class B>(const std::string& pair) {
    all[what + "/" + pair + "/" + std::to_string(A::dimension)] = std::make_unique<Wrap<Element<A, B>>>();
  };
  auto add_dimension = [&]<class Ground, class Point, class Station, class Body>() {
    add.template operator()<Ground, Point>("ground-point");
    add.template operator()<Ground, Body>("ground-body");
    add.template operator()<Point, Point>("point-point");
    add.template operator()<Point, Body>("point-body");
    add.template operator()<Body, Body>("body-body");
    add.template operator()<Ground, Station>("ground-station");
    add.template operator()<Point, Station>("point-station");
    add.template operator()<Station, Station>("station-station");
    add.template operator()<Station, Body>("station-body");
  };
  add_dimension.template operator()<GroundPlace<2>, PointPlace<2>, StationPlace<2>, PlanarPlace>();
  add_dimension.template operator()<GroundPlace<3>, PointPlace<3>, StationPlace<3>, SpatialPlace>();
  add.template operator()<GroundPlace<3>, NaturalPlace>("ground-natural");
  add.template operator()<PointPlace<3>, NaturalPlace>("point-natural");
  add.template operator()<StationPlace<3>, NaturalPlace>("station-natural");
  add.template operator()<SpatialPlace, NaturalPlace>("body-natural");
  add.template operator()<NaturalPlace, NaturalPlace>("natural-natural");
}

}  // namespace perilune::model
