// SPDX-License-Identifier: MIT
// What an optimization did, as tables beside the mechanism before and after it.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace perilune::output {

struct OptimumReport {
  struct Parameter {
    std::string name, unit;
    double before, after, lower, upper;  // bounds may be infinite
  };
  struct Limit {
    std::string name, unit;
    std::optional<double> before;  // unknown where it belongs to a run that was not made
    double after, lower, upper;    // limits may be infinite
    bool holds;                    // within the tolerance of the search
    std::optional<double> multiplier;
    bool is_active;
  };
  std::string objective;
  double before, after;
  std::string reason;
  std::vector<Parameter> parameters;
  std::vector<Limit> limits;
  std::vector<std::string> notes;     // sentences
  std::vector<std::string> troubles;  // sentences that must not be missed
  std::vector<std::string> tables;    // as text with aligned columns
  std::string convergence;            // an SVG; empty: none
};

/// HTML of one section, complete but for its style. All texts but the picture are escaped. Numbers are rounded for the
/// eye; each has all its digits as its title.
std::string html_report(const OptimumReport& report);

}  // namespace perilune::output
