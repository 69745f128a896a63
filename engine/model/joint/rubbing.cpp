// SPDX-License-Identifier: MIT
#include "model/joint/rubbing.hpp"

#include <numbers>

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

constexpr double pi = std::numbers::pi, crowding = pi * pi * pi / 24;

class Faces {
 public:
  Faces(const Model& model, const std::string& who, const std::string& name, const Place& a, const Place& b,
        const Bearing& bearing)
      : model_(model), who_(who), name_(name), a_(a), b_(b), bearing_(bearing) {
    const bool is_planar = model.dimension() == 2;
    for (const char* axis : {"x", "y", "z"}) {
      if (is_planar && *axis == 'z') break;
      force_.push_back(read(std::string("force_") + axis));
      if (!is_planar) torque_.push_back(read(std::string("torque_") + axis));
    }
    if (is_planar) torque_.push_back(read("torque"));
  }

  Rubbing hinge() {
    if (!has_signal("omega")) throw Error(who_ + ": a point does not turn, so that nothing rubs at its pin");
    const Symbol omega = read("omega"), angle = read("angle"), radius = size("radius");
    auto turning = [&](const Symbol& r) {
      return std::vector<SlipDirection>{{r * omega, r * angle, {{"friction_torque", "N m", r}}}};
    };
    std::vector<Face> faces{{journal(force_, torque_), turning(radius)}};
    if (!is_planar()) {
      const auto thrust = bearing_.find("thrust_radius");
      faces.push_back({size_of({force_[2]}), turning(thrust == bearing_.end() ? radius : thrust->second)});
    }
    return {force_, torque_, faces, radius * omega};
  }

  Rubbing sleeve(const Symbol* lead) {
    const Symbol radius = size("radius"), speed = read("speed"), omega = read("omega");
    Symbol load = journal(force_, torque_);
    if (lead) {
      const Symbol slope = *lead / (2 * pi * radius);
      load += sqrt(1.0 + slope * slope) * size_of({read("lambda")});
    }
    const std::vector<SlipDirection> both{
        {speed, read("displacement"), {{"friction_force", "N", 1.0}}},
        {radius * omega, radius * read("angle"), {{"friction_torque", "N m", radius}}}};
    return {force_, torque_, {{load, both}}, length({speed, radius * omega})};
  }

  Rubbing slide() {
    const Symbol length = size("length"), offset = number("offset");
    Symbol load = 0.0;
    if (is_planar()) {
      // About the middle, with u = x: (u x F) = F_y.
      const Symbol couple = (torque_[0] - offset * force_[1]) / length;
      load = size_of({0.5 * force_[1] - couple}) + size_of({0.5 * force_[1] + couple});
    } else {
      const auto [first, second] = ends(force_, torque_);
      for (const Vector& end : {first, second}) load += size_of({end[0]}) + size_of({end[1]});
      load += 2.0 * size_of({torque_[2] / (2.0 * size("half_width"))});
    }
    return along_axis(load);
  }

  Rubbing bead() { return along_axis(size_of(is_planar() ? Vector{force_[1]} : Vector{force_[0], force_[1]})); }

  Rubbing ball() {
    const Symbol radius = size("radius");
    const Vector turning = along_a(relative_turning());
    std::vector<SlipDirection> directions;
    static constexpr const char* names[] = {"friction_torque_x", "friction_torque_y", "friction_torque_z"};
    for (std::size_t k = 0; k < 3; ++k) directions.push_back({radius * turning[k], {}, {{names[k], "N m", radius}}});
    return {force_, torque_, {{size_of(force_), directions}}, radius * length(turning)};
  }

  Rubbing cross() {
    const Symbol radius = size("radius");
    const auto thrust = bearing_.find("thrust_radius");
    const Vector turning = relative_turning(), other = along_a(axis_of(model_, b_, 2));
    const Vector middle = perilune::model::cross({0.0, 0.0, 1.0}, other);
    // The second arm has the axes x: middle x other, y: middle, z: other.
    const Vector across = perilune::model::cross(middle, other);
    auto in_arm = [&](const Vector& v) { return Vector{dot(across, v), dot(middle, v), dot(other, v)}; };
    Rubbing out{force_, torque_, {}, 0.0};
    Vector slips;
    for (const bool is_second : {false, true}) {
      const Symbol omega = dot(turning, axis_of(model_, is_second ? b_ : a_, 2));
      const Vector force = is_second ? in_arm(force_) : force_, torque = is_second ? in_arm(torque_) : torque_;
      const char* signal = is_second ? "friction_torque_b" : "friction_torque_a";
      auto face = [&](const Symbol& load, const Symbol& r) {
        out.faces.push_back({load, {{r * omega, {}, {{signal, "N m", r}}}}});
      };
      face(journal(force, torque), radius);
      face(size_of({force[2]}), thrust == bearing_.end() ? radius : thrust->second);
      slips.push_back(radius * omega);
    }
    out.slip = length(slips);
    return out;
  }

  Rubbing table() {
    const Vector slip = sliding();
    if (!bearing_.contains("radius")) return {force_, torque_, {{size_of({force_[2]}), planar(slip)}}, length(slip)};
    // Pads at +-r along x and y: F_z / 4 +- T_y / (2 r), and so on. The torque of friction about the normal is theirs.
    const Symbol r = size("radius"), omega = dot(relative_turning(), axis_of(model_, a_, 2));
    Rubbing out{force_, torque_, {}, length(slip)};
    for (const auto& [x, y] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}}) {
      const Symbol load = size_of({0.25 * force_[2] + (y * torque_[0] - x * torque_[1]) / (2.0 * r)});
      const Vector at{slip[0] - (y * r) * omega, slip[1] + (x * r) * omega};
      std::vector<SlipDirection> directions = planar(at);
      for (SlipDirection& each : directions) each.way.reset();
      directions[0].shares.push_back({"friction_torque", "N m", -y * r});
      directions[1].shares.push_back({"friction_torque", "N m", x * r});
      out.faces.push_back({load, directions});
    }
    return out;
  }

  Rubbing foot() {
    const Vector slip = sliding();
    return {force_, torque_, {{size_of({force_[2]}), planar(slip)}}, length(slip)};
  }

 private:
  bool is_planar() const { return model_.dimension() == 2; }
  bool has_signal(const std::string& what) const { return model_.record().signals.contains(name_ + "." + what); }
  Symbol read(const std::string& what) const { return symbol_of(model_, model_.signal(name_ + "." + what)); }
  Symbol number(const char* field) const {
    const auto found = bearing_.find(field);
    return found == bearing_.end() ? Symbol(0.0) : found->second;
  }
  Symbol size(const char* field) const {
    const auto found = bearing_.find(field);
    if (found == bearing_.end()) throw Error(who_ + ": friction needs the bearing's " + std::string(field));
    return found->second;
  }

  /// |x|, with a slope at zero.
  Symbol size_of(const Vector& force) const {
    const auto width = bearing_.find("load_regularization");
    const Symbol e = width == bearing_.end() ? Symbol(1e-6) : width->second;
    return sqrt(dot(force, force) + e * e);
  }
  /// With a slope where all slips vanish.
  static Symbol length(const Vector& slips) { return sqrt(dot(slips, slips) + 1e-30); }

  /// What the two ends of a bearing along z carry across it: x and y of each.
  std::pair<Vector, Vector> ends(const Vector& force, const Vector& torque) const {
    const Symbol length = size("length"), offset = number("offset");
    const Vector couple{(torque[1] - offset * force[0]) / length, -((torque[0] + offset * force[1]) / length)};
    const Vector half{0.5 * force[0], 0.5 * force[1]};
    return {minus(half, couple), plus(half, couple)};
  }

  Symbol journal(const Vector& force, const Vector& torque) const {
    if (is_planar()) return crowding * size_of(force);
    const auto [first, second] = ends(force, torque);
    return crowding * (size_of(first) + size_of(second));
  }

  Rubbing along_axis(const Symbol& load) const {
    const Symbol speed = read("speed");
    return {force_, torque_, {{load, {{speed, read("displacement"), {{"friction_force", "N", 1.0}}}}}}, speed};
  }

  Vector along_a(const Vector& v) const {
    Vector out;
    for (int k = 0; k < 3; ++k) {
      out.push_back(!has_directions(a_) ? v[static_cast<std::size_t>(k)] : dot(axis_of(model_, a_, k), v));
    }
    return out;
  }
  Vector relative_turning() const {
    for (const Place* end : {&a_, &b_}) {
      if (!has_directions(*end)) throw Error(who_ + ": a point does not turn, so that nothing rubs there");
    }
    return minus(angular_velocity(model_, b_), angular_velocity(model_, a_));
  }

  /// Of b's place along x and y of a, against what of a is there.
  Vector sliding() const {
    const Vector arm = minus(position_of(model_, b_), position_of(model_, a_));
    Vector apart = velocity_of(model_, b_);
    apart = minus(apart, velocity_of(model_, a_));
    if (a_.kind != Place::Kind::Ground) apart = minus(apart, swept(angular_velocity(model_, a_), arm));
    return {dot(axis_of(model_, a_, 0), apart), dot(axis_of(model_, a_, 1), apart)};
  }
  std::vector<SlipDirection> planar(const Vector& slip) const {
    const Vector arm = minus(position_of(model_, b_), position_of(model_, a_));
    return {{slip[0], dot(axis_of(model_, a_, 0), arm), {{"friction_x", "N", 1.0}}},
            {slip[1], dot(axis_of(model_, a_, 1), arm), {{"friction_y", "N", 1.0}}}};
  }

  const Model& model_;
  const std::string &who_, &name_;
  const Place &a_, &b_;
  const Bearing& bearing_;
  Vector force_, torque_;
};

constexpr BearingField offset_field{"offset", "of the bearing's middle from b's place, along the axis",
                                    BearingField::Kind::Place},
    preload_field{"preload", "load of the bearing without the joint's own", BearingField::Kind::Load},
    rounding_field{"load_regularization", "e of |x| = sqrt(x.x + e^2) in loads", BearingField::Kind::Rounding},
    thrust_field{"thrust_radius", "of the face that carries the thrust; without it that of the bearing"};

BearingField radius_field(bool is_required = true) {
  return {"radius", "at which the bearing rubs", BearingField::Kind::Size, is_required};
}
BearingField length_field(bool is_required = true) {
  return {"length", "of the bearing along the axis, which moves with b", BearingField::Kind::Size, is_required};
}

}  // namespace

std::vector<BearingField> bearing_fields(Rub rub, int dimension) {
  const bool in_space = dimension == 3;
  switch (rub) {
    case Rub::Nowhere:
      return {};
    case Rub::Hinge:
      if (!in_space) return {radius_field(), preload_field, rounding_field};
      return {radius_field(), length_field(), thrust_field, offset_field, preload_field, rounding_field};
    case Rub::Sleeve:
    case Rub::Thread:
      return {radius_field(), length_field(), offset_field, preload_field, rounding_field};
    case Rub::Slide: {
      std::vector<BearingField> fields{length_field()};
      if (in_space) {
        fields.push_back(
            {"half_width", "across the axis, of the edges that keep b from turning", BearingField::Kind::Size, true});
      }
      fields.insert(fields.end(), {offset_field, preload_field, rounding_field});
      return fields;
    }
    case Rub::Ball:
      return {radius_field(), preload_field, rounding_field};
    case Rub::Cross:
      return {radius_field(), length_field(), thrust_field, preload_field, rounding_field};
    case Rub::Table:
      return {{"radius", "of four pads that carry the load; without it, all of it is at b's place"},
              preload_field,
              rounding_field};
    case Rub::Bead:
    case Rub::Foot:
      return {preload_field, rounding_field};
  }
  return {};
}

std::vector<FrictionSignal> friction_signals(Rub rub) {
  const FrictionSignal force{"friction_force", "N", "friction on b along the axis"},
      torque{"friction_torque", "N m", "friction on b about the axis"},
      along{"friction_x", "N", "friction on b, along a's axes", "friction_y"};
  switch (rub) {
    case Rub::Nowhere:
      return {};
    case Rub::Hinge:
      return {torque};
    case Rub::Sleeve:
    case Rub::Thread:
      return {force, torque};
    case Rub::Slide:
    case Rub::Bead:
      return {force};
    case Rub::Ball:
      return {{"friction_torque_x", "N m", "friction on b, along a's axes", "friction_torque_y, friction_torque_z"}};
    case Rub::Cross:
      return {{"friction_torque_a", "N m", "friction on b about the arms of a and of b", "friction_torque_b"}};
    case Rub::Table:
      return {along, {"friction_torque", "N m", "friction on b about the normal", "", "with friction and a radius"}};
    case Rub::Foot:
      return {along};
  }
  return {};
}

std::string_view load_text(Rub rub) {
  switch (rub) {
    case Rub::Nowhere:
      break;
    case Rub::Hinge:
      return "of a journal, pi^3 / 24 (|end 1| + |end 2|) by the force and the torque across it, and the thrust;\n"
             "in the plane pi^3 / 24 |force|";
    case Rub::Sleeve:
      return "of a journal, pi^3 / 24 (|end 1| + |end 2|) by the force and the torque across it";
    case Rub::Thread:
      return "of a journal, and of the thread sqrt(1 + (lead / (2 pi radius))^2) |lambda|";
    case Rub::Slide:
      return "|x of end 1| + |y of end 1| + |x of end 2| + |y of end 2| + |torque_z / half_width|;\n"
             "in the plane |end 1| + |end 2|. The faces are normal to x and y of a: give a marker with an x_axis,\n"
             "or x lies along the coordinate axis that is farthest from the given one";
    case Rub::Ball:
      return "|force|";
    case Rub::Cross:
      return "of two journals and their thrusts, one along each arm, as in a revolute joint";
    case Rub::Table:
      return "|force_z|; with a radius that of four pads, |force_z / 4 +- torque / (2 radius)|, along x and y of a:\n"
             "give a marker with an x_axis, or x lies along the coordinate axis that is farthest from the given one";
    case Rub::Bead:
      return "|force across the line|";
    case Rub::Foot:
      return "|force_z|";
  }
  return "";
}

Rubbing rubbing_of(const Model& model, Rub rub, const std::string& who, const std::string& name, const Place& a,
                   const Place& b, const Bearing& bearing, const Symbol* lead) {
  Faces faces(model, who, name, a, b, bearing);
  switch (rub) {
    case Rub::Nowhere:
      break;
    case Rub::Hinge:
      return faces.hinge();
    case Rub::Sleeve:
    case Rub::Thread:
      return faces.sleeve(lead);
    case Rub::Slide:
      return faces.slide();
    case Rub::Ball:
      return faces.ball();
    case Rub::Cross:
      return faces.cross();
    case Rub::Table:
      return faces.table();
    case Rub::Bead:
      return faces.bead();
    case Rub::Foot:
      return faces.foot();
  }
  throw Error(who + ": nothing rubs in this joint");
}

}  // namespace perilune::model
