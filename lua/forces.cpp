// Springs and user laws.
#include "args.hpp"
#include "guard.hpp"
#include "trace.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;
using expr::Symbol;
using model::Place;
using model::Vector;

constexpr const char* axes[] = {"x", "y", "z"};

int spring(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  const Symbol stiffness = args.number("stiffness");
  const std::optional<Symbol> free_length = args.optional_number("free_length");
  const Symbol damping = args.number("damping"), force = args.number("force");
  args.engine().add_spring(args.name(), a, b, stiffness, free_length ? &*free_length : nullptr, damping, force);
  args.finish();
  return 1;
}

// What the argument of a force law has: the motion of the place, and of its body.
std::vector<TraceRequest::Field> state_of(model::Model& engine, const Place& place, const std::string& body) {
  std::vector<TraceRequest::Field> fields;
  expr::Graph& graph = engine.graph();
  const Vector position = engine.position(place), velocity = engine.velocity(place);
  for (size_t k = 0; k < position.size(); ++k) {
    fields.push_back({axes[k], position[k].in(graph)});
    fields.push_back({std::string("v") + axes[k], velocity[k].in(graph)});
  }
  std::vector<std::string> more;
  if (place.kind == Place::Kind::PlanarBody) more = {"angle", "omega"};
  if (place.kind == Place::Kind::SpatialBody) more = {"e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z"};
  if (place.kind == Place::Kind::NaturalBody) more = {"omega_x", "omega_y", "omega_z"};
  for (const std::string& name : more) fields.push_back({name, engine.signal(body + "." + name)});
  return fields;
}

Vector traced(lua_State* L, int function, const TraceRequest& request) {
  Vector result;
  for (const NodeId node : trace(L, function, request)) result.push_back({request.model->engine->graph(), node});
  return result;
}

int force(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Object& on = args.object("on");
  const Place place = *on.place;
  const auto dimension = static_cast<size_t>(engine.dimension());
  const int law = args.function("law"), torque_law = args.function("torque");
  if (!law && !torque_law) args.fail("law is missing (a function of the state that returns the force)");
  if (place.kind == Place::Kind::Ground) args.fail("on must be a point, a body or a place on one; got " + on.title());
  if (torque_law && place.kind == Place::Kind::Point) {
    args.fail("a torque cannot act on " + on.title() + "; points do not turn");
  }
  args.name();
  TraceRequest request{args.model(), "", state_of(engine, place, place.name), {}};
  Vector force(dimension), torque;
  if (law) {
    request.what = "law of " + args.title();
    for (size_t k = 0; k < dimension; ++k) request.results.push_back(std::string("f") + axes[k]);
    force = traced(L, law, request);
  }
  if (torque_law) {
    request.what = "torque of " + args.title();
    request.results = dimension == 2 ? std::vector<std::string>{"torque"} : std::vector<std::string>{"tx", "ty", "tz"};
    torque = traced(L, torque_law, request);
  }
  engine.add_force(args.name(), place, force, torque);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> force_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:spring",
       .object = "spring",
       .summary = "A spring, damper and actuator along the line between two places. It pulls them together with\n"
                  "stiffness (length - free_length) + damping rate + force.",
       .naming = Naming::Optional,
       .positional = {{.name = "a", .type = Type::Place, .text = "one end", .required = true},
                      {.name = "b", .type = Type::Place, .text = "the other end", .required = true}},
       .fields = {{.name = "stiffness",
                   .text = "force per elongation",
                   .unit = "N/m",
                   .fallback = "0",
                   .range = Range::NonNegative},
                  {.name = "free_length",
                   .text = "length without spring force",
                   .unit = "m",
                   .fallback = "distance of the declared positions",
                   .range = Range::NonNegative},
                  {.name = "damping",
                   .text = "force per rate of elongation",
                   .unit = "N s/m",
                   .fallback = "0",
                   .range = Range::NonNegative},
                  {.name = "force", .text = "constant pull of the actuator", .unit = "N", .fallback = "0"}},
       .signals = {{"length", "m", "current length"},
                   {"rate", "m/s", "its rate"},
                   {"force", "N", "pull, of all three parts"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local A = m:ground { at = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {0, -1}, mass = 1 }\n"
                  "m:spring { \"s1\", A, P, stiffness = 100, free_length = 0.8, damping = 0.5 }",
       .see_also = {"force", "distance"},
       .function = guarded<spring>},
      {.name = "model:force",
       .object = "force",
       .summary = "A force, and on bodies a torque, given by functions of the state s. A law is called once, with\n"
                  "symbols; what it returns is compiled and differentiated exactly. s has t and the motion of the\n"
                  "place: x, y, z, vx, vy, vz; on planar bodies angle and omega, on spatial ones e0 to e3 and\n"
                  "omega_x to omega_z. Every other signal is read as in P1.x, or P1.x(s).",
       .naming = Naming::Optional,
       .fields =
           {{.name = "on", .type = Type::Place, .text = "where it acts", .required = true},
            {.name = "law", .type = Type::Law, .text = "returns fx, fy (and fz), components in space", .unit = "N"},
            {.name = "torque",
             .type = Type::Law,
             .text = "returns the torque; in space 3 components in space",
             .unit = "N m"}},
       .signals = {{"fx", "N", "force; also fy, fz"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local c = m:param { \"c\", 0.1, unit = \"N s/m\" }\n"
                  "local P = m:point { \"P\", at = {0, 1}, mass = 1 }\n"
                  "m:force { \"drag\", on = P, law = function(s) return -c * s.vx, -c * s.vy end }",
       .see_also = {"spring", "where", "smoothstep"},
       .function = guarded<force>},
  };
  return constructors;
}

}  // namespace perilune::lua
