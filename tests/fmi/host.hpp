// SPDX-License-Identifier: MIT
// What a host does with a unit: it initializes it, has it make steps or integrates it, and differentiates its own
// steps.
#pragma once
#include <algorithm>

#include "unit.hpp"

class Host {
 public:
  Host(const std::string& folder, bool is_me) : unit_(folder, is_me) {}
  ~Host() {
    for (Stretch& each : stretches_) forget(each);
    if (saved_) call<void**>("fmi3FreeFMUState", &saved_);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  const Unit& unit() const { return unit_; }

  template <class... A>
  void call(const char* name, A... arguments) const {
    unit_.call<A...>(name, arguments...);
  }
  void init(double t, double stop) {
    const bool stops = std::isfinite(stop);
    call<bool, double, double, bool, double>("fmi3EnterInitializationMode", false, 0, t, stops, stops ? stop : 0);
    start_ = matrix(unit_.states(), knowns_);
    call("fmi3ExitInitializationMode");
    t_ = t;
    if (!unit_.is_me()) return;
    std::size_t states = 0, indicators = 0;
    call<std::size_t*>("fmi3GetNumberOfContinuousStates", &states);
    call<std::size_t*>("fmi3GetNumberOfEventIndicators", &indicators);
    if (states != unit_.states().size() || indicators != unit_.indicator_count())
      throw std::runtime_error("other counts");
    for (Stretch& each : stretches_) forget(each);
    stretches_.clear();
    event();
  }
  const Numbers& states() const { return x_; }

  void step(double h) {
    bool needed = false, ends = false, early = false;
    double last = 0;
    call<double, double, bool, bool*, bool*, bool*, double*>("fmi3DoStep", t_, h, true, &needed, &ends, &early, &last);
    t_ += h;
    if (ends) std::printf("ends\t%.17g\n", t_ = last);
    if (std::abs(last - t_) > 1e-12) throw std::runtime_error("the step ended elsewhere");
  }

  /// Steps of the classical method. An event ends the step in which it is.
  int rk4(double h, int n) {
    if (knowns_.empty()) stretches_.back().steps.clear();
    int events = 0;
    for (int k = 0; k < n; ++k) {
      const double end = t_ + h;
      while (t_ < end - 1e-13) {
        const Numbers start = x_, before = indicators();
        const double t = t_;
        const bool is_due = next_event_ < end + 1e-13;
        double length = (is_due ? next_event_ : end) - t_;
        const auto crossed = [&](double part) {
          go(start, t, part);
          const Numbers after = indicators();
          for (std::size_t i = 0; i < after.size(); ++i) {
            if ((before[i] > 0) != (after[i] > 0)) return true;
          }
          return false;
        };
        bool is_event = crossed(length);
        if (is_event) {
          double low = 0, high = length;
          for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
            const double middle = (low + high) / 2;
            (crossed(middle) ? high : low) = middle;
          }
          go(start, t, length = high);
        }
        bool asks = false, ends = false;
        call<bool, bool*, bool*>("fmi3CompletedIntegratorStep", true, &asks, &ends);
        stretches_.back().steps.push_back({t, length, start});
        if (is_event || asks || is_due) {
          call("fmi3EnterEventMode");
          event();
          ++events;
        }
      }
      if (next_event_ > end + 1e-13) t_ = end;
    }
    return events;
  }

  void differentiate(const Refs& knowns) { knowns_ = knowns; }
  Numbers slopes(Ref output, const Refs& knowns) const { return matrix({output}, knowns); }

  /// d(output at the end) by a known, forwards along the steps of rk4.
  double direct(Ref output, Ref known) {
    void* now = keep();
    const std::size_t n = unit_.states().size(), column = number(known);
    Numbers dx(n, 0.0);
    for (std::size_t i = 0; i < n && column < knowns_.size(); ++i) dx[i] = start_[i * knowns_.size() + column];
    for (const Stretch& stretch : stretches_) {
      if (!knowns_.empty()) {
        Numbers in = dx;
        in.resize(n + knowns_.size());
        in[n + column] = 1;
        for (std::size_t i = 0; i < n; ++i) {
          dx[i] = 0;
          for (std::size_t k = 0; k < in.size(); ++k) dx[i] += stretch.event[i * in.size() + k] * in[k];
        }
      }
      call<void*>("fmi3SetFMUState", stretch.state);
      for (const Step& s : stretch.steps) go_along(s, known, dx);
    }
    go_back(now);
    return tangent({output}, known, dx)[0];
  }

  /// The same by all knowns, backwards.
  Numbers adjoint(Ref output, const Refs& knowns) {
    void* now = keep();
    Numbers gradient(knowns.size(), 0.0);
    Numbers lam = pull_back({output}, {1}, knowns, gradient);
    const std::size_t n = unit_.states().size(), columns = n + knowns_.size();
    for (std::size_t at = stretches_.size(); at-- > 0;) {
      const Stretch& stretch = stretches_[at];
      call<void*>("fmi3SetFMUState", stretch.state);
      for (std::size_t k = stretch.steps.size(); k-- > 0;) lam = go_against(stretch.steps[k], knowns, gradient, lam);
      if (knowns_.empty()) continue;
      Numbers before(columns, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < columns; ++k) before[k] += lam[i] * stretch.event[i * columns + k];
      }
      for (std::size_t k = 0; k < knowns.size(); ++k) gradient[k] += before[n + number(knowns[k])];
      lam.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(n));
    }
    for (std::size_t k = 0; k < knowns.size() && !knowns_.empty(); ++k) {
      for (std::size_t i = 0; i < n; ++i) gradient[k] += lam[i] * start_[i * knowns_.size() + number(knowns[k])];
    }
    go_back(now);
    return gradient;
  }

  void save() { call<void**>("fmi3GetFMUState", &saved_), saved_t_ = t_, saved_next_ = next_event_; }
  void restore() {
    call<void*>("fmi3SetFMUState", saved_);
    t_ = saved_t_;
    next_event_ = saved_next_;
    if (unit_.is_me()) read_states();
  }
  /// Through bytes and back.
  std::size_t bytes() {
    std::size_t size = 0;
    call<void*, std::size_t*>("fmi3SerializedFMUStateSize", saved_, &size);
    std::vector<std::uint8_t> whole(size);
    call<void*, std::uint8_t*, std::size_t>("fmi3SerializeFMUState", saved_, whole.data(), size);
    call<void**>("fmi3FreeFMUState", &saved_);
    call<const std::uint8_t*, std::size_t, void**>("fmi3DeserializeFMUState", whole.data(), size, &saved_);
    return size;
  }

 private:
  struct Step {
    double t, h;
    Numbers x;
  };
  /// From an event on: the state behind it, and the states' derivatives by those right before and by the knowns.
  struct Stretch {
    void* state;
    Numbers event;
    std::vector<Step> steps;
  };

  void* keep() const {
    void* out = nullptr;
    call<void**>("fmi3GetFMUState", &out);
    return out;
  }
  void go_back(void* state) {
    call<void*>("fmi3SetFMUState", state);
    call<void**>("fmi3FreeFMUState", &state);
    place(t_, x_);
  }
  void forget(Stretch& stretch) const { call<void**>("fmi3FreeFMUState", &stretch.state); }
  std::size_t number(Ref known) const {
    for (std::size_t k = 0; k < knowns_.size(); ++k) {
      if (knowns_[k] == known) return k;
    }
    if (!knowns_.empty()) throw std::runtime_error("not differentiated by this");
    return 0;
  }

  void event() {
    bool again = true, ends = false, nominals = false, values = false, defined = false;
    double next = 0;
    Numbers over;
    while (again) {
      call<bool*, bool*, bool*, bool*, bool*, double*>("fmi3UpdateDiscreteStates", &again, &ends, &nominals, &values,
                                                       &defined, &next);
      if (again) throw std::runtime_error("a unit of ours is content with one update");
      Refs all = unit_.states();
      all.insert(all.end(), knowns_.begin(), knowns_.end());
      if (!knowns_.empty()) over = matrix(unit_.states(), all);
    }
    next_event_ = defined ? next : INFINITY;
    call("fmi3EnterContinuousTimeMode");
    if (stretches_.empty() || !knowns_.empty()) {
      stretches_.push_back({keep(), over, {}});
    } else {
      forget(stretches_[0]);
      stretches_[0] = {keep(), {}, {}};
    }
    read_states();
  }

  /// All derivatives of these by those, row by row, in both ways, which have to agree.
  Numbers matrix(const Refs& unknowns, const Refs& knowns) const {
    const std::size_t rows = unknowns.size(), columns = knowns.size();
    using All =
        int(void*, const Ref*, std::size_t, const Ref*, std::size_t, const double*, std::size_t, double*, std::size_t);
    Numbers out(rows * columns), column(rows), row(columns);
    const auto check = [](int status) {
      if (status > 1) throw std::runtime_error("no derivatives: " + std::to_string(status));
    };
    for (std::size_t k = 0; k < columns; ++k) {
      Numbers seed(columns, 0.0);
      seed[k] = 1;
      check(unit_.function<All>("fmi3GetDirectionalDerivative")(unit_.handle(), unknowns.data(), rows, knowns.data(),
                                                                columns, seed.data(), columns, column.data(), rows));
      for (std::size_t i = 0; i < rows; ++i) out[i * columns + k] = column[i];
    }
    for (std::size_t i = 0; i < rows && columns > 0; ++i) {
      Numbers seed(rows, 0.0);
      seed[i] = 1;
      check(unit_.function<All>("fmi3GetAdjointDerivative")(unit_.handle(), unknowns.data(), rows, knowns.data(),
                                                            columns, seed.data(), rows, row.data(), columns));
      for (std::size_t k = 0; k < columns; ++k) {
        const double a = row[k], b = out[i * columns + k];
        if (!(std::abs(a - b) <= 1e-10 * std::max(1.0, std::abs(b)))) throw std::runtime_error("the ways disagree");
      }
    }
    return out;
  }

  /// The tangent of the states over a step.
  void go_along(const Step& s, Ref known, Numbers& dx) const {
    Numbers k[4], dk[4];
    for (int stage = 0; stage < 4; ++stage) {
      Numbers x = s.x, seed = dx;
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (std::size_t i = 0; stage > 0 && i < x.size(); ++i) {
        x[i] += c * s.h * k[stage - 1][i];
        seed[i] += c * s.h * dk[stage - 1][i];
      }
      k[stage] = rates(s.t + c * s.h, x);
      dk[stage] = tangent(unit_.rates(), known, seed);
    }
    for (std::size_t i = 0; i < dx.size(); ++i) {
      dx[i] += s.h / 6 * (dk[0][i] + 2 * dk[1][i] + 2 * dk[2][i] + dk[3][i]);
    }
  }

  /// The adjoint of the states over a step, backwards.
  Numbers go_against(const Step& s, const Refs& knowns, Numbers& gradient, const Numbers& lam) const {
    Numbers k[4], places[4];
    for (int stage = 0; stage < 4; ++stage) {
      places[stage] = s.x;
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (std::size_t i = 0; stage > 0 && i < s.x.size(); ++i) places[stage][i] += c * s.h * k[stage - 1][i];
      k[stage] = rates(s.t + c * s.h, places[stage]);
    }
    Numbers sum = lam, from(lam.size(), 0.0);
    for (int stage = 3; stage >= 0; --stage) {
      const double b = stage == 0 || stage == 3 ? s.h / 6 : s.h / 3;
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5, next = stage == 3 ? 0 : stage == 2 ? 1 : 0.5;
      Numbers weights(lam.size());
      for (std::size_t i = 0; i < lam.size(); ++i) weights[i] = b * lam[i] + next * s.h * from[i];
      place(s.t + c * s.h, places[stage]);
      from = pull_back(unit_.rates(), weights, knowns, gradient);
      for (std::size_t i = 0; i < lam.size(); ++i) sum[i] += from[i];
    }
    return sum;
  }

  void read_states() {
    x_.resize(unit_.states().size());
    call<double*, std::size_t>("fmi3GetContinuousStates", x_.data(), x_.size());
  }
  void place(double t, const Numbers& x) const {
    call<double>("fmi3SetTime", t);
    call<const double*, std::size_t>("fmi3SetContinuousStates", x.data(), x.size());
  }
  Numbers rates(double t, const Numbers& x) const {
    place(t, x);
    Numbers out(x.size());
    call<double*, std::size_t>("fmi3GetContinuousStateDerivatives", out.data(), out.size());
    return out;
  }
  Numbers indicators() const {
    Numbers out(unit_.indicator_count());
    call<double*, std::size_t>("fmi3GetEventIndicators", out.data(), out.size());
    return out;
  }
  void go(const Numbers& start, double t, double h) {
    const Numbers k1 = rates(t, start);
    Numbers x = start;
    const auto along = [&](const Numbers& k, double part) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = start[i] + part * k[i];
      return x;
    };
    const Numbers k2 = rates(t + h / 2, along(k1, h / 2)), k3 = rates(t + h / 2, along(k2, h / 2)),
                  k4 = rates(t + h, along(k3, h));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = start[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    t_ = t + h;
    x_ = x;
    place(t_, x_);
  }
  Numbers tangent(const Refs& unknowns, Ref known, const Numbers& dx) const {
    Refs knowns = unit_.states();
    Numbers seed = dx, out(unknowns.size());
    knowns.push_back(known);
    seed.push_back(1);
    call<const Ref*, std::size_t, const Ref*, std::size_t, const double*, std::size_t, double*, std::size_t>(
        "fmi3GetDirectionalDerivative", unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
        seed.size(), out.data(), out.size());
    return out;
  }
  /// By the states; adds to the gradient by the knowns.
  Numbers pull_back(const Refs& unknowns, const Numbers& weights, const Refs& by, Numbers& gradient) const {
    Refs knowns = unit_.states();
    knowns.insert(knowns.end(), by.begin(), by.end());
    Numbers out(knowns.size());
    call<const Ref*, std::size_t, const Ref*, std::size_t, const double*, std::size_t, double*, std::size_t>(
        "fmi3GetAdjointDerivative", unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), weights.data(),
        weights.size(), out.data(), out.size());
    for (std::size_t k = 0; k < by.size(); ++k) gradient[k] += out[unit_.states().size() + k];
    out.resize(unit_.states().size());
    return out;
  }

  Unit unit_;
  void* saved_ = nullptr;
  Refs knowns_;
  double t_ = 0, saved_t_ = 0, next_event_ = INFINITY, saved_next_ = INFINITY;
  Numbers x_, start_;  // derivatives of the states at the start by the knowns
  std::vector<Stretch> stretches_;
};
