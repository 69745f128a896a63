// SPDX-License-Identifier: MIT
// Numbers for GNU Octave and MATLAB: files of level 5 ("MAT-File Format", The MathWorks, chapter 1), not compressed,
// which `load` reads in both and Octave writes with `save -v6`.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "format/table.hpp"

namespace perilune::format {

struct MatVariable {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // rows x columns, column after column; units of UTF-16 if it is text
  bool is_text = false;
};

/// The names must be identifiers that are different; see mat_names. A failure of the stream is left in its state.
void write_mat(const std::vector<MatVariable>& variables, std::ostream& out);
/// Each column as a variable, a column vector. Throws Error where two names become the same.
std::vector<MatVariable> mat_variables(const Table& table);
/// A name with what no identifier of Octave can have replaced: "P.x" becomes P_x. At most 63 characters.
std::string mat_name(std::string_view name);

/// Real matrices of any numeric type, booleans and text. Throws Error that says what else was found, or that the bytes
/// are no such file.
std::vector<MatVariable> read_mat(std::string_view bytes);

}  // namespace perilune::format
