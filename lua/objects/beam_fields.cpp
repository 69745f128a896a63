// SPDX-License-Identifier: MIT
#include "objects/beam_fields.hpp"

#include <tuple>

#include "base/suggest.hpp"

namespace perilune::lua {

model::CableAxial read_axial_form(Args& args) {
  using model::CableAxial;
  static const std::vector<std::string> words = {"chord", "green", "printed"};
  constexpr CableAxial forms[] = {CableAxial::Chord, CableAxial::Green, CableAxial::Printed};
  const std::string word = args.text("axial");
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    args.fail("axial must be \"chord\", \"green\" or \"printed\", got \"" + word + "\"" +
              did_you_mean(closest(word, words)));
  }
  return forms[found - words.begin()];
}

model::Section read_beam_section(Args& args) {
  std::optional<model::Section> section = args.section("section");
  const std::optional<expr::Symbol> area = args.optional_number("area"), second = args.optional_number("second_moment");
  if (section && (area || second)) args.fail("give either a section, or area and second_moment");
  if (!section && !(area && second)) {
    const char* missing = area ? "second_moment is missing: give it" : second ? "area is missing: give it" : "";
    args.fail(std::string(*missing ? missing : "the section is missing: give area and second_moment") +
              ", or a section such as mbs.round_section { diameter = 0.02 } in place of both");
  }
  return section ? *section : model::Section{*area, *second, std::nullopt, std::nullopt};
}

model::Material read_beam_material(Args& args) {
  const std::optional<model::Material> given = args.material("material");
  const std::optional<expr::Symbol> young = args.optional_number("young"), density = args.optional_number("density"),
                                    poisson = args.optional_number("poisson"),
                                    damping = args.optional_number("damping");
  if (given && (young || density)) {
    args.fail(std::string(young ? "young" : "density") + " is given twice: as a field and by the material");
  }
  if (!given && !(young && density)) {
    const char* missing = young ? "density is missing: give it" : density ? "young is missing: give it" : "";
    args.fail(std::string(*missing ? missing : "the material is missing: give young and density") +
              ", or a material such as mbs.material { young = 2.1e11, density = 7850 } in place of both");
  }
  model::Material material = given ? *given : model::Material{*young, *density, std::nullopt, std::nullopt};
  if (poisson || !material.poisson) material.poisson = poisson ? *poisson : expr::Symbol(0.3);
  if (damping || !material.damping) material.damping = damping ? *damping : expr::Symbol(0.0);
  return material;
}

bool read_whether_shear(Args& args) {
  static const std::vector<std::string> words = {"slender", "shear"};
  const std::string kind = args.text("kind");
  if (std::find(words.begin(), words.end(), kind) == words.end()) {
    args.fail("kind must be \"slender\" or \"shear\", got \"" + kind + "\"" + did_you_mean(closest(kind, words)));
  }
  for (const char* field :
       {"poisson", "second_moment_across", "torsion_constant", "torsion_modulus", "shear_factor", "up"}) {
    if (args.given(field) && kind == "slender") {
      args.fail(std::string(field) +
                " is for beams with kind = \"shear\"; slender ones have neither shear nor torsion");
    }
  }
  if (args.given("axial") && kind == "shear") {
    args.fail("axial is for slender beams; with kind = \"shear\" the strain is that of the line");
  }
  return kind == "shear";
}

void complete_beam_section(Args& args, model::ShearBeamShape& shape) {
  model::Section& section = shape.section;
  const std::optional<expr::Symbol> across = args.optional_number("second_moment_across"),
                                    torsion = args.optional_number("torsion_constant"),
                                    modulus = args.optional_number("torsion_modulus"),
                                    factor = args.optional_number("shear_factor");
  const bool is_planar = args.engine().dimension() == 2;
  if (is_planar && (across || torsion || modulus)) {
    args.fail(std::string(across    ? "second_moment_across"
                          : torsion ? "torsion_constant"
                                    : "torsion_modulus") +
              " has no use in the plane");
  }
  for (const auto& [given, known, name] : {std::tuple{&across, section.across.has_value(), "second_moment_across"},
                                           {&torsion, section.torsion_constant.has_value(), "torsion_constant"},
                                           {&modulus, section.torsion_modulus.has_value(), "torsion_modulus"}}) {
    if (*given && known) args.fail(std::string(name) + " is given twice: as a field and by the section");
  }
  if (across) section.across = across;
  if (torsion) section.torsion_constant = torsion;
  if (modulus) section.torsion_modulus = modulus;
  if (!is_planar && !section.torsion_constant) {
    args.fail("torsion_constant is missing: give it, or a section such as mbs.round_section { diameter = 0.02 }");
  }
  if (!is_planar && section.across && !shape.up) {
    args.fail(
        "up is missing: the section bends unlike about its axes; give the direction of its height as declared, "
        "up = {0, 0, 1}");
  }
  if (factor) {
    shape.shear_factor = *factor;
  } else if (!section.shear.empty()) {
    const model::Vector& c = section.shear;
    shape.shear_factor = c[0] * (1.0 + shape.poisson) / (c[1] + c[2] * shape.poisson);
  } else {
    shape.shear_factor = 5.0 / 6;
  }
}

}  // namespace perilune::lua
