// SPDX-License-Identifier: MIT
// Numbers from comma-separated values, as loggers, spreadsheets and write_csv make them.
#pragma once
#include <string_view>

#include "format/table.hpp"

namespace perilune::format {

/// A header line of names, each with its unit in brackets if it has one, then a line of numbers per row, separated by
/// commas, semicolons or tabs: by whichever the header has first. The header may also be the last line that begins with
/// # before the numbers; other such lines are passed over, as empty ones are. Fields may be quoted (RFC 4180); an empty
/// cell is NaN. Throws Error that names line and column of what is no number, of a row of another length, and of names
/// that are missing or taken.
Table read_csv(std::string_view bytes);

}  // namespace perilune::format
