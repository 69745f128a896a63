// The direct equations of Maggi's form. The tangents of the dependent coordinates follow from those of the independent
// ones and the data: [Phi_q; B] dq = (-Phi_d dd; dz), and so on for velocities and accelerations.
#include "sensitivity/continuous_partition.hpp"
#include "sensitivity/continuous_tangent.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Vector = Partition::Vector;

/// Direction k of interleaved tangents.
template <class Number>
auto direction(Number* from, Index size, Index count, Index k) {
  using Plain = std::conditional_t<std::is_const_v<Number>, const Vector, Vector>;
  return Eigen::Map<Plain, 0, Eigen::InnerStride<>>(from + k, size, Eigen::InnerStride<>(count));
}

class MaggiTangent final : public TangentEquations {
 public:
  MaggiTangent(LinearizedMotion& motion, const TangentBundle& bundle)
      : motion_(motion),
        partition_(motion),
        n_(bundle.n),
        m_(bundle.m),
        count_(bundle.count),
        data_(static_cast<Index>(bundle.z.size()) / std::max<Index>(count_, 1) - 2 * n_) {
    MaggiTangent::prepare();
  }

  std::size_t size() const override { return static_cast<std::size_t>(2 * partition_.freedoms() * count_); }

  bool wants_change() override {
    update();
    return partition_.is_outgrown();
  }
  void prepare() override {
    partition_.choose();
    time_ = motion_.point().t;
  }

  /// Direction by direction: dz, then dz'.
  void begin(const TangentBundle& bundle, double* y) override {
    const Index d = partition_.freedoms();
    for (Index k = 0; k < count_; ++k, y += 2 * d) {
      Eigen::Map<Vector>(y, d) = partition_.pick(direction(bundle.z.data(), n_, count_, k));
      Eigen::Map<Vector>(y + d, d) = partition_.pick(direction(bundle.z.data() + n_ * count_, n_, count_, k));
    }
  }

  void complete(const double* y, TangentBundle& bundle, double* x, double* dy) override {
    update();
    const Index d = partition_.freedoms();
    for (Index k = 0; k < count_; ++k, y += 2 * d, dy += 2 * d) {
      double* z = bundle.z.data();
      const Vector data = direction(z + 2 * n_ * count_, data_, count_, k);
      const Eigen::Map<const Vector> dz(y, d), dz_rate(y + d, d);
      const Vector q = partition_.solve(-times(Block::PhiData, data, m_), dz);
      const Vector v =
          partition_.solve(-times(Block::JacobianRate, q, m_) - times(Block::PhiRateData, data, m_), dz_rate);
      const Vector curvature = times(Block::JacobianAcceleration, q, m_) + 2 * times(Block::JacobianRate, v, m_) +
                               times(Block::PhiAccelerationData, data, m_);
      Vector a = partition_.solve(-curvature, Vector::Zero(d));
      const Vector forces =
          -times(Block::Stiffness, q, n_) - times(Block::Damping, v, n_) - times(Block::ResidualData, data, n_);
      const Vector acceleration =
          partition_.solve_mass(partition_.r_transposed(forces - times(Block::Mass, a, n_)));  // dz''
      a += partition_.r(acceleration);
      direction(z, n_, count_, k) = q;
      direction(z + n_ * count_, n_, count_, k) = v;
      direction(x, n_, count_, k) = a;
      direction(x + n_ * count_, m_, count_, k) = partition_.s_transposed(forces - times(Block::Mass, a, n_));
      Eigen::Map<Vector>(dy, d) = dz_rate;
      Eigen::Map<Vector>(dy + d, d) = acceleration;
    }
  }

 private:
  void update() {
    if (motion_.point().t == time_) return;
    partition_.update();
    time_ = motion_.point().t;
  }
  Vector times(Block block, const Vector& x, Index rows) const {
    Vector out = Vector::Zero(rows);
    motion_.add(block, x.data(), out.data());
    return out;
  }

  LinearizedMotion& motion_;
  Partition partition_;
  Index n_, m_, count_, data_;
  double time_ = 0;
};

}  // namespace

std::unique_ptr<TangentEquations> maggi_tangent(LinearizedMotion& motion, const TangentBundle& bundle) {
  return std::make_unique<MaggiTangent>(motion, bundle);
}

}  // namespace perilune::sensitivity
