// SPDX-License-Identifier: MIT
#include "studies/fit_result.hpp"

#include <algorithm>
#include <cmath>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/output_file.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/svg_matrix.hpp"
#include "output/picture/svg_plot.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

using Eigen::Index;
using format::significant;
using optimize::Determined;

/// Of each series, its measurements and the fit; and how the errors of the parameters go together.
struct FitCurves {
  struct Curve {
    std::string name, unit, title;
    std::vector<double> t, measured, fitted, band;  // band: half the width; empty where it is unknown
  };
  std::vector<Curve> curves;
  output::CorrelationPicture correlation;
};

constexpr const char* curves_key = "curves of the fit";  // in the metatable

const char* word(optimize::LeastSquaresReason reason) {
  using Reason = optimize::LeastSquaresReason;
  switch (reason) {
    case Reason::ProjectedGradient:
      return "projected_gradient";
    case Reason::RelativeStep:
      return "relative_step";
    case Reason::RelativeDecrease:
      return "relative_decrease";
    case Reason::Noise:
      return "noise";
    case Reason::EvaluationLimit:
      return "evaluation_limit";
    case Reason::Stalled:
      return "stalled";
    case Reason::Interrupted:
      return "interrupted";
  }
  return "";
}

std::string percent(double confidence) { return significant(100 * confidence, 6) + " %"; }

std::string state_text(Determined state) {
  switch (state) {
    case Determined::ByData:
      return "";
    case Determined::Fixed:
      return "fixed";
    case Determined::AtLowerBound:
      return "at its min";
    case Determined::AtUpperBound:
      return "at its max";
    case Determined::NotAtAll:
      return "not told by the data";
  }
  return "";
}

std::string parameter_rows(const model::Model& engine, const FitProblem& problem, const FitFound& found,
                           double confidence) {
  const optimize::FitStatistics& s = found.statistics;
  TextRows rows{{"parameter", "value", "standard error", percent(confidence) + " from", "to", ""}};
  for (std::size_t k = 0; k < problem.over.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(problem.over[k])];
    const bool is_known = s.determined[k] == Determined::ByData;
    rows.push_back({p.unit.empty() ? p.name : p.name + " [" + p.unit + "]", significant(found.result.x[i], 7),
                    is_known ? significant(s.standard_errors[i], 3) : "", is_known ? significant(s.lowest[i], 6) : "",
                    is_known ? significant(s.highest[i], 6) : "", state_text(s.determined[k])});
  }
  return aligned(rows);
}

std::string series_rows(const FitProblem& problem, const FitFound& found) {
  TextRows rows{{"signal", "measurements", "deviation", "", "residuals, rms"}};
  Index row = 0;
  for (const FitSeries& series : problem.series) {
    const FitSignal& signal = problem.signals.list[series.signal];
    const auto length = static_cast<Index>(series.t.size());
    const double deviation = problem.deviations[series.signal];
    const double rms = found.result.residuals.segment(row, length).norm() / std::sqrt(static_cast<double>(length));
    row += length;
    const std::string unit = signal.unit.empty() ? "" : " " + signal.unit;
    rows.push_back({series.name, std::to_string(length), significant(deviation, 3) + unit,
                    signal.deviation > 0 ? "given" : "found", significant(rms * deviation, 3) + unit});
  }
  return aligned(rows);
}

/// Pairs of parameters whose errors go together.
std::string correlation_text(const FitProblem& problem, const FitFound& found) {
  constexpr double much = 0.95;
  constexpr int most = 8;
  std::string text;
  int count = 0;
  const Eigen::MatrixXd& r = found.statistics.correlation;
  for (Index i = 0; i < r.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (!(std::abs(r(i, j)) >= much) || ++count > most) continue;
      text += (text.empty() ? "" : ", ") + problem.variables[static_cast<std::size_t>(j)].name + " and " +
              problem.variables[static_cast<std::size_t>(i)].name + " " + significant(r(i, j), 3);
    }
  }
  if (count > most) text += " and " + std::to_string(count - most) + " more";
  return text.empty() ? "" : "\nerrors that go together (correlation): " + text;
}

std::string report(const model::Model& engine, const FitProblem& problem, const FitFound& found, double confidence) {
  const optimize::FitStatistics& s = found.statistics;
  std::string text =
      "fit of " + std::to_string(problem.over.size()) +
      (problem.over.size() == 1 ? " parameter to " : " parameters to ") + std::to_string(problem.count()) +
      " measurements" +
      (problem.experiments.size() > 1 ? " of " + std::to_string(problem.experiments.size()) + " experiments" : "") +
      "; " + found.result.message;
  text += "\n  simulations: " + std::to_string(found.runs) + ", of these with derivatives " +
          std::to_string(found.runs_with_derivatives) +
          (found.rounds > 1 ? "; deviations found in " + std::to_string(found.rounds) + " rounds" : "");
  const simulation::Problem& first = problem.experiments[0].problem;
  text += "\n  by " + formulation::name_of(first.formulation) + ", " + integrator::name_of(first.integrator);
  if (const double step = integrator::fixed_step(first.integrator); step > 0) text += ", step " + significant(step, 4);
  text += parameter_rows(engine, problem, found, confidence) + series_rows(problem, found);
  const bool is_given = std::any_of(problem.signals.list.begin(), problem.signals.list.end(),
                                    [](const FitSignal& signal) { return signal.deviation > 0; });
  if (std::isfinite(s.deviation) && is_given) {
    text += "\nresiduals are " + significant(s.deviation, 4) + " times the deviations, with " +
            std::to_string(s.degrees_of_freedom) + " degrees of freedom";
  }
  text += correlation_text(problem, found);
  return text;
}

FitCurves curves_of(const model::Model& engine, const FitProblem& problem, const FitFound& found) {
  FitCurves out;
  const optimize::FitStatistics& s = found.statistics;
  const bool is_known = s.covariance.allFinite();
  Index row = 0;
  for (const FitSeries& series : problem.series) {
    const double deviation = problem.deviations[series.signal];
    FitCurves::Curve curve{series.name, problem.signals.list[series.signal].unit, engine.name(), series.t, series.y, {},
                           {}};
    for (const double y : series.y) {
      curve.fitted.push_back(y + found.result.residuals[row] * deviation);
      if (is_known) {
        const Eigen::VectorXd slope = found.result.jacobian.row(row).transpose();
        curve.band.push_back(s.half_width * deviation * std::sqrt(std::max(0.0, slope.dot(s.covariance * slope))));
      }
      ++row;
    }
    out.curves.push_back(std::move(curve));
  }
  out.correlation = {engine.name().empty() ? "" : engine.name() + ": correlation", {}, {}, s.correlation};
  for (std::size_t k = 0; k < problem.variables.size(); ++k) {
    out.correlation.names.push_back(problem.variables[k].name);
    out.correlation.unknown.push_back(state_text(s.determined[k]));
  }
  return out;
}

int fit_tostring(lua_State* L) {
  require_table(L);
  const std::string all = text_field(L, 1, "report") + warning_lines(L);
  lua_pushlstring(L, all.data(), all.size());
  return 1;
}

const FitCurves::Curve& curve_named(lua_State* L, const FitCurves& all, int index) {
  std::vector<std::string> names;
  for (const FitCurves::Curve& each : all.curves) names.push_back(each.name);
  if (lua_isnoneornil(L, index)) {
    if (names.size() == 1) return all.curves[0];
    throw Error("chart: name the signal, as in fit:chart(file, \"" + names[0] + "\")" +
                suggestion_or_list("", names, "the signals are"));
  }
  const std::string name = luaL_tolstring(L, index, nullptr);
  for (const FitCurves::Curve& each : all.curves) {
    if (each.name == name) return each;
  }
  throw Error("chart: the fit has no signal '" + name + "'" + suggestion_or_list(name, names, "the signals are"));
}

const FitCurves& curves_of_result(lua_State* L, const std::string& method) {
  const FitCurves* all = nullptr;
  if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
    lua_getfield(L, -1, curves_key);
    all = test_userdata<FitCurves>(L, -1);
  }
  if (!all) throw Error(method + " is a method of what m:fit returns: write fit:" + method + "(file) with a colon");
  lua_settop(L, 3);
  return *all;
}

int correlation_chart(lua_State* L) {
  lua_settop(L, 3);
  const output::CorrelationPicture& picture = curves_of_result(L, "correlation_chart").correlation;
  const std::string path = check_path(L, "correlation_chart");
  if (picture.names.size() < 2) {
    throw Error("correlation_chart: the fit has one parameter, " + picture.names.at(0) +
                "; a correlation is of two, as in m:fit { over = { a, b } }");
  }
  write_file(path, [&](std::ostream& out) { out << output::svg_correlation(picture); });
  return 0;
}

int chart(lua_State* L) {
  lua_settop(L, 3);
  const FitCurves& all = curves_of_result(L, "chart");
  const std::string path = check_path(L, "chart");
  const FitCurves::Curve& curve = curve_named(L, all, 3);
  const std::string axis = curve.unit.empty() ? curve.name : curve.name + " [" + curve.unit + "]";
  std::vector<output::PlotCurve> curves{{"measured", curve.t, curve.measured}, {"fitted", curve.t, curve.fitted}};
  if (!curve.band.empty()) {
    output::PlotCurve low{"band, lower end", curve.t, curve.fitted}, high{"band, upper end", curve.t, curve.fitted};
    for (std::size_t k = 0; k < curve.band.size(); ++k) {
      low.y[k] -= curve.band[k];
      high.y[k] += curve.band[k];
    }
    curves.push_back(std::move(low));
    curves.push_back(std::move(high));
  }
  output::PlotOptions options{curve.title, "t [s]", axis};
  write_file(path, [&](std::ostream& out) { out << output::svg_plot(curves, options); });
  return 0;
}

template <class Push>
void set_by_name(lua_State* L, const char* field, const FitProblem& problem, Push&& push) {
  lua_newtable(L);
  for (std::size_t k = 0; k < problem.variables.size(); ++k) {
    push(static_cast<Index>(k));
    lua_setfield(L, -2, problem.variables[k].name.c_str());
  }
  refuse_other_names(L);
  lua_setfield(L, -2, field);
}

void set_series(lua_State* L, const FitProblem& problem, const FitFound& found, const FitCurves& curves) {
  lua_newtable(L);
  for (std::size_t k = 0; k < problem.series.size(); ++k) {
    const FitSeries& series = problem.series[k];
    const FitCurves::Curve& curve = curves.curves[k];
    const optimize::Whiteness& white = found.statistics.whiteness[k];
    lua_newtable(L);
    set_number(L, "deviation", problem.deviations[series.signal]);
    set_integer(L, "left_out", static_cast<lua_Integer>(series.left_out));
    set_number(L, "autocorrelation", white.autocorrelation);
    set_number(L, "whiteness", white.p_value);
    push_list(L, series.t);
    lua_setfield(L, -2, "t");
    push_list(L, series.y);
    lua_setfield(L, -2, "measured");
    push_list(L, curve.fitted);
    lua_setfield(L, -2, "fitted");
    push_list(L, curve.band);
    lua_setfield(L, -2, "band");
    lua_setfield(L, -2, series.name.c_str());
  }
  refuse_other_names(L);
  lua_setfield(L, -2, "signals");
}

std::vector<std::string> texts(const std::vector<optimize::Combination>& list) {
  std::vector<std::string> out;
  for (const optimize::Combination& each : list) out.push_back(each.text);
  return out;
}

}  // namespace

void push_fit(lua_State* L, const model::Model& engine, const FitProblem& problem, const FitFound& found,
              double confidence, const std::vector<std::string>& warnings) {
  const optimize::FitStatistics& s = found.statistics;
  FitCurves curves = curves_of(engine, problem, found);
  lua_newtable(L);
  set_text(L, "reason", word(found.result.reason));
  set_text(L, "message", found.result.message);
  set_integer(L, "iterations", found.result.iterations);
  set_integer(L, "evaluations", found.result.evaluations);
  set_integer(L, "simulations", found.runs);
  set_integer(L, "differentiated", found.runs_with_derivatives);
  set_number(L, "cost", found.result.cost);
  set_number(L, "deviation", s.deviation);
  set_integer(L, "degrees_of_freedom", s.degrees_of_freedom);
  set_by_name(L, "parameters", problem, [&](Index k) { lua_pushnumber(L, found.result.x[k]); });
  set_by_name(L, "standard_errors", problem, [&](Index k) { lua_pushnumber(L, s.standard_errors[k]); });
  set_by_name(L, "intervals", problem, [&](Index k) {
    const double ends[] = {s.lowest[k], s.highest[k]};
    push_list(L, ends, 2);
  });
  std::vector<std::string> names;
  for (const optimize::Variable& v : problem.variables) names.push_back(v.name);
  set_names(L, "names", names);
  push_rows(L, s.correlation);
  lua_setfield(L, -2, "correlation");
  push_list(L, s.directions.singular_values.data(), static_cast<std::size_t>(s.directions.singular_values.size()));
  lua_setfield(L, -2, "singular_values");
  set_names(L, "lost", texts(s.directions.lost));
  set_names(L, "weak", texts(s.directions.weak));
  set_series(L, problem, found, curves);
  set_names(L, "warnings", warnings);
  set_text(L, "report", report(engine, problem, found, confidence));

  lua_createtable(L, 0, 3);
  lua_pushcfunction(L, guarded<fit_tostring>);
  lua_setfield(L, -2, "__tostring");
  push_methods(L, "fit");
  lua_setfield(L, -2, "__index");
  push_metatable<FitCurves>(L, "fit_curves");
  lua_pop(L, 1);
  push_userdata(L, "fit_curves", std::move(curves));
  lua_setfield(L, -2, curves_key);
  lua_setmetatable(L, -2);
}

std::span<const Function> fit_functions() {
  static const std::vector<Function> functions = {
      {.name = "fit:chart",
       .signature = "fit:chart(file, signal)",
       .arguments = {{"file", "string", "to be written, an SVG", unitless},
                     {"signal", "string", "whose; of several, its name in fit.signals", unitless}},
       .summary = "Draws measurements and what the fitted model says in their place, with the band that its\n"
                  "parameters leave open, at the fit's confidence.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
                  "local v = m:param { \"v\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 5}, mass = 1 }\n"
                  "local data = { t = {0.2, 0.4, 0.6}, x = {0.81, 1.59, 2.42} }\n"
                  "local fit = m:fit { data = data, signals = { { \"x\", P.x } } }\n"
                  "fit:chart(os.tmpname())",
       .see_also = {"fit", "chart"},
       .function = guarded<chart>},
      {.name = "fit:correlation_chart",
       .signature = "fit:correlation_chart(file)",
       .arguments = {{"file", "string", "to be written, an SVG", unitless}},
       .summary = "Draws fit.correlation as a matrix with a coloured cell and its number for each pair of parameters;\n"
                  "a parameter without a standard error is grey, with the reason: fixed, at a bound, not told by the\n"
                  "data.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
                  "local x0 = m:param { \"x0\", 0, unit = \"m\" }\n"
                  "local v = m:param { \"v\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
                  "local P = m:point { \"P\", at = {x0, 0}, velocity = {v, 5}, mass = 1 }\n"
                  "local data = { t = {0.2, 0.4, 0.6}, x = {0.81, 1.59, 2.42} }\n"
                  "local fit = m:fit { data = data, signals = { { \"x\", P.x } } }\n"
                  "fit:correlation_chart(os.tmpname())",
       .see_also = {"fit"},
       .function = guarded<correlation_chart>},
  };
  return functions;
}

}  // namespace perilune::lua
