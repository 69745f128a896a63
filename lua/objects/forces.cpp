// SPDX-License-Identifier: MIT
// Forces and torques on places, constant or by law.
#include "model/force/forces.hpp"

#include <cmath>

#include "base/guard.hpp"
#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/place/places.hpp"
#include "values/args.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using model::Place;
using model::Vector;

constexpr const char* axes[] = {"x", "y", "z"};

// What the argument of a force law has: the motion of the place, and of its body.
std::vector<TraceRequest::Field> state_of(model::Model& engine, const Place& place, const std::string& body) {
  std::vector<TraceRequest::Field> fields;
  expr::Graph& graph = engine.graph();
  const Vector position = position_of(engine, place), velocity = velocity_of(engine, place);
  for (size_t k = 0; k < position.size(); ++k) {
    fields.push_back({axes[k], position[k].in(graph)});
    fields.push_back({std::string("v") + axes[k], velocity[k].in(graph)});
  }
  std::vector<std::string> more;
  if (place.kind == Place::Kind::PlanarBody) more = {"angle", "omega"};
  if (place.kind == Place::Kind::SpatialBody) more = {"e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z"};
  if (place.kind == Place::Kind::NaturalBody) more = {"omega_x", "omega_y", "omega_z"};
  if (has_slope(engine, place)) {
    const Vector slope = slope_of(engine, place);
    for (std::size_t k = 0; k < slope.size(); ++k)
      fields.push_back({std::string("slope_") + axes[k], slope[k].in(graph)});
  }
  for (const std::string& name : more) fields.push_back({name, engine.signal(body + "." + name)});
  return fields;
}

// What acts on a place: its own frame, its reaction, and how laws of it are traced.
class Applied {
 public:
  explicit Applied(Args& args) : args_(args), place_(*args.object("on").place) {
    if (place_.kind == Place::Kind::Ground) {
      args.fail("on must be a point, a body or a place on one; got " + args.object("on").title());
    }
    if (args.given("reaction_on")) {
      reaction_ = args.place("reaction_on");
      if (is_same_object(*reaction_, place_)) {
        args.fail("reaction_on must be another object than on, but both are on " +
                  std::string(place_.kind == Place::Kind::Station ? "the same element of beam \"" : "\"") +
                  place_.name + "\"");
      }
    }
    const std::string frame = args.text("frame");
    if (frame != "space" && frame != "body") args.fail("frame must be \"space\" or \"body\", got \"" + frame + "\"");
    turns_ = frame == "body";
    if (turns_) refuse_point(args.object("on"), "frame = \"body\" is for bodies");
  }

  const Place& place() const { return place_; }
  void refuse_point(const Object& object, const std::string& why) const {
    if (!has_directions(*object.place)) args_.fail(why + "; " + object.title() + " does not turn");
  }
  void refuse_torque_on_points() {
    for (const char* field : {"on", "reaction_on"}) {
      if (!args_.given(field)) continue;
      const Object& object = args_.object(field);
      if (has_directions(*object.place) || has_slope(args_.engine(), *object.place)) continue;
      args_.fail("a torque cannot act on " + object.title() + "; points do not turn");
    }
  }

  Vector force(lua_State* L, int law) { return by_law(L, law, "law", dimension() == 2 ? 2 : 3, "f", "force"); }
  // By law or constant.
  Vector torque(lua_State* L, const char* field) {
    refuse_torque_on_points();
    const size_t count = dimension() == 2 ? 1 : 3;
    if (args_.is_function(field)) return by_law(L, args_.function(field), field, count, "t", "torque");
    Vector torque = in_space(dimension() == 2 ? Vector{args_.number(field)} : args_.vector(field, 3));
    for (const char* end : {"on", "reaction_on"}) {
      if (args_.given(end)) refuse_twist(args_.object(end), torque);
    }
    return torque;
  }
  /// Slender beams know no torsion, so that a torque about one would do nothing.
  void refuse_twist(const Object& object, const Vector& torque) {
    if (turns_ || torque.size() != 3 || !has_slope(args_.engine(), *object.place)) return;
    const Vector slope = initial_slope(args_.engine(), *object.place);
    Vector values = torque;
    values.insert(values.end(), slope.begin(), slope.end());
    const std::vector<double> x = model::present_values(args_.engine(), values);
    const double along = x[0] * x[3] + x[1] * x[4] + x[2] * x[5], size = std::hypot(x[0], x[1], x[2]);
    if (std::abs(along) <= 1e-9 * size * std::hypot(x[3], x[4], x[5])) return;
    args_.fail("a part of the torque is along " + object.title() +
               " as declared, which knows no torsion; give the part across it, or the beam kind = \"shear\"");
  }
  Vector in_space(const Vector& components) {
    if (!turns_ || components.size() == 1) return components;
    return model::out_of_axes(model::orientation(args_.engine(), place_), components);
  }
  void add(const Vector& force, const Vector& torque) {
    if (reaction_) {
      add_force_pair(args_.engine(), args_.name(), place_, *reaction_, force, torque);
    } else {
      add_force(args_.engine(), args_.name(), place_, force, torque);
    }
  }

 private:
  int dimension() const { return args_.engine().dimension(); }
  Vector by_law(lua_State* L, int law, const char* field, size_t count, const std::string& letter, const char* whole) {
    args_.name();
    TraceRequest request{args_.model(),
                         std::string(field) + " of " + args_.title(),
                         state_of(args_.engine(), place_, place_.name),
                         {},
                         true};
    if (count == 1) request.results = {whole};
    for (size_t k = 0; count > 1 && k < count; ++k) request.results.push_back(letter + axes[k]);
    return in_space(traced(L, law, request));
  }

  Args& args_;
  Place place_;
  std::optional<Place> reaction_;
  bool turns_ = false;
};

int force(lua_State* L) {
  Args args(L);
  Applied applied(args);
  const int law = args.function("law");
  const bool is_constant = args.given("force"), has_torque = args.given("torque");
  if (law && is_constant) args.fail("force and law are two ways to say the same; give one of them");
  if (!law && !is_constant && !has_torque) {
    args.fail("law is missing (a function of the state that returns the force), or a constant force");
  }
  Vector force(static_cast<size_t>(args.engine().dimension())), torque;
  const Vector constant = args.vector("force");
  if (is_constant) force = applied.in_space(constant);
  if (law) force = applied.force(L, law);
  if (has_torque) torque = applied.torque(L, "torque");
  applied.add(force, torque);
  args.finish();
  return 1;
}

int torque(lua_State* L) {
  Args args(L);
  Applied applied(args);
  const int law = args.function("law");
  const bool is_constant = args.given("torque");
  if (law && is_constant) args.fail("torque and law are two ways to say the same; give one of them");
  if (!law && !is_constant) args.fail("torque is missing: a constant one, or a law that returns it");
  applied.add({}, applied.torque(L, law ? "law" : "torque"));
  args.finish();
  return 1;
}

std::vector<Field> application(std::string_view on) {
  return {{.name = "on", .type = Type::Place, .text = on, .required = true},
          {.name = "reaction_on",
           .type = Type::Place,
           .text = "what feels the opposite, at the same point of space (a point: at itself)",
           .fallback = "nothing"},
          {.name = "frame",
           .type = Type::String,
           .text = "\"space\", or \"body\": components along the axes of the body, turning with it",
           .fallback = "space"}};
}

std::vector<Field> with(std::vector<Field> fields, std::initializer_list<Field> more) {
  fields.insert(fields.end(), more);
  return fields;
}

}  // namespace

std::span<const Constructor> force_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:force",
       .object = "force",
       .summary =
           "A force that acts at a place, and on bodies and nodes of slender beams a torque, constant or by law:\n"
           "with components along the axes of space or of the body, and its opposite on another object if that\n"
           "is given. A law is called once, with symbols; what it returns is compiled and differentiated\n"
           "exactly. s has t and the motion of the place in space: x, y, z, vx, vy, vz; on planar bodies angle\n"
           "and omega, on spatial ones e0 to e3 and omega_x to omega_z (body frame). Every other signal is read\n"
           "as in P1.x, or P1.x(s): accelerations and the reactions of joints, too, as friction does that feels\n"
           "its load.",
       .naming = Naming::Optional,
       .fields =
           with(application("where it acts"),
                {{.name = "force", .type = Type::Vector, .text = "constant components", .unit = "N", .fallback = "0"},
                 {.name = "law", .type = Type::Law, .text = "returns fx, fy (and fz)", .unit = "N"},
                 {.name = "torque",
                  .type = Type::Torque,
                  .text = "constant or by law; in space 3 components",
                  .unit = "N m",
                  .fallback = "none"}}),
       .signals = {{"fx", "N", "force on the place, along the axes of space", "fy, fz"},
                   {"torque", "N m", "torque on its body", "", "planar, if there is one"},
                   {"tx", "N m", "torque on its body, along the axes of space", "ty, tz", "spatial, if there is one"},
                   {"power", "W", "of force and torque, and of what acts on reaction_on"}},
       .equations =
           "Q does the work f.dr + n.dphi for the displacement dr of the place and the turn dphi of its body:\n"
           "Q = r_q^T f, and theta_q^T n in the plane, 2 G^T A^T n on Euler parameters (Schaffer 2005, eq. 4.90),\n"
           "n x t / |t|^2 on the slope t of a beam, which feels no torque about itself. -f and -n act on reaction_on "
           "at the same point of space, so that no moment is left\n"
           "(on a point: at itself).",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local c = m:param { \"c\", 0.1, unit = \"N s/m\" }\n"
                  "local P = m:point { \"P\", at = {0, 1}, mass = 1 }\n"
                  "m:force { \"drag\", on = P, law = function(s) return -c * s.vx, -c * s.vy end }\n"
                  "local rocket = m:body { \"rocket\", mass = 5, inertia = 0.4 }\n"
                  "m:force { \"thrust\", on = rocket:point { 0, -1 }, force = {0, 80}, frame = \"body\" }",
       .see_also = {"torque", "spring", "spline", "where", "smoothstep"},
       .function = guarded<force>},
      {.name = "model:torque",
       .object = "torque",
       .summary =
           "A torque on a body or a node of a slender beam, constant or by a function of the state s (see force),\n"
           "and the opposite one on another where that is given: a motor. Positive counter-clockwise in the\n"
           "plane.",
       .naming = Naming::Optional,
       .fields = with(
           application("the body"),
           {{.name = "torque",
             .type = Type::Torque,
             .text = "constant; in space 3 components",
             .unit = "N m",
             .fallback = "none"},
            {.name = "law", .type = Type::Law, .text = "returns the torque; in space 3 components", .unit = "N m"}}),
       .signals = {{"torque", "N m", "on the body", "", "planar"},
                   {"tx", "N m", "on the body, along the axes of space", "ty, tz", "spatial"},
                   {"power", "W", "of it and its opposite"}},
       .equations = "Q = theta_q^T n in the plane, 2 G^T A^T n on Euler parameters (Schaffer 2005, eq. 4.90)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "local fan = m:body { \"fan\", mass = 1, inertia = 0.02, at = {1, 0} }\n"
                  "m:revolute { m.ground, arm, at = {0, 0} }\n"
                  "m:revolute { arm, fan, at = {1, 0} }\n"
                  "m:torque { \"motor\", on = fan, reaction_on = arm, law = function(s) return 2 - 0.1 * s.omega end }",
       .see_also = {"force", "torsion_spring"},
       .function = guarded<torque>},
  };
  return constructors;
}

}  // namespace perilune::lua
