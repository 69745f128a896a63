// SPDX-License-Identifier: MIT
#include "analysis/regulator/lqr.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "error.hpp"

namespace perilune::analysis {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Complex = std::complex<double>;

/// Eigenvalues of a defective matrix are known to its rounding's root, and what is decided by them no better.
constexpr double rank_tolerance = 1e-8;
constexpr double residual_limit = 1e-8;

std::string text_of_eigenvalue(Complex s) {
  char text[64];
  std::snprintf(text, sizeof text, s.imag() == 0 ? "%.4g 1/s" : "%.4g + %.4gi 1/s", s.real(), std::abs(s.imag()));
  return text;
}

/// Whether a vector x with A x = s x and C x = 0 exists, where C is to have the size of A.
bool is_unseen(const MatrixXd& A, const MatrixXd& C, Complex s) {
  const Index n = A.rows();
  const double size = std::max(A.norm(), std::abs(s)), seen = C.norm();
  MatrixXcd stacked(n + C.rows(), n);
  stacked << A.cast<Complex>() - s * MatrixXcd::Identity(n, n),
      (C * (seen > 0 ? (size > 0 ? size : 1) / seen : 1)).cast<Complex>();
  const auto values = stacked.jacobiSvd().singularValues();
  return values(n - 1) <= rank_tolerance * values(0) || values(0) == 0;
}

void check_symmetric(const MatrixXd& M, const char* name) {
  if ((M - M.transpose()).norm() <= 1e-12 * M.norm()) return;
  throw Error(std::string(name) + " must be symmetric");
}

/// Moves the eigenvalues with negative real parts to the front of T = U^H H U, by rotations of neighbours.
void order_stable_first(MatrixXcd& T, MatrixXcd& U) {
  const Index n = T.rows();
  Index ordered = 0;
  for (Index i = 0; i < n; ++i) {
    if (T(i, i).real() >= 0) continue;
    for (Index k = i; k-- > ordered;) {
      Eigen::JacobiRotation<Complex> rotation;
      rotation.makeGivens(T(k, k + 1), T(k + 1, k + 1) - T(k, k));
      T.applyOnTheLeft(k, k + 1, rotation.adjoint());
      T.applyOnTheRight(k, k + 1, rotation);
      U.applyOnTheRight(k, k + 1, rotation);
    }
    ++ordered;
  }
}

/// What the regulator cannot do, by the tests of Popov, Belevitch and Hautus.
void check_solvable(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q) {
  const double slow = rank_tolerance * A.norm();
  for (const Complex s : A.eigenvalues()) {
    if (s.imag() < 0) continue;  // its conjugate stands for both
    if (s.real() >= -slow && is_unseen(A.transpose(), B.transpose(), s)) {
      throw Error("(A, B) cannot be stabilized: no input reaches the motion with the eigenvalue " +
                  text_of_eigenvalue(s) + ", which does not decay by itself; add an input that does");
    }
    if (std::abs(s.real()) <= slow && is_unseen(A, Q, s)) {
      throw Error("Q does not see the motion with the eigenvalue " + text_of_eigenvalue(s) +
                  ", which goes on forever; give it a weight");
    }
  }
}

}  // namespace

Regulator lqr(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  check_symmetric(Q, "Q");
  check_symmetric(R, "R");
  const auto least = [](const MatrixXd& M) { return Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues()(0); };
  if (!(least(R) > 0)) throw Error("R must be positive definite: every input needs its price");
  if (least(Q) < -1e-12 * Q.norm()) throw Error("Q must not have negative eigenvalues: no state may pay");
  check_solvable(A, B, Q);

  const Index n = A.rows();
  const MatrixXd weighted = R.ldlt().solve(B.transpose()), G = B * weighted;
  // P = scale P': both off-diagonal blocks of the Hamiltonian matrix become of one size.
  const double scale = G.norm() > 0 && Q.norm() > 0 ? std::sqrt(Q.norm() / G.norm()) : 1;
  MatrixXd hamiltonian(2 * n, 2 * n);
  hamiltonian << A, -scale * G, -Q / scale, -A.transpose();
  const Eigen::ComplexSchur<MatrixXd> schur(hamiltonian);
  MatrixXcd T = schur.matrixT(), U = schur.matrixU();
  order_stable_first(T, U);

  Regulator out;
  const MatrixXcd solution =
      U.topLeftCorner(n, n).transpose().fullPivLu().solve(U.bottomLeftCorner(n, n).transpose()).transpose();
  const MatrixXd P = scale * solution.real();
  out.riccati = (P + P.transpose()) / 2;
  out.gain = weighted * out.riccati;
  const MatrixXd AP = A.transpose() * out.riccati, PGP = out.riccati * G * out.riccati;
  const double terms = 2 * AP.norm() + PGP.norm() + Q.norm();
  out.residual = terms > 0 ? (AP + AP.transpose() - PGP + Q).norm() / terms : 0;
  const Eigen::VectorXcd closed = (A - B * out.gain).eigenvalues();
  out.eigenvalues.assign(closed.begin(), closed.end());
  std::sort(out.eigenvalues.begin(), out.eigenvalues.end(),
            [](Complex a, Complex b) { return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag(); });
  if (!(out.residual <= residual_limit) || !(out.eigenvalues.front().real() < 0)) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "the Riccati equation is solved to %.1e only, the slowest closed-loop eigenvalue has the real part "
                  "%.3g 1/s; measure states and inputs in units in which they are of one size",
                  out.residual, out.eigenvalues.front().real());
    throw NumericalError(text);
  }
  return out;
}

}  // namespace perilune::analysis
