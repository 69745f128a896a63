// SPDX-License-Identifier: MIT
#include "analysis/regulator/following_gains.hpp"

#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "model/declare.hpp"

namespace perilune::analysis {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using expr::Symbol;

/// Steps towards the sign of the Hamiltonian matrix: those that bring its eigenvalues to about one size, then those
/// that double the digits.
constexpr int scaled_steps = 8, plain_steps = 5;
/// Of each entry; and what other gains of the same input may leave in it.
constexpr double following_error = 1e-6, rounding = 1e-9;

/// By rows, as Eigen's own matrices are for numbers.
class SymbolMatrix {
 public:
  SymbolMatrix(Index rows, Index columns) : columns_(columns), entries_(static_cast<std::size_t>(rows * columns)) {}
  SymbolMatrix(Index rows, Index columns, model::Vector entries) : SymbolMatrix(rows, columns) {
    entries_ = std::move(entries);
  }
  explicit SymbolMatrix(const MatrixXd& M) : SymbolMatrix(M.rows(), M.cols()) {
    for (Index i = 0; i < M.rows(); ++i) {
      for (Index j = 0; j < M.cols(); ++j) (*this)(i, j) = M(i, j);
    }
  }
  Symbol& operator()(Index i, Index j) { return entries_[static_cast<std::size_t>(i * columns_ + j)]; }
  const Symbol& operator()(Index i, Index j) const { return entries_[static_cast<std::size_t>(i * columns_ + j)]; }
  Index rows() const { return static_cast<Index>(entries_.size()) / columns_; }
  Index cols() const { return columns_; }
  const model::Vector& entries() const { return entries_; }
  SymbolMatrix transposed() const {
    SymbolMatrix out(cols(), rows());
    for (Index i = 0; i < rows(); ++i) {
      for (Index j = 0; j < cols(); ++j) out(j, i) = (*this)(i, j);
    }
    return out;
  }

 private:
  Index columns_;
  model::Vector entries_;
};

SymbolMatrix operator*(const SymbolMatrix& a, const SymbolMatrix& b) {
  SymbolMatrix out(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) {
      Symbol sum = 0;
      for (Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      out(i, j) = sum;
    }
  }
  return out;
}

/// a x + b y.
SymbolMatrix combined(const Symbol& a, const SymbolMatrix& x, const Symbol& b, const SymbolMatrix& y) {
  SymbolMatrix out(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) out(i, j) = a * x(i, j) + b * y(i, j);
  }
  return out;
}

Symbol squared_norm(const SymbolMatrix& M) {
  Symbol sum = 0;
  for (const Symbol& x : M.entries()) sum += x * x;
  return sum;
}

MatrixXd present(const model::Model& model, const SymbolMatrix& M) {
  const std::vector<double> values = model::present_values(model, M.entries());
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const ByRows>(values.data(), M.rows(), M.cols());
}

/// X of M X = right by Gaussian elimination, in the order of pivots that the present values have.
SymbolMatrix solved(const model::Model& model, const SymbolMatrix& M, const SymbolMatrix& right) {
  const Index n = M.rows(), columns = right.cols();
  const Eigen::PartialPivLU<MatrixXd> numbers(present(model, M));
  Eigen::VectorXi order(n);  // of rows
  for (Index i = 0; i < n; ++i) order[numbers.permutationP().indices()[i]] = static_cast<int>(i);
  SymbolMatrix left(n, n), x(n, columns);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) left(i, j) = M(order[i], j);
    for (Index j = 0; j < columns; ++j) x(i, j) = right(order[i], j);
  }
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) {
      if (left(i, k).is_number() && left(i, k).number() == 0) continue;
      const Symbol factor = left(i, k) / left(k, k);
      for (Index j = k + 1; j < n; ++j) left(i, j) -= factor * left(k, j);
      for (Index j = 0; j < columns; ++j) x(i, j) -= factor * x(k, j);
    }
  }
  for (Index i = n; i-- > 0;) {
    for (Index j = 0; j < columns; ++j) {
      for (Index k = i + 1; k < n; ++k) x(i, j) -= left(i, k) * x(k, j);
      x(i, j) = x(i, j) / left(i, i);
    }
  }
  return x;
}

/// The sign of Z: its eigenvalues become 1 or -1, as their real parts are, its eigenvectors stay.
SymbolMatrix sign_of(const model::Model& model, SymbolMatrix Z) {
  const SymbolMatrix identity(MatrixXd(MatrixXd::Identity(Z.rows(), Z.cols())));
  for (int step = 0; step < scaled_steps + plain_steps; ++step) {
    const SymbolMatrix inverse = solved(model, Z, identity);
    const Symbol scale = step < scaled_steps ? sqrt(sqrt(squared_norm(inverse) / squared_norm(Z))) : Symbol(1);
    Z = combined(Symbol(0.5) * scale, Z, Symbol(0.5) / scale, inverse);
  }
  return Z;
}

/// P from W, the sign of [A, -G; -Q, -A^T]: the columns of (1 - W) (1; 1) span the stable subspace, that of (1; P),
/// since the other one is that of (1; N) with N not positive, and has no vector of the form (x; x).
SymbolMatrix riccati(const model::Model& model, const SymbolMatrix& W) {
  const Index n = W.rows() / 2;
  SymbolMatrix first(n, n), second(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Symbol one = i == j ? 1 : 0;
      first(i, j) = one - W(i, j) - W(i, n + j);
      second(i, j) = one - W(n + i, j) - W(n + i, n + j);
    }
  }
  return solved(model, first.transposed(), second.transposed());  // P^T, which is P
}

/// What the numbers of A, B, Q, R, P and K, one after the other by rows, have against them. P and K are compared with
/// those of the stable subspace, entry by entry: a residual of the whole equation would not see small ones beside
/// large.
std::string fault_of(Index n, Index m, const double* values) {
  using ByRows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  const auto next = [&values](Index rows, Index columns) {
    const ByRows out(values, rows, columns);
    values += rows * columns;
    return MatrixXd(out);
  };
  const MatrixXd A = next(n, n), B = next(n, m), Q = next(n, n), R = next(m, m), P = next(n, n), K = next(m, n);
  Regulator anew;
  try {
    anew = lqr(A, B, Q, R);
  } catch (const Error& problem) {
    return problem.what();
  }
  const auto fault = [](const char* what, Index i, Index j, double found, double right) {
    char text[400];
    std::snprintf(
        text, sizeof text,
        "the gains do not follow the parameters this far from where they were designed: %s[%d][%d] is %.6g in "
        "place of %.6g; declare the model with parameters that are nearer to these, or bound them more tightly",
        what, static_cast<int>(i) + 1, static_cast<int>(j) + 1, found, right);
    return std::string(text);
  };
  for (Index i = 0; i < m; ++i) {
    const double largest = anew.gain.row(i).cwiseAbs().maxCoeff();
    for (Index j = 0; j < n; ++j) {
      const double right = anew.gain(i, j), most = following_error * std::abs(right) + rounding * largest;
      if (!(std::abs(K(i, j) - right) <= most)) return fault("gain", i, j, K(i, j), right);
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double right = anew.riccati(i, j);
      const double size = std::sqrt(std::abs(anew.riccati(i, i) * anew.riccati(j, j)));
      if (!(std::abs(P(i, j) - right) <= following_error * size)) return fault("riccati", i, j, P(i, j), right);
    }
  }
  return {};
}

}  // namespace

FollowingGains following_gains(model::Model& model, const std::string& owner, const RegulatorEntries& entries) {
  const Index n = entries.states, m = entries.inputs;
  if (n > most_following_states) {
    throw Error("gains follow parameters with up to " + std::to_string(most_following_states) + " states, not with " +
                std::to_string(n) + "; take the .value of the entries");
  }
  const SymbolMatrix A(n, n, entries.A), B(n, m, entries.B), Q(n, n, entries.Q), R(m, m, entries.R);
  FollowingGains out{lqr(present(model, A), present(model, B), present(model, Q), present(model, R)), {}, {}};
  const SymbolMatrix weighted = solved(model, R, B.transposed()), G = B * weighted;
  // P = scale P': both off-diagonal blocks become of one size.
  const double of_g = present(model, G).norm(), of_q = present(model, Q).norm();
  const double scale = of_g > 0 && of_q > 0 ? std::sqrt(of_q / of_g) : 1;
  SymbolMatrix hamiltonian(2 * n, 2 * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      hamiltonian(i, j) = A(i, j);
      hamiltonian(i, n + j) = Symbol(-scale) * G(i, j);
      hamiltonian(n + i, j) = Symbol(-1 / scale) * Q(i, j);
      hamiltonian(n + i, n + j) = -A(j, i);
    }
  }
  const SymbolMatrix scaled = riccati(model, sign_of(model, hamiltonian));
  const SymbolMatrix P = combined(scale / 2, scaled, scale / 2, scaled.transposed()), K = weighted * P;
  out.gain = K.entries();
  out.riccati = P.entries();
  model::Vector values;
  for (const SymbolMatrix* each : {&A, &B, &Q, &R, &P, &K}) {
    values.insert(values.end(), each->entries().begin(), each->entries().end());
  }
  model::require(model, owner, values, [n, m](const double* numbers) { return fault_of(n, m, numbers); });
  return out;
}

}  // namespace perilune::analysis
