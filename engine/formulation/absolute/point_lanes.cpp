// SPDX-License-Identifier: MIT
#include "formulation/absolute/point_lanes.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace perilune::formulation {

namespace {

constexpr int L = expr::lane_count;

}  // namespace

bool Dynamics::in_lanes(const Point& point, const PointChain* chain) {
  if (rows_ != Rows::All || regularization_ != 0) return false;
  // The first point is found alone; and all of them where the matrix asks for pivots.
  const linalg::SmallLdl* method = solver_.symmetric_method();
  if (!method || method->listings() == 0) return false;
  PointLanes::Request request{this, point, chain};
  return Fibers::wait(&request) && request.is_done;
}

bool Dynamics::accelerations_in_lanes(const PointChain& chain) { return in_lanes({}, &chain); }

bool PointLanes::are_offered(const System& system) {
  return expr::registers_here() != expr::Registers::None && !system.is_implicit() &&
         system.coordinate_count() + system.constraint_count() <= linalg::symmetric_limit;
}

PointLanes::PointLanes(std::shared_ptr<const System> system, const Measures& measures)
    : system_(std::move(system)),
      n_(static_cast<std::size_t>(system_->coordinate_count())),
      m_(static_cast<std::size_t>(system_->constraint_count())),
      lanes_(system_, 2),
      nothing_(lanes_.count()),
      compliance_(nothing_ + 1),
      law_(law_rows),
      nodes_(0),
      times_(0),
      weights_(0),
      measured_(0),
      measure_count_(measures.size()) {
  for (int k = 0; k < system_->constraint_count(); ++k)
    rate_row_.push_back(system_->is_velocity_row(k) ? VelocityRate : Rate);
  for (std::size_t k = 0; k < measures.size(); ++k) {
    if (measures[k]) measures_.push_back({k, system::MeasureLanes(*measures[k])});
  }
}

void PointLanes::list_operations(const Dynamics& of, const linalg::SmallLdl& method) {
  std::vector<int> row_of(of.solver_.value_count(), static_cast<int>(nothing_));
  const auto put = [&](const std::vector<int>& slots, std::size_t first, std::size_t step) {
    for (const int slot : slots) {
      row_of[static_cast<std::size_t>(slot)] = static_cast<int>(first);
      first += step;
    }
  };
  put(of.slots_.nn, lanes_.mass(), 1);
  put(of.slots_.lower, lanes_.jacobian(), 1);
  put(of.slots_.upper, lanes_.jacobian(), 1);
  put(of.slots_.compliance, compliance_, 0);
  ldl_.emplace(method, row_of);
  for (Lane& each : known_) each.listing = -1;
}

void PointLanes::prepare(std::size_t points, std::size_t terms) {
  if (points > point_room_) {
    point_room_ = points;
    nodes_ = expr::LaneArray((points + 1) * node_size());
    times_ = expr::LaneArray(points);
    measured_ = expr::LaneArray(points * measure_count_);
  }
  if (terms > term_room_) {
    term_room_ = terms;
    weights_ = expr::LaneArray(terms);
  }
}

bool PointLanes::admit(std::size_t lane, const Request& request) {
  Dynamics& own = *request.dynamics;
  const linalg::SmallLdl* method = own.solver_.symmetric_method();
  if (own.system_ != system_ || !method || method->listings() == 0) return false;
  if (!ldl_) list_operations(own, *method);
  Lane& known = known_[lane];
  if (known.serial != own.serial_) known = {own.serial_};
  if (known.listing != method->listings()) {
    if (!ldl_->serves(*method)) return false;
    known.listing = method->listings();
  }
  law_.row(Rate)[lane] = own.law_.rate;
  law_.row(Position)[lane] = own.law_.position;
  law_.row(VelocityRate)[lane] = own.law_.velocity_rate;
  lanes_.values().row(compliance_)[lane] = -(own.law_.compliance + own.regularization_);
  if (!known.has_data || system_->switches()) {  // sides of switches are data that change on the way
    lanes_.set_data(lane, *own.data_);
    for (Measured& each : measures_) {
      each.measure.set_data(lane, own.data_->parameters.data(), own.data_->sides.data());
    }
    known.has_data = true;
  }
  const auto put = [&](const double* numbers, std::size_t count, int to, std::size_t from) {
    double* row = node(to) + from * L + lane;
    for (std::size_t k = 0; k < count; ++k) row[k * L] = numbers[k];
  };
  const PointChain* chain = request.chain;
  if (!chain) {
    times_.row(0)[lane] = request.point.t;
    put(request.point.q, n_, 0, 0);
    put(request.point.v, n_, 0, n_);
    return true;
  }
  put(chain->start.q, n_, -1, 0);
  put(chain->start.v, n_, -1, n_);
  put(chain->start.a, n_, -1, 2 * n_);
  weights_.put(0, lane, chain->weights.data(), chain->weights.size());
  for (std::size_t i = 0; i < chain->points.size(); ++i) times_.row(i)[lane] = chain->points[i].t;
  return true;
}

/// Sums of weighted rows, in the order of the terms, as integrators make them for one motion.
struct PointLanes::Propose {
  template <class V>
  [[gnu::always_inline]] static void run(const std::span<const Term>& terms, const std::size_t& n, double* const& out) {
    for (int lane = 0; lane < L; lane += V::size) {
      for (std::size_t k = 0; k < n; ++k) {
        V sum = V::at(terms.front().weight + lane) * V::at(terms.front().numbers + k * L + lane);
        for (const Term& each : terms.subspan(1)) sum += V::at(each.weight + lane) * V::at(each.numbers + k * L + lane);
        sum.store(out + k * L + lane);
      }
    }
  }
};

void PointLanes::propose(const PointChain::Shape& shape, std::size_t i, std::size_t& term) {
  double* out = node(static_cast<int>(i));
  for (const bool of_v : {false, true}) {
    terms_.clear();
    for (int left = shape.counts[2 * i + of_v]; left > 0; --left, ++term) {
      const auto [from, derivative] = std::div(shape.sources[term], 3);
      terms_.push_back({weights_.row(term), node(from - 1) + static_cast<std::size_t>(derivative) * n_ * L});
    }
    expr::in_registers<Propose>(lanes_.registers(), std::span<const Term>(terms_), n_, out);
    out += n_ * L;
  }
}

struct PointLanes::RightSides {
  template <class V>
  [[gnu::always_inline]] static void run(const PointLanes* const& own, double* const& x) {
    const expr::LaneArray& w = own->lanes_.values();
    const std::size_t n = own->n_, m = own->m_;
    for (int lane = 0; lane < L; lane += V::size) {
      const double* force = w.row(own->lanes_.force()) + lane;
      for (std::size_t i = 0; i < n; ++i) V::at(force + i * L).store(x + i * L + lane);
      const double *phi = w.row(own->lanes_.phi()) + lane, *phi_rate = w.row(own->lanes_.phi_rate()) + lane,
                   *phi_bias = w.row(own->lanes_.phi_bias()) + lane;
      const V position = V::at(own->law_.row(Position) + lane);
      double* to = x + n * L + lane;
      for (std::size_t i = 0; i < m; ++i) {
        const std::size_t k = i * L;
        const V rate = V::at(own->law_.row(own->rate_row_[i]) + lane);
        (-(V::at(phi_bias + k) + rate * V::at(phi_rate + k) + position * V::at(phi + k))).store(to + k);
      }
    }
  }
};

/// 0 where all numbers of a lane are finite, else NaN.
struct PointLanes::Finite {
  template <class V>
  [[gnu::always_inline]] static void run(const double* const& x, const std::size_t& count, double* const& out) {
    for (int lane = 0; lane < L; lane += V::size) {
      V sum(0.0);
      for (std::size_t i = 0; i < count; ++i) sum += V::at(x + i * L + lane) - V::at(x + i * L + lane);
      sum.store(out + lane);
    }
  }
};

void PointLanes::measure(std::size_t i) {
  const double* q = node(static_cast<int>(i));
  const system::MeasureLanes::Rows at{times_.row(i), q, q + n_ * L, q + 2 * n_ * L, q + 3 * n_ * L};
  for (Measured& each : measures_) each.measure.evaluate(at, measured_.row(i * measure_count_ + each.number));
}

void PointLanes::require_finite(const double* x, Requests& requests) const {
  double sum[L];
  expr::in_registers<Finite>(lanes_.registers(), x, n_, static_cast<double*>(sum));
  for (std::size_t lane = 0; lane < requests.size(); ++lane) {
    if (sum[lane] != 0) requests[lane] = nullptr;
  }
}

void PointLanes::find_point(std::size_t i, Requests& requests) {
  double *q = node(static_cast<int>(i)), *v = q + n_ * L, *x = v + n_ * L;
  system::SystemLanes::Lanes asked;
  for (std::size_t lane = 0; lane < asked.size(); ++lane) asked[lane] = requests[lane] != nullptr;
  lanes_.evaluate({times_.row(i), q, v}, asked);
  const linalg::LdlLanes::Lanes good = ldl_->factor(lanes_.registers(), lanes_.values());
  expr::in_registers<RightSides>(lanes_.registers(), static_cast<const PointLanes*>(this), x);
  ldl_->solve(lanes_.registers(), x);
  for (std::size_t lane = 0; lane < requests.size(); ++lane) {
    if (!good[lane]) requests[lane] = nullptr;
  }
  require_finite(x, requests);
}

void PointLanes::hand_out(std::size_t points, const Requests& requests) {
  const std::size_t numbers = points * measure_count_;
  const std::size_t most = std::max({lanes_.count(), ldl_->number_count(), node_size(), numbers});
  if (unasked_.size() < most) unasked_.resize(most);
  const auto hand = [&](const double* rows, std::size_t count, auto&& place) {
    expr::LanePointers to;
    for (std::size_t lane = 0; lane < requests.size(); ++lane) {
      to[lane] = requests[lane] ? place(*requests[lane]) : unasked_.data();
    }
    take_all(lanes_.registers(), rows, count, to);
  };
  if (points == 0) {
    hand(node(0) + 2 * n_ * L, n_ + m_, [](const Request& x) { return x.dynamics->rhs_.data(); });
  }
  for (std::size_t i = 0; i < points; ++i) {
    hand(node(static_cast<int>(i)), node_size(), [i](const Request& x) { return x.chain->points[i].numbers; });
  }
  if (numbers > 0) {
    hand(measured_.row(0), numbers,
         [&](const Request& x) { return x.chain->measured ? x.chain->measured : unasked_.data(); });
  }
  hand(lanes_.values().row(0), lanes_.count(), [](const Request& x) { return x.dynamics->w_.values.data(); });
  hand(ldl_->numbers().row(0), ldl_->number_count(),
       [](const Request& x) { return linalg::LdlLanes::numbers_of(*x.dynamics->solver_.symmetric_method()); });
  for (Request* request : requests) {
    if (!request) continue;
    Dynamics& own = *request->dynamics;
    if (points == 0) {
      std::copy_n(own.rhs_.data(), n_, request->point.a);
      std::copy_n(own.rhs_.data() + n_, m_, request->point.lambda);
    }
    const std::size_t found = std::max<std::size_t>(points, 1);
    for (std::size_t i = 0; i < found; ++i) own.solver_.take_symmetric();
    own.is_on_the_way_ = false;
    own.evaluations_ += static_cast<long>(found);
    request->is_done = true;
  }
}

PointLanes::Requests PointLanes::alike(Requests& open) {
  Requests out{};
  const PointChain* like = nullptr;
  bool is_first = true;
  for (std::size_t lane = 0; lane < open.size(); ++lane) {
    if (!open[lane]) continue;
    const PointChain* chain = open[lane]->chain;
    if (std::exchange(is_first, false)) like = chain;
    // Each run has a plan of its own, with the same terms.
    if (!chain != !like || (chain && chain->shape != like->shape)) continue;
    out[lane] = std::exchange(open[lane], nullptr);
  }
  return out;
}

void PointLanes::compute_alike(Requests requests) {
  const Request* first = *std::find_if(requests.begin(), requests.end(), [](const Request* each) { return each; });
  const PointChain* chain = first->chain;
  prepare(chain ? chain->points.size() : 1, chain ? chain->weights.size() : 0);
  int count = 0;
  for (std::size_t lane = 0; lane < requests.size(); ++lane) {
    if (requests[lane] && !admit(lane, *requests[lane])) requests[lane] = nullptr;
    if (requests[lane]) ++count;
  }
  if (count < 2) {
    // Another list may serve them from now on.
    if (count == 0) ldl_.reset();
    return;
  }
  std::size_t term = 0;
  for (std::size_t i = 0; i < (chain ? chain->points.size() : 1); ++i) {
    if (chain) propose(chain->shape, i, term);
    find_point(i, requests);
    if (chain) measure(i);
  }
  hand_out(chain ? chain->points.size() : 0, requests);
}

void PointLanes::compute(std::span<const Fibers::Request, Fibers::most> requests) {
  Requests open{};
  for (std::size_t lane = 0; lane < open.size(); ++lane) open[lane] = static_cast<Request*>(requests[lane]);
  while (std::any_of(open.begin(), open.end(), [](const Request* each) { return each; })) compute_alike(alike(open));
}

}  // namespace perilune::formulation
