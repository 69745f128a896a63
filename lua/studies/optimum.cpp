// SPDX-License-Identifier: MIT
#include "studies/optimum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "format/text.hpp"
#include "output/picture/svg_plot.hpp"
#include "runs/run.hpp"
#include "studies/front.hpp"
#include "studies/optimum_page.hpp"

namespace perilune::lua {

namespace {

/// The history as columns over the iterations.
struct History {
  std::string title, best;  // best: "L = 0.5 m, k = 20 N/m"
  bool is_maximum;
  format::Table table;
};

constexpr const char* history_key = "history of the optimization";  // in the metatable
constexpr const char* logarithmic = "log10";

double log10_of(double x) { return x > 0 ? std::log10(x) : std::nan(""); }

/// The objective on a logarithmic scale where it stays positive and falls far.
format::Column objective_column(const std::vector<optimize::Iterate>& history) {
  format::Column column{"objective", "", {}};
  for (const optimize::Iterate& it : history) column.values.push_back(it.value);
  const auto [least, most] = std::minmax_element(column.values.begin(), column.values.end());
  if (!(*least > 0 && *most > 100 * *least)) return column;
  column.unit = logarithmic;
  for (double& x : column.values) x = log10_of(x);
  return column;
}

/// Columns of the parameters: of many, those that change most relative to their size.
std::vector<format::Column> parameter_columns(const model::Model& engine, const std::vector<int>& over,
                                              const std::vector<optimize::Iterate>& history) {
  constexpr std::size_t most = 8;
  struct Candidate {
    format::Column column;
    double change;
    std::size_t order;
  };
  std::vector<Candidate> all;
  for (std::size_t k = 0; k < over.size(); ++k) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over[k])];
    Candidate candidate{{p.name, p.unit, {}}, 0, k};
    for (const optimize::Iterate& it : history) candidate.column.values.push_back(it.x[static_cast<Eigen::Index>(k)]);
    const auto [low, high] = std::minmax_element(candidate.column.values.begin(), candidate.column.values.end());
    const double size = std::max(std::abs(*low), std::abs(*high));
    if (size > 0) candidate.change = (*high - *low) / size;
    all.push_back(std::move(candidate));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.change > b.change; });
  if (all.size() > most) all.resize(most);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  std::vector<format::Column> columns;
  for (Candidate& candidate : all) {
    // A parameter without unit must not share the panel of the objective.
    if (candidate.column.unit.empty()) candidate.column.unit = "1";
    columns.push_back(std::move(candidate.column));
  }
  return columns;
}

/// The first parameters with their values, and how many more there are.
std::string values_text(const model::Model& engine, const std::vector<int>& over, const Eigen::VectorXd& x) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, over.size()); ++k) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over[k])];
    char value[40];
    std::snprintf(value, sizeof value, "%.7g", x[static_cast<Eigen::Index>(k)]);
    text += (k ? ", " : "") + p.name + " = " + value + (p.unit.empty() ? "" : " " + p.unit);
  }
  if (over.size() > most) text += " and " + std::to_string(over.size() - most) + " more";
  return text;
}

int optimum_tostring(lua_State* L) {
  require_table(L);
  char text[200];
  lua_getfield(L, 1, "initial");
  lua_getfield(L, 1, "final");
  if (!lua_getmetatable(L, 1)) lua_newtable(L);
  lua_getfield(L, -1, history_key);
  const History* history = test_userdata<History>(L, -1);
  std::snprintf(text, sizeof text, "%s: %.6g -> %.6g", history && history->is_maximum ? "maximization" : "optimization",
                lua_tonumber(L, -4), lua_tonumber(L, -3));
  std::string all = text;
  if (history) all += " at " + history->best;
  all += "; " + text_field(L, 1, "message");
  if (const std::string which = starts_sentence(L, 1); !which.empty()) all += " " + which;
  if (lua_getfield(L, 1, "resumed") == LUA_TNUMBER && lua_tointeger(L, -1) > 0) {
    all += " " + std::to_string(lua_tointeger(L, -1)) + " evaluations are from the file of the job.";
  }
  for (const char* part : {"certificate", "by_experiment", "by_tolerance", "by_extremum"}) {
    if (lua_getfield(L, 1, part) == LUA_TSTRING) all += "\n" + std::string(lua_tostring(L, -1));
  }
  if (lua_getfield(L, 1, "check") == LUA_TTABLE) {
    const int check = lua_gettop(L);
    if (lua_getfield(L, check, "relative_difference") == LUA_TNUMBER) {
      std::snprintf(text, sizeof text, "%.2g", lua_tonumber(L, -1));
      all += "\nchecked: " + text_field(L, check, "method") + " differs by " + text + " of the gradients' size";
    }
  }
  all += warning_lines(L);
  lua_pushlstring(L, all.data(), all.size());
  return 1;
}

int starts_text(lua_State* L) {
  require_table(L);
  if (luaL_getmetafield(L, 1, "text") == LUA_TNIL) lua_pushliteral(L, "starts");
  return 1;
}

int convergence(lua_State* L) {
  lua_settop(L, 2);
  const History* history = nullptr;
  if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
    lua_getfield(L, -1, history_key);
    history = test_userdata<History>(L, -1);
  }
  if (!history) {
    throw Error("convergence is a method of what m:optimize returns: write best:convergence() with a colon");
  }
  if (lua_isnil(L, 2)) {
    print_plot(L, history->table, history->title);
    return 0;
  }
  const std::string path = check_path(L, "convergence");
  output::PlotOptions options;
  options.title = history->title;
  write_file(path, [&](std::ostream& out) { out << output::svg_plot(history->table, options); });
  return 0;
}

}  // namespace

std::string starts_sentence(lua_State* L, int index) {
  std::string text;
  const int top = lua_gettop(L);
  if (lua_getfield(L, index, "starts") == LUA_TTABLE) {
    text = "The best of " + std::to_string(lua_rawlen(L, -1)) + " starts, number ";
    lua_getfield(L, index, "start");
    text += std::to_string(lua_tointeger(L, -1)) + ".";
  }
  lua_settop(L, top);
  return text;
}

void make_optimum(lua_State* L, const ModelPtr& model, const Minimization& task, const std::string& objective,
                  const optimize::Result& result, const optimize::ConstrainedResult* limited) {
  const model::Model& engine = *model->engine;
  const std::vector<int>& over = task.over;
  History history{engine.name(), values_text(engine, over, result.x), task.sign < 0, {}};
  std::vector<format::Column>& columns = history.table.columns;
  columns.push_back({"iteration", "", {}});
  for (const optimize::Iterate& it : result.history) columns[0].values.push_back(it.iteration);
  columns.push_back(objective_column(result.history));
  if (!std::isnan(result.history.front().projected_gradient)) {  // as where no gradients were taken
    columns.push_back({limited ? "KKT residual" : "gradient", logarithmic, {}});
    for (const optimize::Iterate& it : result.history) columns[2].values.push_back(log10_of(it.projected_gradient));
  }
  if (limited) {
    columns.push_back({"violation", logarithmic, {}});
    for (const optimize::ConstrainedIterate& it : limited->history) {
      columns.back().values.push_back(log10_of(it.violation));
    }
  }
  for (format::Column& column : parameter_columns(engine, over, result.history)) columns.push_back(std::move(column));

  OptimumPage page{model->snapshot(), {}, task, objective, result.initial, result.value, result, {}, history.table};
  for (const NamedRun& e : task.experiments) page.snapshots.push_back((e.other ? e.other->model : model)->snapshot());
  page.task.warned.reset();
  page.task.journal.reset();  // its file is for others to open
  if (limited) page.limited = *limited;
  if (lua_getfield(L, -1, "final") == LUA_TNUMBER) page.after = lua_tonumber(L, -1);  // of experiments, the worst
  lua_pop(L, 1);

  lua_createtable(L, 0, 4);
  lua_pushcfunction(L, guarded<optimum_tostring>);
  lua_setfield(L, -2, "__tostring");
  push_methods(L, "optimum");
  lua_setfield(L, -2, "__index");
  push_metatable<History>(L, "optimization_history");
  lua_pop(L, 1);
  push_userdata(L, "optimization_history", std::move(history));
  lua_setfield(L, -2, history_key);
  lua_setmetatable(L, -2);
  keep_for_page(L, std::move(page));
}

void print_starts(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                  const optimize::MultiStart& found) {
  constexpr std::size_t most_parameters = 8, most_starts = 100;
  const std::size_t shown = std::min(over.size(), most_parameters);
  TextRows rows{{"start", "initial", "final", "iterations"}};
  for (std::size_t k = 0; k < shown; ++k) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over[k])];
    rows[0].push_back(p.unit.empty() ? p.name : p.name + " [" + p.unit + "]");
  }
  for (std::size_t i = 0; i < std::min(found.attempts.size(), most_starts); ++i) {
    const auto& result = found.attempts[i].result;
    rows.push_back({std::to_string(i + 1) + (found.best == i ? " *" : "")});
    if (!result) {
      rows.back().insert(rows.back().end(), {"failed", "", ""});
      continue;
    }
    rows.back().insert(rows.back().end(), {format::significant(result->initial, 6),
                                           format::significant(result->value, 6), std::to_string(result->iterations)});
    for (std::size_t k = 0; k < shown; ++k) {
      rows.back().push_back(format::significant(result->x[static_cast<Eigen::Index>(k)], 6));
    }
  }
  std::string text = std::to_string(found.attempts.size()) + " starts, * the best" + aligned(rows);
  if (found.attempts.size() > most_starts) {
    text += "\n  and " + std::to_string(found.attempts.size() - most_starts) + " more";
  }
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, guarded<starts_text>);
  lua_setfield(L, -2, "__tostring");
  set_text(L, "text", text);
  lua_setmetatable(L, -2);
}

std::span<const Function> optimum_functions() {
  static const std::vector<Function> functions = {
      {.name = "optimum:convergence",
       .signature = "optimum:convergence(file)",
       .arguments = {{"file", "string", "to be written; none for the terminal", unitless}},
       .summary =
           "Draws the history of what m:optimize returned: the objective, the projected gradient on a logarithmic\n"
           "scale, and the parameters over the iterations (of many parameters the eight that changed most), in\n"
           "the terminal, or as SVG into the file.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
                  "local v = m:param { \"v\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 5}, mass = 1 }\n"
                  "local miss = m:objective { \"miss\", terminal = (P.x - 4)^2 }\n"
                  "local best = m:optimize { minimize = miss, t = 1 }\n"
                  "best:convergence()\n"
                  "best:convergence(os.tmpname())",
       .see_also = {"optimize", "page", "plot", "svg"},
       .function = guarded<convergence>},
      optimum_page_method(),
      front_chart_method(),
  };
  return functions;
}

}  // namespace perilune::lua
