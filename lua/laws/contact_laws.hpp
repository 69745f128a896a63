// SPDX-License-Identifier: MIT
// Laws of normal force and friction as scripts hold them.
#pragma once
#include <optional>

#include "base/userdata.hpp"
#include "model/contact/contact.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// Its user value is the table of properties.
template <class Law>
struct LawHandle {
  ModelPtr model;  // of numbers that are expressions; nullptr if all are plain
  Law law;
  std::string text;                  // hertz { stiffness = 100000 }
  std::vector<model::Check> checks;  // that parameters may break
};

/// The number must be within the field's range, whatever the parameters become.
model::Check check_of(const Field& field, const expr::Symbol& number);

/// What a field holds, made by a constructor of laws; nothing if it was not given. Adds what whoever uses it requires.
template <class Law>
std::optional<Law> read_law(Args& args, lua_State* L, std::string_view field, std::vector<model::Check>& checks) {
  const int index = args.value(field);
  if (index == 0) return std::nullopt;
  const auto* handle = test_userdata<LawHandle<Law>>(L, index);
  if (!handle) args.fail_value(field, index);
  if (handle->model && handle->model != args.model()) {
    args.fail(std::string(field) + " uses parameters of another model (\"" + handle->model->engine->name() + "\")");
  }
  Law law = handle->law;
  checks.insert(checks.end(), handle->checks.begin(), handle->checks.end());
  lua_settop(L, index - 1);
  return law;
}

}  // namespace perilune::lua
