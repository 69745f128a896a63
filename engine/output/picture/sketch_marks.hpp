// SPDX-License-Identifier: MIT
// The symbols of a sketch, in pixels: what textbooks draw for joints, springs and the ground.
#pragma once
#include <string>
#include <vector>

#include "output/picture/svg_canvas.hpp"

namespace perilune::output {

/// A point of the picture; y grows downwards.
struct Dot {
  double x = 0, y = 0;
};

/// Draws at one strength (0 to 1).
class SketchMarks {
 public:
  SketchMarks(SvgCanvas& svg, double strength) : svg_(svg), opacity_(strength) {}

  void link(Dot a, Dot b, const std::string& colour, double width);
  /// A bent link through the dots.
  void bent_link(const std::vector<Dot>& dots, const std::string& colour, double width);
  /// The convex hull of the dots, filled; thin ones become lines.
  void plate(const std::vector<Dot>& dots, const std::string& colour, double rounding);
  void ball(Dot at, double radius, const std::string& colour);
  /// A thin line with dark ends: a massless rod.
  void rod(Dot a, Dot b);
  void spring(Dot a, Dot b);
  /// A dashpot: its pot at a, its piston at b.
  void damper(Dot a, Dot b);
  void pin(Dot at);
  void ball_joint(Dot at);
  void cross(Dot at, Dot along_a, Dot along_b);
  void weld(Dot at);
  void bushing(Dot at);
  /// The guide and the block that slides along it; `along` is a direction of the picture.
  void rail(Dot from, Dot to);
  void block(Dot at, Dot along, const std::string& colour);
  void ground(Dot at);
  /// The line of a plane or a terrain, hatched on the right of its way.
  void surface(const std::vector<Dot>& dots);
  /// A thin line of a net.
  void thread(const std::vector<Dot>& dots);
  /// The convex hull of the dots, as something that is there in addition.
  void shell(const std::vector<Dot>& dots);
  /// A closed outline, which may be hollow.
  void profile(const std::vector<Dot>& dots, const std::string& colour);
  void trace(const std::vector<Dot>& dots, const std::string& colour);

 private:
  void path(const std::string& data, const std::string& style);

  SvgCanvas& svg_;
  double opacity_;
};

/// Corners of the convex hull, counter-clockwise as seen with y upwards.
std::vector<Dot> convex_hull(std::vector<Dot> dots);

}  // namespace perilune::output
