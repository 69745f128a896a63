// SPDX-License-Identifier: MIT
#include "formulation/remedy.hpp"

#include <vector>

namespace perilune::formulation {

namespace {

struct Offer {
  Formulation formulation;
  const char* text;
};

// Each list in the order in which its entries are recommended.
const std::vector<Offer>& offers(Trouble trouble, bool is_explicit) {
  static const std::vector<Offer> all{
      {Maggi{}, "mbs.maggi {}"}, {AugmentedLagrangian{}, "mbs.augmented_lagrangian {}"}, {Penalty{}, "mbs.penalty {}"}};
  // Explicit methods step over such a position in independent coordinates, implicit ones by fulfilling the constraints
  // themselves at the end of every step. Each list ends with what the other kind of integrator can do.
  static const std::vector<Offer> explicit_passage{
      {Maggi{}, "mbs.maggi {}"}, {AugmentedLagrangian{3}, "mbs.augmented_lagrangian { index = 3 } with mbs.radau {}"}};
  static const std::vector<Offer> implicit_passage{{AugmentedLagrangian{3}, "mbs.augmented_lagrangian { index = 3 }"},
                                                   {Maggi{}, "mbs.maggi {} with mbs.dormand_prince {}"}};
  if (trouble != Trouble::SingularPassage) return all;
  return is_explicit ? explicit_passage : implicit_passage;
}

bool copes(const Formulation& formulation, Trouble trouble) {
  if (trouble == Trouble::Redundancy) return properties(formulation).allows_redundancy();
  return trouble == Trouble::SingularPassage || properties(formulation).is_regularized;
}

bool is_of_one_kind(const Formulation& a, const Formulation& b) {
  const bool are_reduced = properties(a).has_independent_coordinates() && properties(b).has_independent_coordinates();
  return are_reduced || name_of(a) == name_of(b);
}

}  // namespace

std::string use_instead(const Formulation& in_use, Trouble trouble, bool is_explicit) {
  std::vector<std::string> texts;
  for (const Offer& each : offers(trouble, is_explicit)) {
    if (copes(each.formulation, trouble) && !is_of_one_kind(each.formulation, in_use) && texts.size() < 2)
      texts.emplace_back(each.text);
  }
  std::string text = "use ";
  for (std::size_t k = 0; k < texts.size(); ++k) text += (k == 0 ? "" : " or ") + texts[k];
  return text + " instead";
}

}  // namespace perilune::formulation
