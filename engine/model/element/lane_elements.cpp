// SPDX-License-Identifier: MIT
#include "model/element/lane_elements.hpp"

#include <cstring>
#include <map>

#include "expr/pack.hpp"
#include "model/body/planar_body.hpp"
#include "model/element/registry.hpp"
#include "model/force/law.hpp"
#include "model/force/spring.hpp"
#include "model/joint/coincidence.hpp"
#include "model/joint/distance.hpp"

namespace perilune::model {

namespace {

constexpr int L = expr::lane_count;

template <class V, int count>
[[gnu::always_inline]] inline void gather(const int* places, const double* from, V* to) {
  for (int i = 0; i < count; ++i) to[i] = V::at(from + places[i] * L);
}
template <class V>
[[gnu::always_inline]] inline void add(const V& x, double* to) {
  (V::at(to) + x).store(to);
}

template <class E>
struct ConstraintLanes {
  static constexpr int nq = E::nq, nc = E::nc, nd = E::nd;

  template <class V>
  [[gnu::always_inline]] static void evaluate(const Batch& batch, int e, int lane, const LaneKinematics& at,
                                              const double* data, const Blocks& blocks) {
    V q[nq], v[nq], d[nd > 0 ? nd : 1], phi[nc]{}, rate[nc]{}, bias[nc]{}, J[nc * nq]{};
    gather<V, nq>(batch.coordinates.data() + e * nq, at.q + lane, q);
    gather<V, nq>(batch.coordinates.data() + e * nq, at.v + lane, v);
    for (int i = 0; i < nd; ++i) d[i] = V::at(data + i * L + lane);
    E::first_order(q, v, V::at(at.t + lane), d, phi, rate, bias, J);
    const int* m = batch.multipliers.data() + e * nc;
    for (int k = 0; k < nc; ++k) {
      phi[k].store(blocks.phi + m[k] * L + lane);
      rate[k].store(blocks.phi_rate + m[k] * L + lane);
      bias[k].store(blocks.phi_bias + m[k] * L + lane);
    }
    const int* slot = batch.mn.data() + e * nc * nq;
    for (int i = 0; i < nc * nq; ++i) add(J[i], blocks.jacobian + slot[i] * L + lane);
  }
};

template <class E>
struct ForceLanes {
  static constexpr int nq = E::nq, nd = E::nd;
  static constexpr bool in_mass(int i, int j) {
    if constexpr (requires { E::in_mass(0, 0); }) return E::in_mass(i, j);
    return E::has_mass;
  }
  static constexpr auto mass_positions = block_positions<nq>([](int i, int j) { return in_mass(i, j); });

  template <class V>
  [[gnu::always_inline]] static void evaluate(const Batch& batch, int e, int lane, const LaneKinematics& at,
                                              const double* data, const Blocks& blocks) {
    V q[nq], v[nq], d[nd > 0 ? nd : 1], force[nq]{};
    const int* c = batch.coordinates.data() + e * nq;
    gather<V, nq>(c, at.q + lane, q);
    gather<V, nq>(c, at.v + lane, v);
    for (int i = 0; i < nd; ++i) d[i] = V::at(data + i * L + lane);
    E::force(q, v, V::at(at.t + lane), d, force);
    for (int i = 0; i < nq; ++i) add(force[i], blocks.force + c[i] * L + lane);
    if constexpr (E::has_mass) {
      V mass[nq * nq]{};
      E::mass(q, d, mass);
      const int* slot = batch.nn.data() + e * nq * nq;
      for (const int i : mass_positions) add(mass[i], blocks.mass + slot[i] * L + lane);
    }
  }
};

template <class Lanes>
struct EvaluateAll {
  template <class V>
  [[gnu::always_inline]] static void run(const Batch& batch, const LaneKinematics& at, const double* data,
                                         const Blocks& blocks) {
    for (int e = 0; e < batch.count; ++e) {
      const double* own = data + (batch.data_offset + static_cast<std::size_t>(e * Lanes::nd)) * L;
      for (int lane = 0; lane < L; lane += V::size) Lanes::template evaluate<V>(batch, e, lane, at, own, blocks);
    }
  }
};
template <class Lanes>
void evaluate(expr::Registers registers, const Batch& batch, const LaneKinematics& at, const double* data,
              const Blocks& blocks) {
  expr::in_registers<EvaluateAll<Lanes>>(registers, batch, at, data, blocks);
}

/// The tape of laws of one form, with an instruction decoded once for all lanes.
class LawLanes {
 public:
  explicit LawLanes(const LawKernel& kernel)
      : kernel_(&kernel),
        nq_(kernel.coordinate_count()),
        nd_(kernel.data_count()),
        work_(kernel.tape().make_work<Pack>()) {}

  void operator()(const Batch& batch, const LaneKinematics& at, const double* data, const Blocks& blocks) {
    const expr::Tape& tape = kernel_->tape();
    for (int e = 0; e < batch.count; ++e) {
      const int* c = batch.coordinates.data() + e * nq_;
      Pack* next = work_.data();
      *next++ = row(at.t);
      for (int i = 0; i < nq_; ++i) *next++ = row(at.q + c[i] * L);
      for (int i = 0; i < nq_; ++i) *next++ = row(at.v + c[i] * L);
      const double* own = data + (batch.data_offset + static_cast<std::size_t>(e * nd_)) * L;
      for (int i = 0; i < nd_; ++i) *next++ = row(own + i * L);
      tape.evaluate(work_.data());
      for (int i = 0; i < nq_; ++i) {
        double* to = blocks.force + c[i] * L;
        const Pack sum = row(to) + work_[static_cast<std::size_t>(tape.output_slot(i))];
        std::memcpy(to, sum.x, sizeof sum);
      }
    }
  }

 private:
  using Pack = expr::Pack<L>;
  static Pack row(const double* from) {
    Pack out;
    std::memcpy(out.x, from, sizeof out);
    return out;
  }

  const LawKernel* kernel_;
  int nq_, nd_;
  std::vector<Pack> work_;
};

using ByRegisters = void (*)(expr::Registers registers, const Batch& batch, const LaneKinematics& at,
                             const double* data, const Blocks& blocks);
using Table = std::map<const Kernel*, ByRegisters>;

template <template <class> class Wrap, template <class, class> class Element>
void add_pairs(const std::string& what, Table& table) {
  const auto put = [&]<class A, class B>(const char* pair) {
    table[&kernel_of(what + "/" + pair + "/" + std::to_string(A::dimension))] = evaluate<Wrap<Element<A, B>>>;
  };
  const auto put_dimension = [&]<class Ground, class Point>() {
    put.template operator()<Ground, Point>("ground-point");
    put.template operator()<Point, Point>("point-point");
  };
  put_dimension.template operator()<GroundPlace<2>, PointPlace<2>>();
  put_dimension.template operator()<GroundPlace<3>, PointPlace<3>>();
  put.template operator()<GroundPlace<2>, PlanarPlace>("ground-body");
  put.template operator()<PointPlace<2>, PlanarPlace>("point-body");
  put.template operator()<PlanarPlace, PlanarPlace>("body-body");
}

Table all() {
  Table table;
  add_pairs<ConstraintLanes, Distance>("distance", table);
  add_pairs<ConstraintLanes, Coincidence>("coincidence", table);
  add_pairs<ForceLanes, Spring>("spring", table);
  table[&kernel_of("planar_body/offset")] = evaluate<ForceLanes<OffsetPlanarBody>>;
  return table;
}

}  // namespace

EvaluateLanes lanes_of(const Kernel& kernel, expr::Registers registers) {
  static const Table table = all();
  if (const auto found = table.find(&kernel); found != table.end()) return std::bind_front(found->second, registers);
  const auto* law = dynamic_cast<const LawKernel*>(&kernel);
  if (law && !law->reads_accelerations() && law->read_count() == 0) return LawLanes(*law);
  return nullptr;
}

}  // namespace perilune::model
