// How the constraints enter the equations of motion: acceleration Phi'' + rate Phi' + position Phi = compliance lambda.
#pragma once

namespace perilune::system {

struct ConstraintLaw {
  double acceleration = 1, rate = 0, position = 0, compliance = 0;
};

}  // namespace perilune::system
