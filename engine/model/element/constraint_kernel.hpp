// SPDX-License-Identifier: MIT
// Kernel of a constraint element. E states Phi(q, t, d) once as a template and may add hand-derived blocks:
//   nq, nc, nd;  static void position(const T* q, const T& t, const T* d, T* phi)
//   first_order (q, v, t, d, phi, rate, bias, J)            Phi, Phi', Phi'' at a = 0, Phi_q
//   second_order(q, v, a, lambda, t, d, J1, J2, H)          rates of Phi_q, Phi_qq^T lambda
//   data        (q, v, a, lambda, t, d, D0, D1, D2, F)      Phi_d, (Phi')_d, (Phi'')_d, (Phi_q^T lambda)_d
//   compares_squares                                        anything, where Phi is a difference of squares of lengths
//   in_hessian  (i, j)                                      constexpr: false where Phi_qq^T lambda is always zero
// What is not given by hand is differentiated automatically. All blocks are dense, row-major, and arrive zeroed.
#pragma once
#include <algorithm>
#include <complex>

#include "expr/dual.hpp"
#include "model/element/kernel.hpp"

namespace perilune::model {

template <class E>
class ConstraintKernel final : public Kernel {
  static constexpr int nq = E::nq, nc = E::nc, nd = E::nd;
  static constexpr int nd_size = nd > 0 ? nd : 1;
  static constexpr bool by_hand = requires(double* p) { E::first_order(p, p, 0.0, p, p, p, p, p); };

  static constexpr bool in_hessian(int i, int j) {
    if constexpr (requires { E::in_hessian(0, 0); }) return E::in_hessian(i, j);
    return true;
  }
  static constexpr auto hessian_positions = block_positions<nq>([](int i, int j) { return in_hessian(i, j); });

  /// Phi, Phi', Phi'' and Phi_q^T lambda for any scalar.
  template <class S>
  struct Values {
    S phi[nc], rate[nc], acceleration[nc], force[nq];
  };
  template <class S>
  static Values<S> values(const S* q, const S* v, const S* a, const S* lambda, const S& t, const S* d) {
    using Curve = expr::Taylor2<S>;
    using Slope = expr::Grad<nq, S>;
    Values<S> out;
    Curve qc[nq], dc[nd_size], phi_c[nc];
    for (int i = 0; i < nq; ++i) qc[i] = Curve(q[i], v[i], a[i]);
    for (int i = 0; i < nd; ++i) dc[i] = Curve(d[i], S(0.0), S(0.0));
    E::position(qc, Curve(t, S(1.0), S(0.0)), dc, phi_c);
    Slope qs[nq], ds[nd_size], phi_s[nc];
    for (int i = 0; i < nq; ++i) qs[i] = Slope::variable(q[i], i);
    for (int i = 0; i < nd; ++i) ds[i].v = d[i];
    Slope ts;
    ts.v = t;
    E::position(qs, ts, ds, phi_s);
    for (int i = 0; i < nq; ++i) out.force[i] = S(0.0);
    for (int k = 0; k < nc; ++k) {
      out.phi[k] = phi_c[k].f;
      out.rate[k] = phi_c[k].d;
      out.acceleration[k] = phi_c[k].dd;
      for (int i = 0; i < nq; ++i) out.force[i] += phi_s[k].g[static_cast<std::size_t>(i)] * lambda[k];
    }
    return out;
  }

  struct Local {
    double phi[nc]{}, rate[nc]{}, bias[nc]{}, J[nc * nq]{}, J1[nc * nq]{}, J2[nc * nq]{}, H[nq * nq]{};
    double D0[nc * nd_size]{}, D1[nc * nd_size]{}, D2[nc * nd_size]{}, F[nq * nd_size]{};
  };

  static void first_order_auto(const double* q, const double* v, double t, const double* d, Local& out) {
    using Curve = expr::Taylor2<double>;
    using Slope = expr::Grad<nq, double>;
    Curve qc[nq], dc[nd_size], phi_c[nc];
    Slope qs[nq], ds[nd_size], phi_s[nc];
    for (int i = 0; i < nq; ++i) {
      qc[i] = Curve(q[i], v[i], 0);
      qs[i] = Slope::variable(q[i], i);
    }
    for (int i = 0; i < nd; ++i) {
      dc[i] = d[i];
      ds[i] = d[i];
    }
    E::position(qc, Curve(t, 1.0, 0.0), dc, phi_c);
    E::position(qs, Slope(t), ds, phi_s);
    for (int k = 0; k < nc; ++k) {
      out.phi[k] = phi_c[k].f;
      out.rate[k] = phi_c[k].d;
      out.bias[k] = phi_c[k].dd;
      for (int i = 0; i < nq; ++i) out.J[k * nq + i] = phi_s[k].g[static_cast<std::size_t>(i)];
    }
  }

  /// Derivatives of `values` with respect to q and d.
  static void second_order_auto(const double* q, const double* v, const double* a, const double* lambda, double t,
                                const double* d, Local& out) {
    using S = expr::Grad<nq + nd, double>;
    S qs[nq], vs[nq], as[nq], ls[nc], ds[nd_size];
    for (int i = 0; i < nq; ++i) {
      qs[i] = S::variable(q[i], i);
      vs[i] = v[i];
      as[i] = a[i];
    }
    for (int i = 0; i < nd; ++i) ds[i] = S::variable(d[i], nq + i);
    for (int k = 0; k < nc; ++k) ls[k] = lambda[k];
    const Values<S> x = values<S>(qs, vs, as, ls, S(t), ds);
    auto split = [](const S& s, int row, double* in_q, double* in_d) {
      for (int i = 0; i < nq; ++i) in_q[row * nq + i] = s.g[static_cast<std::size_t>(i)];
      for (int i = 0; i < nd; ++i) in_d[row * nd + i] = s.g[static_cast<std::size_t>(nq + i)];
    };
    for (int k = 0; k < nc; ++k) {
      split(x.phi[k], k, out.J, out.D0);
      split(x.rate[k], k, out.J1, out.D1);
      split(x.acceleration[k], k, out.J2, out.D2);
    }
    for (int i = 0; i < nq; ++i) split(x.force[i], i, out.H, out.F);
  }

  struct Gathered {
    double q[nq], v[nq], a[nq], lambda[nc];
  };
  static void gather(const Batch& batch, int e, const Kinematics& at, bool all, Gathered& x) {
    const int* c = batch.coordinates.data() + e * nq;
    for (int i = 0; i < nq; ++i) {
      x.q[i] = at.q[c[i]];
      x.v[i] = at.v[c[i]];
    }
    if (!all) return;
    const int* m = batch.multipliers.data() + e * nc;
    for (int i = 0; i < nq; ++i) x.a[i] = at.a[c[i]];
    for (int k = 0; k < nc; ++k) x.lambda[k] = at.lambda[m[k]];
  }

  template <bool ByHand>
  static void evaluate_as(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) {
    for (int e = 0; e < batch.count; ++e) {
      Gathered x;
      gather(batch, e, at, false, x);
      double phi[nc]{}, rate[nc]{}, bias[nc]{}, J[nc * nq]{};
      const double* d = data + batch.data_offset + static_cast<std::size_t>(e * nd);
      if constexpr (ByHand && by_hand) {
        E::first_order(x.q, x.v, at.t, d, phi, rate, bias, J);
      } else {
        Local local;
        first_order_auto(x.q, x.v, at.t, d, local);
        std::copy_n(local.phi, nc, phi);
        std::copy_n(local.rate, nc, rate);
        std::copy_n(local.bias, nc, bias);
        std::copy_n(local.J, nc * nq, J);
      }
      const int* m = batch.multipliers.data() + e * nc;
      for (int k = 0; k < nc; ++k) {
        blocks.phi[m[k]] = phi[k];
        blocks.phi_rate[m[k]] = rate[k];
        blocks.phi_bias[m[k]] = bias[k];
      }
      const int* slot = batch.mn.data() + e * nc * nq;
      for (int i = 0; i < nc * nq; ++i) blocks.jacobian[slot[i]] += J[i];
    }
  }

  template <bool ByHand>
  static void linearize_as(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                           bool with_data) {
    for (int e = 0; e < batch.count; ++e) {
      Gathered x;
      gather(batch, e, at, true, x);
      const double* d = data + batch.data_offset + static_cast<std::size_t>(e * nd);
      const bool and_data = with_data && batch.is_active[static_cast<std::size_t>(e)];
      if constexpr (ByHand && by_hand) {
        double J1[nc * nq]{}, J2[nc * nq]{}, H[nq * nq]{};
        E::second_order(x.q, x.v, x.a, x.lambda, at.t, d, J1, J2, H);
        scatter(batch, e, J1, J2, H, blocks);
        if (!and_data) continue;
        double D0[nc * nd_size]{}, D1[nc * nd_size]{}, D2[nc * nd_size]{}, F[nq * nd_size]{};
        E::data(x.q, x.v, x.a, x.lambda, at.t, d, D0, D1, D2, F);
        scatter_data(batch, e, D0, D1, D2, F, blocks);
      } else {
        Local local;
        second_order_auto(x.q, x.v, x.a, x.lambda, at.t, d, local);
        scatter(batch, e, local.J1, local.J2, local.H, blocks);
        if (and_data) scatter_data(batch, e, local.D0, local.D1, local.D2, local.F, blocks);
      }
    }
  }

 public:
  int coordinate_count() const override { return nq; }
  int constraint_count() const override { return nc; }
  int data_count() const override { return nd; }
  bool has_mass() const override { return false; }
  bool is_constant() const override { return false; }
  bool compares_squares() const override {
    return requires { E::compares_squares; };
  }
  bool couples(int i, int j) const override { return in_hessian(i, j); }

  void evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const override {
    evaluate_as<true>(batch, at, data, blocks);
  }
  void linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                 bool with_data) const override {
    linearize_as<true>(batch, at, data, blocks, with_data);
  }
  // What checks alone call is not to be fast: [[gnu::cold]] halves the time to compile it.
  [[gnu::cold]] void evaluate_automatically(const Batch& batch, const Kinematics& at, const double* data,
                                            const Blocks& blocks) const override {
    evaluate_as<false>(batch, at, data, blocks);
  }
  [[gnu::cold]] void linearize_automatically(const Batch& batch, const Kinematics& at, const double* data,
                                             const Blocks& blocks, bool with_data) const override {
    linearize_as<false>(batch, at, data, blocks, with_data);
  }

  [[gnu::cold]] Symbols symbolic_constraints(const Symbols& q, const expr::Symbol& t, const Symbols& d) const override {
    Symbols phi(nc);
    E::position(q.data(), t, d.data(), phi.data());
    return phi;
  }

  [[gnu::cold]] Symbols symbolic_constraint_rates(const Symbols& q, const Symbols& v, const expr::Symbol& t,
                                                  const Symbols& d) const override {
    using Curve = expr::Grad<1, expr::Symbol>;
    Curve qc[nq], dc[nd_size], phi[nc];
    for (std::size_t i = 0; i < nq; ++i) qc[i] = Curve(q[i], {v[i]});
    for (std::size_t i = 0; i < nd; ++i) dc[i] = Curve(d[i], {expr::Symbol(0.0)});
    E::position(qc, Curve(t, {expr::Symbol(1.0)}), dc, phi);
    Symbols rates;
    for (const Curve& value : phi) rates.push_back(value.g[0]);
    return rates;
  }

  [[gnu::cold]] ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const override {
    Local x;
    second_order_auto(at.q, at.v, at.a, at.lambda, at.t, data, x);
    Local first;
    first_order_auto(at.q, at.v, at.t, data, first);
    return pack(first, x);
  }

  [[gnu::cold]] ElementBlocks by_complex_step(const Kinematics& at, const double* data) const override {
    using C = std::complex<double>;
    constexpr double h = 1e-150;
    C q[nq], v[nq], a[nq], lambda[nc], d[nd_size];
    for (int i = 0; i < nq; ++i) {
      q[i] = at.q[i];
      v[i] = at.v[i];
      a[i] = at.a[i];
    }
    for (int k = 0; k < nc; ++k) lambda[k] = at.lambda[k];
    for (int i = 0; i < nd; ++i) d[i] = data[i];
    Local x, first;
    first_order_auto(at.q, at.v, at.t, data, first);
    for (int i = 0; i < nq + nd; ++i) {
      C& moved = i < nq ? q[i] : d[i - nq];
      moved += C(0, h);
      const Values<C> s = values<C>(q, v, a, lambda, C(at.t), d);
      moved = moved.real();
      const int columns = i < nq ? nq : nd, column = i < nq ? i : i - nq;
      double* in_phi = i < nq ? x.J : x.D0;
      double* in_rate = i < nq ? x.J1 : x.D1;
      double* in_acceleration = i < nq ? x.J2 : x.D2;
      double* in_force = i < nq ? x.H : x.F;
      for (int k = 0; k < nc; ++k) {
        in_phi[k * columns + column] = s.phi[k].imag() / h;
        in_rate[k * columns + column] = s.rate[k].imag() / h;
        in_acceleration[k * columns + column] = s.acceleration[k].imag() / h;
      }
      for (int k = 0; k < nq; ++k) in_force[k * columns + column] = s.force[k].imag() / h;
    }
    std::copy_n(x.J, nc * nq, first.J);
    return pack(first, x);
  }

 private:
  static void scatter(const Batch& batch, int e, const double* J1, const double* J2, const double* H,
                      const Blocks& blocks) {
    const int* mn = batch.mn.data() + e * nc * nq;
    const int* nn = batch.nn.data() + e * nq * nq;
    for (int i = 0; i < nc * nq; ++i) {
      blocks.jacobian_rate[mn[i]] += J1[i];
      blocks.jacobian_acceleration[mn[i]] += J2[i];
    }
    for (const int i : hessian_positions) blocks.stiffness[nn[i]] += H[i];
  }
  static void scatter_data(const Batch& batch, int e, const double* D0, const double* D1, const double* D2,
                           const double* F, const Blocks& blocks) {
    const int* md = batch.md.data() + e * nc * nd;
    const int* slot = batch.nd.data() + e * nq * nd;
    for (int j = 0; j < nd; ++j) {  // few data are parameters
      if (md[j] < 0) continue;
      for (int i = j; i < nc * nd; i += nd) {
        blocks.phi_data[md[i]] += D0[i];
        blocks.phi_rate_data[md[i]] += D1[i];
        blocks.phi_acceleration_data[md[i]] += D2[i];
      }
      for (int i = j; i < nq * nd; i += nd) blocks.residual_data[slot[i]] += F[i];
    }
  }

  static ElementBlocks pack(const Local& first, const Local& x) {
    auto list = [](const double* p, int n) { return std::vector<double>(p, p + n); };
    ElementBlocks out;
    out.phi = list(first.phi, nc);
    out.phi_rate = list(first.rate, nc);
    out.phi_bias = list(first.bias, nc);
    out.jacobian = list(first.J, nc * nq);
    out.jacobian_rate = list(x.J1, nc * nq);
    out.jacobian_acceleration = list(x.J2, nc * nq);
    out.stiffness = list(x.H, nq * nq);
    out.residual_data = list(x.F, nq * nd);
    out.phi_data = list(x.D0, nc * nd);
    out.phi_rate_data = list(x.D1, nc * nd);
    out.phi_acceleration_data = list(x.D2, nc * nd);
    return out;
  }
};

}  // namespace perilune::model
