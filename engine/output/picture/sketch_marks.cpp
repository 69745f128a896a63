// SPDX-License-Identifier: MIT
#include "output/picture/sketch_marks.hpp"

#include <algorithm>
#include <cmath>

namespace perilune::output {

namespace {

constexpr const char* ink = "#2c333c";
constexpr const char* soft = "#6b7683";

std::string at(Dot p) { return coordinate(p.x) + " " + coordinate(p.y); }

std::string polyline(const std::vector<Dot>& dots, bool closed) {
  std::string data;
  for (const Dot& p : dots) data += (data.empty() ? "M" : "L") + at(p);
  return data + (closed ? "Z" : "");
}

Dot moved(Dot p, Dot along, double by) { return {p.x + by * along.x, p.y + by * along.y}; }

Dot unit(Dot a, Dot b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return length > 1e-9 ? Dot{(b.x - a.x) / length, (b.y - a.y) / length} : Dot{1, 0};
}

Dot normal(Dot along) { return {-along.y, along.x}; }

std::string stroke(const std::string& colour, double width, const std::string& fill = "none") {
  return "fill=\"" + fill + "\" stroke=\"" + colour + "\" stroke-width=\"" + coordinate(width) +
         "\" stroke-linecap=\"round\" stroke-linejoin=\"round\"";
}

}  // namespace

std::vector<Dot> convex_hull(std::vector<Dot> dots) {
  std::sort(dots.begin(), dots.end(), [](Dot a, Dot b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const auto turn = [](Dot o, Dot a, Dot b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); };
  std::vector<Dot> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t base = hull.size();
    for (const Dot& p : dots) {
      while (hull.size() > base + 1 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the first of the other side
    std::reverse(dots.begin(), dots.end());
  }
  return hull;
}

void SketchMarks::path(const std::string& data, const std::string& style) {
  svg_.path(data, opacity_ < 1 ? style + " opacity=\"" + coordinate(opacity_) + "\"" : style);
}

void SketchMarks::link(Dot a, Dot b, const std::string& colour, double width) {
  path(polyline({a, b}, false), stroke(colour, width));
}

void SketchMarks::bent_link(const std::vector<Dot>& dots, const std::string& colour, double width) {
  path(polyline(dots, false), stroke(colour, width));
}

void SketchMarks::plate(const std::vector<Dot>& dots, const std::string& colour, double rounding) {
  const std::vector<Dot> hull = convex_hull(dots);
  const std::string fill = hull.size() > 2 ? colour + "\" fill-opacity=\"0.55" : "none";
  path(polyline(hull.empty() ? dots : hull, true), stroke(colour, rounding, fill));
}

void SketchMarks::ball(Dot p, double radius, const std::string& colour) {
  const std::string r = coordinate(radius);
  path("M" + at({p.x - radius, p.y}) + "a" + r + " " + r + " 0 1 0 " + coordinate(2 * radius) + " 0a" + r + " " + r +
           " 0 1 0 -" + coordinate(2 * radius) + " 0Z",
       stroke(colour, 1.5, colour + "\" fill-opacity=\"0.55"));
}

void SketchMarks::rod(Dot a, Dot b) { path(polyline({a, b}, false), stroke(ink, 2)); }

void SketchMarks::spring(Dot a, Dot b) {
  const Dot along = unit(a, b), across = normal(along);
  const double length = std::hypot(b.x - a.x, b.y - a.y), eye = std::min(12.0, 0.15 * length);
  const int zigs = 2 * std::clamp(static_cast<int>(length / 22), 4, 20);
  std::vector<Dot> dots{a, moved(a, along, eye)};
  for (int k = 0; k < zigs; ++k) {
    const double s = eye + (k + 0.5) * (length - 2 * eye) / zigs;
    dots.push_back(moved(moved(a, along, s), across, k % 2 == 0 ? 6.5 : -6.5));
  }
  dots.insert(dots.end(), {moved(b, along, -eye), b});
  path(polyline(dots, false), stroke(soft, 1.6));
}

void SketchMarks::damper(Dot a, Dot b) {
  constexpr double wide = 7;
  const Dot along = unit(a, b), across = normal(along);
  const double length = std::hypot(b.x - a.x, b.y - a.y), bottom = 0.25 * length, rim = 0.7 * length;
  const auto dot = [&](double s, double side) { return moved(moved(a, along, s), across, side); };
  path(polyline({a, dot(bottom, 0)}, false), stroke(soft, 1.6));
  path(polyline({dot(rim, wide), dot(bottom, wide), dot(bottom, -wide), dot(rim, -wide)}, false), stroke(soft, 1.6));
  const double piston = 0.5 * (bottom + rim);
  path(polyline({dot(piston, 0.75 * wide), dot(piston, -0.75 * wide)}, false), stroke(soft, 2.4));
  path(polyline({dot(piston, 0), b}, false), stroke(soft, 1.6));
}

void SketchMarks::pin(Dot p) {
  path("M" + at({p.x - 4, p.y}) + "a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", stroke(ink, 1.8, "#fff"));
}

void SketchMarks::ball_joint(Dot p) {
  path("M" + at({p.x - 4.5, p.y}) + "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z", stroke(ink, 1.8, soft));
}

void SketchMarks::cross(Dot p, Dot along_a, Dot along_b) {
  pin(p);
  for (const Dot& along : {along_a, along_b})
    path(polyline({moved(p, along, -9), moved(p, along, 9)}, false), stroke(ink, 1.8));
}

void SketchMarks::weld(Dot p) { path("M" + at({p.x - 4, p.y - 4}) + "h8v8h-8Z", stroke(ink, 1.5, ink)); }

void SketchMarks::bushing(Dot p) {
  path("M" + at({p.x - 6, p.y}) + "a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z", stroke(soft, 3.5, "#fff"));
}

void SketchMarks::rail(Dot from, Dot to) { path(polyline({from, to}, false), stroke(soft, 2.2)); }

void SketchMarks::block(Dot p, Dot along, const std::string& colour) {
  const Dot a = unit({}, along), n = normal(a);
  std::vector<Dot> corners;
  for (const auto& [x, y] : {std::pair{13, 8}, {-13, 8}, {-13, -8}, {13, -8}})
    corners.push_back(moved(moved(p, a, x), n, y));
  path(polyline(corners, true), stroke(ink, 1.6, colour));
}

void SketchMarks::ground(Dot p) {
  path("M" + at(p) + "l-9 13h18Z", stroke(ink, 1.5, "#fff"));
  std::string hatch = "M" + at({p.x - 14, p.y + 13}) + "h28";
  for (int k = 0; k < 6; ++k) hatch += "M" + at({p.x - 12 + 5 * k, p.y + 13}) + "l-4 5";
  path(hatch, stroke(ink, 1.3));
}

void SketchMarks::surface(const std::vector<Dot>& dots) {
  constexpr double spacing = 9, length = 7;
  std::string data = polyline(dots, false);
  double next = spacing / 2;
  for (std::size_t k = 0; k + 1 < dots.size(); ++k) {
    const Dot along = unit(dots[k], dots[k + 1]), across = normal(along);
    const double way = std::hypot(dots[k + 1].x - dots[k].x, dots[k + 1].y - dots[k].y);
    for (; next < way; next += spacing) {
      const Dot from = moved(dots[k], along, next);
      data += "M" + at(from) + "L" + at(moved(moved(from, along, -0.7 * length), across, length));
    }
    next -= way;
  }
  path(data, stroke(soft, 1.2));
}

void SketchMarks::thread(const std::vector<Dot>& dots) { path(polyline(dots, false), stroke("#b9c2cc", 0.9)); }

void SketchMarks::shell(const std::vector<Dot>& dots) {
  path(polyline(convex_hull(dots), true), stroke(soft, 1.2, std::string(soft) + "\" fill-opacity=\"0.12"));
}

void SketchMarks::profile(const std::vector<Dot>& dots, const std::string& colour) {
  path(polyline(dots, true), stroke(colour, 1.5, colour + "\" fill-opacity=\"0.55"));
}

void SketchMarks::trace(const std::vector<Dot>& dots, const std::string& colour) {
  path(polyline(dots, false), stroke(colour, 1.1) + " stroke-dasharray=\"1 3\"");
}

}  // namespace perilune::output
