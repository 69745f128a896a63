// SPDX-License-Identifier: MIT
#include "output/picture/sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/axis.hpp"
#include "output/picture/outline.hpp"
#include "output/picture/sketch_marks.hpp"

namespace perilune::output {

using namespace format;

namespace {

using model::Mark;
using Picture = std::vector<double>;

constexpr std::array<const char*, 8> kBodyColours = {"#4f7cac", "#e08e45", "#5fa55a", "#c8555b",
                                                     "#6fb3b8", "#9a76b5", "#cfa93a", "#8d7461"};
constexpr const char* kGroundColour = "#8994a1";
constexpr double kMargin = 34, kHead = 30, kFoot = 26;

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Triple unit(const Triple& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

Triple column(const SceneEnd& end, std::size_t k) {
  static constexpr std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto& axes = end.axes ? *end.axes : identity;
  return {axes[k], axes[3 + k], axes[6 + k]};
}

/// From space to the picture.
class Projection {
 public:
  Projection(const Scene& scene, const SketchOptions& options) {
    if (scene.is_planar()) return;
    const Triple up = scene.up();
    Triple side = cross(up, std::abs(up[0]) < 0.9 ? Triple{1, 0, 0} : Triple{0, 1, 0});
    const Triple ahead = cross(side, up);
    Triple eye{};  // obliquely: from ahead, a little from the side and above
    for (std::size_t k = 0; k < 3; ++k) eye[k] = 0.5 * ahead[k] - side[k] + 0.55 * up[k];
    if (options.view) eye = *options.view;
    if (!(dot(eye, eye) > 0)) throw Error("the view of a sketch must not be the zero vector");
    eye = unit(eye);
    side = cross(up, eye);
    right_ = dot(side, side) > 1e-12 ? unit(side) : unit(cross(ahead, eye));
    above_ = cross(eye, right_);
  }

  Dot flat(const Triple& p) const { return {dot(right_, p), dot(above_, p)}; }
  void scale(double factor, Dot origin) {
    factor_ = factor;
    origin_ = origin;
  }
  Dot operator()(const Triple& p) const {
    const Dot d = flat(p);
    return {origin_.x + factor_ * d.x, origin_.y - factor_ * d.y};
  }
  /// A direction, shortened as it is seen.
  Dot direction(const Triple& v) const {
    const Dot d = flat(v);
    return {d.x, -d.y};
  }
  double factor() const { return factor_; }

 private:
  Triple right_{1, 0, 0}, above_{0, 1, 0};
  double factor_ = 1;
  Dot origin_;
};

class Drawing {
 public:
  Drawing(const Scene& scene, const std::vector<Picture>& pictures, const std::vector<Picture>& path,
          const SketchOptions& options)
      : scene_(scene), pictures_(pictures), path_(path), options_(options), project_(scene, options) {
    if (pictures.empty()) throw Error("a sketch needs at least one configuration");
    places_.resize(scene.frames().size());
    for (const SceneConnection& connection : scene.connections()) {
      for (const SceneEnd* end : {&connection.a, &connection.b}) {
        if (end->frame >= 0) places_[static_cast<std::size_t>(end->frame)].push_back(end->at);
      }
    }
    std::vector<Picture> motion = pictures;
    motion.insert(motion.end(), path.begin(), path.end());
    patches_ = scene.patches(motion);
    lay_out();
  }

  std::string draw() {
    SvgCanvas svg(options_.width, height_, options_.title);
    if (!options_.title.empty()) {
      svg.text(options_.width / 2.0, 21, "middle", fit_text(options_.title, 15, options_.width - 20),
               "font-size=\"15\" font-weight=\"bold\"");
    }
    draw_traces(svg);
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      const bool last = k + 1 == pictures_.size();
      // Later pictures are stronger: the motion has a direction.
      const double strength = last ? 1 : 0.14 + 0.26 * static_cast<double>(k) / static_cast<double>(pictures_.size());
      SketchMarks marks(svg, strength);
      if (last) draw_guides(marks);
      draw_picture(marks, pictures_[k].data(), last);
    }
    draw_scale(svg);
    return std::move(svg).finish();
  }

 private:
  Dot place(const SceneEnd& end, const double* q) const { return project_(scene_.place(end, q)); }
  std::string colour(std::size_t k) const {
    const bool is_ground = k < scene_.frames().size() && scene_.frames()[k].is_ground();
    return is_ground ? kGroundColour : kBodyColours[k % kBodyColours.size()];
  }

  void lay_out() {
    Range x, y;
    const auto include = [&](const Triple& p, double radius = 0) {
      const Dot d = project_.flat(p);
      for (const double r : {radius, -radius}) {
        x.include(d.x + r);
        y.include(d.y + r);
      }
    };
    for (const auto* list : {&pictures_, &path_}) {
      for (const Picture& q : *list) {
        for (std::size_t i = 0; i < scene_.frames().size(); ++i) {
          if (scene_.frames()[i].is_ground()) continue;  // a floor may be much larger than what moves on it
          const Pose pose = scene_.pose(static_cast<int>(i), q.data());
          include(pose.position);
          if (list == &path_) continue;
          for (const SceneShape& shape : scene_.frames()[i].shapes) {
            const double radius = shape.kind == model::Shape::Kind::Sphere ? shape.size[0] : 0;
            for (const Triple& p : outline(shape)) include(pose.point(p), radius);
          }
        }
        if (list == &path_) continue;
        for (const BentLine& line : scene_.bent_lines(q.data())) {
          for (const Triple& p : line.positions) include(p);
        }
        for (const SceneRound& round : scene_.rounds()) {
          const Pose pose = scene_.pose(round.frame, q.data());
          for (const Triple& p : outline(round)) include(pose.point(p));
        }
        for (const SceneCam& cam : scene_.cams()) {
          const Pose pose = scene_.pose(cam.frame, q.data());
          for (const Triple& p : cam.outline()) include(pose.point(p));
        }
        for (const SceneConnection& connection : scene_.connections()) {
          include(scene_.place(connection.a, q.data()));
          if (connection.mark != Mark::Arrow) include(scene_.place(connection.b, q.data()));
        }
      }
    }
    for (const ScenePatch& patch : patches_) {
      const Pose pose = scene_.pose(patch.frame, pictures_.back().data());
      for (const Triple& p : patch.points) include(pose.point(p));
    }
    if (x.empty()) include({0, 0, 0});
    double wide = x.high - x.low, high = y.high - y.low;
    const double least = std::max({wide, high, 1e-9}) * 0.3;  // what is flat still needs some air
    const Dot middle{(x.low + x.high) / 2, (y.low + y.high) / 2};
    wide = std::max(wide, least);
    high = std::max(high, least);
    const double head = options_.title.empty() ? 6 : kHead;
    const double factor = std::min((options_.width - 2 * kMargin) / wide, 0.9 * options_.width / high);
    height_ = static_cast<int>(std::ceil(head + kFoot + 2 * kMargin + factor * high));
    project_.scale(factor, {options_.width / 2.0 - factor * middle.x, head + kMargin + factor * (high / 2 + middle.y)});
  }

  void draw_traces(SvgCanvas& svg) const {
    SketchMarks marks(svg, 0.9);
    if (path_.size() < 2) return;
    for (std::size_t i = 0; i < scene_.frames().size(); ++i) {
      if (scene_.frames()[i].is_coordinate) continue;
      std::vector<Dot> dots;
      double moved = 0;
      for (const Picture& q : path_) {
        dots.push_back(project_(scene_.pose(static_cast<int>(i), q.data()).position));
        moved = std::max(moved, std::hypot(dots.back().x - dots[0].x, dots.back().y - dots[0].y));
      }
      if (moved > 3) marks.trace(dots, colour(i));
    }
  }

  void draw_guides(SketchMarks& marks) const {
    for (const SceneConnection& connection : scene_.connections()) {
      if (!model::is_guide(connection.mark)) continue;
      const double* now = pictures_.back().data();
      const Triple local = column(connection.a, scene_.is_planar() ? 0 : 2);
      Range travel;
      travel.include(0);
      for (const Picture& q : pictures_) {
        const Triple a = scene_.place(connection.a, q.data()), b = scene_.place(connection.b, q.data());
        const Triple along = scene_.pose(connection.a.frame, q.data()).direction(local);
        travel.include(dot(along, {b[0] - a[0], b[1] - a[1], b[2] - a[2]}));
      }
      const Triple a = scene_.place(connection.a, now), along = scene_.pose(connection.a.frame, now).direction(local);
      const double beyond = 30 / project_.factor();
      const auto at = [&](double s) {
        return project_({a[0] + s * along[0], a[1] + s * along[1], a[2] + s * along[2]});
      };
      marks.rail(at(travel.low - beyond), at(travel.high + beyond));
    }
  }

  void draw_picture(SketchMarks& marks, const double* q, bool with_ground) const {
    if (with_ground) draw_patches(marks, q);
    if (with_ground) draw_ground(marks, q);
    for (const SceneRound& round : scene_.rounds()) {
      const Pose pose = scene_.pose(round.frame, q);
      std::vector<Dot> dots;
      for (const Triple& p : outline(round)) dots.push_back(project_(pose.point(p)));
      marks.shell(dots);
    }
    for (const SceneCam& cam : scene_.cams()) {
      const Pose pose = scene_.pose(cam.frame, q);
      std::vector<Dot> dots;
      for (const Triple& p : cam.outline()) dots.push_back(project_(pose.point(p)));
      marks.profile(dots, colour(static_cast<std::size_t>(std::max(cam.frame, 0))));
    }
    for (const bool behind : {true, false}) {  // the ground, and what moves before it
      for (std::size_t i = 0; i < scene_.frames().size(); ++i) {
        const SceneFrame& frame = scene_.frames()[i];
        if (frame.is_ground() == behind && !frame.is_point() && !frame.is_inner) draw_body(marks, i, q);
      }
    }
    for (std::size_t i = 0; i < scene_.connections().size(); ++i) {
      const SceneConnection& c = scene_.connections()[i];
      if (c.mark == Mark::Bar) marks.link(place(c.a, q), place(c.b, q), colour(i), 7);
      if (c.mark == Mark::Rod) marks.rod(place(c.a, q), place(c.b, q));
      if (c.mark == Mark::Coil && !c.kind.starts_with("spring")) {
        marks.damper(place(c.a, q), place(c.b, q));
      } else if (c.mark == Mark::Coil) {
        marks.spring(place(c.a, q), place(c.b, q));
      }
    }
    draw_lines(marks, q);
    for (const bool guides : {true, false}) {  // what slides lies under the pins on it
      for (const SceneConnection& c : scene_.connections()) {
        if ((model::is_guide(c.mark) || c.mark == Mark::Table) == guides) draw_joint(marks, c, q);
      }
    }
    for (std::size_t i = 0; i < scene_.frames().size(); ++i) {
      const SceneFrame& frame = scene_.frames()[i];
      if (frame.is_point() && !frame.is_inner && !frame.is_coordinate)
        marks.pin(project_(scene_.pose(static_cast<int>(i), q).position));
    }
  }

  /// As thick as they are, within what can be seen and leaves room for the rest.
  void draw_lines(SketchMarks& marks, const double* q) const {
    const std::vector<BentLine> bent = scene_.bent_lines(q);
    for (std::size_t i = 0; i < bent.size(); ++i) {
      std::vector<Dot> dots;
      for (const Triple& p : bent[i].positions) dots.push_back(project_(p));
      const double width = std::clamp(2 * scene_.lines()[i].radius * project_.factor(), 2.5, 12.0);
      marks.bent_link(dots, colour(static_cast<std::size_t>(scene_.lines()[i].nodes.front())), width);
    }
  }

  void draw_patches(SketchMarks& marks, const double* q) const {
    constexpr std::size_t threads = 20;  // along and across
    for (const ScenePatch& patch : patches_) {
      const Pose pose = scene_.pose(patch.frame, q);
      const std::size_t columns = patch.columns, rows = patch.points.size() / columns;
      const auto line = [&](std::size_t first, std::size_t stride, std::size_t count) {
        std::vector<Dot> dots;
        for (std::size_t k = 0; k < count; ++k) dots.push_back(project_(pose.point(patch.points[first + k * stride])));
        return dots;
      };
      if (rows == 1) {
        marks.surface(line(0, 1, columns));
        continue;
      }
      const auto each = [](std::size_t count, auto&& draw) {
        const std::size_t last = count - 1, gaps = last < threads ? last : threads;
        for (std::size_t k = 0; k <= gaps; ++k) draw(k * last / gaps);
      };
      each(rows, [&](std::size_t j) { marks.thread(line(j * columns, 1, columns)); });
      each(columns, [&](std::size_t i) { marks.thread(line(i, columns, rows)); });
    }
  }

  void draw_ground(SketchMarks& marks, const double* q) const {
    for (const SceneConnection& c : scene_.connections()) {
      if (model::is_guide(c.mark) || c.mark == Mark::Arrow || c.mark == Mark::Table || c.mark == Mark::Foot) continue;
      for (const SceneEnd* end : {&c.a, &c.b}) {
        if (end->frame >= 0) continue;
        marks.ground(place(*end, q));
      }
    }
  }

  void draw_body(SketchMarks& marks, std::size_t i, const double* q) const {
    const SceneFrame& frame = scene_.frames()[i];
    const Pose pose = scene_.pose(static_cast<int>(i), q);
    for (const SceneShape& shape : frame.shapes) {
      std::vector<Dot> dots;
      for (const Triple& p : outline(shape)) dots.push_back(project_(pose.point(p)));
      if (shape.kind == model::Shape::Kind::Sphere) {
        marks.ball(dots[0], shape.size[0] * project_.factor(), colour(i));
      } else if (shape.kind == model::Shape::Kind::Rod) {
        marks.link(dots[0], dots[1], colour(i), 4);
      } else {
        marks.plate(dots, colour(i), 1.5);
      }
    }
    if (!frame.shapes.empty()) return;
    std::vector<Dot> dots;
    const Dot reference = project_(pose.position);
    for (const Triple& local : places_[i]) {
      const Dot d = project_(pose.point(local));
      const auto same = [&](const Dot& other) { return std::hypot(d.x - other.x, d.y - other.y) < 2; };
      if (std::none_of(dots.begin(), dots.end(), same)) dots.push_back(d);
    }
    if (dots.size() == 2) {
      marks.link(dots[0], dots[1], colour(i), 7);
    } else if (dots.size() > 2 && scene_.is_planar()) {
      marks.plate(dots, colour(i), 7);
    } else {
      for (const Dot& d : dots) marks.link(reference, d, colour(i), 6);
      const bool hidden = dots.size() == 1 && std::hypot(dots[0].x - reference.x, dots[0].y - reference.y) < 2;
      if (!hidden) marks.ball(reference, dots.size() > 1 ? 4 : 9, colour(i));
    }
  }

  void draw_joint(SketchMarks& marks, const SceneConnection& c, const double* q) const {
    const Dot b = place(c.b, q);
    const auto seen = [&](const SceneEnd& end, std::size_t k) {
      return project_.direction(scene_.pose(end.frame, q).direction(column(end, k)));
    };
    const std::string fill = c.b.frame >= 0 ? colour(static_cast<std::size_t>(c.b.frame)) : "#fff";
    if (model::is_guide(c.mark)) {
      if (c.mark == Mark::Bead) return marks.pin(b);
      return marks.block(b, seen(c.a, scene_.is_planar() ? 0 : 2), fill);
    }
    if (c.mark == Mark::Pin) return marks.pin(b);
    if (c.mark == Mark::Ball || c.mark == Mark::Foot) return marks.ball_joint(b);
    if (c.mark == Mark::Cross) return marks.cross(b, seen(c.a, 2), seen(c.b, 2));
    if (c.mark == Mark::Table) return marks.block(b, seen(c.a, 0), fill);
    if (c.mark == Mark::Clamp) return marks.weld(b);
    if (c.mark == Mark::Rubber) return marks.bushing(b);
    if (c.mark != Mark::Bar && c.mark != Mark::Rod && c.mark != Mark::Coil) return;
    for (const SceneEnd* end : {&c.a, &c.b}) {
      if (end->frame < 0) marks.pin(place(*end, q));
    }
  }

  /// A bar of round length in the corner.
  void draw_scale(SvgCanvas& svg) const {
    const double wish = 90 / project_.factor(), ten = std::pow(10, std::floor(std::log10(wish)));
    const double length = wish >= 5 * ten ? 5 * ten : wish >= 2 * ten ? 2 * ten : ten;
    const double x = 14, y = height_ - 14, end = x + length * project_.factor();
    svg.path("M" + coordinate(x) + " " + coordinate(y - 4) + "v8m0 -4H" + coordinate(end) + "m0 -4v8",
             "fill=\"none\" stroke=\"#6b7683\"");
    svg.text(end + 7, y + 4, "start", significant(length, 6) + " m", "fill=\"#6b7683\"");
  }

  const Scene& scene_;
  const std::vector<Picture>&pictures_, &path_;
  const SketchOptions& options_;
  Projection project_;
  std::vector<std::vector<Triple>> places_;  // by frame
  std::vector<ScenePatch> patches_;
  int height_ = 0;
};

}  // namespace

std::string sketch(const Scene& scene, const std::vector<std::vector<double>>& pictures,
                   const std::vector<std::vector<double>>& path, const SketchOptions& options) {
  return Drawing(scene, pictures, path, options).draw();
}

}  // namespace perilune::output
