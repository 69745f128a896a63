// SPDX-License-Identifier: MIT
// What a generated script has declared so far, and tables for the constructors of the schema that fit it.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "random.hpp"
#include "schema/schema.hpp"

namespace perilune::fuzz {

struct Scene {
  Random& random;
  bool spatial;
  double hostility;  // the probability that a value is replaced by one that was not meant
  std::map<std::string, std::vector<std::string>, std::less<>> variables = {};  // of Lua, by kind: "place", "joint"
  std::map<std::string, const lua::Constructor*> made_by = {};                  // each variable
  int count = 0;

  int dimension() const { return spatial ? 3 : 2; }
  /// A variable of the kind, or the alternative where there is none.
  std::string any(std::string_view kind, const std::string& otherwise);
  /// A new variable of these kinds.
  std::string declare(const lua::Constructor& entry, const std::vector<std::string>& kinds);
};

/// "mbs.radau { order = 3 }": a call of one of the module's constructors that return this.
std::string made(Scene& scene, std::string_view returns);
/// "{ "s1", A, P, stiffness = 100 }" for the constructor. `name` is left out where it is empty.
std::string table_for(Scene& scene, const lua::Constructor& entry, const std::string& name);
/// A signal such as "P1.vx", of something that was declared.
std::string signal(Scene& scene);
/// An expression of signals, numbers and parameters; `s` stands for the state in laws.
std::string expression(Scene& scene, int depth, bool in_law);

}  // namespace perilune::fuzz
