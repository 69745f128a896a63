// SPDX-License-Identifier: MIT
#include "contact_laws.hpp"

#include "error.hpp"
#include "guard.hpp"
#include "userdata.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

constexpr const char *normal_kind = "normal law", *friction_kind = "friction law";

template <class Handle>
int law_index(lua_State* L) {
  const Handle& law = own_userdata<Handle>(L);
  lua_getiuservalue(L, 1, 1);
  lua_pushvalue(L, 2);
  if (lua_gettable(L, -2) != LUA_TNIL) return 1;
  throw Error(law.text + " has no field '" + luaL_tolstring(L, 2, nullptr) + "'");
}

template <class Handle>
int law_newindex(lua_State* L) {
  throw Error(own_userdata<Handle>(L).text + " cannot be changed; make another one");
}

template <class Handle>
int law_tostring(lua_State* L) {
  lua_pushstring(L, own_userdata<Handle>(L).text.c_str());
  return 1;
}

template <class Law>
int push_law(lua_State* L, Args& args, const char* kind, Law law) {
  using Handle = LawHandle<Law>;
  args.check_all_read();
  args.push_properties();
  std::string list;
  for (const Field& field : args.constructor().fields) {
    if (lua_getfield(L, -1, std::string(field.name).c_str()) != LUA_TNIL) {
      list += (list.empty() ? "" : ", ") + std::string(field.name) + " = " + luaL_tolstring(L, -1, nullptr);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  const std::string text = std::string(args.constructor().short_name()) + " { " + list + " }";
  if (push_metatable<Handle>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<law_index<Handle>>},
                                      {"__newindex", guarded<law_newindex<Handle>>},
                                      {"__tostring", guarded<law_tostring<Handle>>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, kind, Handle{args.model(), std::move(law), text}, 1);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

int kelvin_voigt(lua_State* L) {
  Args args(L);
  model::NormalLaw law;
  law.stiffness = args.number("stiffness");
  law.exponent = args.number("exponent");
  law.damping = args.number("damping");
  law.restitution = args.number("restitution");
  law.width = args.optional_number("width");
  if (args.value_of(law.restitution) > 1) args.fail("restitution must be at most 1: it is a part of the damping");
  return push_law(L, args, normal_kind, law);
}

int hunt_crossley(lua_State* L) {
  Args args(L);
  model::NormalLaw law;
  law.stiffness = args.number("stiffness");
  law.exponent = args.number("exponent");
  law.dissipation = args.number("dissipation");
  return push_law(L, args, normal_kind, law);
}

int hertz(lua_State* L) {
  Args args(L);
  model::NormalLaw law;
  const std::optional<Symbol> stiffness = args.optional_number("stiffness");
  law.modulus = args.optional_number("modulus");
  if (stiffness.has_value() == law.modulus.has_value()) args.fail("give either a stiffness or a modulus");
  if (stiffness) law.stiffness = *stiffness;
  law.exponent = 1.5;
  return push_law(L, args, normal_kind, law);
}

int coulomb(lua_State* L) {
  Args args(L);
  const Symbol coefficient = args.number("coefficient");
  return push_law(L, args, friction_kind, model::Friction(model::coulomb(coefficient, args.number("regularization"))));
}

int ambrosio(lua_State* L) {
  Args args(L);
  const Symbol coefficient = args.number("coefficient"), v0 = args.number("v0"), v1 = args.number("v1");
  if (!(args.value_of(v0) < args.value_of(v1))) args.fail("v0 must be less than v1");
  return push_law(L, args, friction_kind, model::Friction(model::ambrosio(coefficient, v0, v1)));
}

int brown_mcphee(lua_State* L) {
  Args args(L);
  const Symbol at_rest = args.number("static"), sliding = args.number("dynamic");
  const Symbol transition = args.number("transition");
  if (args.value_of(at_rest) < args.value_of(sliding)) args.fail("static must not be less than dynamic");
  return push_law(L, args, friction_kind, model::Friction(model::brown_mcphee(at_rest, sliding, transition)));
}

int static_friction(lua_State* L) {
  Args args(L);
  const Symbol stiffness = args.number("stiffness"), damping = args.number("damping");
  return push_law(L, args, friction_kind,
                  model::Friction(model::StaticFriction{stiffness, damping, args.optional_number("coefficient")}));
}

constexpr std::string_view example_of_laws =
    "local mbs = require \"perilune\"\n"
    "local normals = {\n"
    "  mbs.kelvin_voigt { stiffness = 1e4, damping = 20, restitution = 0.5, width = 1e-3 },\n"
    "  mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.1 },\n"
    "  mbs.hertz { stiffness = 1e6 } }\n"
    "local frictions = {\n"
    "  mbs.coulomb { coefficient = 0.4 },\n"
    "  mbs.ambrosio { coefficient = 0.4, v1 = 1e-3 },\n"
    "  mbs.brown_mcphee { static = 0.5, dynamic = 0.4 },\n"
    "  mbs.static_friction { stiffness = 1e4, damping = 10, coefficient = 0.4 } }\n"
    "for _, normal in ipairs(normals) do\n"
    "  for _, friction in ipairs(frictions) do\n"
    "    local m = mbs.model { gravity = {0, -9.81} }\n"
    "    local ball = m:body { \"ball\", mass = 1, inertia = 4e-3, at = {0, 0.2}, velocity = {2, 0} }\n"
    "    m:contact { m.ground, ball, radius = 0.1, normal = normal, friction = friction }\n"
    "    print(normal, friction, m:simulate { t = 0.2 }:at(\"ball.vx\", 0.2))\n"
    "  end\n"
    "end";

Constructor law_entry(std::string_view name, std::string_view object, std::string_view returns,
                      std::string_view summary, std::vector<Field> fields, std::string_view equations,
                      std::vector<std::string_view> see_also, lua_CFunction function) {
  return {.name = name,
          .object = object,
          .returns = returns,
          .summary = summary,
          .fields = std::move(fields),
          .equations = equations,
          .example = example_of_laws,
          .see_also = std::move(see_also),
          .function = function};
}

Field stiffness_field() {
  return {.name = "stiffness", .text = "K", .unit = "N/m^n", .range = Range::Positive, .required = true};
}

Constructor kelvin_voigt_entry() {
  return law_entry(
      "mbs.kelvin_voigt", "kelvin_voigt", "normal_law",
      "Normal force of a spring and a damper, which counts in unloading by the part c (the restitution factor\n"
      "of the source: c is not Newton's coefficient, and a larger c loses more energy). It never pulls: the\n"
      "force is 0 where the damper would make it negative. Without a width it jumps to D v at the touch; a\n"
      "width lets the damping grow over that penetration, for smooth forces and larger steps.",
      {stiffness_field(),
       {.name = "exponent", .text = "n", .unit = unitless, .fallback = "1", .range = Range::Positive},
       {.name = "damping", .text = "D", .unit = "N s/m", .fallback = "0", .range = Range::NonNegative},
       {.name = "restitution",
        .text = "c, from 0 to 1: part of the damping in unloading",
        .unit = unitless,
        .fallback = "1",
        .range = Range::NonNegative},
       {.name = "width",
        .text = "w, penetration over which the damping grows",
        .unit = "m",
        .fallback = "none: at once",
        .range = Range::Positive}},
      "F = max(0, K d^n + D s d'), with c D instead of D where d' < 0 (Zhu 2014, eq. 5.21);\n"
      "s = min(1, d / w), or 1 without a width. With n = 1 and s = 1 the coefficient of restitution does\n"
      "not depend on the speed.",
      {"contact", "hunt_crossley", "hertz"}, guarded<kelvin_voigt>);
}

Constructor hunt_crossley_entry() {
  return law_entry(
      "mbs.hunt_crossley", "hunt_crossley", "normal_law",
      "Normal force of a nonlinear spring whose damping grows with the penetration, so that it begins and ends\n"
      "without a jump. It never pulls. The coefficient of restitution e falls with the speed v of the impact,\n"
      "nearly as 1 - alpha v where that is close to 1.",
      {stiffness_field(),
       {.name = "exponent", .text = "n", .unit = unitless, .fallback = "1.5", .range = Range::Positive},
       {.name = "dissipation", .text = "alpha", .unit = "s/m", .fallback = "0", .range = Range::NonNegative}},
      "F = K d^n max(0, 1 + 3/2 alpha d') (Hunt and Crossley 1975). With b = 3/2 alpha an impact at the\n"
      "speed v ends at e v, b v - ln(1 + b v) = -b e v - ln(1 - b e v), for all masses, K and n.",
      {"contact", "kelvin_voigt", "hertz"}, guarded<hunt_crossley>);
}

Constructor hertz_entry() {
  return law_entry(
      "mbs.hertz", "hertz", "normal_law",
      "Normal force of elastic spheres without losses, of a given stiffness, or of the modulus of the two\n"
      "materials and the radii of the contact. A terrain counts as a plane.",
      {{.name = "stiffness", .text = "K", .unit = "N/m^1.5", .range = Range::Positive},
       {.name = "modulus",
        .text = "E*, instead: 1 / E* = (1 - nu1^2) / E1 + (1 - nu2^2) / E2",
        .unit = "Pa",
        .range = Range::Positive}},
      "F = K d^(3/2), K = 4/3 E* sqrt(R), 1 / R = 1 / R_a + 1 / R_b; R = R_b on a plane (Hertz 1882).",
      {"contact", "hunt_crossley"}, guarded<hertz>);
}

Field coefficient_field() {
  return {.name = "coefficient", .text = "mu", .unit = unitless, .range = Range::NonNegative, .required = true};
}

Constructor coulomb_entry() {
  return law_entry("mbs.coulomb", "coulomb", "friction_law",
                   "Coulomb's friction, smooth where the slip changes its direction. It cannot hold a load at rest: a\n"
                   "load T < mu N creeps at vs T / sqrt(mu^2 N^2 - T^2). A smaller vs creeps less, and is stiffer.",
                   {coefficient_field(),
                    {.name = "regularization",
                     .text = "vs, slip at which friction has 71 % of mu N",
                     .unit = "m/s",
                     .fallback = "1e-3",
                     .range = Range::Positive}},
                   "f = -mu N v / sqrt(v.v + vs^2)", {"contact", "ambrosio", "brown_mcphee", "static_friction"},
                   guarded<coulomb>);
}

Constructor ambrosio_entry() {
  return law_entry(
      "mbs.ambrosio", "ambrosio", "friction_law",
      "Coulomb's friction that rises over a range of slip. It cannot hold a load at rest: the contact creeps\n"
      "between v0 and v1, at v0 + (v1 - v0) T / (mu N) under a load T < mu N. As a damper it has mu N / v1:\n"
      "the default range is that of the source, and stiff (1.4e6 N s/m at 14 N); use implicit integrators.",
      {coefficient_field(),
       {.name = "v0",
        .text = "slip below which there is none",
        .unit = "m/s",
        .fallback = "1e-8",
        .range = Range::Positive},
       {.name = "v1", .text = "slip from which all acts", .unit = "m/s", .fallback = "1e-5", .range = Range::Positive}},
      "f = -mu c_d N v / |v|, c_d = 0 below v0, (|v| - v0) / (v1 - v0) between, 1 above v1 (Zhu 2014,\n"
      "eqs. 5.22 and 5.23)",
      {"contact", "coulomb", "static_friction"}, guarded<ambrosio>);
}

Constructor brown_entry() {
  return law_entry(
      "mbs.brown_mcphee", "brown_mcphee", "friction_law",
      "Friction that rises to a static coefficient at the transition slip and falls to the dynamic one beyond,\n"
      "smooth everywhere. It cannot hold a load at rest: below the transition it creeps, a small load T at\n"
      "T vt / (N (4 mu_d + 16/9 (mu_s - mu_d))).",
      {{.name = "static", .text = "mu_s", .unit = unitless, .range = Range::NonNegative, .required = true},
       {.name = "dynamic", .text = "mu_d", .unit = unitless, .range = Range::NonNegative, .required = true},
       {.name = "transition", .text = "vt", .unit = "m/s", .fallback = "1e-2", .range = Range::Positive}},
      "f = -mu(|v|) N v / |v|, x = |v| / vt: mu = mu_d tanh(4 x) + (mu_s - mu_d) x / (x^2 / 4 + 3/4)^2\n"
      "(Brown and McPhee 2016; Verulkar et al. 2023, eq. 1)",
      {"contact", "coulomb", "static_friction"}, guarded<brown_mcphee>);
}

Constructor static_entry() {
  return law_entry(
      "mbs.static_friction", "static_friction", "friction_law",
      "Friction of a spring and damper along the surface between b and an anchor, which is where b touched\n"
      "down. It holds a load at rest, without creep, at the deflection T / K. With a coefficient the anchor\n"
      "slides where the force would exceed mu N; without one it holds any force, as in the source. The stretch\n"
      "of the spring is a first-order state of each place, which takes D / K to follow when b slides, or to\n"
      "forget its anchor when b lifts off: a touch within less than that begins with what is left. On a curved\n"
      "terrain or a ball the stretch does not turn with the surface; what leaves the tangent plane dies away\n"
      "with D / K too, and rolling drifts by that. m:equilibrium stretches an anchor by the way that b has gone\n"
      "along the surface from where it is declared, as if it had touched there; turning counts as small.",
      {{.name = "stiffness", .text = "K, along the surface", .unit = "N/m", .range = Range::Positive, .required = true},
       {.name = "damping", .text = "D, along the surface", .unit = "N s/m", .range = Range::Positive, .required = true},
       {.name = "coefficient",
        .text = "mu, the limit of friction",
        .unit = unitless,
        .fallback = "none: no limit",
        .range = Range::NonNegative}},
      "p = K s + D v, f = -p min(1, mu N / |p|), or f = -p without a limit (Zhu 2014, chapter 5); 0 out\n"
      "of contact. s' = -(f + K s) / D: the slip v where the anchor holds, less where it slides.",
      {"contact", "coulomb", "ambrosio", "brown_mcphee"}, guarded<static_friction>);
}

}  // namespace

std::span<const Constructor> contact_law_constructors() {
  static const std::vector<Constructor> constructors = {kelvin_voigt_entry(), hunt_crossley_entry(), hertz_entry(),
                                                        coulomb_entry(),      ambrosio_entry(),      brown_entry(),
                                                        static_entry()};
  return constructors;
}

}  // namespace perilune::lua
