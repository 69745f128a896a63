// SPDX-License-Identifier: MIT
// The step of a trust-region method within bounds: the least of a quadratic model in a box.
#pragma once
#include <Eigen/Core>

#include "optimize/newton/curvature.hpp"

namespace perilune::optimize {

struct BoxStep {
  Eigen::VectorXd step;  ///< (n), in the box
  double promised = 0;   ///< by how much the model decreases; positive, unless the gradient leaves no way
};

/// Decreases gradient' s + s' H s / 2 within lower <= s <= upper (n each, around zero): first to the Cauchy point
/// along the projected gradient, then by conjugate gradients of the variables that are off their limits there, as far
/// as the box allows and to where they leave `tolerance` of the gradient. Along negative curvature to the edge of the
/// box. What arrives at a limit stays there, until the model falls from it where they end: then once more. (A. R. Conn,
/// N. I. M. Gould and Ph. L. Toint, SIAM J. Numer. Anal. 25, 1988, for the box; C.-J. Lin and J. J. More, SIAM J.
/// Optim. 9, 1999, for the faces; T. Steihaug 1983, Ph. L. Toint 1981 for the conjugate gradients.)
BoxStep box_step(Curvature& curvature, const Eigen::VectorXd& gradient, const Eigen::VectorXd& lower,
                 const Eigen::VectorXd& upper, double tolerance);

}  // namespace perilune::optimize
