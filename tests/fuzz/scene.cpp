// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include <algorithm>

#include "values.hpp"

namespace perilune::fuzz {

using lua::Constructor;
using lua::Field;
using lua::Type;

std::string Scene::any(std::string_view kind, const std::string& otherwise) {
  const auto found = variables.find(kind);
  return found == variables.end() || found->second.empty() ? otherwise : random.pick(found->second);
}

std::string Scene::declare(const Constructor& entry, const std::vector<std::string>& kinds) {
  std::string name = std::string(entry.object) + std::to_string(++count);
  for (const std::string& kind : kinds) variables[kind].push_back(name);
  made_by[name] = &entry;
  return name;
}

namespace {

std::string list_of(Scene& scene, std::size_t count, double low, double high) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + plain_number(scene.random, low, high);
  return text + "}";
}

/// Grows by `step` from item to item, as abscissas must.
std::string rising_list(Scene& scene, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(static_cast<int>(i) - 2);
  return text + (scene.random.chance(0.05) ? ", 0}" : "}");
}

std::string rows_of(Scene& scene, std::size_t rows, std::size_t columns) {
  std::string text = "{";
  for (std::size_t i = 0; i < rows; ++i) text += (i ? ", " : "") + list_of(scene, columns, -1, 1);
  return text + "}";
}

/// A number that the field's physics can live with; the unit and the default say what that is.
std::string sensible_number(Scene& scene, const Field& field) {
  Random& random = scene.random;
  const std::string_view name = field.name;
  if (name == "t") return plain_number(random, 0.01, 0.2);
  if (name == "step" || name == "initial_step" || name == "max_step")
    return random.pick({"1e-3", "5e-3", "0.01", "0.1"});
  if (name.find("tolerance") != name.npos) return random.pick({"1e-3", "1e-5", "1e-7", "1e-9"});
  if (!field.fallback.empty() && field.fallback.find_first_not_of("0123456789.e-") == std::string_view::npos &&
      random.chance(0.5)) {
    return std::string(field.fallback);
  }
  if (name == "stiffness") return random.pick({"10", "100", "1e3", "1e4"});
  if (name == "mass" || name == "inertia") return plain_number(random, 0.3, 3);
  if (name == "exponent") return random.pick({"1", "1.5", "2"});
  if (field.range == lua::Range::Any || field.range == lua::Range::Finite) return plain_number(random, -2, 2);
  return plain_number(random, 0.1, 1.5);
}

std::string number(Scene& scene, const Field& field) {
  if (field.type == Type::Number && scene.random.chance(0.15)) {
    const std::string parameter = scene.any("param", "");
    if (!parameter.empty()) return scene.random.chance(0.5) ? parameter : "2 * " + parameter + "^2";
  }
  return sensible_number(scene, field);
}

std::string integer(Scene& scene, const Field& field) {
  if (field.name == "order") return scene.random.pick({"1", "2", "3", "5"});
  if (field.name == "index") return scene.random.pick({"1", "3"});
  return std::to_string(1 + scene.random.below(5));
}

std::string function_of_state(Scene& scene, std::size_t results) {
  std::string text = "function(s) return ";
  for (std::size_t i = 0; i < results; ++i) text += (i ? ", " : "") + expression(scene, 2, true);
  return text + " end";
}

std::string objects(Scene& scene) {
  std::string text = "{";
  const std::size_t count = scene.random.below(3);
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", " : "") + scene.any("object", "m.ground");
  return text + "}";
}

std::string place(Scene& scene) {
  if (scene.random.chance(0.2)) return "m.ground";
  return scene.any("place", "m.ground");
}

std::string name_list(Scene& scene) { return scene.random.chance(0.7) ? "{}" : "{\"" + signal(scene) + "\"}"; }

std::size_t law_results(Scene& scene, const Constructor& entry, const Field& field) {
  const bool is_vector = entry.object == "force" && field.name == "law";
  const bool is_torque = scene.spatial && (entry.object == "torque" || field.type == Type::Torque);
  return is_vector ? static_cast<std::size_t>(scene.dimension()) : is_torque ? 3 : 1;
}

std::string sensible(Scene& scene, const Constructor& entry, const Field& field) {
  Random& random = scene.random;
  const auto d = static_cast<std::size_t>(scene.dimension());
  switch (field.type) {
    case Type::Number:
    case Type::PlainNumber:
      return number(scene, field);
    case Type::Integer:
      return integer(scene, field);
    case Type::Boolean:
      return random.pick({"true", "false"});
    case Type::String:
      if (field.name == "file") return "\"out." + std::string(random.pick({"svg", "csv", "html", "x"})) + "\"";
      return random.pick({"\"N/m\"", "\"kg\"", "\"body\"", "\"space\"", "\"first\"", "\"some text\""});
    case Type::Vector:
      return list_of(scene, d, -2, 2);
    case Type::Rotation:
      return scene.spatial ? list_of(scene, 3, -2, 2) : plain_number(random, -2, 2);
    case Type::Orientation:
      return random.chance(0.5) ? "{1, 0, 0, 0}" : list_of(scene, 4, -1, 1);
    case Type::Inertia:
      return scene.spatial ? list_of(scene, 3, 0.9, 1.2) : plain_number(random, 0.1, 1);
    case Type::Axis:
      return random.chance(0.5) ? random.pick({"\"x\"", "\"y\"", "\"z\""}) : list_of(scene, d, -1, 1);
    case Type::Place:
      return place(scene);
    case Type::Massive:
      return random.chance(0.3) ? scene.any("object", "m.ground") : place(scene);
    case Type::Triple:
      return list_of(scene, 3, 0.1, 1);
    case Type::Letter:
      return random.pick({"\"x\"", "\"y\"", "\"z\""});
    case Type::Solid:
    case Type::Shape:
      return made(scene, "solid");
    case Type::Section:
      return made(scene, "section");
    case Type::Material:
      return made(scene, "material");
    case Type::Body:
      return scene.any("body", "m.ground");
    case Type::FreeVector:
      if (random.chance(0.5)) return scene.any("natural", "m") + "." + random.pick({"u", "v", "w"});
      return scene.any("vector", "m");
    case Type::Joint:
      return scene.any("joint", "m.ground");
    case Type::Numbers:
      return field.name == "x" || field.name == "times" ? rising_list(scene, 4) : list_of(scene, 4, 0, 1);
    case Type::Ordinates:
      return field.name == "x" || field.name == "y" ? rising_list(scene, 4) : list_of(scene, 4, -1, 1);
    case Type::Polynomial:
      return random.chance(0.6) ? plain_number(random, 1, 100) : list_of(scene, 3, 0, 50);
    case Type::Matrix:
      return list_of(scene, scene.spatial ? 6 : 3, 1, 100);
    case Type::Rows:
      return rows_of(scene, 4, 4);
    case Type::Curve:
      return "mbs.spline { x = {-2, -1, 0, 1, 2}, y = " + list_of(scene, 5, -10, 10) + " }";
    case Type::Profile:
      return random.chance(0.5) ? "function(s) return 0.2 + 0.05 * math.sin(2 * s.angle) end"
                                : "mbs.spline { x = {0, 1, 2, 3, 4, 5}, y = " + list_of(scene, 6, 0.1, 0.3) +
                                      ", period = 2 * math.pi }";
    case Type::Height:
      return random.chance(0.5) ? "function(s) return 0.1 * math.sin(s.x) end"
                                : "mbs.spline { x = {-9, -3, 0, 3, 9}, y = " + list_of(scene, 5, -0.1, 0.1) + " }";
    case Type::Torque:
      if (random.chance(0.5)) return scene.spatial ? list_of(scene, 3, -1, 1) : plain_number(random, -1, 1);
      return function_of_state(scene, law_results(scene, entry, field));
    case Type::Measure:
      return expression(scene, 1, false);
    case Type::Measures:
      return "{" + expression(scene, 1, false) + ", " + signal(scene) + "}";
    case Type::Law:
      return function_of_state(scene, law_results(scene, entry, field));
    case Type::Stop:
      return random.chance(0.2) ? "false" : function_of_state(scene, 1);
    case Type::Integrand:
      return random.chance(0.5) ? function_of_state(scene, 1) : expression(scene, 2, false);
    case Type::Objective:
      return scene.any("objective", "m:objective { integral = function(s) return s.t end }");
    case Type::Parameters:
      return random.chance(0.5) ? "{" + scene.any("param", "") + "}" : scene.any("param", "{}");
    case Type::ChartCurves:
      return "{{\"a\", x = " + rising_list(scene, 3) + ", y = " + list_of(scene, 3, 0.1, 1) + "}}";
    case Type::Names:
      return name_list(scene);
    case Type::Texts:
      return "{\"one\", \"two\"}";
    case Type::Paths:
      return "{\"one.pos.x\", [\"two.geom.size.x\"] = { min = 0 }}";
    case Type::Formulation:
      return made(scene, "formulation");
    case Type::Integrator:
      return made(scene, "integrator");
    case Type::Method:
      return made(scene, "method");
    case Type::Optimizer:
      return made(scene, "optimizer");
    case Type::Levels:
      return random.chance(0.5) ? std::to_string(1 + random.below(3)) : list_of(scene, 2, 0.5, 1);
    case Type::Design:
      return made(scene, "design");
    case Type::Run:
      return scene.any("run", "m.last_run");
    case Type::Objects:
      return objects(scene);
    case Type::Costs:
      return "{ " + scene.any("objective", "m:objective { terminal = 0 }") + ", { \"other\", " +
             expression(scene, 1, false) + " } }";
    case Type::Experiments:
      return "{ { \"first\" }, { set = { " + scene.any("param", "p") + "_name = " + plain_number(random, -2, 2) +
             " }, weight = " + plain_number(random, 0, 2) + " } }";
    case Type::Data:
      return "{ t = { 0.01, 0.02 }, first = { 0, " + plain_number(random, -1, 1) + " } }";
    case Type::Shown:
      return "{ " + expression(scene, 1, false) + ", { \"own\", " + expression(scene, 1, false) + ", unit = \"mm\" } }";
    case Type::Signals:
      return "{ { \"first\", " + scene.any("point", "m.ground") + ".x } }";
    case Type::Tolerances:
      return "{ { " + scene.any("param", "m:param { 'of a tolerance', 1 }") + ", 0.01 } }";
    case Type::Limits:
      return "{ { \"limit\", " + scene.any("objective", "m:objective { terminal = 0 }") + ", " +
             (random.chance(0.5)   ? "max"
              : random.chance(0.5) ? "min"
                                   : "equals") +
             " = " + plain_number(random, -2, 2) + " } }";
    case Type::Phases:
      return "{" + scene.any("phase", "m:phase {}") + ", " + scene.any("phase", "m:phase { \"last\" }") + "}";
    case Type::Assignments:
      return "{ " + scene.any("param", "p") + "_name = " + expression(scene, 1, false) + " }";
    case Type::NormalLaw:
      return made(scene, "normal_law");
    case Type::FrictionLaw:
      return made(scene, "friction_law");
    case Type::Rubbing:
      if (random.chance(0.8)) return made(scene, "friction_law");
      return "function(s) return -0.2 * s.load * s.slip / (1 + s.slip^2)^0.5 end";
  }
  return "nil";
}

std::string value(Scene& scene, const Constructor& entry, const Field& field) {
  if (!scene.random.chance(scene.hostility)) return sensible(scene, entry, field);
  switch (scene.random.below(4)) {
    case 0:
      return extreme_number(scene.random);
    case 1: {  // something else that was declared
      if (scene.made_by.empty()) return "m";
      auto found = scene.made_by.begin();
      std::advance(found, static_cast<std::ptrdiff_t>(scene.random.below(scene.made_by.size())));
      return found->first;
    }
    case 2:  // a list whose items are wrong
      return "{" + extreme_number(scene.random) + ", " + sensible(scene, entry, field) + "}";
    default:
      return hostile_value(scene.random);
  }
}

/// Fields that exclude each other, or belong to the other dimension, are rarely given.
double probability_of(const Scene& scene, const Constructor& entry, const Field& field) {
  if (field.required) return 1;
  const std::string_view name = field.name, object = entry.object;
  if (object == "body" || object == "natural_body") {
    if (name == "mass" || name == "inertia") return 0.99;
    if (name == "at") return 0.9;
    if (name == "position" || name == "u" || name == "v" || name == "w") return 0.1;
    if (name == "inertia_of" || name == "center_of_mass") return 0.02;
    if (name == "angle" || name == "orientation") return (name == "angle") == scene.spatial ? 0.01 : 0.4;
  }
  if (object == "point" && name == "mass") return 0.95;
  if (entry.returns == "solid") return name == "mass" ? 1 : name == "density" ? 0.02 : 0.3;
  if (name == "at" || name == "axis") return scene.spatial || name == "at" ? 0.8 : 0.4;
  if (object == "force") return name == "law" ? 0.6 : name == "force" ? 0.4 : 0.1;
  if (object == "torque") return name == "law" ? 0.5 : name == "torque" ? 0.5 : 0.1;
  if (object == "spring" || object == "torsion_spring") return name == "stiffness" ? 0.9 : 0.25;
  if (object == "objective") return 0.7;
  if (object == "hertz") return name == "stiffness" ? 1 : 0.05;
  if (name == "phases" || name == "stop" || name == "at_rest") return 0.06;
  if (name == "independent" || name == "start" || name == "from") return 0.05;
  if (name == "t") return 0.9;
  return 0.3;
}

}  // namespace

std::string signal(Scene& scene) {
  if (scene.made_by.empty()) return "s.t";
  for (int attempt = 0; attempt < 5; ++attempt) {
    auto found = scene.made_by.begin();
    std::advance(found, static_cast<std::ptrdiff_t>(scene.random.below(scene.made_by.size())));
    const std::vector<lua::SignalText>& signals = found->second->signals;
    if (signals.empty()) continue;
    const lua::SignalText& chosen = scene.random.pick(signals);
    if (chosen.when == (scene.spatial ? "planar" : "spatial") && !scene.random.chance(scene.hostility)) continue;
    return found->first + "." + std::string(chosen.name.substr(0, chosen.name.find(',')));
  }
  return scene.random.pick({"m.energy.total", "m:signal \"energy.kinetic\"", "m:signal \"energy.total\""});
}

std::string expression(Scene& scene, int depth, bool in_law) {
  Random& random = scene.random;
  if (depth <= 0 || random.chance(0.25)) {
    switch (random.below(in_law ? 4 : 3)) {
      case 0:
        return random.chance(scene.hostility) ? extreme_number(random) : plain_number(random, -2, 2);
      case 1:
        return scene.any("param", "1.5");
      case 2:
        return signal(scene);
      default:
        return "s.t";
    }
  }
  const auto part = [&] { return expression(scene, depth - 1, in_law); };
  switch (random.below(9)) {
    case 0:
      return "(" + part() + " + " + part() + ")";
    case 1:
      return "(" + part() + " - " + part() + ")";
    case 2:
      return part() + " * " + part();
    case 3:
      return "(" + part() + ")^2";
    case 4:
      return std::string(
                 random.pick({"math.sin", "math.cos", "mbs.tanh", "math.abs", "mbs.sign", "math.exp", "mbs.cosh",
                              "math.sqrt", "math.log", "math.atan", "math.asin", "math.tan", "-", "mbs.sinh"})) +
             "(" + part() + ")";
    case 5:
      return "(" + part() + ") / (1 + (" + part() + ")^2)";
    case 6:
      return "mbs.where(mbs." + std::string(random.pick({"lt", "le", "gt", "ge"})) + "(" + part() + ", " + part() +
             "), " + part() + ", " + part() + ")";
    case 7:
      return random.chance(0.5) ? "mbs.smoothstep(" + part() + ", -1, 1)" : "mbs.sabs(" + part() + ", 0.1)";
    default:
      return random.chance(0.5) ? "mbs.atan2(" + part() + ", " + part() + ")" : "mbs.softplus(" + part() + ", 0.1)";
  }
}

std::string made(Scene& scene, std::string_view returns) {
  std::vector<const Constructor*> candidates;
  for (const Constructor* entry : lua::all_constructors()) {
    if (entry->returns == returns && entry->name.starts_with("mbs.")) candidates.push_back(entry);
  }
  if (candidates.empty()) return "nil";
  const Constructor& entry = *scene.random.pick(candidates);
  return std::string(entry.name) + " " + table_for(scene, entry, "");
}

std::string table_for(Scene& scene, const Constructor& entry, const std::string& name) {
  Random& random = scene.random;
  std::string text = "{";
  const auto add = [&text](const std::string& item) { text += (text.size() > 1 ? ", " : " ") + item; };
  if (entry.naming != lua::Naming::None && !name.empty()) add("\"" + name + "\"");
  for (std::size_t i = 0; i < entry.positional.size(); ++i) {
    const bool last = i + 1 == entry.positional.size();
    do {
      add(value(scene, entry, entry.positional[i]));
    } while (last && entry.repeats && random.chance(0.4));
  }
  for (const Field& field : entry.fields) {
    if (!random.chance(probability_of(scene, entry, field))) continue;
    if (field.required && random.chance(scene.hostility / 4)) continue;
    add(std::string(field.name) + " = " + value(scene, entry, field));
  }
  if (random.chance(scene.hostility / 4)) add("surplus = 1");
  return text + " }";
}

}  // namespace perilune::fuzz
