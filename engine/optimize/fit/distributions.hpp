// SPDX-License-Identifier: MIT
// The two distributions that the statistics of a fit ask for.
#pragma once

namespace perilune::optimize {

/// The probability that |T| > t for Student's t with that many degrees of freedom (positive, need not be whole).
double student_t_tail(double t, double degrees_of_freedom);

/// The t with P(|T| <= t) = confidence: the half width of a two-sided interval in standard errors. Confidence lies
/// strictly between 0 and 1; for a probability of 0.975 on one side give 0.95.
double student_t_half_width(double confidence, double degrees_of_freedom);

/// The probability that a chi-square variable with that many degrees of freedom (positive) exceeds x >= 0.
double chi_square_tail(double x, double degrees_of_freedom);

}  // namespace perilune::optimize
