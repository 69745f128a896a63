// SPDX-License-Identifier: MIT
// What m:pareto returns: points that are better than each other in one of two costs, as a list that prints and draws.
#pragma once
#include <Eigen/Core>
#include <lua.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schema/schema.hpp"

namespace perilune::lua {

struct Front {
  struct Quantity {
    std::string name, unit;
  };
  struct Point {
    double costs[2];
    Eigen::VectorXd x;
    std::optional<double> price;  // of the second cost in units of the first; none where the second is at its best
    std::string reason;
    int evaluations;
  };
  std::string model;
  Quantity costs[2];
  bool maximizes[2] = {false, false};
  std::vector<Quantity> parameters;
  std::vector<Point> points;          // in the order of the first cost, from its best on
  std::vector<std::string> failures;  // sentences
  int dominated = 0;                  // points that were left out, as others are no worse in either cost
};

/// Pushes the list.
void push_front(lua_State* L, Front front);

/// The method chart, for the schema.
Function front_chart_method();

}  // namespace perilune::lua
