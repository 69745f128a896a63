// SPDX-License-Identifier: MIT
// The viewer as it was bundled by the build.
#pragma once
#include <string_view>

namespace perilune::output {

/// An HTML page with the marks <!--TITLE-->, <!--REPORT--> and /*DATA*/; empty if the build had no Node.
std::string_view viewer_bundle();

}  // namespace perilune::output
