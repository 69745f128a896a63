// SPDX-License-Identifier: MIT
// seal_checks OUT.cpp FOLDER/ID/checks.lua...: writes the source of checks_of (lua/exercise/modules.hpp).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "exercise/seal.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  std::ofstream out(argv[1]);
  out << "// Generated from scripts/exercises: do not edit.\n#include <map>\n\n#include \"exercise/modules.hpp\"\n\n"
         "namespace perilune::lua {\n\nstd::string_view checks_of(std::string_view id) {\n"
         "  static const std::map<std::string_view, std::string_view> texts = {\n";
  for (int i = 2; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.empty()) {
      std::cerr << "seal_checks: cannot read " << path.string() << '\n';
      return EXIT_FAILURE;
    }
    out << "      {\"" << path.parent_path().filename().string() << "\", R\"SEAL(" << perilune::lua::sealed(text)
        << ")SEAL\"},\n";
  }
  out << "  };\n  const auto found = texts.find(id);\n"
         "  return found == texts.end() ? std::string_view() : found->second;\n}\n\n}  // namespace perilune::lua\n";
  out.close();
  return out ? EXIT_SUCCESS : EXIT_FAILURE;
}
