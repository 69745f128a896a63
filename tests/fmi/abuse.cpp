// SPDX-License-Identifier: MIT
// A host that does what the standard forbids: each call has to answer that it failed, with a sentence in the log. After
// fmi3Error the unit takes no other call until it is reset or has a state from before; what is discarded leaves it as
// it was.
//   fmi_abuse folder me|cs input
#include <algorithm>
#include <limits>
#include <thread>

#include "unit.hpp"

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
int faults = 0;
thread_local std::string said;

void hear(void*, int status, const char*, const char* message) {
  if (status >= 2) said = message;
}

void fault(const char* what) {
  std::printf("%s\n", what);
  ++faults;
}

class Abused {
 public:
  explicit Abused(const Unit& unit) : unit_(unit), handle_(nullptr) {
    using Note = void (*)(void*, int, const char*, const char*);
    if (unit.is_me()) {
      handle_ = unit.function<void*(const char*, const char*, const char*, bool, bool, void*, Note)>(
          "fmi3InstantiateModelExchange")("a", unit.token().c_str(), unit.resources().c_str(), false, true, nullptr,
                                          hear);
    } else {
      handle_ = unit.function<void*(const char*, const char*, const char*, bool, bool, bool, bool, const Ref*,
                                    std::size_t, void*, Note, void*)>("fmi3InstantiateCoSimulation")(
          "a", unit.token().c_str(), unit.resources().c_str(), false, true, false, false, nullptr, 0, nullptr, hear,
          nullptr);
    }
    if (!handle_) throw std::runtime_error("not instantiated: " + said);
  }
  ~Abused() { unit_.function<void(void*)>("fmi3FreeInstance")(handle_); }
  Abused(const Abused&) = delete;
  Abused& operator=(const Abused&) = delete;

  template <class... A>
  int status(const char* name, A... arguments) const {
    return unit_.function<int(void*, A...)>(name)(handle_, arguments...);
  }
  template <class... A>
  void good(const char* name, A... arguments) const {
    if (const int got = status<A...>(name, arguments...); got > 1) {
      throw std::runtime_error(std::string(name) + " fails: " + said);
    }
  }
  template <class... A>
  void bad(const char* why, const char* name, A... arguments) const {
    void* before = nullptr;
    good<void**>("fmi3GetFMUState", &before);
    said.clear();
    const int got = status<A...>(name, arguments...);
    if (got < 2 || said.size() <= 10) {
      std::printf("%s: %s answers %d, and says '%s'\n", why, name, got, said.c_str());
      ++faults;
    }
    if (got == 3) {
      if (!is_closed()) {
        std::printf("%s: after fmi3Error of %s the unit goes on\n", why, name);
        ++faults;
      }
      good<void*>("fmi3SetFMUState", before);
    }
    good<void**>("fmi3FreeFMUState", &before);
  }
  /// Whether the unit refuses what it takes in every mode.
  bool is_closed() const {
    said.clear();
    void* state = nullptr;
    return status<void**>("fmi3GetFMUState", &state) == 3 && said.find("fmi3Reset") != std::string::npos;
  }
  void init(double start = 0) const {
    good<bool, double, double, bool, double>("fmi3EnterInitializationMode", false, 0, start, false, 0);
    good("fmi3ExitInitializationMode");
    if (unit_.is_me()) update();
  }
  double update(bool* has_other_values = nullptr) const {
    bool again = false, ends = false, nominals = false, values = false, defined = false;
    double next = 0;
    good<bool*, bool*, bool*, bool*, bool*, double*>("fmi3UpdateDiscreteStates", &again, &ends, &nominals, &values,
                                                     &defined, &next);
    if (has_other_values) *has_other_values = values;
    return defined ? next : endless;
  }
  /// What a step returns; it has to have gone there.
  void step(double t, double h) const {
    bool needed = false, ends = false, early = false;
    double last = 0;
    good<double, double, bool, bool*, bool*, bool*, double*>("fmi3DoStep", t, h, true, &needed, &ends, &early, &last);
  }
  void bad_step(const char* why, double t, double h) const {
    bool needed = false, ends = false, early = false;
    double last = 0;
    bad<double, double, bool, bool*, bool*, bool*, double*>(why, "fmi3DoStep", t, h, true, &needed, &ends, &early,
                                                            &last);
  }
  std::vector<std::uint8_t> bytes() const {
    void* state = nullptr;
    std::size_t size = 0;
    good<void**>("fmi3GetFMUState", &state);
    good<void*, std::size_t*>("fmi3SerializedFMUStateSize", state, &size);
    std::vector<std::uint8_t> out(size);
    good<void*, std::uint8_t*, std::size_t>("fmi3SerializeFMUState", state, out.data(), size);
    good<void**>("fmi3FreeFMUState", &state);
    return out;
  }

 private:
  const Unit& unit_;
  void* handle_;
};

using RefsIn = const Ref*;
using NumbersIn = const double*;

void before_start(const Abused& a, Ref input) {
  const double value = 1, wrong = none;
  double out = 0;
  const Ref beyond = 100000;
  a.bad("no initialization", "fmi3ExitInitializationMode");
  a.bad("no initialization", "fmi3Terminate");
  a.bad("no initialization", "fmi3EnterEventMode");
  a.bad("no initialization", "fmi3EnterContinuousTimeMode");
  a.bad_step("no initialization", 0, 0.1);
  a.bad<double>("no initialization", "fmi3SetTime", 0.0);
  a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("no such variable", "fmi3SetFloat64", &beyond, 1, &value, 1);
  a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("no number", "fmi3SetFloat64", &input, 1, &wrong, 1);
  a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("null", "fmi3SetFloat64", nullptr, 1, &value, 1);
  a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("null", "fmi3SetFloat64", &input, 1, nullptr, 1);
  a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("counts", "fmi3SetFloat64", &input, 1, &value, 2);
  a.bad<RefsIn, std::size_t, double*, std::size_t>("null", "fmi3GetFloat64", &input, 1, nullptr, 1);
  a.bad<RefsIn, std::size_t, double*, std::size_t>("null", "fmi3GetFloat64", nullptr, 1, &out, 1);
  a.bad<bool, double, double, bool, double>("start", "fmi3EnterInitializationMode", false, 0, none, false, 0);
  a.bad<bool, double, double, bool, double>("start", "fmi3EnterInitializationMode", false, 0, endless, false, 0);
  a.bad<bool, double, double, bool, double>("stop", "fmi3EnterInitializationMode", false, 0, 1, true, 0.5);
  a.bad<bool, double, double, bool, double>("stop", "fmi3EnterInitializationMode", false, 0, 1, true, none);
}

void states(const Abused& a) {
  a.bad<void**>("null", "fmi3GetFMUState", nullptr);
  a.bad<void*>("null", "fmi3SetFMUState", nullptr);
  std::vector<std::uint8_t> bytes = a.bytes();
  void* state = nullptr;
  const auto refuse = [&](const char* why, const std::vector<std::uint8_t>& from, std::size_t size) {
    a.bad<const std::uint8_t*, std::size_t, void**>(why, "fmi3DeserializeFMUState", from.data(), size, &state);
  };
  for (std::size_t size = 0; size < bytes.size(); size += 5) refuse("cut off", bytes, size);
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  refuse("longer", longer, longer.size());
  // Whatever the bytes are, nothing but an answer may come: what is taken has to be a state that can be used.
  unsigned random = 1;
  for (int k = 0; k < 3000; ++k) {
    std::vector<std::uint8_t> other = bytes;
    for (int i = 0; i < 3; ++i) {
      random = random * 1664525U + 1013904223U;
      other[(random >> 8) % other.size()] = static_cast<std::uint8_t>(random >> 24);
    }
    if (a.status<const std::uint8_t*, std::size_t, void**>("fmi3DeserializeFMUState", other.data(), other.size(),
                                                           &state) > 1) {
      continue;
    }
    if (a.status<void*>("fmi3SetFMUState", state) < 2) {
      const Ref time = 0;
      double t = 0;
      a.status<RefsIn, std::size_t, double*, std::size_t>("fmi3GetFloat64", &time, 1, &t, 1);
    }
    a.good<void**>("fmi3FreeFMUState", &state);
  }
  a.good<const std::uint8_t*, std::size_t, void**>("fmi3DeserializeFMUState", bytes.data(), bytes.size(), &state);
  a.good<void*>("fmi3SetFMUState", state);
  a.bad<void*, std::uint8_t*, std::size_t>("null", "fmi3SerializeFMUState", state, nullptr, bytes.size());
  a.bad<void*, std::uint8_t*, std::size_t>("short", "fmi3SerializeFMUState", state, bytes.data(), 3);
  a.good<void**>("fmi3FreeFMUState", &state);
}

void derivatives(const Abused& a, const Unit& unit, Ref input) {
  const Ref time = 0, output = unit.states().empty() ? input + 1 : unit.rates()[0];
  const double one = 1;
  double out = 0;
  for (const char* name : {"fmi3GetDirectionalDerivative", "fmi3GetAdjointDerivative"}) {
    const auto refuse = [&](const char* why, RefsIn of, RefsIn by, NumbersIn seed, std::size_t count, double* to) {
      a.bad<RefsIn, std::size_t, RefsIn, std::size_t, NumbersIn, std::size_t, double*, std::size_t>(
          why, name, of, 1, by, 1, seed, count, to, 1);
    };
    refuse("by time", &output, &time, &one, 1, &out);
    refuse("of an input", &input, &input, &one, 1, &out);
    refuse("null", nullptr, &input, &one, 1, &out);
    refuse("null", &output, nullptr, &one, 1, &out);
    refuse("null", &output, &input, nullptr, 1, &out);
    refuse("null", &output, &input, &one, 1, nullptr);
    refuse("counts", &output, &input, &one, 2, &out);
  }
}

void model_exchange(const Abused& a, const Unit& unit, Ref input) {
  const std::size_t n = unit.states().size();
  std::vector<double> x(n + 1), out(n + 1);
  a.bad<NumbersIn, std::size_t>("mode", "fmi3SetContinuousStates", x.data(), n);
  a.bad_step("another kind", 0, 0.1);
  a.bad<bool*, bool*, bool*, bool*, bool*, double*>("null", "fmi3UpdateDiscreteStates", nullptr, nullptr, nullptr,
                                                    nullptr, nullptr, nullptr);
  derivatives(a, unit, input);
  states(a);
  a.good("fmi3EnterContinuousTimeMode");
  a.bad("twice", "fmi3EnterContinuousTimeMode");
  a.bad<double>("no number", "fmi3SetTime", none);
  a.good<double*, std::size_t>("fmi3GetContinuousStates", x.data(), n);
  a.bad<double*, std::size_t>("counts", "fmi3GetContinuousStates", x.data(), n + 1);
  a.bad<double*, std::size_t>("null", "fmi3GetContinuousStates", nullptr, n);
  a.bad<double*, std::size_t>("null", "fmi3GetContinuousStateDerivatives", nullptr, n);
  a.bad<double*, std::size_t>("counts", "fmi3GetEventIndicators", out.data(), 1000);
  a.bad<double*, std::size_t>("counts", "fmi3GetNominalsOfContinuousStates", out.data(), 1000);
  a.bad<std::size_t*>("null", "fmi3GetNumberOfContinuousStates", nullptr);
  a.bad<bool, bool*, bool*>("null", "fmi3CompletedIntegratorStep", true, nullptr, nullptr);
  // A trial of the host's that went wrong: the answer is that it did, and what was before goes on.
  a.good<double*, std::size_t>("fmi3GetContinuousStateDerivatives", out.data(), n);
  const std::vector<double> before = out;
  std::vector<double> wrong(n, none);
  a.good<NumbersIn, std::size_t>("fmi3SetContinuousStates", wrong.data(), n);
  a.bad<double*, std::size_t>("no number", "fmi3GetContinuousStateDerivatives", out.data(), n);
  a.good<NumbersIn, std::size_t>("fmi3SetContinuousStates", x.data(), n);
  a.good<double*, std::size_t>("fmi3GetContinuousStateDerivatives", out.data(), n);
  for (std::size_t k = 0; k < n; ++k) {
    if (std::abs(out[k] - before[k]) <= 1e-12 * std::max(1.0, std::abs(before[k]))) continue;
    fault("other rates after a trial that failed");
  }
  // A state of the middle of an event: what happens there happens once each time.
  a.good("fmi3EnterEventMode");
  void* middle = nullptr;
  const double next = a.update();
  if (std::isfinite(next)) a.good<double>("fmi3SetTime", next);
  a.good<void**>("fmi3GetFMUState", &middle);
  a.update();
  const std::vector<std::uint8_t> after = a.bytes();
  bool is_again = false;
  a.update(&is_again);
  if (is_again) fault("an event that has happened happens again");
  a.good<void*>("fmi3SetFMUState", middle);
  a.update();
  if (a.bytes() != after) fault("another event after the same state");
  a.good<void**>("fmi3FreeFMUState", &middle);
  // Far behind the time of an event.
  if (std::isfinite(a.update())) {
    a.good<double>("fmi3SetTime", 1000);
    bool f = false;
    double t = 0;
    a.bad<bool*, bool*, bool*, bool*, bool*, double*>("missed", "fmi3UpdateDiscreteStates", &f, &f, &f, &f, &f, &t);
    a.good<double>("fmi3SetTime", 0);
  }
}

void co_simulation(const Abused& a, const Unit& unit, Ref input) {
  derivatives(a, unit, input);
  states(a);
  for (const double h : {0.0, -0.1, none, endless, 1e-300}) {
    a.step(0, 0.1);
    const std::vector<std::uint8_t> before = a.bytes();
    a.bad_step("length", 0.1, h);
    a.bad_step("elsewhere", 0.2, 0.1);
    a.bad_step("elsewhere", none, 0.1);
    if (a.bytes() != before) {
      fault("a step that failed left another state");
    }
    a.good("fmi3Reset");
    a.init();
  }
  a.bad<double, double, bool, bool*, bool*, bool*, double*>("null", "fmi3DoStep", 0, 0.1, true, nullptr, nullptr,
                                                            nullptr, nullptr);
  a.bad("another kind", "fmi3EnterEventMode");
  a.bad("another kind", "fmi3EnterContinuousTimeMode");
  std::size_t count = 0;
  a.bad<std::size_t*>("another kind", "fmi3GetNumberOfContinuousStates", &count);
}

/// Each way out of an error: a reset, as from anew; a state, as from there; and a call of the log does not count.
void after_errors(const Unit& unit, Ref input) {
  const auto begun = [&](const Abused& a) {
    a.init(0.25);
    return a.bytes();
  };
  const Abused fresh(unit);
  const std::vector<std::uint8_t> right = begun(fresh);
  const double wrong = none, value = 1;
  double out = 0;
  const Abused a(unit);
  const auto fail = [&](const Abused& one) {
    if (one.status<RefsIn, std::size_t, NumbersIn, std::size_t>("fmi3SetFloat64", &input, 1, &wrong, 1) != 3) {
      fault("no number is no error");
    }
    if (!one.is_closed()) fault("a unit goes on after fmi3Error");
    if (one.status<RefsIn, std::size_t, double*, std::size_t>("fmi3GetFloat64", &input, 1, &out, 1) != 3 ||
        one.status<RefsIn, std::size_t, NumbersIn, std::size_t>("fmi3SetFloat64", &input, 1, &value, 1) != 3 ||
        one.status<RefsIn, std::size_t, std::int32_t*, std::size_t>("fmi3GetInt32", &input, 0, nullptr, 0) != 3 ||
        one.status("fmi3Terminate") != 3) {
      fault("a call is taken after fmi3Error");
    }
    one.good<bool, std::size_t, const char* const*>("fmi3SetDebugLogging", true, 0, nullptr);
    if (!one.is_closed()) fault("the log opens a unit that has failed");
  };
  fail(a);
  a.good("fmi3Reset");
  if (begun(a) != right) fault("another state after a reset");
  void* state = nullptr;
  a.good<void**>("fmi3GetFMUState", &state);
  fail(a);
  if (a.status<void*>("fmi3SetFMUState", nullptr) != 3 || !a.is_closed())
    fault("no state opens a unit that has failed");
  a.good<void*>("fmi3SetFMUState", state);
  if (a.bytes() != right) fault("another state after an error");
  a.good<void**>("fmi3FreeFMUState", &state);
  a.good("fmi3Terminate");
  fail(Abused(unit));  // and is freed
}

/// Instances do not know of each other, whichever thread they are in.
void many(const Unit& unit) {
  std::vector<std::vector<std::uint8_t>> ends(6);
  std::vector<std::thread> threads;
  for (auto& end : ends) {
    threads.emplace_back([&unit, &end] {
      const Abused a(unit);
      a.init();
      for (int k = 0; k < 5 && !unit.is_me(); ++k) a.step(0.01 * k, 0.01);
      end = a.bytes();
    });
  }
  for (std::thread& each : threads) each.join();
  for (const auto& end : ends) {
    if (end == ends[0]) continue;
    fault("one of many instances got elsewhere");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    const Unit unit(argv[1], std::string(argv[2]) == "me");
    const Ref input = unit.ref(argv[3]);
    const Abused a(unit);
    before_start(a, input);
    a.init();
    a.bad<bool, double, double, bool, double>("twice", "fmi3EnterInitializationMode", false, 0, 0, false, 0);
    unit.is_me() ? model_exchange(a, unit, input) : co_simulation(a, unit, input);
    a.good("fmi3Terminate");
    a.bad("terminated", "fmi3Terminate");
    a.bad_step("terminated", 0, 0.1);
    const double value = 1;
    a.bad<RefsIn, std::size_t, NumbersIn, std::size_t>("terminated", "fmi3SetFloat64", &input, 1, &value, 1);
    a.good("fmi3Reset");
    a.good("fmi3Reset");
    a.init(0.5);
    after_errors(unit, input);
    many(unit);
    if (unit.function<int(void*)>("fmi3Terminate")(nullptr) < 2) {
      fault("no instance at all is well");
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%d faults\n", faults);
  return faults > 0;
}
