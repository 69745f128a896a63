// SPDX-License-Identifier: MIT
// How a search within bounds ended, as a sentence with its numbers.
#pragma once
#include <string>

#include "optimize/scaled_objective.hpp"

namespace perilune::optimize {

/// Gradients are infinity norms of projected ones in scaled variables.
struct Ending {
  Reason reason;
  int iterations, evaluations, max_evaluations;
  double best_gradient;              ///< of the best point
  double last_gradient, last_value;  ///< of the point where the search was when it ended
  double projected_gradient;         ///< the tolerance
  double relative_decrease;          ///< the tolerance, or the noise of the objective if that is more
  double promised = 0;               ///< decrease that the step which failed promised
  double rounding = 0;               ///< of the objective where no step decreased it; 0: it was not asked for
  double travelled = 0;              ///< from the start to the best point, in scaled variables
  int failures = 0;                  ///< evaluations that failed
  int products = 0;                  ///< Hessian products, of methods that take them
  bool takes_products = false;
  bool maximizes = false;  ///< as of Problem; of last_value the sign
};

/// Of a search that has come to `current`: what both methods within bounds have in common.
Ending ending_of(const ScaledObjective& objective, const Result& result, const Point& current,
                 double projected_gradient, double relative_decrease, int max_evaluations);

/// Throws Error for tolerances and a limit that make no sense.
void check_tolerances(double projected_gradient, double relative_decrease, int max_evaluations);

/// "Converged after 3 iterations and 5 evaluations: ..."
std::string sentence_of(const Ending& ending);

}  // namespace perilune::optimize
