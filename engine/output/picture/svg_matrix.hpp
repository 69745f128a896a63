// SPDX-License-Identifier: MIT
// Pictures of matrices of correlation as scalable vector graphics.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace perilune::output {

struct CorrelationPicture {
  std::string title;
  /// Of rows and columns.
  std::vector<std::string> names;
  /// Why a row and its column have no correlations ("fixed"), in the order of the names; empty where they have.
  std::vector<std::string> unknown;
  /// As many rows and columns as names, from -1 to 1. What is not finite is drawn as unknown.
  Eigen::MatrixXd values;
};

/// A complete SVG document: a cell for each pair, from blue (-1) over white (0) to orange (1), with its number in it.
/// Throws perilune::Error where sizes differ.
std::string svg_correlation(const CorrelationPicture& picture);

/// The number of a cell: two decimals, and more where these would call a correlation 1 or -1 that is not.
std::string correlation_number(double value);

}  // namespace perilune::output
