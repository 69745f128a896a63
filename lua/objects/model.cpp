// SPDX-License-Identifier: MIT
// Models and their parameters.
#include <algorithm>

#include "base/guard.hpp"
#include "base/run_options.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/named_signals.hpp"
#include "model/place/places.hpp"
#include "objects/check_elements.hpp"
#include "objects/model_text.hpp"
#include "objects/removal.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

constexpr const char* kind = "model";

struct ModelHandle {
  ModelPtr model;
};

ModelPtr self(lua_State* L) { return own_userdata<ModelHandle>(L).model; }

int make_model(lua_State* L) {
  Args args(L);
  const std::string name = args.name().empty() ? "model" : args.name();
  const std::vector<double> gravity = args.plain_list("gravity", 2, 3);
  args.check_all_read();
  push_model(L, std::make_shared<ModelData>(std::make_unique<model::Model>(name, gravity)));
  return 1;
}

// A parameter by the name of a number of the file would look as if it moved that.
void refuse_path_of_file(lua_State* L, const Args& args, const std::string& name) {
  const int top = lua_gettop(L);
  if (lua_getiuservalue(L, 1, paths_value) == LUA_TTABLE && lua_getfield(L, -1, name.c_str()) == LUA_TSTRING) {
    const std::string file = lua_tostring(L, -1);
    args.fail("'" + file +
              "' has a number of that path, which this would leave alone; to make it a parameter write mbs.read { \"" +
              file + "\", parameters = { \"" + name + "\" } }");
  }
  lua_settop(L, top);
}

int param(lua_State* L) {
  Args args(L);
  refuse_path_of_file(L, args, args.name());
  double value = args.plain_number("value");
  const std::string unit = args.text("unit");
  const double lower = args.plain_number("min"), upper = args.plain_number("max");
  args.check_all_read();
  if (!(lower <= upper)) {
    args.fail("min must not be above max, got " + number_text(lower) + " and " + number_text(upper));
  }
  if (value < lower || value > upper) {
    args.fail("the value " + with_unit(value, unit) + " is outside its bounds " + number_text(lower) + " to " +
              number_text(upper));
  }
  if (const std::optional<double> given = run_options().value_of(args.name())) {
    value = *given;
    if (value < lower || value > upper) {
      args.fail("--param " + args.name() + "=" + number_text(value) + ": " + with_unit(value, unit) +
                " is outside its bounds " + number_text(lower) + " to " + number_text(upper));
    }
  }
  model::Model& engine = args.engine();
  const expr::Symbol symbol = engine.add_parameter(args.name(), value, unit, lower, upper);
  args.model()->declare({"parameter", args.name(), script_line(L)});
  push_expression(L, args.model(), symbol.in(engine.graph()));
  return 1;
}

int set_gravity(lua_State* L) {
  Args args(L);
  model::Vector gravity{args.number("x"), args.number("y")};
  if (args.engine().dimension() == 3) {
    gravity.push_back(args.number("z"));
  } else if (args.given("z")) {
    args.fail("the model is planar; gravity has 2 components");
  }
  args.check_all_read();
  args.engine().set_gravity(gravity);
  return 0;
}

// Pushes the object, parameter or named signal of the name, of the model at index 1; nothing if there is none.
bool push_named(lua_State* L, const ModelPtr& model, const std::string& name) {
  if (lua_getiuservalue(L, 1, objects_value) == LUA_TTABLE && lua_getfield(L, -1, name.c_str()) != LUA_TNIL)
    return true;
  for (const model::Parameter& parameter : model->engine->parameters()) {
    if (parameter.name != name) continue;
    push_expression(L, model, parameter.quantity);
    return true;
  }
  if (!is_named_signal(*model->engine, name)) return false;
  push_variable(L, name, model, model->engine->signal(name));
  return true;
}

std::vector<std::string> declared_names(const ModelData& model) {
  std::vector<std::string> names;
  for (const ModelData::Declared& each : model.declared) names.push_back(each.name);
  return names;
}

int object(lua_State* L) {
  const ModelPtr model = check_self(L, "model:object");
  if (lua_type(L, 2) != LUA_TSTRING) {
    throw Error("object: expected a name such as \"arm\", got " + described_value(L, 2));
  }
  const std::string name = lua_tostring(L, 2);
  if (push_named(L, model, name)) return 1;
  throw Error("model \"" + model->engine->name() + "\" has no object or parameter '" + name + "'" +
              suggestion_or_list(name, declared_names(*model), "it has"));
}

int push_ground(lua_State* L, const ModelPtr& model) {
  if (lua_getiuservalue(L, 1, ground_value) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  model::Place place = ground_place(*model->engine, model::Vector(static_cast<size_t>(model->engine->dimension())));
  push_object(L, {model, "ground", "ground", "", std::move(place)});
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, ground_value);
  return 1;
}

int model_index(lua_State* L) {
  const ModelPtr model = self(L);
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  if (key == "ground") return push_ground(L, model);  // which is also what m:ground { ... } calls
  luaL_getmetafield(L, 1, "methods");
  if (lua_getfield(L, -1, key.c_str()) != LUA_TNIL) return 1;
  if (key == "name") {
    lua_pushstring(L, model->engine->name().c_str());
    return 1;
  }
  if (key == "last_run") {
    lua_getiuservalue(L, 1, run_value);
    return 1;
  }
  if (key == "dimension") {
    lua_pushinteger(L, model->engine->dimension());
    return 1;
  }
  const int methods = lua_gettop(L) - 1;
  if (lua_type(L, 2) == LUA_TSTRING && push_named(L, model, key)) return 1;
  std::vector<std::string> names{"name", "dimension", "last_run"};
  lua_pushnil(L);
  while (lua_next(L, methods)) {
    lua_pop(L, 1);
    names.emplace_back(lua_tostring(L, -1));
  }
  std::sort(names.begin(), names.end());
  const std::string title = "model \"" + model->engine->name() + "\" has no field, method or object '" + key + "'";
  // A method of runs that is spelt right is meant, whatever the names of the model are like.
  if (const std::string_view elsewhere = full_name_of(key); !elsewhere.empty()) {
    const bool shows = elsewhere == "run:view" || elsewhere == "run:movie";
    throw Error(title + did_you_mean(elsewhere) + (shows ? "\nbefore a run, m:sketch draws the model" : ""));
  }
  const std::vector<std::string> own = declared_names(*model);
  std::vector<std::string> all = own;  // first: they win where a method is as near
  all.insert(all.end(), names.begin(), names.end());
  if (const std::string near = closest(key, all); !near.empty()) throw Error(title + did_you_mean(near));
  if (const std::string meaning = meaning_of(key); !meaning.empty()) throw Error(title + meaning);
  throw Error(title + suggestion_or_list(key, names, "a model has") +
              (own.empty() ? "" : "\nits objects: see print(m)"));
}

int model_newindex(lua_State* L) {
  const ModelPtr model = self(L);
  const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  const ModelData::Declared* declared = model->find(name);
  throw Error("model \"" + model->engine->name() + "\": its fields are read-only" +
              (declared && declared->kind == "parameter"
                   ? "; the value of the parameter is set by m[\"" + name + "\"].value = ..."
                   : ""));
}

int model_tostring(lua_State* L) {
  const std::string text = model_text(*self(L));
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int model_pretty(lua_State* L) {
  const std::string text = model_tree(self(L));
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int model_equal(lua_State* L) {
  const ModelPtr a = test_model(L, 1), b = test_model(L, 2);
  lua_pushboolean(L, a && a == b);
  return 1;
}

}  // namespace

void push_model(lua_State* L, const ModelPtr& model) {
  if (push_metatable<ModelHandle>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<model_index>},       {"__newindex", guarded<model_newindex>},
                                      {"__tostring", guarded<model_tostring>}, {"__pretty", guarded<model_pretty>},
                                      {"__eq", guarded<model_equal>},          {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
    push_methods(L, "model");
    lua_setfield(L, -2, "methods");
  }
  lua_pop(L, 1);
  // A second userdata would know nothing of the runs of the first.
  if (luaL_getsubtable(L, LUA_REGISTRYINDEX, "perilune.models")) {
    if (lua_rawgetp(L, -1, model.get()) != LUA_TNIL) {
      lua_remove(L, -2);
      return;
    }
    lua_pop(L, 1);
  } else {
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  push_userdata(L, kind, ModelHandle{model}, paths_value);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, model.get());
  lua_remove(L, -2);
}

ModelPtr test_model(lua_State* L, int index) {
  const ModelHandle* handle = test_userdata<ModelHandle>(L, index);
  return handle ? handle->model : nullptr;
}

ModelPtr check_self(lua_State* L, std::string_view method) {
  const std::string_view owner = method.substr(0, method.find(':'));
  const std::string name(method.substr(owner.size() + 1));
  if (owner == "model") {
    if (ModelPtr model = test_model(L, 1)) return model;
  } else if (const Object* object = test_userdata<Object>(L, 1);
             object && (object->kind == owner || (owner == "body" && object->is_body()))) {
    return object->model;
  }
  const std::string letter(1, owner[0]);
  throw Error(name + " is a method of a " + std::string(owner) + ": write " + letter + ":" + name +
              " with a colon, not " + letter + "." + name);
}

std::span<const Constructor> model_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.model",
       .object = "model",
       .summary =
           "A mechanism: the parameters, bodies, joints and forces declared in it. SI units, angles in radians,\n"
           "right-handed axes; in the plane angles count counter-clockwise, from x to y. m.ground is the ground\n"
           "as a body, m.last_run the last run, m.name and m.dimension (2 or 3) what they say.",
       .naming = Naming::Optional,
       .fields = {{.name = "gravity",
                   .type = Type::Vector,
                   .text = "2 components make the model planar, 3 make it spatial",
                   .unit = "m/s^2",
                   .fallback = "{0, -9.81}"}},
       .signals = {{"t", "s", "time"},
                   {"energy.total", "J", "kinetic and potential energy", "energy.kinetic, energy.potential"},
                   {"momentum.x", "N s", "linear momentum", "momentum.y, momentum.z"},
                   {"angular_momentum.z", "N m s", "about the origin; in the plane about z alone",
                    "angular_momentum.x, angular_momentum.y"},
                   {"constraint.drift", "", "norm of the constraint violations", "constraint.velocity_drift"}},
       .equations =
           "M q'' + Phi_q^T lambda = Q(q, q', t), Phi(q, t) = 0 (Schaffer 2005, eqs. 4.15 and 4.16; Zhu 2014,\n"
           "eq. 2.3): a constraint pushes with -Phi_q^T lambda. energy.potential has gravity, springs, stops\n"
           "and bushings. Momenta are M q' along what moves and turns all of space. The drifts are |Phi| and |Phi'|.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local A = m:ground { at = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:distance { A, P }\n"
                  "print(m)",
       .see_also = {"param", "ground", "point", "body", "signals", "simulate"},
       .function = guarded<make_model>},
      {.name = "model:param",
       .object = "parameter",
       .summary =
           "A named number that can be changed, differentiated by, and optimized. It can stand wherever a\n"
           "number can, and expressions of parameters too. Its fields: value (can be assigned), name, unit,\n"
           "min, max, in_si (the value in SI units). With a unit it is refused where a field has one of another\n"
           "kind, as are products and powers of such parameters: a stiffness is no length. On the command line,\n"
           "`perilune script.lua --param L=1.5` gives it another value.",
       .naming = Naming::Required,
       .positional = {{.name = "value",
                       .type = Type::PlainNumber,
                       .text = "its value",
                       .unit = "the unit given",
                       .required = true}},
       .fields =
           {{.name = "unit",
             .type = Type::String,
             .text =
                 "what value, min, max and derivatives are in, as \"mm\" or \"deg\"; expressions have it in SI units",
             .fallback = ""},
            {.name = "min",
             .type = Type::PlainNumber,
             .text = "lower bound",
             .unit = "the unit given",
             .fallback = "-inf",
             .range = Range::Any},
            {.name = "max",
             .type = Type::PlainNumber,
             .text = "upper bound",
             .unit = "the unit given",
             .fallback = "inf",
             .range = Range::Any}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1.2, unit = \"m\", min = 0 }\n"
                  "local P = m:point { \"P\", at = {L / 2, 0}, mass = 1 }\n"
                  "L.value = 1.5\n"
                  "print(L, P)",
       .see_also = {"model", "where"},
       .function = guarded<param>},
      {.name = "model:set_gravity",
       .object = "gravity",
       .returns = "nil",
       .summary = "Makes gravity depend on parameters. It must come before the first point, bar or body with mass.",
       .positional = {{.name = "x", .text = "component", .unit = "m/s^2", .required = true},
                      {.name = "y", .text = "component", .unit = "m/s^2", .required = true},
                      {.name = "z", .text = "component, spatial models only", .unit = "m/s^2", .fallback = "0"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local g = m:param { \"g\", 9.81, unit = \"m/s^2\" }\n"
                  "m:set_gravity { 0, -g }",
       .see_also = {"model"},
       .function = guarded<set_gravity>},
  };
  return constructors;
}

std::span<const Function> model_functions() {
  static const std::vector<Function> functions = {
      {.name = "model:object",
       .signature = "m:object(name)",
       .arguments = {{"name", "string", "of a body, a joint, a force, a parameter, ...", unitless}},
       .returns = "any",
       .summary =
           "What was declared by that name: of a model that mbs.read returned, or where no variable has it.\n"
           "m[\"P\"] is the same, unless it is the name of a method or field of models: m[\"body\"] is the method,\n"
           "m:object \"body\" the object. No two objects of a model have the same name, parameters included.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "m:point { \"P\", at = {0, 1}, mass = 1.5 }\n"
                  "print(m:object \"P\".mass, m[\"P\"].y)",
       .see_also = {"signal", "read"},
       .function = guarded<object>},
      {.name = "model:remove",
       .signature = "m:remove(...)",
       .arguments = {{"...", "any", "objects of the model: bodies, points, joints, forces, ...; or their names, and those of signals",
                      unitless}},
       .returns = "nil",
       .summary = "Takes objects back: the model is as if they had not been declared, and their names are free. What\n"
                  "others depend on is refused; given together, as in m:remove(arm, pivot), they go together.\n"
                  "Runs keep what they had. The settings of the last simulation are forgotten, as it may have read\n"
                  "what is removed. Expressions that were taken of places and lengths stay what they are where they\n"
                  "read nothing that is gone. Parameters, beams and the ground cannot be removed.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "local s = m:spring { \"s\", m:ground { at = {0, 0} }, P, stiffness = 10 }\n"
                  "m:remove(s)\n"
                  "s = m:spring { \"s\", m:ground { at = {0, 1} }, P, stiffness = 20 }",
       .see_also = {"object", "model"},
       .function = guarded<remove_objects>},
      {.name = "model:check_elements",
       .signature = "m:check_elements([seed])",
       .arguments = {{"seed?", "integer", "of the random state", unitless}},
       .returns = "table",
       .summary = "Compares every derivative that the elements of the model state, your laws included, with complex\n"
                  "step, at a random state. A list of rows: element, type, family, difference and size (sums of\n"
                  "absolute values); its field worst is the largest relative difference.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:spring { \"s\", m:ground { at = {0, 0} }, P, stiffness = 10, damping = 1 }\n"
                  "assert(m:check_elements().worst < 1e-12)",
       .see_also = {"gradient"},
       .function = guarded<check_elements>},
  };
  return functions;
}

}  // namespace perilune::lua
