// SPDX-License-Identifier: MIT
// Kernel of a force or inertia element. E states its residual r(q, v, a, t, d) = M a - Q once as a template and may add
// hand-derived blocks:
//   nq, nd, has_mass, is_constant
//   residual (q, v, a, t, d, r)          for any scalar
//   mass     (q, d, M)                   M, for elements with mass
//   force    (q, v, t, d, Q)             Q
//   jacobians(q, v, a, t, d, Rq, Rv, Rd) r_q, r_v, and r_d unless Rd is null
//   potential(q, d)                      potential energy, for conservative parts; any scalar
//   is_damped(d)                         false where r_v is zero at any state
//   has_quadratic_mass                   true where M is a polynomial of the second degree in q
//   in_mass(i, j), in_jacobians(i, j)    constexpr: false where M, or both r_q and r_v, are always zero
// What is not given by hand is differentiated automatically. All blocks are dense, row-major, and arrive zeroed.
#pragma once
#include <algorithm>
#include <complex>

#include "expr/dual.hpp"
#include "model/element/kernel.hpp"

namespace perilune::model {

template <class E>
class ForceKernel final : public Kernel {
  static constexpr int nq = E::nq, nd = E::nd;
  static constexpr int nd_size = nd > 0 ? nd : 1;
  static constexpr bool force_by_hand = requires(double* p) { E::force(p, p, 0.0, p, p); };
  static constexpr bool mass_by_hand = requires(double* p) { E::mass(p, p, p); };
  static constexpr bool jacobians_by_hand = requires(double* p) { E::jacobians(p, p, p, 0.0, p, p, p, p); };

  static constexpr bool in_mass(int i, int j) {
    if constexpr (requires { E::in_mass(0, 0); }) return E::in_mass(i, j);
    return E::has_mass;
  }
  static constexpr bool in_jacobians(int i, int j) {
    if constexpr (requires { E::in_jacobians(0, 0); }) return E::in_jacobians(i, j);
    return !E::is_constant;
  }
  static constexpr auto mass_positions = block_positions<nq>([](int i, int j) { return in_mass(i, j); });
  static constexpr auto jacobian_positions = block_positions<nq>([](int i, int j) { return in_jacobians(i, j); });

  static bool is_damped(const double* d) {
    if constexpr (requires { E::is_damped(d); }) return E::is_damped(d);
    return true;
  }

  struct Local {
    double mass[nq * nq]{}, force[nq]{}, in_q[nq * nq]{}, in_v[nq * nq]{}, in_d[nq * nd_size]{};
  };

  static void force_auto(const double* q, const double* v, double t, const double* d, double* force) {
    double r[nq]{};
    const double zero[nq]{};
    E::residual(q, v, zero, t, d, r);
    for (int i = 0; i < nq; ++i) force[i] = -r[i];
  }

  static void mass_auto(const double* q, const double* v, double t, const double* d, double* mass) {
    using S = expr::Grad<nq, double>;
    S qs[nq], vs[nq], as[nq], ds[nd_size], r[nq];
    for (int i = 0; i < nq; ++i) {
      qs[i] = q[i];
      vs[i] = v[i];
      as[i] = S::variable(0.0, i);
    }
    for (int i = 0; i < nd; ++i) ds[i] = d[i];
    E::residual(qs, vs, as, S(t), ds, r);
    for (int i = 0; i < nq; ++i) {
      for (int j = 0; j < nq; ++j) mass[i * nq + j] = r[i].g[static_cast<std::size_t>(j)];
    }
  }

  static void jacobians_auto(const double* q, const double* v, const double* a, double t, const double* d, double* in_q,
                             double* in_v, double* in_d) {
    using S = expr::Grad<2 * nq + nd, double>;
    S qs[nq], vs[nq], as[nq], ds[nd_size], r[nq];
    for (int i = 0; i < nq; ++i) {
      qs[i] = S::variable(q[i], i);
      vs[i] = S::variable(v[i], nq + i);
      as[i] = a[i];
    }
    for (int i = 0; i < nd; ++i) ds[i] = S::variable(d[i], 2 * nq + i);
    E::residual(qs, vs, as, S(t), ds, r);
    for (int i = 0; i < nq; ++i) {
      for (int j = 0; j < nq; ++j) {
        in_q[i * nq + j] = r[i].g[static_cast<std::size_t>(j)];
        in_v[i * nq + j] = r[i].g[static_cast<std::size_t>(nq + j)];
      }
      for (int j = 0; j < nd; ++j) in_d[i * nd + j] = r[i].g[static_cast<std::size_t>(2 * nq + j)];
    }
  }

  struct Gathered {
    double q[nq], v[nq], a[nq];
  };
  static Gathered gather(const Batch& batch, int e, const Kinematics& at) {
    Gathered x{};
    const int* c = batch.coordinates.data() + e * nq;
    for (int i = 0; i < nq; ++i) {
      x.q[i] = at.q[c[i]];
      x.v[i] = at.v[c[i]];
      if (at.a) x.a[i] = at.a[c[i]];
    }
    return x;
  }

  template <bool ByHand>
  static void evaluate_as(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) {
    for (int e = 0; e < batch.count; ++e) {
      const Gathered x = gather(batch, e, at);
      const double* d = data + batch.data_offset + static_cast<std::size_t>(e * nd);
      double force[nq]{};
      if constexpr (ByHand && force_by_hand) {
        E::force(x.q, x.v, at.t, d, force);
      } else {
        force_auto(x.q, x.v, at.t, d, force);
      }
      const int* c = batch.coordinates.data() + e * nq;
      for (int i = 0; i < nq; ++i) blocks.force[c[i]] += force[i];
      if constexpr (E::has_mass) {
        double mass[nq * nq]{};
        if constexpr (ByHand && mass_by_hand) {
          E::mass(x.q, d, mass);
        } else {
          mass_auto(x.q, x.v, at.t, d, mass);
        }
        const int* slot = batch.nn.data() + e * nq * nq;
        for (const int i : mass_positions) blocks.mass[slot[i]] += mass[i];
      }
    }
  }

  template <bool ByHand>
  static void linearize_as(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                           bool with_data) {
    if (E::is_constant && !with_data) return;
    for (int e = 0; e < batch.count; ++e) {
      const bool and_data = with_data && batch.is_active[static_cast<std::size_t>(e)];
      if (E::is_constant && !and_data) continue;
      const Gathered x = gather(batch, e, at);
      const double* d = data + batch.data_offset + static_cast<std::size_t>(e * nd);
      double in_q[nq * nq]{}, in_v[nq * nq]{}, in_d[nq * nd_size];
      if constexpr (ByHand && jacobians_by_hand) {
        if (and_data) std::fill_n(in_d, nq * nd_size, 0.0);
        E::jacobians(x.q, x.v, x.a, at.t, d, in_q, in_v, and_data ? in_d : nullptr);
      } else {
        jacobians_auto(x.q, x.v, x.a, at.t, d, in_q, in_v, in_d);
      }
      if constexpr (!E::is_constant) {
        const int* slot = batch.nn.data() + e * nq * nq;
        for (const int i : jacobian_positions) blocks.stiffness[slot[i]] += in_q[i];
        if (is_damped(d)) {
          for (const int i : jacobian_positions) blocks.damping[slot[i]] += in_v[i];
        }
      }
      if (!and_data) continue;
      const int* slot = batch.nd.data() + e * nq * nd;
      for (int j = 0; j < nd; ++j) {  // few data are parameters
        for (int i = j; slot[j] >= 0 && i < nq * nd; i += nd) blocks.residual_data[slot[i]] += in_d[i];
      }
    }
  }

 public:
  int coordinate_count() const override { return nq; }
  int constraint_count() const override { return 0; }
  int data_count() const override { return nd; }
  bool has_mass() const override { return E::has_mass; }
  bool is_constant() const override { return E::is_constant; }
  bool has_quadratic_mass() const override {
    if constexpr (requires { E::has_quadratic_mass; }) return E::has_quadratic_mass;
    return Kernel::has_quadratic_mass();
  }
  bool couples(int i, int j) const override { return in_mass(i, j) || in_jacobians(i, j); }

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

  [[gnu::cold]] Symbols symbolic_residual(const Symbols& q, const Symbols& v, const Symbols& a, const Symbols&,
                                          const expr::Symbol& t, const Symbols& d) const override {
    Symbols r(nq);
    E::residual(q.data(), v.data(), a.data(), t, d.data(), r.data());
    return r;
  }
  [[gnu::cold]] expr::Symbol symbolic_potential(const Symbols& q, const Symbols& d) const override {
    if constexpr (requires { E::potential(q.data(), d.data()); }) {
      return E::potential(q.data(), d.data());
    } else {
      return 0.0;
    }
  }

  StoredEnergy stored_energy(const Batch& batch, const Kinematics& at, const double* data) const override {
    StoredEnergy sum;
    using S = expr::Grad<1, double>;
    if constexpr (requires(const S* x) { E::potential(x, x); }) {
      for (int e = 0; e < batch.count; ++e) {
        const int* c = batch.coordinates.data() + e * nq;
        const double* d = data + batch.data_offset + static_cast<std::size_t>(e * nd);
        S q[nq], numbers[nd_size];
        for (int i = 0; i < nq; ++i) q[i] = S(at.q[c[i]], {at.v[c[i]]});
        for (int i = 0; i < nd; ++i) numbers[i] = d[i];
        const S stored = E::potential(q, numbers);
        sum.energy += stored.v;
        sum.rate += stored.g[0];
      }
    }
    return sum;
  }

  [[gnu::cold]] ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const override {
    Local x;
    force_auto(at.q, at.v, at.t, data, x.force);
    mass_auto(at.q, at.v, at.t, data, x.mass);
    jacobians_auto(at.q, at.v, at.a, at.t, data, x.in_q, x.in_v, x.in_d);
    return pack(x);
  }

  [[gnu::cold]] ElementBlocks by_complex_step(const Kinematics& at, const double* data) const override {
    using C = std::complex<double>;
    constexpr double h = 1e-150;
    C x[3 * nq + nd_size];
    for (int i = 0; i < nq; ++i) {
      x[i] = at.q[i];
      x[nq + i] = at.v[i];
      x[2 * nq + i] = at.a[i];
    }
    for (int i = 0; i < nd; ++i) x[3 * nq + i] = data[i];
    Local out;
    force_auto(at.q, at.v, at.t, data, out.force);
    for (int j = 0; j < 3 * nq + nd; ++j) {
      C r[nq];
      x[j] += C(0, h);
      E::residual(x, x + nq, x + 2 * nq, C(at.t), x + 3 * nq, r);
      x[j] = x[j].real();
      const int block = j < 3 * nq ? j / nq : 3, column = j - block * nq, columns = block < 3 ? nq : nd;
      double* target[] = {out.in_q, out.in_v, out.mass, out.in_d};
      for (int i = 0; i < nq; ++i) target[block][i * columns + column] = r[i].imag() / h;
    }
    return pack(out);
  }

 private:
  static ElementBlocks pack(const Local& x) {
    auto list = [](const double* p, int n) { return std::vector<double>(p, p + n); };
    ElementBlocks out;
    out.mass = list(x.mass, nq * nq);
    out.force = list(x.force, nq);
    out.stiffness = list(x.in_q, nq * nq);
    out.damping = list(x.in_v, nq * nq);
    out.residual_data = list(x.in_d, nq * nd);
    return out;
  }
};

}  // namespace perilune::model
