// SPDX-License-Identifier: MIT
// A model for every kind of law that the registry of elements has, in all its forms.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"

/// The elements of the law have its name in this model. All its numbers are parameters.
struct LawSpecimen {
  std::string law, title;
  std::shared_ptr<perilune::model::Model> model;
};

/// The specimens of a registered law; none if nobody wrote one.
std::vector<LawSpecimen> specimens_of(const std::string& law);
