// SPDX-License-Identifier: MIT
// What pictures show of flexible lines, whatever their equations are: the bent line, how thick it is, and what it may
// be coloured by.
#pragma once
#include <string>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

/// Something that varies along the line, at each of its samples.
struct LineQuantity {
  std::string name, unit;  // "axial_force", "N"
  std::vector<Symbol> values;
};

/// One line. Its expressions are of coordinates and parameters, and of velocities where a quantity is a rate, so that a
/// configuration is enough to draw it.
struct FlexibleLine {
  std::string name;
  std::vector<Place> nodes;       // which the picture of the line stands for, too, where nothing else attaches
  Symbol radius;                  // m, of the tube that it is drawn as; of parameters
  Vector shares;                  // of the length as declared up to each sample, from 0 to 1; of parameters
  std::vector<Vector> positions;  // of the samples, from one end to the other, nodes included
  std::vector<LineQuantity> quantities;
};

/// Those of all kinds, in the order of their names. Each kind adds what it has: nothing else in pictures knows kinds.
std::vector<FlexibleLine> flexible_lines(const Model& model);

/// How many samples an element has, so that few bend smoothly and many stay affordable.
int samples_per_element(std::size_t elements);

}  // namespace perilune::model
