// SPDX-License-Identifier: MIT
// mbs.sweep: an experiment at the points of a design; with `perilune run` also those of a shard, kept in a file.
#include "studies/sweep.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/run_options.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "fingerprint.hpp"
#include "optimize/job_file.hpp"
#include "optimize/job_lines.hpp"
#include "optimize/sentences.hpp"
#include "ranks/archive.hpp"
#include "ranks/ranks.hpp"
#include "runs/experiment.hpp"
#include "runs/specs.hpp"
#include "studies/job_progress.hpp"
#include "studies/optimization_facts.hpp"

namespace perilune::lua {

namespace {

using optimize::Sweep;
using optimize::SweepTitle;
using optimize::Trial;

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// All that the results of a sweep depend on, as far as it can be known: what differs in it must not be merged.
std::string fingerprint(const RunOptions& options, const model::Model& engine, const Sweep& sweep) {
  Fingerprint print;
  print.add(file_text(options.script));
  for (const std::string& word : options.words) print.add(word);
  for (const model::Parameter& p : engine.parameters()) print.add(p.name);
  print.add(sweep.parameters);
  for (const int number : sweep.over) print.add(engine.parameters()[static_cast<std::size_t>(number)].name);
  for (const auto& point : sweep.points) print.add(point);
  for (const auto& [what, fact] : facts_of(engine, sweep.problem, sweep.method)) print.add(what).add(fact);
  try {
    const auto data = sweep.problem.system->make_data(sweep.parameters);
    print.add(data->packed).add(data->initial_q).add(data->initial_v);
  } catch (const NumericalError&) {  // then every job may fail, and says why
  }
  return print.text();
}

/// The file of finished jobs that the command line names, for all sweeps of the script.
optimize::JobFile& job_file(const RunOptions& options) {
  static std::unique_ptr<optimize::JobFile> file;
  if (!file) {
    require_writable(options.results);
    file = std::make_unique<optimize::JobFile>(options.results);
  }
  return *file;
}

/// Trials of this sweep that the file has.
std::map<std::size_t, Trial> finished_jobs(const optimize::JobFile& file, const SweepTitle& title) {
  std::map<std::size_t, Trial> trials;
  for (std::size_t k = 0; k < file.lines().size(); ++k) {
    const std::string place = file.path() + ":" + std::to_string(k + 1) + ": ";
    try {
      const optimize::JobLine line = optimize::read_job_line(file.lines()[k]);
      if (line.sweep != title.number) continue;
      if (line.design != title.design || line.jobs != title.jobs) {
        throw Error("this job is of another script, other arguments, or another model, design or setting (sweep " +
                    std::to_string(line.sweep) + " of " + line.script + ", " + std::to_string(line.jobs) +
                    " jobs); remove the file, or name another one by --results");
      }
      Trial trial = optimize::trial_of(line, title);
      trials.insert_or_assign(trial.job, std::move(trial));
    } catch (const Error& problem) {
      throw Error(place + problem.what());
    }
  }
  return trials;
}

std::vector<std::size_t> jobs_to_do(const RunOptions& options, std::size_t count,
                                    const std::map<std::size_t, Trial>& finished) {
  std::vector<std::size_t> jobs;
  for (std::size_t job = options.shard - 1; job < count; job += options.shards) {
    if (!finished.contains(job)) jobs.push_back(job);
  }
  return jobs;
}

void check_objectives(const Args& args, const simulation::Problem& problem) {
  for (std::size_t k = 0; k < problem.objectives.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      if (problem.objectives[i]->name == problem.objectives[k]->name) {
        args.fail("objective \"" + problem.objectives[k]->name + "\" is named twice");
      }
    }
  }
}

std::vector<std::vector<double>> points_of(const Args& args, const optimize::Design& design,
                                           const std::vector<int>& over) {
  try {
    return optimize::design_points(design, design_variables(args.engine(), over));
  } catch (const Error& problem) {
    args.fail(problem.what());
  }
}

SweepTitle title_of(RunOptions& options, const model::Model& engine, const Sweep& sweep) {
  SweepTitle title;
  title.script = std::filesystem::path(options.script).filename().string();
  title.number = ++options.sweeps;
  title.jobs = sweep.points.size();
  for (const int number : sweep.over) {
    title.parameters.push_back(engine.parameters()[static_cast<std::size_t>(number)].name);
  }
  for (const auto& objective : sweep.problem.objectives) title.objectives.push_back(objective->name);
  if (options.keeps_jobs() || ranks::may_spread()) title.design = fingerprint(options, engine, sweep);
  return title;
}

/// The jobs of a sweep and what becomes of them.
struct Sweeping {
  const Sweep& task;
  const SweepTitle& title;
  optimize::JobFile* file;  // null: none is kept
  std::map<std::size_t, Trial> finished;

  void keep(Trial trial) {
    const Trial& kept = finished.insert_or_assign(trial.job, std::move(trial)).first->second;
    if (file) file->append(optimize::job_line(title, kept));
  }
  Trial trial(const std::string& line) const { return optimize::trial_of(optimize::read_job_line(line), title); }
};

void sweep_here(Sweeping& sweeping, const std::vector<std::size_t>& jobs) {
  JobProgress progress("job", jobs.size());
  optimize::run_sweep(sweeping.task, jobs, [&](Trial trial) {
    progress.count(trial.succeeded());
    sweeping.keep(std::move(trial));
  });
}

/// On the threads of all processes: what they tell each other are the lines of the file of jobs.
void sweep_in_all(Sweeping& sweeping, const std::function<std::vector<std::size_t>()>& jobs) {
  JobProgress progress("job", sweeping.task.points.size());
  const SweepTitle& title = sweeping.title;
  ranks::Work work;
  work.title = "sweep " + std::to_string(title.number) + " (" + std::to_string(title.jobs) + " jobs, design " +
               title.design + ")";
  work.jobs = jobs;
  work.compute = [&](std::size_t job) { return optimize::job_line(title, evaluate(sweeping.task, job)); };
  work.arrived = [&](std::size_t, const std::string& line) {
    Trial trial = sweeping.trial(line);
    progress.count(trial.succeeded());
    sweeping.keep(std::move(trial));
  };
  work.outcome = [&] {
    std::vector<std::string> lines;
    for (const auto& [job, trial] : sweeping.finished) lines.push_back(optimize::job_line(title, trial));
    return ranks::packed(lines);
  };
  const auto lines = ranks::unpacked<std::vector<std::string>>(ranks::spread(work));
  if (ranks::number() == 0) return;
  for (const std::string& line : lines) {
    Trial trial = sweeping.trial(line);
    sweeping.finished.insert_or_assign(trial.job, std::move(trial));
  }
}

/// One sentence for all.
std::vector<std::string> said_of_jobs(const std::vector<Trial>& trials) {
  const auto is_warned = [](const Trial& t) { return !t.warnings.empty(); };
  const auto first = std::find_if(trials.begin(), trials.end(), is_warned);
  if (first == trials.end()) return {};
  const auto count = std::count_if(trials.begin(), trials.end(), is_warned);
  return {std::to_string(count) + " of " + optimize::plural(trials.size(), "job") + (count == 1 ? " has" : " have") +
          " warnings, which are in the rows of the sweep; that of job " + std::to_string(first->job + 1) + ": " +
          first->warnings.front()};
}

/// Pushes the table of what is finished, also as mbs.last_sweep.
void push_result(lua_State* L, const model::Model& engine, const Sweep& sweep, const SweepTitle& title,
                 std::map<std::size_t, Trial>&& finished) {
  SweepResult result;
  result.model = engine.name();
  for (const int number : sweep.over) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(number)];
    result.parameters.push_back({p.name, p.unit});
  }
  result.objectives = title.objectives;
  result.jobs = title.jobs;
  for (auto& [job, trial] : finished) result.trials.push_back(std::move(trial));
  print_warnings(L, said_of_jobs(result.trials));
  push_sweep(L, std::move(result));
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "perilune") == LUA_TTABLE) {
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "last_sweep");
  }
  lua_pop(L, 2);
}

int sweep(lua_State* L) {
  Args args(L);
  bool is_list = false;
  const auto objectives = read_objectives(args, L, "objective", is_list);
  Sweep task;
  task.problem = read_problem(args, L);
  task.problem.objectives = objectives;
  check_objectives(args, task.problem);
  task.over = read_parameters(args, L, "over");
  task.points = points_of(args, read_spec<optimize::Design>(args, L, "design", {}), task.over);
  if (args.given("method")) {
    task.method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  } else {
    args.value("method");
  }
  args.check_all_read();
  task.parameters = args.model()->parameter_values();

  RunOptions& options = run_options();
  const SweepTitle title = title_of(options, args.engine(), task);
  Sweeping sweeping{task, title, nullptr, {}};
  const auto jobs = [&] {
    if (options.keeps_jobs()) {
      sweeping.file = &job_file(options);
      sweeping.finished = finished_jobs(*sweeping.file, title);
    }
    return jobs_to_do(options, task.points.size(), sweeping.finished);
  };
  std::exception_ptr problem;
  try {
    ranks::may_spread() ? sweep_in_all(sweeping, jobs) : sweep_here(sweeping, jobs());
  } catch (const std::exception&) {  // asked to stop, or the disk is full: what was computed is kept
    problem = std::current_exception();
  }
  push_result(L, args.engine(), task, title, std::move(sweeping.finished));
  if (problem) std::rethrow_exception(problem);
  return 1;
}

}  // namespace

std::span<const Constructor> sweep_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.sweep",
       .object = "sweep",
       .returns = "sweep",
       .summary =
           "Evaluates objectives, and their gradients where a method is given, at every point of a design, on all\n"
           "processors (OMP_NUM_THREADS sets how many; the results do not depend on it). The parameters keep\n"
           "their values. Returns a list of rows { job, parameters, values, gradients }, by name each; a job that\n"
           "fails numerically has the text failure instead of values and does not end the others; one of whose run\n"
           "something was said has the list warnings. Beside the\n"
           "list: jobs (how many the design has), failed (how many), complete (whether all jobs are in the list),\n"
           "best (the row with the lowest first objective); methods plot, svg, csv, json. After Ctrl-C\n"
           "mbs.last_sweep has what was finished. help \"mpirun\" and help \"shards\": on several machines.",
       .positional = {{.name = "objective", .type = Type::Objective, .text = "of m:objective", .required = true}},
       .fields = with_settings(
           {{.name = "design", .type = Type::Design, .text = "values of the parameters", .required = true},
            {.name = "over", .type = Type::Parameters, .text = "which to vary", .fallback = "all parameters"},
            {.name = "method", .type = Type::Method, .text = "of the gradients", .fallback = "none: no gradients"}}),
       .example = sweep_example(),
       .see_also = {"grid", "list", "random", "latin_hypercube", "shards", "optimize"},
       .function = guarded<sweep>},
  };
  return constructors;
}

std::span<const Topic> sweep_topics() {
  static const std::vector<Topic> topics = {
      {.name = "shards",
       .summary =
           "The jobs of a script's sweeps in several processes, on several machines, and again after a break.\n"
           "Shard i of N has the jobs i, i + N, i + 2 N, ... of every sweep. Every finished job is a line of JSON\n"
           "in a file; jobs found there are not computed again, so a process that was killed goes on when it is\n"
           "started again. The results have the same bits as those of one process. Within a shard the list that\n"
           "mbs.sweep returns has only the jobs of its file: ask found.complete before you use it as a whole.",
       .fields = {{"perilune run script.lua --shard 1/4", "", "one shard; and 2/4, 3/4, 4/4"},
                  {"perilune merge script.*.jsonl > all.jsonl", "",
                   "orders the jobs; names those that are missing (exit code 1) or there twice"},
                  {"perilune run script.lua --results all.jsonl", "",
                   "the script with the whole sweep; only what is missing is computed"},
                  {"--shard i/N", "", "only shard i of N; i from 1 to N"},
                  {"--results file", "", "the file of finished jobs; for shards script.i-of-N.jsonl by default"},
                  {"--param k=120", "", "another value for the parameter k, wherever the script declares it"},
                  {"--", "", "all that follows belongs to the script"}},
       .see_also = {"sweep", "mpirun", "options", "param"}},
      {.name = "mpirun",
       .summary =
           "A script in several processes that share its work, on one machine or many, by Open MPI: jobs of sweeps,\n"
           "starts of optimizations, experiments of these and of fits, both sides of a front, intervals of a\n"
           "gradient (mbs.adjoint { intervals = 8 }, piecewise_adjoint).\n"
           "Results have the same bits for any number of processes. Every process runs the whole script and has to\n"
           "do the same; the first alone prints and writes files. math.random gives all the same numbers. One that\n"
           "does something else ends the script with a sentence. A script should not read back what it has just\n"
           "written; what io.popen reads is run by each process. Where a process dies the launcher ends all;\n"
           "with --results the finished jobs of sweeps are kept, and the same command goes on from there.",
       .fields = {{"mpirun -n 8 perilune script.lua", "", "eight processes of this machine"},
                  {"mpirun -n 8 perilune run script.lua --results all.jsonl", "", "which keeps finished jobs"},
                  {"mpirun --map-by node --bind-to none perilune script.lua", "",
                   "a process for each machine of the job, each with as many threads as OMP_NUM_THREADS"},
                  {"OMP_NUM_THREADS", "", "threads of each process; those of mpirun are bound to one core each"}},
       .see_also = {"shards", "sweep", "optimize", "piecewise_adjoint"}}};
  return topics;
}

}  // namespace perilune::lua
