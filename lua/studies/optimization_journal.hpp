// SPDX-License-Identifier: MIT
// The file of an optimization that goes on after a break. It has every evaluation in the order in which the search
// asked for it, with numbers that read back to the same bits. Searches are deterministic: one that begins anew at the
// same point asks for the same, takes what is there instead of simulating, and goes on where the other was stopped.
//   {"optimization":"spring","start":{"L":1},"facts":{"integrator":"rk4 0.001","model":"#5e6f...", ...}}
//   {"start":1,"asked":"gradients","x":[1],"runs":[{"values":[0.5],"derivatives":[[-2]],"warnings":["..."]}]}
//   {"start":1,"asked":"product","x":[1],"along":[0.5],"runs":[...]}       "failure":"..." in place of the runs
//   {"start":2,"keep":7}                                  of this start, the evaluations above from the 8th on are void
#pragma once
#include <Eigen/Core>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimize/job_file.hpp"
#include "sensitivity/gradient.hpp"
#include "studies/optimization_facts.hpp"

namespace perilune::lua {

/// Where a job began: parameters by name.
using JobStart = std::vector<std::pair<std::string, double>>;
/// Of the job in a file that a script may write and read; empty where there is none yet. Throws Error where it may not,
/// or where the file is something else, which stays as it is.
JobStart job_start(const std::string& path);

class OptimizationJournal {
 public:
  /// Opens the file for this process alone, or makes it. job_start has been asked whether it may. Throws Error where it
  /// cannot, and where the file is of another optimization.
  OptimizationJournal(const std::string& path, const std::string& model, const JobStart& start, const Facts& facts,
                      std::size_t starts);

  using Runs = std::vector<sensitivity::Gradient>;
  /// What the file has, or else what `live` returns, which is appended; a NumericalError of it, too. `start`: from 0.
  /// Several starts may ask at the same time, each of them one thing after the other.
  Runs evaluation(std::size_t start, std::string_view asked, const Eigen::VectorXd& x, const Eigen::VectorXd& along,
                  const std::function<Runs()>& live);

  /// How many evaluations were taken from the file.
  int resumed() const { return resumed_; }
  /// Whether the file, as it was opened, begins at x or has an evaluation there.
  bool knows(const Eigen::VectorXd& x) const;
  /// Where the search asked for something else than the file has: what is to be said of it.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Evaluation {
    std::string asked;
    std::vector<double> x, along;
    Runs runs;
    std::string failure;  // in place of the runs
    bool has_failed = false;
  };
  struct Start {
    std::vector<Evaluation> evaluations;
    std::size_t next = 0;
  };
  void read(std::size_t line);
  static std::string line_of(std::size_t start, const Evaluation& evaluation);
  void drop_rest(std::size_t start);

  optimize::JobFile file_;
  std::vector<Start> starts_;
  std::vector<std::vector<double>> points_;  // that were known when the file was opened
  std::mutex mutex_;
  int resumed_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace perilune::lua
