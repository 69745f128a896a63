// SPDX-License-Identifier: MIT
#include "studies/combination.hpp"

#include <algorithm>
#include <cmath>

#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "fingerprint.hpp"
#include "format/text.hpp"
#include "ranks/each.hpp"

namespace perilune::lua {

namespace {

Eigen::VectorXd weights_of(const std::vector<NamedRun>& experiments) {
  Eigen::VectorXd w(static_cast<Eigen::Index>(experiments.size()));
  for (std::size_t e = 0; e < experiments.size(); ++e) w[static_cast<Eigen::Index>(e)] = experiments[e].weight;
  return w;
}

}  // namespace

double Combination::value(const std::vector<NamedRun>& experiments, const Eigen::VectorXd& costs,
                          const Eigen::MatrixXd& slopes, Eigen::VectorXd& slope) const {
  Eigen::VectorXd w = weights_of(experiments);
  if (how == How::Worst) {
    Eigen::Index worst = 0;
    const double most = w.cwiseProduct(costs).maxCoeff(&worst);
    slope = w[worst] * slopes.row(worst).transpose();
    return most;
  }
  if (how != How::Sum) w /= w.sum();
  slope = slopes.transpose() * w;
  const double sum = w.dot(costs);
  if (how != How::MeanAndDeviation) return sum;
  const Eigen::VectorXd gaps = costs.array() - sum;
  const double deviation = std::sqrt(w.dot(gaps.cwiseAbs2()));
  // The slope of the mean does not matter here, as the weighted gaps add to zero.
  if (deviation > 0) slope += deviations / deviation * (slopes.transpose() * w.cwiseProduct(gaps));
  return sum + deviations * deviation;
}

std::vector<Field> combination_fields() {
  return {
      experiments_field(),
      {.name = "combine",
       .type = Type::String,
       .text = "the costs of the experiments: \"sum\" or \"mean\" with their weights, \"worst\" (the largest weight\n"
               "times cost), or \"mean_and_deviation\"",
       .fallback = "sum"},
      {.name = "deviations",
       .type = Type::PlainNumber,
       .text = "how many standard deviations \"mean_and_deviation\" adds to the mean, or tolerances to the cost",
       .unit = unitless,
       .fallback = "3",
       .range = Range::NonNegative}};
}

Combination read_combination(Args& args, const std::vector<NamedRun>& experiments, bool has_tolerances) {
  using How = Combination::How;
  static const std::vector<std::string> words = {"sum", "mean", "worst", "mean_and_deviation"};
  const bool has_word = args.given("combine"), has_factor = args.given("deviations");
  const std::string word = args.text("combine");
  Combination out;
  out.deviations = args.plain_number("deviations");
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    args.fail("combine must be one of \"sum\", \"mean\", \"worst\", \"mean_and_deviation\", got \"" + word + "\"" +
              did_you_mean(closest(word, words)));
  }
  constexpr How hows[] = {How::Sum, How::Mean, How::Worst, How::MeanAndDeviation};
  out.how = hows[found - words.begin()];
  if (has_factor && !has_tolerances && out.how != How::MeanAndDeviation) {
    args.fail("deviations belongs to combine = \"mean_and_deviation\", or to tolerances");
  }
  if (has_word && experiments[0].name.empty()) args.fail("combine needs the experiments that it combines");
  if (out.how == How::MeanAndDeviation && experiments.size() < 2) {
    args.fail("a standard deviation needs at least two experiments");
  }
  return out;
}

std::vector<double> costs_of(const std::vector<NamedRun>& experiments, const std::vector<double>& rho) {
  const auto title = [&] {
    return "the costs of " + std::to_string(experiments.size()) + " experiments (" + Fingerprint().add(rho).text() +
           ")";
  };
  return ranks::compute_each<double>(title, experiments.size(),
                                     [&](std::size_t e) { return values_of(experiments[e], rho).values[0]; });
}

void set_costs(lua_State* L, const std::string& objective, const std::vector<NamedRun>& experiments,
               const std::vector<double>& costs, const Eigen::VectorXd& multipliers) {
  constexpr std::size_t most_rows = 30;
  const bool is_worst = multipliers.size() > 0;
  TextRows rows{{"experiment", objective, "weight"}};
  if (is_worst) rows[0].emplace_back("multiplier");
  lua_newtable(L);
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    lua_newtable(L);
    set_number(L, "cost", costs[e]);
    set_number(L, "weight", experiments[e].weight);
    rows.push_back(
        {experiments[e].name, format::significant(costs[e], 6), format::significant(experiments[e].weight, 4)});
    if (is_worst) {
      const double multiplier = multipliers[static_cast<Eigen::Index>(e)];
      set_number(L, "multiplier", multiplier);
      lua_pushboolean(L, multiplier != 0);
      lua_setfield(L, -2, "active");
      rows.back().push_back(multiplier == 0 ? "0" : format::significant(multiplier, 4));
    }
    lua_setfield(L, -2, experiments[e].name.c_str());
  }
  refuse_other_names(L);
  std::string text = is_worst ? "the worst of the experiments, and what each has to say in it:" : "by experiment:";
  if (rows.size() > most_rows + 1) {
    const std::size_t left = rows.size() - most_rows - 1;
    rows.resize(most_rows + 1);
    text += aligned(rows) + "\n  and " + std::to_string(left) + " more";
  } else {
    text += aligned(rows);
  }
  lua_setfield(L, -2, "experiments");
  set_text(L, "by_experiment", text);
}

}  // namespace perilune::lua
