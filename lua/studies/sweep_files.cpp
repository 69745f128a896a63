// SPDX-License-Identifier: MIT
// Files and plots of sweeps.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/suggest.hpp"
#include "error.hpp"
#include "format/csv.hpp"
#include "format/json.hpp"
#include "format/text.hpp"
#include "output/picture/svg_plot.hpp"
#include "runs/run.hpp"
#include "schema/schema.hpp"
#include "studies/sweep.hpp"
#include "values/object.hpp"

namespace perilune::lua {

namespace {

using optimize::Trial;

int csv(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "csv");
  const std::string path = check_path(L, "csv");
  const bool has_gradients =
      std::any_of(sweep.trials.begin(), sweep.trials.end(), [](const Trial& t) { return !t.derivatives.empty(); });
  write_file(path, [&](std::ostream& out) {
    out << "job";
    for (const auto& q : sweep.parameters) out << ',' << format::csv_field(labelled(q));
    for (const std::string& name : sweep.objectives) out << ',' << format::csv_field(name);
    for (const std::string& name : sweep.objectives) {
      for (std::size_t p = 0; has_gradients && p < sweep.parameters.size(); ++p) {
        out << ',' << format::csv_field("d " + name + " / d " + sweep.parameters[p].name);
      }
    }
    out << ",failure\n";
    const std::size_t objectives = sweep.objectives.size(), parameters = sweep.parameters.size();
    for (const Trial& t : sweep.trials) {
      out << t.job + 1;
      for (const double x : t.point) out << ',' << format::shortest(x);
      for (std::size_t k = 0; k < objectives; ++k)
        out << ',' << (t.succeeded() ? format::shortest(t.values[k]) : "nan");
      for (std::size_t k = 0; has_gradients && k < objectives * parameters; ++k) {
        out << ',' << (t.succeeded() ? format::shortest(t.derivatives[k / parameters][k % parameters]) : "nan");
      }
      out << ',' << format::csv_field(t.failure) << '\n';
    }
  });
  return 0;
}

void write_by_name(format::JsonWriter& out, const SweepResult& sweep, const std::vector<double>& of_parameters) {
  out.begin_object();
  for (std::size_t p = 0; p < sweep.parameters.size(); ++p) out.key(sweep.parameters[p].name).value(of_parameters[p]);
  out.end_object();
}

void write_trial(format::JsonWriter& out, const SweepResult& sweep, const Trial& t) {
  out.begin_object();
  out.key("job").value(t.job + 1);
  write_by_name(out.key("parameters"), sweep, t.point);
  if (t.succeeded()) {
    out.key("values").begin_object();
    for (std::size_t k = 0; k < sweep.objectives.size(); ++k) out.key(sweep.objectives[k]).value(t.values[k]);
    out.end_object();
  } else {
    out.key("failure").value(t.failure);
  }
  if (!t.warnings.empty()) {
    out.key("warnings").begin_array();
    for (const std::string& sentence : t.warnings) out.value(sentence);
    out.end_array();
  }
  if (!t.derivatives.empty()) {
    out.key("gradients").begin_object();
    for (std::size_t k = 0; k < sweep.objectives.size(); ++k) {
      write_by_name(out.key(sweep.objectives[k]), sweep, t.derivatives[k]);
    }
    out.end_object();
  }
  out.end_object();
}

int json(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "json");
  const std::string path = check_path(L, "json");
  write_file(path, [&](std::ostream& file) {
    format::JsonWriter out(file);
    out.begin_object();
    out.key("model").value(sweep.model);
    out.key("jobs").value(sweep.jobs);
    out.key("units").begin_object();
    for (const auto& q : sweep.parameters) out.key(q.name).value(q.unit);
    out.end_object();
    out.key("results").begin_array();
    for (const Trial& t : sweep.trials) write_trial(out, sweep, t);
    out.end_array().end_object();
    file << '\n';
  });
  return 0;
}

using Groups = std::map<std::vector<double>, std::vector<const Trial*>>;

/// The trials by all their parameters but `x`, in the order of `x`.
Groups grouped(const SweepResult& sweep, std::size_t x) {
  Groups groups;
  for (const Trial& t : sweep.trials) {
    std::vector<double> others = t.point;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(x));
    groups[others].push_back(&t);
  }
  for (auto& [others, group] : groups) {
    std::stable_sort(group.begin(), group.end(),
                     [x](const Trial* a, const Trial* b) { return a->point[x] < b->point[x]; });
  }
  return groups;
}

/// "c = 0.5 N s/m, L = 1 m"
std::string group_name(const SweepResult& sweep, std::size_t x, const std::vector<double>& others) {
  std::string text;
  for (std::size_t p = 0, k = 0; p < sweep.parameters.size(); ++p) {
    if (p == x) continue;
    const auto& [name, unit] = sweep.parameters[p];
    text += (text.empty() ? "" : ", ") + name + " = " + format::significant(others[k++], 6) +
            (unit.empty() ? "" : " " + unit);
  }
  return text;
}

/// Rows in the order in which a curve over the parameter `x` passes them: those that agree in all other parameters
/// together, with a gap between the groups. A few such curves have columns, and so names, of their own. What is alone
/// in its group becomes a dot.
format::Table plotted(const SweepResult& sweep, std::size_t x, const std::vector<std::size_t>& objectives) {
  constexpr std::ptrdiff_t most_named = 8;
  const Groups groups = grouped(sweep, x);
  const auto curves = std::count_if(groups.begin(), groups.end(), [](const auto& g) { return g.second.size() > 1; });
  const bool is_named = curves > 1 && static_cast<std::ptrdiff_t>(groups.size()) <= most_named;
  format::Table table{{{sweep.parameters[x].name, sweep.parameters[x].unit, {}}}};
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [others, group] : groups) {
    if (is_named || table.columns.size() == 1) {
      const std::string of_group = is_named ? ", " + group_name(sweep, x, others) : "";
      const std::vector<double> before(table.columns[0].values.size(), gap);
      for (const std::size_t k : objectives) table.columns.push_back({sweep.objectives[k] + of_group, "", before});
    }
    const std::size_t first = table.columns.size() - objectives.size();
    for (const Trial* t : group) {
      for (format::Column& column : table.columns) column.values.push_back(gap);
      table.columns[0].values.back() = t->point[x];
      for (std::size_t k = 0; t->succeeded() && k < objectives.size(); ++k) {
        table.columns[first + k].values.back() = t->values[objectives[k]];
      }
    }
    for (format::Column& column : table.columns) column.values.push_back(gap);
  }
  return table;
}

/// What the names from the stack index on ask for: the parameter of the abscissa, then objectives.
format::Table named_plot(lua_State* L, const SweepResult& sweep, int first, const char* method) {
  std::vector<std::string> known;
  for (const auto& q : sweep.parameters) known.push_back(q.name);
  known.insert(known.end(), sweep.objectives.begin(), sweep.objectives.end());
  std::optional<std::size_t> x;
  std::vector<std::size_t> objectives;
  for (int i = first; i <= lua_gettop(L); ++i) {
    if (lua_type(L, i) != LUA_TSTRING) {
      throw Error(std::string(method) + ": expected the name of a parameter or an objective, got " +
                  described_value(L, i));
    }
    const std::string name = lua_tostring(L, i);
    const auto found = static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
    if (found == known.size()) {
      throw Error(std::string(method) + ": the sweep has no parameter or objective '" + name + "'" +
                  suggestion_or_list(name, known, "it has"));
    }
    if (found >= sweep.parameters.size()) {
      objectives.push_back(found - sweep.parameters.size());
    } else if (x) {
      throw Error(std::string(method) + ": '" + name + "' is a second parameter; a plot is over one of them");
    } else {
      x = found;
    }
  }
  if (objectives.empty()) {
    for (std::size_t k = 0; k < sweep.objectives.size(); ++k) objectives.push_back(k);
  }
  return plotted(sweep, x.value_or(0), objectives);
}

int plot(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "plot");
  print_plot(L, named_plot(L, sweep, 2, "plot"), sweep.model);
  return 0;
}

int svg(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "svg");
  const std::string path = check_path(L, "svg");
  const format::Table table = named_plot(L, sweep, 3, "svg");
  output::PlotOptions options;
  options.title = sweep.model;
  write_file(path, [&](std::ostream& out) { out << output::svg_plot(table, options); });
  return 0;
}

}  // namespace

std::span<const Function> sweep_functions() {
  static const Argument names{"...", "string", "a parameter for the abscissa, and objectives", unitless};
  static const Argument file{"file", "string", "to be written", unitless};
  static const std::vector<Function> functions = {
      {.name = "sweep:plot",
       .signature = "sweep:plot(names...)",
       .arguments = {names},
       .summary =
           "Draws the objectives of a sweep over one of its parameters (without names: all over the first) in\n"
           "the terminal. Jobs that agree in all other parameters are joined by a line, which up to eight of them\n"
           "name in the legend; others are dots.",
       .example = sweep_example(),
       .see_also = {"sweep"},
       .function = guarded<plot>},
      {.name = "sweep:svg",
       .signature = "sweep:svg(file, names...)",
       .arguments = {file, names},
       .summary = "Writes the plot that sweep:plot draws as a picture (SVG).",
       .example = sweep_example(),
       .see_also = {"sweep"},
       .function = guarded<svg>},
      {.name = "sweep:csv",
       .signature = "sweep:csv(file)",
       .arguments = {file},
       .summary = "Writes a row for each job as CSV with 17 digits: its number, the parameters, the objectives, their\n"
                  "derivatives if there are any, and why it failed.",
       .example = sweep_example(),
       .see_also = {"sweep"},
       .function = guarded<csv>},
      {.name = "sweep:json",
       .signature = "sweep:json(file)",
       .arguments = {file},
       .summary = "Writes the jobs as JSON: parameters, objectives, their derivatives if there are any, failures.",
       .example = sweep_example(),
       .see_also = {"sweep"},
       .function = guarded<json>},
  };
  return functions;
}

}  // namespace perilune::lua
