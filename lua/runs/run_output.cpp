// SPDX-License-Identifier: MIT
// Signals of a run as files and plots.
#include <unistd.h>

#include <cstdlib>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/text_columns.hpp"
#include "format/csv.hpp"
#include "format/gnuplot.hpp"
#include "format/json.hpp"
#include "format/mat_file.hpp"
#include "model/unit.hpp"
#include "output/picture/svg_plot.hpp"
#include "output/picture/terminal_plot.hpp"
#include "runs/run.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

void print_plot(lua_State* L, const format::Table& table, const std::string& title) {
  output::TerminalPlotOptions options;
  options.title = title;
  options.unicode = has_unicode();
  options.colour = isatty(1) == 1 && options.unicode && !std::getenv("NO_COLOR");
  const std::string text = output::terminal_plot(table, options);
  lua_getglobal(L, "io");
  lua_getfield(L, -1, "write");
  lua_pushlstring(L, text.data(), text.size());
  lua_call(L, 1, 0);
}

namespace {

/// The table of what the call names from the stack index on, or else of all coordinates and velocities.
format::Table table_from(lua_State* L, const RunHandle& run, int first) {
  const simulation::Trajectory& trajectory = *run.trajectory;
  const std::vector<model::ShownSignal> named = shown_signals_from(L, run, first);
  return trajectory.table(named.empty() ? shown_signals(trajectory.model(), trajectory.default_signals()) : named);
}

/// Writes the signals that are named after the file by write(table, model's name, stream).
template <class Write>
int write_signals(lua_State* L, const char* method, Write write) {
  const RunHandle& run = check_run(L, method);
  const std::string path = check_path(L, method);
  const format::Table table = table_from(L, run, 3);
  write_file(path, [&](std::ostream& out) { write(table, run.model->engine->name(), out); });
  return 0;
}

using format::Table;

int csv(lua_State* L) {
  return write_signals(L, "csv", [](const Table& table, auto&, std::ostream& out) { format::write_csv(table, out); });
}

int json(lua_State* L) {
  return write_signals(L, "json", [](const Table& table, auto&, std::ostream& out) { format::write_json(table, out); });
}

int mat(lua_State* L) {
  const RunHandle& run = check_run(L, "mat");
  const std::string path = check_path(L, "mat");
  format::Table table = table_from(L, run, 3);
  for (format::Column& column : table.columns) {  // variables of Octave have no units
    const std::optional<model::UnitInSi> unit = model::unit_in_si(column.unit);
    if (unit && unit->size != 1) column.name += "_" + column.unit;
  }
  const auto variables = format::mat_variables(table);
  write_file(path, [&](std::ostream& out) { format::write_mat(variables, out); });
  return 0;
}

int svg(lua_State* L) {
  return write_signals(L, "svg", [](const Table& table, const std::string& title, std::ostream& out) {
    output::PlotOptions options;
    options.title = title;
    out << output::svg_plot(table, options);
  });
}

int gnuplot(lua_State* L) {
  return write_signals(L, "gnuplot", [](const Table& table, const std::string& title, std::ostream& out) {
    format::write_gnuplot(table, title, out);
  });
}

int plot(lua_State* L) {
  const RunHandle& run = check_run(L, "plot");
  print_plot(L, table_from(L, run, 2), run.model->engine->name());
  return 0;
}

}  // namespace

std::string_view run_example() {
  return "local mbs = require \"perilune\"\n"
         "local m = mbs.model { \"ball\", gravity = {0, -9.81} }\n"
         "local P = m:point { \"P\", at = {0, 0}, velocity = {1, 5}, mass = 1 }\n"
         "local run = m:simulate { t = 1 }\n"
         "print(run, run.steps, run.reason)\n"
         "print(#run:times(), run:at(\"P.y\", 0.5), run:values(P.y - 1, {0, 1})[2])\n"
         "run:plot(\"P.x\", P.y - 1, { \"angle\", math.atan(P.vy, P.vx), unit = \"deg\" })";
}

std::span<const Function> run_output_functions() {
  const std::string_view example = run_example();
  static const std::vector<Function> functions = {
      {.name = "run:csv",
       .signature = "run:csv(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary = "Writes signals at the accepted steps as CSV with 17 digits; without names all coordinates and\n"
                  "velocities.",
       .example = example,
       .see_also = {"json", "svg"},
       .function = guarded<csv>},
      {.name = "run:json",
       .signature = "run:json(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary = "Writes signals at the accepted steps as JSON; without names all coordinates and velocities.",
       .example = example,
       .see_also = {"csv", "write_json"},
       .function = guarded<json>},
      {.name = "run:mat",
       .signature = "run:mat(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary = "Writes signals at the accepted steps for GNU Octave and MATLAB, where `load file.mat` makes a\n"
                  "column of each: t, and P_x for P.x; toe_deg for a signal in other than SI units. Without names all\n"
                  "coordinates and velocities.",
       .example = example,
       .see_also = {"csv", "write_mat"},
       .function = guarded<mat>},
      {.name = "run:svg",
       .signature = "run:svg(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary = "Writes a picture of signals over time; one panel per unit.",
       .example = example,
       .see_also = {"plot", "gnuplot", "csv"},
       .function = guarded<svg>},
      {.name = "run:gnuplot",
       .signature = "run:gnuplot(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary =
           "Writes a script of gnuplot, with the data inside, that plots signals over time; one panel per unit.\n"
           "`gnuplot -p file` shows it.",
       .example = example,
       .see_also = {"svg", "csv"},
       .function = guarded<gnuplot>},
      {.name = "run:plot",
       .signature = "run:plot(signals...)",
       .arguments = {{"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary =
           "Draws signals over time in the terminal: by name, as expressions, which are called by their text, or as\n"
           "{ \"name\", expression, unit = \"mm\" }, with the units of m:signal; a signal by its name in another unit "
           "as\n"
           "{ \"arm.angle\", unit = \"deg\" }. All that writes or draws signals takes them so.",
       .example = example,
       .see_also = {"svg"},
       .function = guarded<plot>},
  };
  return functions;
}

}  // namespace perilune::lua
