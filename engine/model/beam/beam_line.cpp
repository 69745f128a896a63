// SPDX-License-Identifier: MIT
#include "model/beam/beam_line.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/beam/cubic.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

Symbol norm(const Vector& a) { return sqrt(dot(a, a)); }

/// How many elements each part of the line has: one, and more where they are longest at the present parameters.
std::vector<int> shared_out(const Model& model, const Vector& parts, int elements) {
  const std::vector<double> lengths = present_values(model, parts);
  std::vector<int> counts(lengths.size(), 1);
  for (int left = elements - static_cast<int>(lengths.size()); left > 0; --left) {
    std::size_t longest = 0;
    // Parts that are equal but for rounding get theirs from the first one on.
    for (std::size_t k = 1; k < lengths.size(); ++k) {
      if (lengths[k] / counts[k] > lengths[longest] / counts[longest] * (1 + 1e-9)) longest = k;
    }
    ++counts[longest];
  }
  return counts;
}

void check_count(const std::string& owner, std::size_t parts, int elements, const char* why) {
  if (static_cast<std::size_t>(elements) >= parts) return;
  throw Error(owner + ": elements must be at least " + std::to_string(parts) + ", one between each two " + why +
              ", got " + std::to_string(elements));
}

void put_node(BeamLine& line, const Vector& position, const Vector& direction) {
  line.positions.push_back(position);
  line.directions.push_back(direction);
}

BeamLine straight_line(Model& model, const std::string& owner, const BeamCourse& course) {
  BeamLine line;
  const Vector &from = course.through.front(), &to = course.through.back(), way = minus(to, from);
  line.length = norm(way);
  require(model, owner, {line.length},
          [](const double* length) { return *length > 0 ? "" : "length must be positive, got " + text_of(*length); });
  Vector ends = {0.0};
  ends.insert(ends.end(), course.nodes_at.begin(), course.nodes_at.end());
  ends.push_back(1.0);
  Vector parts;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) parts.push_back(ends[k + 1] - ends[k]);
  require(model, owner, ends, [count = ends.size()](const double* share) {
    for (std::size_t k = 0; k + 1 < count; ++k) {
      if (share[k + 1] > share[k]) continue;
      const bool is_last = k + 2 == count;
      return "nodes_at must ascend between 0 and 1, where the ends have nodes; got " +
             text_of(share[is_last ? k : k + 1]) + (k == 0 || is_last ? "" : " after " + text_of(share[k]));
    }
    return std::string();
  });
  check_count(owner, parts.size(), course.elements, "of its ends and nodes_at");
  const std::vector<int> counts = shared_out(model, parts, course.elements);
  const Vector direction = times(1.0 / line.length, way);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (part > 0) line.wanted.push_back(line.positions.size());
    for (int k = 0; k < counts[part]; ++k) {
      const Symbol share = ends[part] + parts[part] * (static_cast<double>(k) / counts[part]);
      put_node(line, plus(from, times(share, way)), direction);
      line.shares.push_back(share);
      line.lengths.push_back(line.length * parts[part] / static_cast<double>(counts[part]));
    }
  }
  put_node(line, to, direction);
  line.shares.push_back(1.0);
  return line;
}

/// Where the circle through three points goes at the middle one, from the ways to it and from it.
Vector direction_of_circle(const Vector& before, const Vector& after) {
  return unit(plus(times(1.0 / dot(before, before), before), times(1.0 / dot(after, after), after)));
}

/// Where an arc goes at one end of its chord that goes there at the other.
Vector mirrored(const Vector& direction, const Vector& chord) {
  return minus(times(2.0 * dot(direction, chord) / dot(chord, chord), chord), direction);
}

/// Whether a line ends where it begins, going on as it began.
bool is_smooth_ring(const Model& model, const std::vector<Vector>& points, const std::vector<Vector>& ways) {
  const Vector gap = minus(points.back(), points.front());
  const std::vector<double> x =
      present_values(model, {dot(gap, gap), dot(ways.front(), ways.front()), dot(ways.front(), ways.back())});
  return x[0] <= 1e-18 * x[1] && x[2] > 0;
}

/// From one point to the next, by the share u of a parameter.
class Arc {
 public:
  Arc(const Vector& from, const Vector& to, const Vector& start, const Vector& end) : from_(from), to_(to) {
    // A cubic comes closest to an arc that turns by phi when its slopes are the chord over cos^2(phi / 4) long.
    const Symbol half = sqrt(0.5 * (1.0 + dot(start, end))), size = norm(minus(to, from)) / (0.5 * (1.0 + half));
    start_ = times(size, start);
    end_ = times(size, end);
  }
  Vector at(double u) const { return mixed(cubic(u)); }
  Vector slope(double u) const { return mixed(cubic_slope(u)); }
  /// By five points of Gauss.
  Symbol length(double from, double to) const {
    constexpr double at[] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332};
    constexpr double weight[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                 0.11846344252809454};
    Symbol sum = 0.0;
    for (int k = 0; k < 5; ++k) sum += weight[k] * norm(slope(from + at[k] * (to - from)));
    return (to - from) * sum;
  }

 private:
  Vector mixed(const std::array<double, 4>& s) const {
    return plus(plus(times(s[0], from_), times(s[2], to_)), plus(times(s[1], start_), times(s[3], end_)));
  }
  Vector from_, to_, start_, end_;
};

BeamLine curved_line(Model& model, const std::string& owner, const BeamCourse& course) {
  BeamLine line;
  line.is_straight = false;
  const std::vector<Vector>& points = course.through;
  if (!course.nodes_at.empty()) {
    throw Error(owner + ": nodes_at is for straight beams; all points of along have nodes: give a point there");
  }
  std::vector<Vector> ways;
  Vector chords;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    ways.push_back(minus(points[k + 1], points[k]));
    chords.push_back(norm(ways.back()));
  }
  require(model, owner, chords, [count = chords.size()](const double* chord) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!(chord[k] > 0)) {
        return "points " + std::to_string(k + 1) + " and " + std::to_string(k + 2) + " of along are the same";
      }
    }
    return std::string();
  });
  check_count(owner, chords.size(), course.elements, "points of along");
  Vector turns;  // cosines between one way and the next
  for (std::size_t k = 0; k + 1 < ways.size(); ++k) {
    turns.push_back(dot(ways[k], ways[k + 1]) / (chords[k] * chords[k + 1]));
  }
  require(model, owner, turns, [count = turns.size()](const double* cosine) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!(cosine[k] > 0)) {
        return "along turns by a right angle or more at its point " + std::to_string(k + 2) +
               ": a beam is smooth; give more points, or weld two beams at the corner";
      }
    }
    return std::string();
  });
  std::vector<Vector> directions(points.size());
  for (std::size_t k = 1; k + 1 < points.size(); ++k) directions[k] = direction_of_circle(ways[k - 1], ways[k]);
  directions.front() = mirrored(directions[1], ways.front());
  directions.back() = mirrored(directions[points.size() - 2], ways.back());
  if (is_smooth_ring(model, points, ways)) {
    directions.front() = directions.back() = direction_of_circle(ways.back(), ways.front());
  }
  const std::vector<int> counts = shared_out(model, chords, course.elements);
  line.length = 0.0;
  Vector lengths_before;
  for (std::size_t part = 0; part < ways.size(); ++part) {
    const Arc arc(points[part], points[part + 1], directions[part], directions[part + 1]);
    line.wanted.push_back(line.positions.size());
    for (int k = 0; k < counts[part]; ++k) {
      const double u = static_cast<double>(k) / counts[part], next = static_cast<double>(k + 1) / counts[part];
      put_node(line, k == 0 ? points[part] : arc.at(u), k == 0 ? directions[part] : unit(arc.slope(u)));
      lengths_before.push_back(line.length);
      line.lengths.push_back(arc.length(u, next));
      line.length += line.lengths.back();
    }
  }
  line.wanted.push_back(line.positions.size());
  put_node(line, points.back(), directions.back());
  for (const Symbol& before : lengths_before) line.shares.push_back(before / line.length);
  line.shares.push_back(1.0);
  return line;
}

}  // namespace

BeamLine lay_line(Model& model, const std::string& owner, const BeamCourse& course) {
  if (course.through.size() > 2) {
    for (const Vector& point : course.through) check_dimension(model, point, (owner + ": each point of along").c_str());
    return curved_line(model, owner, course);
  }
  check_dimension(model, course.through.front(), "from");
  check_dimension(model, course.through.back(), "to");
  return straight_line(model, owner, course);
}

Vector node_weights(const BeamLine& line) {
  const Vector& l = line.lengths;
  Vector weights(line.positions.size(), 0.0);
  for (std::size_t k = 0; k < l.size(); ++k) {
    // The quadratic function through the ends and the node before, and that through the node behind; both where there
    // are both, more of the one whose other element is longer: with a short one at its side no weight gets negative.
    const bool has_left = k > 0, has_right = k + 1 < l.size();
    const Symbol left = has_left ? l[k - 1] * l[k - 1] : Symbol(0.0), right = has_right ? l[k + 1] * l[k + 1] : 0.0;
    const auto add = [&](std::size_t beyond, std::size_t near, std::size_t far, const Symbol& a, const Symbol& share) {
      const Symbol& b = l[k];
      weights[beyond] -= share * b * b * b / (6.0 * a * (a + b));
      weights[near] += share * b * (b + 3.0 * a) / (6.0 * a);
      weights[far] += share * b * (2.0 * b + 3.0 * a) / (6.0 * (a + b));
    };
    if (has_left) add(k - 1, k, k + 1, l[k - 1], left / (left + right));
    if (has_right) add(k + 2, k + 1, k, l[k + 1], right / (left + right));
  }
  return weights;
}

BeamSpot spot_at(Model& model, const std::string& owner, const BeamLine& line, const Symbol& share) {
  Vector all = line.shares;
  all.push_back(share);
  const std::vector<double> values = present_values(model, all);
  const double at = values.back();
  if (!(at >= 0 && at <= 1)) {
    throw Error(owner + ": share must be from 0, the first end, to 1, the last, got " + text_of(at));
  }
  constexpr double rounding = 1e-12;  // of what an expression and the node that it wants may differ by
  std::size_t element = 0;
  while (element + 2 < line.shares.size() && at > values[element + 1] + rounding) ++element;
  const Symbol &start = line.shares[element], &end = line.shares[element + 1];
  require(model, owner, {start, share, end}, [element](const double* s) {
    if (s[1] >= s[0] - rounding && s[1] <= s[2] + rounding) return std::string();
    return "the station at " + text_of(s[1]) +
           " of the length lies in another element than as declared (between nodes " + std::to_string(element + 1) +
           " and " + std::to_string(element + 2) + ", at " + text_of(s[0]) + " and " + text_of(s[2]) +
           "): it keeps to the element where it was declared; declare it, or nodes_at, elsewhere, bound what moves its "
           "share, or let this follow where parameters move the nodes";
  });
  return {element, (share - start) / (end - start)};
}

}  // namespace perilune::model
