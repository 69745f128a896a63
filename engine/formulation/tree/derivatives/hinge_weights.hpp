// SPDX-License-Identifier: MIT
// The constraints of a hinge as what weighs data in them: places and axes that parameters move.
//
// With the links' motions varied freely, L of HingedAdjoint less  lambda . Phi_q mu + nu . Phi'' + tau . Phi' +
// sigma . Phi  of a hinge's constraints does not change. By the link's accelerations, rates and position, where the
// joint's angle stays, these are three times six equations with one matrix for nu, tau and sigma; by its virtual
// motion they give lambda.
#pragma once
#include <vector>

#include "formulation/tree/derivatives/element_slopes.hpp"
#include "formulation/tree/derivatives/link_adjoint.hpp"
#include "formulation/tree/joint_tree.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::formulation {

class HingeWeights {
 public:
  /// Whether a datum of the link's joint is one to differentiate by, beside those of HingePlaces.
  static bool are_wanted(const std::vector<system::Elements>& elements, const Link& link);
  /// `number`: of the link.
  HingeWeights(const system::System& system, const std::vector<system::Elements>& elements, const Link& link,
               std::size_t number);

  std::size_t link() const { return number_; }
  /// Adds to the adjoints of the data. s, own: of the link, with what hangs on it; mu (n).
  void add(const HingedState& s, const LinkAdjoint& own, const double* mu, const Node& x, const system::Data& data,
           double* of_data);

 private:
  using Vector = Eigen::Matrix<double, 6, 1>;
  using Matrix = Eigen::Matrix<double, 6, 6>;
  struct Row {
    std::size_t element;
    int row;
  };
  /// A row of Phi_q or of a derivative of it by the coordinates of the link: adds `weight` times it to seven numbers.
  void gather(const double* row, const ElementSlopes& of, double weight, double* out) const;

  int body_;
  std::size_t number_;
  std::vector<ElementSlopes> elements_;
  std::vector<Row> rows_;  // six
  std::vector<double> lambda_;
};

}  // namespace perilune::formulation
