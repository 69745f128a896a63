// SPDX-License-Identifier: MIT
#include "linalg/decompositions.hpp"

namespace Eigen {

template class JacobiSVD<MatrixXd>;
template class HouseholderQR<MatrixXd>;
template class ColPivHouseholderQR<MatrixXd>;
template class CompleteOrthogonalDecomposition<MatrixXd>;
template class PartialPivLU<MatrixXd>;
template class FullPivLU<MatrixXd>;
template class LDLT<MatrixXd>;
template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template class LLT<MatrixXd>;
template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template class SelfAdjointEigenSolver<MatrixXd>;
template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, int);
template class RealSchur<MatrixXd>;
template RealSchur<MatrixXd>& RealSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
template class EigenSolver<MatrixXd>;
template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
template class ComplexSchur<MatrixXd>;
template ComplexSchur<MatrixXd>& ComplexSchur<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);
template class ComplexSchur<MatrixXcd>;
template ComplexSchur<MatrixXcd>& ComplexSchur<MatrixXcd>::compute(const EigenBase<MatrixXcd>&, bool);

}  // namespace Eigen
