// SPDX-License-Identifier: MIT
#include "model/body/planar_body.hpp"

namespace perilune::model {

void OffsetPlanarBody::jacobians(const double* q, const double* v, const double* a, double, const double* d, double* Rq,
                                 double* Rv, double* Rd) {
  const double s = std::sin(q[2]), c = std::cos(q[2]), x = c * d[1] - s * d[2], y = s * d[1] + c * d[2];
  const double m = d[0], alpha = a[2], square = v[2] * v[2];
  const double fx = a[0] - y * alpha - x * square - d[4], fy = a[1] + x * alpha - y * square - d[5];  // c'' - g
  Rq[2] = m * (-x * alpha + y * square);
  Rq[5] = m * (-y * alpha - x * square);
  Rq[8] = -m * (x * fx + y * fy) + x * Rq[5] - y * Rq[2];
  Rv[2] = -2 * m * x * v[2];
  Rv[5] = -2 * m * y * v[2];
  if (!Rd) return;
  Rd[0] = fx;
  Rd[nd] = fy;
  Rd[2 * nd] = x * fy - y * fx;
  const double columns[2][2] = {{c, s}, {-s, c}};  // of A
  for (int j = 0; j < 2; ++j) {
    const double ex = columns[j][0], ey = columns[j][1];
    const double gx = m * (-ey * alpha - ex * square), gy = m * (ex * alpha - ey * square);
    Rd[centre + j] = gx;
    Rd[nd + centre + j] = gy;
    Rd[2 * nd + centre + j] = m * (ex * fy - ey * fx) + x * gy - y * gx;
  }
  Rd[2 * nd + tensor] = alpha;
  Rd[gravity] = Rd[nd + gravity + 1] = -m;
  Rd[2 * nd + gravity] = m * y;
  Rd[2 * nd + gravity + 1] = -m * x;
}

}  // namespace perilune::model
