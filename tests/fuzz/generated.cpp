// SPDX-License-Identifier: MIT
// Scripts made from the schema.
#include <algorithm>
#include <span>

#include "scene.hpp"
#include "scripts.hpp"
#include "values.hpp"

namespace perilune::fuzz {

using lua::Constructor;

namespace {

constexpr const char* prelude = R"(local mbs = require "perilune"
-- An error that names no line, and a number that is none, are faults.
local function try(what, action)
  local ok, message = pcall(action)
  if ok then return end
  message = tostring(message)
  if not message:find ":%d+:" then print("fuzz: fault: no line: " .. what .. ": " .. message) end
  if message:find "%-nan" then print("fuzz: fault: -nan in a message: " .. what .. ": " .. message) end
end
local function show(what, ...)
  for _, value in ipairs { ... } do
    if value ~= value then print("fuzz: fault: nan from " .. what) end
    local text = tostring(value)
    if text:find "%f[%a]nan%f[%A]" then print("fuzz: fault: nan in " .. what .. ": " .. text) end
  end
end
local function simulated(run)
  if run and run.steps > 0 then print "fuzz: simulated" end
  return run
end
)";

class Writer {
 public:
  explicit Writer(Random& random)
      : random_(random),
        scene_{random, random.chance(0.5), random.pick(std::vector<double>{0, 0, 0, 0.01, 0.01, 0.05, 0.3})} {}

  std::string script() {
    declare_bodies();
    const std::size_t more = random_.below(7);
    for (std::size_t i = 0; i < more; ++i) declare_something();
    if (random_.chance(0.5)) add_declaration("objective", "model:objective", {"objective"});
    if (random_.chance(0.1)) add_declaration("phase", "model:phase", {"phase"});
    simulate();
    const std::size_t calls = random_.below(6);
    for (std::size_t i = 0; i < calls; ++i) call_something();
    if (random_.chance(0.1)) {  // a hostile order
      const std::size_t swaps = 1 + random_.below(4);
      for (std::size_t i = 0; i < swaps; ++i) {
        std::swap(statements_[random_.below(statements_.size())], statements_[random_.below(statements_.size())]);
      }
    }
    return compose();
  }

 private:
  void add(const std::string& what, const std::string& statement) { statements_.push_back({what, statement}); }

  const Constructor& entry(std::string_view name) const {
    for (const Constructor* each : lua::all_constructors()) {
      if (each->name == name) return *each;
    }
    return *lua::all_constructors().front();
  }

  /// The object that the constructor is a method of.
  std::string owner_of(const Constructor& entry) {
    if (entry.name.starts_with("model:")) return random_.chance(scene_.hostility / 4) ? "other" : "m";
    if (entry.name.starts_with("body:")) return scene_.any("body", "m.ground");
    if (entry.name.starts_with("beam:")) return scene_.any("beam", "m");
    if (entry.name.starts_with("state:")) return scene_.any("state", "m");
    if (entry.name.starts_with("sampled:")) return scene_.any("sampled", "m");
    return "mbs";
  }

  std::string call_of(const Constructor& entry, const std::string& name) {
    const std::string owner = owner_of(entry);
    return owner + (owner == "mbs" ? "." : ":") + std::string(entry.short_name()) + " " +
           table_for(scene_, entry, name);
  }

  std::string add_declaration(const std::string& what, std::string_view constructor, std::vector<std::string> kinds) {
    const Constructor& chosen = entry(constructor);
    // Its own name is not in reach of its table.
    const std::string variable = std::string(chosen.object) + std::to_string(scene_.count + 1);
    const bool unnamed = chosen.naming != lua::Naming::Required && random_.chance(0.3);
    const std::string call = call_of(chosen, unnamed ? "" : variable);
    scene_.declare(chosen, kinds);
    variables_.push_back(variable);
    add(what, variable + " = " + call);
    return variable;
  }

  void declare_bodies() {
    if (random_.chance(0.6)) add_declaration("param", "model:param", {"param"});
    if (random_.chance(0.6)) add_declaration("ground", "model:ground", {"place"});
    const std::size_t count = 1 + random_.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      if (random_.chance(0.4)) {
        add_declaration("point", "model:point", {"place"});
      } else if (!scene_.spatial || random_.chance(0.85)) {
        add_declaration("body", "model:body", {"place", "body"});
      } else {
        if (random_.chance(0.1)) add_declaration("vector", "model:vector", {"vector"});
        add_declaration("natural_body", "model:natural_body", {"place", "body", "natural"});
      }
    }
  }

  void declare_something() {
    using Family = std::pair<std::span<const Constructor>, std::vector<std::string>>;
    const std::vector<Family> of_constraints = {{lua::joint_constructors(), {"object"}},
                                                {lua::relation_constructors(), {"object"}}};
    const std::vector<Family> others = {
        {lua::force_constructors(), {"object"}},   {lua::force_kind_constructors(), {"object"}},
        {lua::contact_constructors(), {"object"}}, {lua::control_constructors(), {"object"}},
        {lua::sampled_constructors(), {"object"}}, {lua::marker_constructors(), {"place"}},
        {lua::point_constructors(), {"place"}},    {lua::tire_constructors(), {"object"}},
        {lua::model_constructors(), {"param"}},    {lua::signal_constructors(), {}},
        {lua::group_constructors(), {"object"}}};
    const bool constraint = random_.chance(constraints_ == 0 ? 0.5 : 0.15);
    constraints_ += constraint;
    const Family& family = random_.pick(constraint ? of_constraints : others);
    const Constructor& chosen = family.first[random_.below(family.first.size())];
    std::vector<std::string> kinds = family.second;
    const std::string_view object = chosen.object;
    if (object == "state" || object == "sampled") kinds.emplace_back(object);
    if (object == "model") kinds = {"model"};
    if (object == "gravity") kinds = {};
    for (const char* each : {"revolute", "translational", "cylindrical", "screw"}) {
      if (object == each) kinds.push_back("joint");
    }
    add_declaration(std::string(object), chosen.name, kinds);
  }

  void simulate() {
    const std::string variable = "run" + std::to_string(++scene_.count);
    const Constructor& chosen = entry("model:simulate");
    std::string table = table_for(scene_, chosen, "");
    if (table.find(" t = ") == table.npos && !random_.chance(0.1)) table.insert(1, " t = 0.05,");
    add("simulate", variable + " = simulated(m:simulate " + table + ")\nshow(\"run\", " + variable + ")");
    scene_.variables["run"].push_back(variable);
    variables_.push_back(variable);
  }

  std::string some_signal() {
    const std::string text = signal(scene_);
    return random_.chance(0.5) && text.find("signal") == text.npos ? "\"" + text + "\"" : text;
  }

  void call_something() {
    const std::string run = scene_.any("run", "m.last_run");
    const std::string file = "\"out." + std::string(random_.pick({"csv", "json", "svg", "html", "mat", "pvd"})) + "\"";
    switch (random_.below(16)) {
      case 0:
        return add("at", "show(\"at\", " + run + ":at(" + some_signal() + ", " +
                             (random_.chance(0.7) ? "0.01" : extreme_number(random_)) + "))");
      case 1:
        return add("values", "show(\"values\", table.unpack(" + run + ":values(" + some_signal() + ")))");
      case 2:
        return add("writer", run + ":" + random_.pick({"csv", "json", "svg", "mat", "gnuplot", "view"}) + "(" + file +
                                 (random_.chance(0.5) ? ", " + some_signal() : "") + ")");
      case 3:
        return add("plot", run + ":plot(" + some_signal() + ")");
      case 4:
        return add("parameter", scene_.any("param", "m") + ".value = " +
                                    (random_.chance(0.5) ? extreme_number(random_) : plain_number(random_, 0, 2)));
      case 5:
        return add("print", "show(\"text\", " + random_.pick(variables_) + ", m)");
      case 6:
        return declare_something();  // after the simulation
      case 7:
        return simulate();
      case 8:
        return add("member", "show(\"member\", " + random_.pick(variables_) + "." +
                                 random_.pick({"name", "mass", "value", "at", "t", "steps", "warnings", "objectives",
                                               "events", "phases", "reason", "x", "force", "point", "model"}) +
                                 ")");
      case 9:
        return add("read", "show(\"check\", m:" + std::string(random_.pick({"check_elements()", "signals()"})) + ")");
      case 10:
        return add("law", "m:force { on = " + scene_.any("place", "m.ground") + ", law = function(s) " +
                              random_.pick(statements_).text + " return s.t end }");
      case 11:
        return add("collect",
                   "collectgarbage() coroutine.wrap(function() " + random_.pick(statements_).text + " end)()");
      case 12:
        return add("signal", "show(\"signal\", m:signal(" +
                                 (random_.chance(0.8) ? "\"" + signal(scene_) + "\"" : hostile_value(random_)) + "))");
      case 13: {
        const std::string other = random_.chance(0.8) ? scene_.any("body", "m.ground") : hostile_value(random_);
        const std::string axis = random_.chance(0.8) ? "\"z\"" : hostile_value(random_);
        const std::string calls[] = {"roll_pitch_yaw()", "rotation_vector()", "turn_of(" + other + ", " + axis + ")"};
        return add("turn", "show(\"turn\", " + scene_.any("body", "m.ground") + ":" + calls[random_.below(3)] + ")");
      }
      default:
        break;
    }
    std::vector<const Constructor*> experiments;
    for (const auto& list : {lua::experiment_constructors(), lua::analysis_constructors(), lua::phase_constructors(),
                             lua::sweep_constructors(), lua::picture_constructors(), lua::chart_constructors()}) {
      for (const Constructor& each : list) experiments.push_back(&each);
    }
    const Constructor& chosen = *random_.pick(experiments);
    const std::string variable = "result" + std::to_string(++scene_.count);
    variables_.push_back(variable);
    add(std::string(chosen.object),
        variable + " = " + call_of(chosen, "") + "\nshow(\"" + std::string(chosen.object) + "\", " + variable + ")");
  }

  std::string compose() {
    std::string text = prelude;
    text += "local m = mbs.model { \"m\", gravity = {0, ";
    text += scene_.spatial ? "0, -9.81} }\n" : "-9.81} }\n";
    text += "local other = mbs.model { \"other\", gravity = {0, 0" + std::string(random_.chance(0.5) ? ", 0" : "") +
            "} }\n";
    if (!variables_.empty()) {
      text += "local ";
      for (std::size_t i = 0; i < variables_.size(); ++i) text += (i ? ", " : "") + variables_[i];
      text += "\n";
    }
    const bool protects = random_.chance(0.8);
    for (const auto& [what, statement] : statements_) {
      text += protects ? "try(\"" + what + "\", function()\n" + statement + "\nend)\n" : statement + "\n";
    }
    return text;
  }

  struct Statement {
    std::string what, text;
  };

  Random& random_;
  Scene scene_;
  std::vector<Statement> statements_;
  std::vector<std::string> variables_;
  int constraints_ = 0;
};

}  // namespace

std::string generated_script(Random& random) { return Writer(random).script(); }

std::string generated_calls(Random& random) {
  const double hostility = random.pick(std::vector<double>{0.02, 0.2, 0.6});
  Scene scene{random, random.chance(0.5), hostility};
  std::string text = prelude;
  text +=
      scene.spatial ? "local m = mbs.model { gravity = {0, 0, -1} }\n" : "local m = mbs.model { gravity = {0, -1} }\n";
  text += "local P = m:point { \"P\", at = " + std::string(scene.spatial ? "{1, 0, 0}" : "{1, 0}") + ", mass = 1 }\n";
  text +=
      "local body = m:body { \"body\", mass = 1, inertia = " + std::string(scene.spatial ? "{1, 1, 1}" : "1") + " }\n";
  text += "local k = m:param { \"k\", 2 }\n";
  scene.variables = {{"param", {"k"}}, {"place", {"P", "body"}}, {"body", {"body"}}};
  for (const Constructor* each : lua::all_constructors()) {
    if (each->name == "model:point") scene.made_by["P"] = each;
    if (each->name == "model:body") scene.made_by["body"] = each;
  }
  const std::size_t count = 1 + random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    std::string statement;
    const std::size_t choice = random.below(4);
    if (choice == 0) {
      statement = "local _ = tostring(" + expression(scene, 4, false) + ")";  // may be the script's own 0/0
    } else if (choice == 1) {
      const lua::Function& function = *random.pick(lua::all_functions());
      const std::string name(function.name);
      const std::string owner = name.starts_with("mbs.") ? "mbs." : name.starts_with("model:") ? "m:" : "m.last_run:";
      statement = owner + std::string(function.topic()) + "(";
      for (std::size_t a = 0; a < function.arguments.size(); ++a) {
        const bool number = function.arguments[a].type.find("number") != std::string_view::npos;
        const bool file = function.arguments[a].name == "file" || function.arguments[a].name == "name";
        statement += (a ? ", " : "") + (file && random.chance(0.9)     ? "\"out.txt\""
                                        : number && random.chance(0.6) ? expression(scene, 2, false)
                                                                       : hostile_value(random));
      }
      statement += ")";
    } else {
      const Constructor& chosen = *random.pick(lua::all_constructors());
      const std::string name(chosen.name);
      const std::string owner = name.starts_with("mbs.") ? "mbs." : name.starts_with("model:") ? "m:" : "body:";
      statement = "show(\"made\", " + owner + std::string(chosen.short_name()) + " " +
                  (random.chance(0.1) ? "{" + hostile_value(random) + "}"
                                      : table_for(scene, chosen, random.chance(0.9) ? "new" + std::to_string(i) : "")) +
                  ")";
    }
    text += "try(\"call\", function()\n" + statement + "\nend)\n";
  }
  return text;
}

}  // namespace perilune::fuzz
