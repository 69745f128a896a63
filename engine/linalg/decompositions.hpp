// SPDX-License-Identifier: MIT
// Eigen's decompositions of matrices of any size, which are compiled once, in decompositions.cpp: a file that makes
// them of their templates anew takes up to ten times as long to compile. Engine and binding include this header in
// place of Eigen's own.
#pragma once
#include <Eigen/Dense>

namespace Eigen {

// Members that are templates of their argument are no part of the class that is declared here, and stand alone.
extern template class JacobiSVD<MatrixXd>;
extern template class HouseholderQR<MatrixXd>;
extern template class ColPivHouseholderQR<MatrixXd>;
extern template class CompleteOrthogonalDecomposition<MatrixXd>;
extern template class PartialPivLU<MatrixXd>;
extern template class FullPivLU<MatrixXd>;
extern template class LDLT<MatrixXd>;
extern template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template class LLT<MatrixXd>;
extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template class SelfAdjointEigenSolver<MatrixXd>;
extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&,
                                                                                            int);
extern template class RealSchur<MatrixXd>;
extern template RealSchur<MatrixXd>& RealSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
extern template class EigenSolver<MatrixXd>;
extern template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
extern template class ComplexSchur<MatrixXd>;
extern template ComplexSchur<MatrixXd>& ComplexSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
extern template class ComplexSchur<MatrixXcd>;
extern template ComplexSchur<MatrixXcd>& ComplexSchur<MatrixXcd>::compute(const EigenBase<MatrixXcd>&, bool);

}  // namespace Eigen
