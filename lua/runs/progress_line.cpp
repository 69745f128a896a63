// SPDX-License-Identifier: MIT
// The line that says how far a run is.
#include <cstdio>

#include "base/progress_terminal.hpp"
#include "processor_time.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

ProgressLine::ProgressLine(double start, double end)
    : start_(start), end_(end), began_(processor_time()), is_seen_(progress_is_seen()) {}

ProgressLine::~ProgressLine() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
}

integrator::Progress ProgressLine::listener() {
  return [this](double t, double h, const integrator::Statistics& statistics) { show(t, h, statistics); };
}

void ProgressLine::show(double t, double h, const integrator::Statistics& statistics) {
  if (!is_seen_) return;
  const double now = processor_time() - began_;
  if (now < 0.5 || now - last_ < 0.1) return;
  last_ = now;
  is_shown_ = true;
  std::string work = std::to_string(statistics.steps) + " steps";
  if (statistics.newton_iterations > 0) work += ", " + std::to_string(statistics.newton_iterations) + " iterations";
  if (is_stiff(statistics)) work += " (stiff: rather mbs.radau {})";
  std::fprintf(stderr, "\r\033[Kt = %.4g of %.4g s, step %.2g s, %s, about %.0f s left (Ctrl-C stops)", t, end_, h,
               work.c_str(), t > start_ ? now * (end_ - t) / (t - start_) : 0.0);
  std::fflush(stderr);
}

}  // namespace perilune::lua
