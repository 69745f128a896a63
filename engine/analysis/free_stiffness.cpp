// SPDX-License-Identifier: MIT
#include "analysis/free_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune::analysis {

int FreeStiffness::negative() const {
  return static_cast<int>(std::count_if(values.begin(), values.end(), [](double x) { return x < 0; }));
}

FreeStiffness free_stiffness(MatrixXd K, MatrixXd rows, int neutral) {
  constexpr double neutral_stiffness = 1e-10;  // of the largest eigenvalue
  FreeStiffness out;
  out.is_known = true;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (const double size = rows.row(i).norm(); size > 0) rows.row(i) /= size;
  }
  const Index size = K.rows();
  struct Found {
    VectorXd values, real, imaginary;
    bool is_symmetric = true;
  };
  const auto found = dense_work(size, [K = std::move(K), rows = std::move(rows)] {
    constexpr double dependent = 1e-10, asymmetry = 1e-8;
    MatrixXd free = K;
    if (rows.rows() > 0) {
      Eigen::ColPivHouseholderQR<MatrixXd> qr;
      qr.setThreshold(dependent);
      qr.compute(rows.transpose());
      const MatrixXd basis = qr.householderQ();
      const MatrixXd N = basis.rightCols(K.cols() - qr.rank());
      free = N.transpose() * K * N;
    }
    Found of;
    if (free.size() == 0) return of;
    of.is_symmetric = (free - free.transpose()).cwiseAbs().maxCoeff() <= asymmetry * free.cwiseAbs().maxCoeff();
    if (of.is_symmetric) {
      const MatrixXd even = (free + free.transpose()) / 2;
      of.values = Eigen::SelfAdjointEigenSolver<MatrixXd>(even, Eigen::EigenvaluesOnly).eigenvalues();
    } else {
      const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixXd>(free, false).eigenvalues();
      of.real = values.real();
      of.imaginary = values.imag();
    }
    return of;
  });
  out.is_symmetric = found.is_symmetric;
  std::vector<std::pair<double, bool>> all;  // with whether it turns the determinant's sign
  for (Index i = 0; i < found.values.size(); ++i) all.emplace_back(found.values[i], found.values[i] < 0);
  for (Index i = 0; i < found.real.size(); ++i) {
    const bool is_real = found.imaginary[i] == 0;
    all.emplace_back(is_real ? found.real[i] : std::hypot(found.real[i], found.imaginary[i]),
                     is_real && found.real[i] < 0);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return std::abs(a.first) < std::abs(b.first); });
  const double most = all.empty() ? 0 : std::abs(all.back().first);
  for (const auto& [each, turns] : all) out.neutral += std::abs(each) <= neutral_stiffness * most;
  all.erase(all.begin(), all.begin() + std::min<std::ptrdiff_t>(neutral, static_cast<std::ptrdiff_t>(all.size())));
  int turned = 0;
  for (const auto& [each, turns] : all) turned += turns;
  out.signed_least = all.empty() ? 1 : std::abs(all.front().first) * (turned % 2 == 0 ? 1 : -1);
  if (out.is_symmetric) {
    for (const auto& each : all) out.values.push_back(each.first);
    std::sort(out.values.begin(), out.values.end());
  } else {
    out.values = {out.signed_least};
  }
  return out;
}

}  // namespace perilune::analysis
