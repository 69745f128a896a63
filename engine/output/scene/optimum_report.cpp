// SPDX-License-Identifier: MIT
#include "output/scene/optimum_report.hpp"

#include <algorithm>
#include <cmath>

#include "format/text.hpp"

namespace perilune::output {

using namespace format;

namespace {

constexpr int kDigits = 7, kDigitsOfLimits = 6;

std::string number_cell(double value, const std::string& mark = {}, int digits = kDigits) {
  const std::string text = significant(value, digits);
  return "<td title=\"" + shortest(value + 0.0) + "\">" + (mark.empty() ? text : "<mark>" + text + "</mark> " + mark) +
         "</td>";
}

std::string text_cell(const std::string& text) { return "<td class=\"text\">" + xml_text(text) + "</td>"; }
std::string name_cell(const std::string& name) { return "<tr><th scope=\"row\">" + xml_text(name) + "</th>"; }

std::string heading(const std::vector<std::pair<const char*, bool>>& columns) {
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const auto& [text, is_text] : columns) {
    out += std::string(is_text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">") + text + "</th>";
  }
  return out + "</tr></thead>\n<tbody>\n";
}

/// "0 … 20", "≥ 0", "≤ 20", "= 20" or nothing.
std::string allowed(double lower, double upper, int digits = kDigits) {
  const std::string low = significant(lower, digits), high = significant(upper, digits);
  if (lower == upper) return "= " + low;
  if (std::isfinite(lower) && std::isfinite(upper)) return low + " … " + high;
  return std::isfinite(lower) ? "≥ " + low : std::isfinite(upper) ? "≤ " + high : "";
}

/// Where searches end that only come near to a bound, it shows the same digits.
std::string at_bound(double x, const OptimumReport::Parameter& p) {
  if (p.lower == p.upper) return "";
  const double room = p.upper - p.lower;
  const auto is_at = [&](double bound) {
    return std::isfinite(bound) && std::abs(x - bound) <= 1e-8 * (std::isfinite(room) ? room : std::abs(bound));
  };
  return is_at(p.lower) ? "min" : is_at(p.upper) ? "max" : "";
}

std::string parameter_table(const OptimumReport& report) {
  const bool has_units =
      std::any_of(report.parameters.begin(), report.parameters.end(), [](const auto& p) { return !p.unit.empty(); });
  std::vector<std::pair<const char*, bool>> columns{{"", false}, {"before", false}, {"after", false}};
  if (has_units) columns.emplace_back("unit", true);
  columns.emplace_back("bounds", true);
  std::string out = heading(columns) + "<tr class=\"cost\"><th scope=\"row\">" + xml_text(report.objective) + "</th>";
  out += number_cell(report.before) + number_cell(report.after) + (has_units ? "<td></td><td></td>" : "<td></td>") +
         "</tr>\n";
  for (const OptimumReport::Parameter& p : report.parameters) {
    out += name_cell(p.name) + number_cell(p.before, at_bound(p.before, p)) +
           number_cell(p.after, at_bound(p.after, p)) + (has_units ? text_cell(p.unit) : "") +
           text_cell(p.lower == p.upper ? "fixed" : allowed(p.lower, p.upper)) + "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string limit_table(const std::vector<OptimumReport::Limit>& limits) {
  bool has_before = false, has_multipliers = false;
  for (const OptimumReport::Limit& limit : limits) {
    has_before |= limit.before.has_value();
    has_multipliers |= limit.multiplier.has_value();
  }
  std::vector<std::pair<const char*, bool>> columns{{"limit", false}};
  if (has_before) columns.emplace_back("before", false);
  columns.emplace_back("after", false);
  columns.emplace_back("allowed", true);
  if (has_multipliers) columns.emplace_back("multiplier", false);
  std::string out = heading(columns);
  for (const OptimumReport::Limit& limit : limits) {
    std::string row = name_cell(limit.unit.empty() ? limit.name : limit.name + " [" + limit.unit + "]");
    if (!limit.holds) row.insert(3, " class=\"broken\"");
    if (has_before) row += limit.before ? number_cell(*limit.before, {}, kDigitsOfLimits) : "<td></td>";
    row += number_cell(limit.after, !limit.holds ? "broken" : limit.is_active ? "active" : "", kDigitsOfLimits);
    row += text_cell(allowed(limit.lower, limit.upper, kDigitsOfLimits));
    if (has_multipliers) row += limit.multiplier ? number_cell(*limit.multiplier, {}, 4) : "<td></td>";
    out += row + "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string paragraph(const std::string& text, const char* opening = "<p>") {
  return opening + xml_text(text) + "</p>\n";
}

}  // namespace

std::string html_report(const OptimumReport& report) {
  constexpr const char* trouble = "<p class=\"trouble\">";
  std::string out = "<section id=\"report\">\n<h2>Before and after</h2>\n";
  for (const std::string& text : report.troubles) out += paragraph(text, trouble);
  const bool is_broken =
      std::any_of(report.limits.begin(), report.limits.end(), [](const auto& limit) { return !limit.holds; });
  out += parameter_table(report) + paragraph(report.reason, is_broken ? trouble : "<p>");
  for (const std::string& note : report.notes) out += paragraph(note);
  if (!report.limits.empty()) out += "<h2>Limits</h2>\n" + limit_table(report.limits);
  for (const std::string& table : report.tables) out += "<pre>" + xml_text(table) + "</pre>\n";
  if (!report.convergence.empty()) out += "<h2>Convergence</h2>\n" + report.convergence;
  return out + "</section>\n";
}

}  // namespace perilune::output
