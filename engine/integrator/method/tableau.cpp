// SPDX-License-Identifier: MIT
#include <cmath>

#include "integrator/method/runge_kutta.hpp"

namespace perilune::integrator {

namespace {

/// Rows of full length.
Tableau filled(Tableau tableau) {
  tableau.stages = static_cast<int>(tableau.b.size());
  for (auto& row : tableau.a) row.resize(tableau.b.size(), 0.0);
  return tableau;
}

}  // namespace

const Tableau& rk4_tableau() {
  static const Tableau tableau =
      filled({4, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}});
  return tableau;
}

const Tableau& dormand_prince_tableau() {
  static const Tableau tableau = [] {
    Tableau t;
    t.a = {{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    t.b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
    t.c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    const double embedded[] = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                               187.0 / 2100,   1.0 / 40};
    for (std::size_t i = 0; i < 7; ++i) t.error.push_back(t.b[i] - embedded[i]);
    t.error_order = 4;
    return filled(t);
  }();
  return tableau;
}

// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.5, after Prince and Dormand 1981. Of the
// two estimates there this is the one of order 5, which is that of values between mesh points, too.
const Tableau& dormand_prince8_tableau() {
  static const Tableau tableau = [] {
    Tableau t;
    t.c = {0,
           5.26001519587677318785587544488e-2,
           7.89002279381515978178381316732e-2,
           1.1835034190722739672675719751e-1,
           2.8164965809277260327324280249e-1,
           1.0 / 3,
           1.0 / 4,
           4.0 / 13,
           127.0 / 195,
           3.0 / 5,
           6.0 / 7,
           1,
           1};
    t.a = {
        {},
        {5.26001519587677318785587544488e-2},
        {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
        {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
        {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
         9.24834003261792003115737966543e-1},
        {1.0 / 27, 0, 0, 1.70828608729473871279604482173e-1, 1.25467687566822425016691814123e-1},
        {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -1.7578125e-2},
        {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
         1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3},
        {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
         -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1,
         -4.34898841810699588477366255144e1},
        {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
         -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1,
         -3.32882109689848629194453265587e1, -2.03312017085086261358222928593e-2},
        {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
         -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
         2.49360555267965238987089396762, -3.0467644718982195003823669022},
        {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
         -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
         -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1},
        {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
         1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
         -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2}};
    t.b = t.a.back();
    t.b.push_back(0);
    t.error = {0.1312004499419488073250102996e-1,
               0,
               0,
               0,
               0,
               -0.1225156446376204440720569753e1,
               -0.4957589496572501915214079952,
               0.1664377182454986536961530415e1,
               -0.3503288487499736816886487290,
               0.3341791187130174790297318841,
               0.8192320648511571246570742613e-1,
               -0.2235530786388629525884427845e-1,
               0};
    t.error_order = 5;
    t.nearly_unstable = 5.5;
    return filled(t);
  }();
  return tableau;
}

const Tableau& trapezoidal_tableau() {
  static const Tableau tableau = filled({2, {{}, {0.5, 0.5}}, {0.5, 0.5}, {0, 1}});
  return tableau;
}

const Tableau& sdirk4_tableau() {
  static const Tableau tableau = filled({5,
                                         {{1.0 / 4},
                                          {1.0 / 2, 1.0 / 4},
                                          {17.0 / 50, -1.0 / 25, 1.0 / 4},
                                          {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
                                          {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}},
                                         {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4},
                                         {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1}});
  return tableau;
}

// The estimates of the Radau IIA methods compare with a quadrature that has the start as a further node, of weight
// gamma (Hairer and Wanner, IV.8).

const Tableau& radau3_tableau() {
  static const Tableau tableau = [] {
    Tableau t{2, {{5.0 / 12, -1.0 / 12}, {3.0 / 4, 1.0 / 4}}, {3.0 / 4, 1.0 / 4}, {1.0 / 3, 1}};
    const double gamma = 1 / std::sqrt(6.0);  // size of both eigenvalues of A
    t.error = {-1.5 * gamma, 0.5 * gamma};
    t.error_start = t.error_filter = gamma;
    t.error_order = 2;
    return t;
  }();
  return tableau;
}

const Tableau& radau5_tableau() {
  static const Tableau tableau = [] {
    const double r = std::sqrt(6.0);
    Tableau t{3,
              {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
               {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
               {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}},
              {(16 - r) / 36, (16 + r) / 36, 1.0 / 9},
              {(4 - r) / 10, (4 + r) / 10, 1}};
    // The real eigenvalue of A: that of its inverse solves x^3 - 9 x^2 + 36 x - 60 = 0.
    double x = 3.6;
    for (int k = 0; k < 20; ++k) x -= (((x - 9) * x + 36) * x - 60) / ((3 * x - 18) * x + 36);
    const double gamma = 1 / x;
    t.error = {-gamma * (13 + 7 * r) / 3, gamma * (-13 + 7 * r) / 3, -gamma / 3};
    // Those are weights of Y_i - y_0 = h A k.
    std::vector<double> slopes(3, 0.0);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) slopes[j] += t.error[i] * t.a[i][j];
    }
    t.error = slopes;
    t.error_start = t.error_filter = gamma;
    t.error_order = 3;
    return t;
  }();
  return tableau;
}

}  // namespace perilune::integrator
