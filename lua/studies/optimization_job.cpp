// SPDX-License-Identifier: MIT
#include "studies/optimization_job.hpp"

#include <algorithm>

#include "base/table_fields.hpp"
#include "error.hpp"
#include "fingerprint.hpp"
#include "ranks/ranks.hpp"
#include "studies/said_by.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

Field job_field() {
  return {.name = "job",
          .type = Type::String,
          .text = "file of what was evaluated, with which the same call goes on after a break",
          .fallback = "none is kept"};
}

OptimizationJob::OptimizationJob(Args& args, const std::vector<int>& over) : args_(args), over_(over) {
  if (!args.given("job")) {
    args.value("job");
    return;
  }
  path_ = args.text("job");
  if (ranks::size() > 1) {
    args.fail("job = '" + path_ +
              "': a search that is kept in a file is one of a single process; start the script "
              "without mpirun, or leave job out");
  }
  const JobStart start = said_by(args, [&] { return job_start(path_); });
  const std::vector<double> values = args.model()->parameter_values();
  for (const int number : over) before_.push_back(values[static_cast<std::size_t>(number)]);
  model::Model& engine = args.engine();
  for (const int number : over) {
    const std::string& name = engine.parameters()[static_cast<std::size_t>(number)].name;
    const auto found = std::find_if(start.begin(), start.end(), [&](const auto& one) { return one.first == name; });
    if (found == start.end()) continue;
    try {
      engine.set_parameter(number, found->second);
    } catch (const Error&) {  // the bounds are others, which is said when the file is opened
    }
  }
}

OptimizationJob::~OptimizationJob() {
  for (std::size_t k = 0; k < before_.size(); ++k) args_.engine().set_parameter(over_[k], before_[k]);
}

void OptimizationJob::open(Minimization& task, const Optimizer& optimizer, std::size_t starts, std::uint64_t seed) {
  const model::Model& engine = args_.engine();
  const std::string how = std::to_string(starts) + (starts > 1 ? ", seed " + std::to_string(seed) : "");
  if (ranks::may_spread() && (starts > 1 || task.experiments.size() > 1)) {
    Fingerprint print;
    for (const auto& [what, fact] : facts_of(engine, task, optimizer, how)) print.add(what).add(fact);
    task.fingerprint = print.text();
  }
  if (path_.empty()) return;
  JobStart start;
  std::string values;
  for (std::size_t k = 0; k < over_.size(); ++k) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over_[k])];
    start.emplace_back(p.name, p.value);
    values += (k ? ", " : "") + p.name + " = " + with_unit(p.value, p.unit);
  }
  journal_ = said_by(args_, [&] {
    return std::make_shared<OptimizationJournal>(path_, engine.name(), start, facts_of(engine, task, optimizer, how),
                                                 starts);
  });
  task.journal = journal_;
  // After a break the parameters are where the search had come to, or as the script declares them.
  if (journal_->knows(Eigen::Map<const Eigen::VectorXd>(before_.data(), static_cast<Eigen::Index>(before_.size())))) {
    return;
  }
  moved_ = "job '" + path_ + "' began at " + values +
           " and goes on from there, not from the present values; delete the file to begin anew";
}

std::vector<std::string> OptimizationJob::warnings() const {
  std::vector<std::string> all;
  if (!moved_.empty()) all.push_back(moved_);
  if (journal_) all.insert(all.end(), journal_->warnings().begin(), journal_->warnings().end());
  return all;
}

void OptimizationJob::set_resumed(lua_State* L) const {
  if (journal_) set_integer(L, "resumed", journal_->resumed());
}

}  // namespace perilune::lua
