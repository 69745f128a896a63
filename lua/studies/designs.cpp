// SPDX-License-Identifier: MIT
// Designs of experiments as objects of scripts.
#include <cmath>

#include "base/guard.hpp"
#include "error.hpp"
#include "runs/specs.hpp"
#include "studies/sweep.hpp"

namespace perilune::lua {

namespace {

using optimize::Design;

constexpr lua_Integer most_points = 10'000'000;

/// Calls read(index, label) for each item of the constructor's list. The field is the positional one.
template <class Read>
void for_items(Args& args, lua_State* L, std::string_view field, Read&& read) {
  args.value(field);
  constexpr int table = 1;
  for (lua_Integer item = 1; lua_rawgeti(L, table, item) != LUA_TNIL; ++item) {
    read(lua_gettop(L), std::string(field) + "[" + std::to_string(item) + "]");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

std::vector<double> numbers_at(const Args& args, lua_State* L, int index, const std::string& label) {
  std::vector<double> numbers;
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    if (lua_type(L, -1) != LUA_TNUMBER || !std::isfinite(lua_tonumber(L, -1))) {
      args.fail(label + "[" + std::to_string(i) + "] must be a finite number, got " + described_value(L, -1));
    }
    numbers.push_back(lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (numbers.empty()) args.fail(label + " must be a list of numbers, got an empty one");
  return numbers;
}

std::string list_text(const std::vector<double>& numbers) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < numbers.size() && k < most; ++k) text += (k > 0 ? ", " : "") + number_text(numbers[k]);
  return "{" + text + (numbers.size() > most ? ", ..." : "") + "}";
}

int grid(lua_State* L) {
  Args args(L);
  optimize::Grid value;
  std::string items;
  for_items(args, L, "levels", [&](int index, const std::string& label) {
    optimize::Grid::Levels levels;
    if (lua_istable(L, index)) {
      levels.values = numbers_at(args, L, index, label);
    } else {
      const double count = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
      if (!(count >= 1 && count <= most_points) || count != std::floor(count)) {
        args.fail(label + " must be a number of levels (1, 2, ...) or a list of numbers, got " +
                  described_value(L, index));
      }
      levels.count = static_cast<int>(count);
    }
    items +=
        (items.empty() ? "" : ", ") + (levels.values.empty() ? std::to_string(levels.count) : list_text(levels.values));
    value.levels.push_back(std::move(levels));
  });
  return push_spec(L, args, "design", Design(std::move(value)), items);
}

int list(lua_State* L) {
  Args args(L);
  optimize::PointList value;
  for_items(args, L, "point", [&](int index, const std::string& label) {
    if (!lua_istable(L, index)) {
      args.fail(label + " must be a list of numbers, one for each parameter, got " + described_value(L, index));
    }
    value.points.push_back(numbers_at(args, L, index, label));
  });
  const std::string more = value.points.size() > 1 ? ", ..." : "";
  const std::string items = list_text(value.points.front()) + more;
  return push_spec(L, args, "design", Design(std::move(value)), items);
}

template <class Sampling>
int sampling(lua_State* L) {
  Args args(L);
  const int points = args.integer("points");
  const std::uint64_t seed = args.seed("seed");
  if (points > most_points) args.fail("points must be at most 10 million, got " + std::to_string(points));
  return push_spec(L, args, "design", Design(Sampling{points, seed}));
}

const std::vector<Field>& sampling_fields() {
  static const std::vector<Field> fields = {
      Field{"points", Type::Integer, "how many", unitless, "", Range::Positive, true},
      Field{"seed", Type::Integer, "another one gives other points", unitless, "1", Range::NonNegative}};
  return fields;
}

}  // namespace

std::span<const Constructor> design_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.grid",
       .object = "grid",
       .returns = "design",
       .summary =
           "Every combination of levels of the parameters, the last one changing fastest: for each parameter of\n"
           "over, in its order, the number of equally spaced levels from min to max, or a list of values.",
       .positional = {{.name = "levels",
                       .type = Type::Levels,
                       .text = "one item for each parameter",
                       .unit = "theirs",
                       .required = true}},
       .repeats = true,
       .example = sweep_example(),
       .see_also = {"sweep", "list", "latin_hypercube"},
       .function = guarded<grid>},
      {.name = "mbs.list",
       .object = "list",
       .returns = "design",
       .summary = "These points: each a list of values, one for each parameter of over.",
       .positional =
           {{.name = "point", .type = Type::Numbers, .text = "one or more", .unit = "theirs", .required = true}},
       .repeats = true,
       .example = sweep_example(),
       .see_also = {"sweep", "grid"},
       .function = guarded<list>},
      {.name = "mbs.random",
       .object = "random",
       .returns = "design",
       .summary = "Points at random, uniformly between min and max of each parameter; the same for the same seed, on\n"
                  "every machine.",
       .fields = sampling_fields(),
       .example = sweep_example(),
       .see_also = {"sweep", "latin_hypercube"},
       .function = guarded<sampling<optimize::Random>>},
      {.name = "mbs.latin_hypercube",
       .object = "latin_hypercube",
       .returns = "design",
       .summary =
           "As many points as each parameter's range, from min to max, has strata: every stratum of every\n"
           "parameter has exactly one point, at random within it (McKay, Beckman and Conover 1979). The same for\n"
           "the same seed, on every machine.",
       .fields = sampling_fields(),
       .example = sweep_example(),
       .see_also = {"sweep", "random", "optimize"},
       .function = guarded<sampling<optimize::LatinHypercube>>},
  };
  return constructors;
}

}  // namespace perilune::lua
