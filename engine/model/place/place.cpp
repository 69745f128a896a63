// SPDX-License-Identifier: MIT
#include "model/place/place.hpp"

#include <cmath>

namespace perilune::model {

void PlanarPlace::jacobian(const double* q, const double* d, double* u, int stride) {
  const double s = std::sin(q[2]), c = std::cos(q[2]);
  u[0] = 1;
  u[stride + 1] = 1;
  u[2] = -s * d[0] - c * d[1];
  u[stride + 2] = c * d[0] - s * d[1];
}

void PlanarPlace::jacobian_rates(const double* q, const double* v, const double* a, const double* d, double* u1,
                                 double* u2, int stride) {
  const double s = std::sin(q[2]), c = std::cos(q[2]), rate = v[2];
  const double x = c * d[0] - s * d[1], y = s * d[0] + c * d[1];  // A d, so that U's last column is (-y, x)
  u1[2] = -x * rate;
  u1[stride + 2] = -y * rate;
  u2[2] = -x * a[2] + y * rate * rate;
  u2[stride + 2] = -y * a[2] - x * rate * rate;
}

void PlanarPlace::add_hessian(const double* q, const double* d, const double* w, double scale, double* h, int stride) {
  const double s = std::sin(q[2]), c = std::cos(q[2]);
  h[2 * stride + 2] -= scale * (w[0] * (c * d[0] - s * d[1]) + w[1] * (s * d[0] + c * d[1]));
}

void PlanarPlace::data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                                int stride) {
  const double s = std::sin(q[2]), c = std::cos(q[2]), rate = v[2];
  auto put = [stride](double* w, double cosine, double sine) {
    w[0] = cosine;
    w[1] = -sine;
    w[stride] = sine;
    w[stride + 1] = cosine;
  };
  put(w0, c, s);
  put(w1, -s * rate, c * rate);
  put(w2, -s * a[2] - c * rate * rate, c * a[2] - s * rate * rate);
}

void PlanarPlace::add_data_hessian(const double* q, const double* w, double scale, double* f, int stride) {
  const double s = std::sin(q[2]), c = std::cos(q[2]);
  f[2 * stride] += scale * (-w[0] * s + w[1] * c);
  f[2 * stride + 1] += scale * (-w[0] * c - w[1] * s);
}

void SpatialPlace::jacobian(const double* q, const double* d, double* u, int stride) {
  double B[12];
  rotation_jacobian(q + 3, d, B);
  for (int k = 0; k < 3; ++k) {
    u[k * stride + k] = 1;
    for (int i = 0; i < 4; ++i) u[k * stride + 3 + i] = B[4 * k + i];
  }
}

void SpatialPlace::jacobian_rates(const double*, const double* v, const double* a, const double* d, double* u1,
                                  double* u2, int stride) {
  double B1[12], B2[12];
  rotation_jacobian(v + 3, d, B1);
  rotation_jacobian(a + 3, d, B2);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) {
      u1[k * stride + 3 + i] = B1[4 * k + i];
      u2[k * stride + 3 + i] = B2[4 * k + i];
    }
  }
}

void SpatialPlace::add_hessian(const double*, const double* d, const double* w, double scale, double* h, int stride) {
  // B is linear in p: its derivative with respect to p_j is B(e_j, d).
  for (int j = 0; j < 4; ++j) {
    double unit[4] = {0, 0, 0, 0}, B[12];
    unit[j] = 1;
    rotation_jacobian(unit, d, B);
    for (int i = 0; i < 4; ++i) {
      h[(3 + i) * stride + 3 + j] += scale * (w[0] * B[i] + w[1] * B[4 + i] + w[2] * B[8 + i]);
    }
  }
}

void SpatialPlace::data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                                 int stride) {
  const double* p = q + 3;
  double A[9];
  rotation_matrix(p, A);
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) w0[k * stride + j] = A[3 * k + j];
  }
  for (int j = 0; j < 3; ++j) {
    // Column j of A is A e_j: its rates are B(p, e_j) p' and B(p', e_j) p' + B(p, e_j) p''.
    double unit[3] = {0, 0, 0}, B[12], B1[12];
    unit[j] = 1;
    rotation_jacobian(p, unit, B);
    rotation_jacobian(v + 3, unit, B1);
    for (int k = 0; k < 3; ++k) {
      double first = 0, second = 0;
      for (int i = 0; i < 4; ++i) {
        first += B[4 * k + i] * v[3 + i];
        second += B1[4 * k + i] * v[3 + i] + B[4 * k + i] * a[3 + i];
      }
      w1[k * stride + j] = first;
      w2[k * stride + j] = second;
    }
  }
}

void SpatialPlace::add_data_hessian(const double* q, const double* w, double scale, double* f, int stride) {
  for (int j = 0; j < 3; ++j) {
    double unit[3] = {0, 0, 0}, B[12];
    unit[j] = 1;
    rotation_jacobian(q + 3, unit, B);
    for (int i = 0; i < 4; ++i) {
      f[(3 + i) * stride + j] += scale * (w[0] * B[i] + w[1] * B[4 + i] + w[2] * B[8 + i]);
    }
  }
}

}  // namespace perilune::model
