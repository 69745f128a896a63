// SPDX-License-Identifier: MIT
#include "nist_regressions.hpp"

#include <cmath>
#include <limits>

namespace least_squares_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

double saturation(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double decay = std::exp(-b[1] * x);
  slopes << 1 - decay, b[0] * x * decay;
  return b[0] * (1 - decay);
}

double cubic_ratio(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double above = b[0] + x * (b[1] + x * (b[2] + x * b[3])), below = 1 + x * (b[4] + x * (b[5] + x * b[6]));
  for (Index k = 0; k < 4; ++k) slopes[k] = std::pow(x, k) / below;
  for (Index k = 4; k < 7; ++k) slopes[k] = -above * std::pow(x, k - 3) / (below * below);
  return above / below;
}

double quadratic_ratio(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double above = x * x + x * b[1], below = x * x + x * b[2] + b[3];
  slopes << above / below, b[0] * x / below, -b[0] * above * x / (below * below), -b[0] * above / (below * below);
  return b[0] * above / below;
}

double arrhenius(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double shifted = x + b[2], power = std::exp(b[1] / shifted);
  slopes << power, b[0] * power / shifted, -b[0] * power * b[1] / (shifted * shifted);
  return b[0] * power;
}

double bell(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double away = (x - b[2]) / b[1], power = std::exp(-0.5 * away * away);
  slopes << power / b[1], b[0] * power * (away * away - 1) / (b[1] * b[1]), b[0] * power * away / (b[1] * b[1]);
  return b[0] * power / b[1];
}

double logistic(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double power = std::exp(b[1] - b[2] * x), below = 1 + power;
  slopes << 1 / below, -b[0] * power / (below * below), b[0] * power * x / (below * below);
  return b[0] / below;
}

double skewed_logistic(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double power = std::exp(b[1] - b[2] * x), below = 1 + power, value = std::pow(below, -1 / b[3]);
  const double by_power = -b[0] * value / (b[3] * below);
  slopes << value, by_power * power, -by_power * power * x, b[0] * value * std::log(below) / (b[3] * b[3]);
  return b[0] * value;
}

double power_law(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double power = std::pow(x, b[1]);
  slopes << power, b[0] * power * std::log(x);
  return b[0] * power;
}

double two_decays(const VectorXd& b, double x, RowVectorXd& slopes) {
  const double first = std::exp(-x * b[3]), second = std::exp(-x * b[4]);
  slopes << 1, first, second, -x * b[1] * first, -x * b[2] * second;
  return b[0] + b[1] * first + b[2] * second;
}

}  // namespace

const std::vector<Regression>& nist_regressions() {
  static const std::vector<Regression> all{
      {"Misra1a",
       {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
       {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0},
       {{500, 0.0001}, {250, 0.0005}},
       {2.3894212918e+02, 5.5015643181e-04},
       {2.7070075241e+00, 7.2668688436e-06},
       1.2455138894e-01,
       1.0187876330e-01,
       saturation},
      {"BoxBOD",
       {109, 149, 149, 191, 213, 224},
       {1, 2, 3, 5, 7, 10},
       {{1, 1}, {100, 0.75}},
       {2.1380940889e+02, 5.4723748542e-01},
       {1.2354515176e+01, 1.0455993237e-01},
       1.1680088766e+03,
       1.7088072423e+01,
       saturation},
      {"DanWood",
       {2.138, 3.421, 3.597, 4.340, 4.882, 5.660},
       {1.309, 1.471, 1.490, 1.565, 1.611, 1.680},
       {{1, 5}, {0.7, 4}},
       {7.6886226176e-01, 3.8604055871e+00},
       {1.8281973860e-02, 5.1726610913e-02},
       4.3173084083e-03,
       3.2853114039e-02,
       power_law},
      {"Thurber",
       {80.574,   84.248,   87.264,   87.195,   89.076,   89.608,   89.868,   90.101,   92.405,   95.854,
        100.696,  101.060,  401.672,  390.724,  567.534,  635.316,  733.054,  759.087,  894.206,  990.785,
        1090.109, 1080.914, 1122.643, 1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509,
        1425.208, 1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628},
       {-3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322, -1.501,
        -1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714, -0.566, -0.545, -0.400, -0.309, -0.109, -0.103,
        0.010,  0.119,  0.377,  0.790,  0.963,  1.006,  1.115,  1.572,  1.841,  2.047,  2.200},
       {{1000, 1000, 400, 40, 0.7, 0.3, 0.03}, {1300, 1500, 500, 75, 1, 0.4, 0.05}},
       {1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01, 3.9797285797e-01,
        4.9727297349e-02},
       {4.6647963344e+00, 3.9571156086e+01, 2.8698696102e+01, 5.5675370270e+00, 3.1333340687e-02, 1.4984928198e-02,
        6.5842344623e-03},
       5.6427082397e+03,
       1.3714600784e+01,
       cubic_ratio},
      {"MGH09",
       {0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
       {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
       {{25, 39, 41.5, 39}, {0.25, 0.39, 0.415, 0.39}},
       {1.9280693458e-01, 1.9128232873e-01, 1.2305650693e-01, 1.3606233068e-01},
       {1.1435312227e-02, 1.9633220911e-01, 8.0842031232e-02, 9.0025542308e-02},
       3.0750560385e-04,
       6.6279236551e-03,
       quadratic_ratio},
      {"MGH10",
       {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872},
       {50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 120, 125},
       {{2, 400000, 25000}, {0.02, 4000, 250}},
       {5.6096364710e-03, 6.1813463463e+03, 3.4522363462e+02},
       {1.5687892471e-04, 2.3309021107e+01, 7.8486103508e-01},
       8.7945855171e+01,
       2.6009740065e+00,
       arrhenius},
      {"MGH17",
       {0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751,
        0.718, 0.685, 0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490,
        0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406},
       {0,   10,  20,  30,  40,  50,  60,  70,  80,  90,  100, 110, 120, 130, 140, 150, 160,
        170, 180, 190, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300, 310, 320},
       {{50, 150, -100, 1, 2}, {0.5, 1.5, -1, 0.01, 0.02}},
       {3.7541005211e-01, 1.9358469127e+00, -1.4646871366e+00, 1.2867534640e-02, 2.2122699662e-02},
       {2.0723153551e-03, 2.2031669222e-01, 2.2175707739e-01, 4.4861358114e-04, 8.9471996575e-04},
       5.4648946975e-05,
       1.3970497866e-03,
       two_decays},
      {"Eckerle4",
       {0.0001575, 0.0001699, 0.000235,  0.0003102, 0.0004917, 0.000871,  0.0017418, 0.00464,   0.0065895,
        0.0097302, 0.0149002, 0.023731,  0.0401683, 0.0712559, 0.1264458, 0.2073413, 0.2902366, 0.3445623,
        0.3698049, 0.3668534, 0.3106727, 0.2078154, 0.1164354, 0.0616764, 0.03372,   0.0194023, 0.0117831,
        0.0074357, 0.0022732, 0.00088,   0.0004579, 0.0002345, 0.0001586, 0.0001143, 0.000071},
       {400,   405, 410,   415, 420,   425, 430,   435, 436.5, 438, 439.5, 441, 442.5, 444, 445.5, 447, 448.5, 450,
        451.5, 453, 454.5, 456, 457.5, 459, 460.5, 462, 463.5, 465, 470,   475, 480,   485, 490,   495, 500},
       {{1, 10, 500}, {1.5, 5, 450}},
       {1.5543827178e+00, 4.0888321754e+00, 4.5154121844e+02},
       {1.5408051163e-02, 4.6803020753e-02, 4.6800518816e-02},
       1.4635887487e-03,
       6.7629245447e-03,
       bell},
      {"Rat42",
       {8.93, 10.8, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08},
       {9, 14, 21, 28, 42, 57, 63, 70, 79},
       {{100, 1, 0.1}, {75, 2.5, 0.07}},
       {7.2462237576e+01, 2.6180768402e+00, 6.7359200066e-02},
       {1.7340283401e+00, 8.8295217536e-02, 3.4465663377e-03},
       8.0565229338e+00,
       1.1587725499e+00,
       logistic},
      {"Rat43",
       {16.08, 33.83, 65.80, 97.20, 191.55, 326.20, 386.87, 520.53, 590.03, 651.92, 724.93, 699.56, 689.96, 637.56,
        717.41},
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
       {{100, 10, 1, 1}, {700, 5, 0.75, 1.3}},
       {6.9964151270e+02, 5.2771253025e+00, 7.5962938329e-01, 1.2792483859e+00},
       {1.6302297817e+01, 2.0828735829e+00, 1.9566123451e-01, 6.8761936385e-01},
       8.7864049080e+03,
       2.8262414662e+01,
       skewed_logistic},
  };
  return all;
}

perilune::optimize::LeastSquaresProblem problem_of(const Regression& regression, std::size_t start) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& values = regression.starts[start];
  perilune::optimize::LeastSquaresProblem problem;
  problem.start = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  problem.lower = VectorXd::Constant(problem.start.size(), -infinity);
  problem.upper = VectorXd::Constant(problem.start.size(), infinity);
  problem.evaluate = [&regression](const VectorXd& b, VectorXd& residuals, MatrixXd* jacobian) {
    const auto m = static_cast<Index>(regression.y.size());
    residuals.resize(m);
    if (jacobian) jacobian->resize(m, b.size());
    RowVectorXd slopes(b.size());
    for (Index i = 0; i < m; ++i) {
      const auto k = static_cast<std::size_t>(i);
      residuals[i] = regression.model(b, regression.x[k], slopes) - regression.y[k];
      if (jacobian) jacobian->row(i) = slopes;
    }
  };
  return problem;
}

}  // namespace least_squares_test
