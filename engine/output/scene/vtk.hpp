// SPDX-License-Identifier: MIT
// A mechanism in motion for ParaView: one .vtp file (VTK PolyData) for each picture, and a .pvd file that lists them.
#pragma once
#include <array>
#include <iosfwd>
#include <string>
#include <vector>

#include "output/scene/scene.hpp"

namespace perilune::output {

/// What the pictures of one scene have in common: points fixed to frames, and the cells between them. Points and the
/// reference points of bodies are vertices; bars, springs and the like, and bodies without solids, are lines; solids
/// are polygons; flexible lines are poly-lines of samples. The cell array `object` numbers the bodies and points in
/// order of declaration, then the connections, then the flexible lines. Each of their quantities is an array of points,
/// which is nan where there is no such line.
class VtkPictures {
 public:
  explicit VtkPictures(const Scene& scene);

  /// The file of one picture, at the coordinates q and velocities v.
  void write(const double* q, const double* v, std::ostream& out) const;

 private:
  struct Point {
    int frame;
    Triple local;
  };
  void write_quantities(const std::vector<BentLine>& bent, std::ostream& out) const;

  using Cell = std::vector<int>;  // indices of points
  struct Cells {
    std::vector<Cell> cells;
    std::vector<int> objects;
  };

  int add_point(int frame, const Triple& local);
  void add(Cells& to, Cell cell, int object);
  void add_shape(int frame, const SceneShape& shape, int object);
  void add_grid(int frame, const SceneShape& shape, const std::vector<std::array<double, 2>>& profile, int object);

  const Scene& scene_;
  std::vector<Point> points_;
  std::size_t first_sample_ = 0;  // of the points, which those of flexible lines follow
  Cells vertices_, lines_, polygons_;
};

/// The list of files with their times.
void write_pvd(const std::vector<double>& times, const std::vector<std::string>& files, std::ostream& out);

}  // namespace perilune::output
