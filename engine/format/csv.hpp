// SPDX-License-Identifier: MIT
// Tables as comma-separated values.
#pragma once
#include <iosfwd>
#include <string>

#include "format/table.hpp"

namespace perilune::format {

/// The text as one field, quoted where RFC 4180 asks for it.
std::string csv_field(const std::string& text);

/// Writes one header line of `name [unit]` fields, quoted where RFC 4180 asks for it, then one line per row. Every
/// number reads back to the same double; what is not finite is `nan`, `inf` or `-inf`. A failure of the stream is left
/// in the stream's state, for the caller who knows the file's name. Throws perilune::Error if column lengths differ.
void write_csv(const Table& table, std::ostream& out);

}  // namespace perilune::format
