// SPDX-License-Identifier: MIT
// By which data elements are differentiated, and the places of what they contribute in the matrices of a system.
#include <algorithm>

#include "error.hpp"
#include "linalg/slot_walk.hpp"
#include "system/system.hpp"

namespace perilune::system {

void System::mark_active() {
  linearized_ = moving_;
  linearized_.insert(linearized_.end(), reading_.begin(), reading_.end());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const model::Kernel& kernel = *groups_[g].kernel;
    model::Batch& batch = groups_[g].batch;
    batch.is_active.assign(static_cast<std::size_t>(batch.count), 0);
    for (int e = 0; e < batch.count; ++e) {
      for (int j = 0; j < kernel.data_count(); ++j) {
        if (differentiated_datum(groups_[g], e, j) >= 0) batch.is_active[static_cast<std::size_t>(e)] = 1;
      }
    }
    const bool any = std::find(batch.is_active.begin(), batch.is_active.end(), 1) != batch.is_active.end();
    if (kernel.is_constant() && any) linearized_.push_back(g);
  }
}

int System::differentiated_datum(const Group& group, int element, int j) const {
  const auto k = static_cast<std::size_t>(element * group.kernel->data_count() + j);
  const int datum = packed_[group.batch.data_offset + k].datum;
  return datum >= 0 && is_differentiated_[static_cast<std::size_t>(datum)] ? datum : -1;
}

std::shared_ptr<const System> System::differentiated_by(const std::vector<int>& over,
                                                        const std::shared_ptr<const System>& system) {
  std::vector<char> is_reached = system->data_tape_.reached_by(over);
  if (system->time_datum_ >= 0) is_reached.push_back(1);
  if (is_reached == system->is_differentiated_) return system;
  auto out = std::make_shared<System>(*system);
  out->is_differentiated_ = std::move(is_reached);
  out->mark_active();
  out->build_patterns();
  return out;
}

void System::build_patterns() {
  linalg::Entries nn, mn, nr, nd, md, mass;
  const bool is_copy = nn_.size() > 0;  // of a system that is differentiated by other data: all else stays
  for (Group& g : groups_) {
    g.batch.nd.clear();
    g.batch.md.clear();
  }
  std::vector<char> couples;  // of a kernel's coordinates
  std::vector<int> data;      // that an element is differentiated by
  auto visit = [&](auto&& at_nn, auto&& at_mn, auto&& at_nr, auto&& at_nd, auto&& at_md) {
    for (Group& g : groups_) {
      const int q = g.kernel->coordinate_count(), c = g.kernel->constraint_count(), d = g.kernel->data_count(),
                r = g.kernel->read_count();
      couples.clear();
      for (int i = 0; i < q; ++i) {
        // Symmetric, as the factorizations want it.
        for (int j = 0; j < q; ++j) couples.push_back(g.kernel->couples(i, j) || g.kernel->couples(j, i));
      }
      data.resize(static_cast<std::size_t>(d));
      for (int e = 0; e < g.batch.count; ++e) {
        check_interrupt();
        const int* x = g.batch.coordinates.data() + e * q;
        const int* y = g.batch.multipliers.data() + e * c;
        for (int j = 0; j < d; ++j) data[static_cast<std::size_t>(j)] = differentiated_datum(g, e, j);
        for (int i = 0; i < q; ++i) {
          for (const int datum : data) at_nd(g, x[i], datum);
          if (is_copy) continue;
          for (int j = 0; j < q; ++j) at_nn(g, x[i], x[j], couples[static_cast<std::size_t>(i * q + j)] != 0);
          for (int j = 0; j < r; ++j) at_nr(g, x[i], g.batch.reads[static_cast<std::size_t>(e * r + j)]);
        }
        for (int i = 0; i < c; ++i) {
          for (int j = 0; j < q && !is_copy; ++j) at_mn(g, y[i], x[j]);
          for (const int datum : data) at_md(g, y[i], datum);
        }
      }
    }
  };
  visit(
      [&](Group& g, int i, int j, bool is_there) {
        if (!is_there) return;
        nn.emplace(i, j);
        if (g.kernel->has_mass()) mass.emplace(i, j);
      },
      [&](Group&, int i, int j) { mn.emplace(i, j); },
      [&](Group&, int i, int j) {
        if (j >= 0) nr.emplace(i, j);
      },
      [&](Group&, int i, int j) {
        if (j >= 0) nd.emplace(i, j);
      },
      [&](Group&, int i, int j) {
        if (j >= 0) md.emplace(i, j);
      });
  for (int i = 0; i < n_; ++i) nn.emplace(i, i);
  if (!is_copy) {
    nn_ = SparsePattern(n_, n_, nn);
    mass_ = SubPattern(nn_, mass);
    mn_ = SparsePattern(m_, n_, mn);
    nr_ = SparsePattern(n_, m_, nr);
  }
  nd_ = SparsePattern(n_, data_count(), nd);
  md_ = SparsePattern(m_, data_count(), md);
  linalg::SlotWalk in_nn(nn_), in_mn(mn_), in_nr(nr_), in_nd(nd_), in_md(md_);
  visit([&](Group& g, int i, int j, bool is_there) { g.batch.nn.push_back(is_there ? in_nn(i, j) : -1); },
        [&](Group& g, int i, int j) { g.batch.mn.push_back(in_mn(i, j)); },
        [&](Group& g, int i, int j) { g.batch.nr.push_back(j < 0 ? -1 : in_nr(i, j)); },
        [&](Group& g, int i, int j) { g.batch.nd.push_back(j < 0 ? -1 : in_nd(i, j)); },
        [&](Group& g, int i, int j) { g.batch.md.push_back(j < 0 ? -1 : in_md(i, j)); });
}

}  // namespace perilune::system
