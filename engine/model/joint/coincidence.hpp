// SPDX-License-Identifier: MIT
// Two places coincide: Phi = r_B - r_A = 0 (m; the multipliers are the force on A in space, N). A planar revolute joint
// or a spatial spherical joint.
#pragma once
#include <algorithm>

#include "model/place/relative.hpp"

namespace perilune::model {

template <class A, class B>
struct Coincidence {
  using R = Relative<A, B>;
  static constexpr int nq = R::N, nc = R::D, nd = R::P;

  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    R::vector(q, d, phi);
  }

  template <class T>
  static void first_order(const T* q, const T* v, const T&, const T* d, T* phi, T* rate, T* bias, T* J) {
    R::motion(q, v, d, phi, rate, bias, J);
  }

  static void second_order(const double* q, const double* v, const double* a, const double* lambda, double,
                           const double* d, double* J1, double* J2, double* H) {
    typename R::Matrix U1, U2;
    R::jacobian_rates(q, v, a, d, U1, U2);
    std::copy(U1.begin(), U1.end(), J1);
    std::copy(U2.begin(), U2.end(), J2);
    R::add_hessian(q, d, lambda, 1, H);
  }

  static void data(const double* q, const double* v, const double* a, const double* lambda, double, const double*,
                   double* D0, double* D1, double* D2, double* F) {
    if constexpr (nd > 0) {
      typename R::DataMatrix W, W1, W2;
      R::data_jacobian(q, v, a, W, W1, W2);
      std::copy(W.begin(), W.end(), D0);
      std::copy(W1.begin(), W1.end(), D1);
      std::copy(W2.begin(), W2.end(), D2);
      R::add_data_hessian(q, lambda, 1, F, nd);
    }
  }
};

}  // namespace perilune::model
