// SPDX-License-Identifier: MIT
#include "laws/contact_laws.hpp"

#include <deque>

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "laws/force_fields.hpp"
#include "laws/friction_picture.hpp"
#include "model/friction/friction_kinds.hpp"

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
int push_law(lua_State* L, Args& args, const char* kind, Law law, std::vector<model::Check> others = {}) {
  using Handle = LawHandle<Law>;
  std::vector<model::Check> checks;
  for (const Field& field : args.constructor().fields) {
    if (const std::optional<Symbol> number = args.optional_number(field.name)) {
      checks.push_back(check_of(field, *number));
    }
  }
  checks.insert(checks.end(), others.begin(), others.end());
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
  push_userdata(L, kind, Handle{args.model(), std::move(law), text, std::move(checks)}, 1);
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
  const auto fault = [](const double* restitution) {
    return std::string(*restitution > 1 ? "restitution must be at most 1: it is a part of the damping" : "");
  };
  const double now = args.value_of(law.restitution);
  if (const std::string wrong = fault(&now); !wrong.empty()) args.fail(wrong);
  return push_law(L, args, normal_kind, law, {{{law.restitution}, fault}});
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

int friction_of_kind(lua_State* L) {
  Args args(L);
  const model::FrictionKind& kind = *model::find_friction_kind(args.constructor().object);
  model::GivenFriction<Symbol> given;
  model::GivenFriction<double> values;
  for (const model::ForceField& field : kind.fields) {
    const std::optional<Symbol> number = args.optional_number(field.name);
    if (!number) continue;
    given.numbers.emplace(field.name, *number);
    values.numbers.emplace(field.name, args.value_of(*number));
  }
  if (!kind.fault) return push_law(L, args, friction_kind, kind.make(given));
  if (const std::string fault = kind.fault(values); !fault.empty()) args.fail(fault);
  model::Check check;
  for (const auto& [name, number] : given.numbers) check.values.push_back(number);
  check.fault = [&kind, values](const double* now) mutable {
    for (auto& [name, value] : values.numbers) value = *now++;
    return kind.fault(values);
  };
  return push_law(L, args, friction_kind, kind.make(given), {check});
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

Constructor entry_of(const model::FrictionKind& kind) {
  static std::deque<std::string> names;  // which entries refer to
  std::vector<Field> fields;
  for (const model::ForceField& f : kind.fields) {
    fields.push_back({.name = f.name,
                      .text = f.text,
                      .unit = f.unit,
                      .fallback = f.fallback,
                      .range = range_of(f.bound),
                      .required = f.required});
  }
  Constructor entry =
      law_entry(names.emplace_back("mbs." + std::string(kind.name)), kind.name, "friction_law", kind.summary,
                std::move(fields), kind.equations, kind.see_also, guarded<friction_of_kind>);
  entry.picture = [](const Constructor& e, bool unicode) {
    return friction_picture(*model::find_friction_kind(e.object), unicode);
  };
  return entry;
}

}  // namespace

model::Check check_of(const Field& field, const Symbol& number) {
  return {{number}, [name = std::string(field.name), range = field.range](const double* value) {
            const char* wrong = range_fault(range, *value);
            return wrong ? name + " " + wrong + ", got " + number_text(*value) : "";
          }};
}

std::span<const Constructor> contact_law_constructors() {
  static const std::vector<Constructor> constructors = [] {
    std::vector<Constructor> list{kelvin_voigt_entry(), hunt_crossley_entry(), hertz_entry()};
    for (const model::FrictionKind& kind : model::friction_kinds()) list.push_back(entry_of(kind));
    return list;
  }();
  return constructors;
}

}  // namespace perilune::lua
