// SPDX-License-Identifier: MIT
// Pages and pictures of mechanisms.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <sstream>

#include "analysis/assembly.hpp"
#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/userdata.hpp"
#include "model/signals.hpp"
#include "output/picture/sketch.hpp"
#include "output/scene/view_page.hpp"
#include "output/scene/vtk.hpp"
#include "runs/movie.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

void write_moving_page(const std::string& path, const std::string& page) {
  write_file(path, [&](std::ostream& out) { out << page; });
  const std::string problem(output::missing_viewer());
  if (!problem.empty()) std::fprintf(stderr, "%s has no motion: %s\n", path.c_str(), problem.c_str());
}

namespace {

int view(lua_State* L) {
  const RunHandle& run = check_run(L, "view");
  const std::string path = check_path(L, "view");
  std::vector<model::ShownSignal> signals = shown_signals_from(L, run, 3);
  model::Model& engine = run.trajectory->model();
  if (signals.empty()) signals = shown_signals(engine, output::signals_to_view(engine));
  std::ostringstream page;  // complete before the file is touched
  output::write_view_page(engine.name(), {{"", run.trajectory.get(), signals}}, page);
  write_moving_page(path, page.str());
  return 0;
}

/// What mbs.compare shows of each run: as its field signals says, or what run:view shows, where all runs have it.
std::vector<std::vector<model::ShownSignal>> signals_of_all(Args& args, lua_State* L,
                                                            const std::vector<const RunHandle*>& runs) {
  std::vector<std::vector<model::ShownSignal>> out(runs.size());
  if (const int list = args.value("signals")) {
    if (!lua_istable(L, list)) args.fail_value("signals", list);
    check_list(args, L, "signals", list);
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; ++i) {
      for (std::size_t k = 0; k < runs.size(); ++k) out[k].push_back(shown_signal_at(L, *runs[k], -1));
      lua_pop(L, 1);
    }
    lua_settop(L, list - 1);
    for (const auto& signals : out) check_names(signals);
    if (!out.front().empty()) return out;
  }
  for (const std::string& name : output::signals_to_view(runs.front()->trajectory->model())) {
    const auto has = [&](const RunHandle* run) { return has_signal(run->trajectory->model(), name); };
    if (!std::all_of(runs.begin(), runs.end(), has)) continue;
    for (std::size_t k = 0; k < runs.size(); ++k) out[k].push_back(shown_signal(runs[k]->trajectory->model(), name));
  }
  return out;
}

int compare(lua_State* L) {
  Args args(L);
  const std::string path = args.text("file");
  args.value("run");
  std::vector<const RunHandle*> runs;
  constexpr int table = 1, first_run = 2;
  for (int item = first_run; lua_rawgeti(L, table, item) != LUA_TNIL; ++item) {
    runs.push_back(test_userdata<RunHandle>(L, -1));
    if (!runs.back()) args.fail_value("run", lua_gettop(L));
    lua_pop(L, 1);
  }
  std::vector<std::string> names = read_names(args, L, "names");
  const std::vector<std::vector<model::ShownSignal>> signals = signals_of_all(args, L, runs);
  args.check_all_read();
  if (!names.empty() && names.size() != runs.size()) {
    args.fail("names has " + std::to_string(names.size()) + " items, but there are " + std::to_string(runs.size()) +
              " runs");
  }
  std::vector<output::ViewedRun> viewed;
  for (size_t k = 0; k < runs.size(); ++k) {
    const std::string name = names.empty() ? std::to_string(k + 1) + ": " + runs[k]->trajectory->how() : names[k];
    viewed.push_back({name, runs[k]->trajectory.get(), signals[k]});
  }
  std::ostringstream page;
  output::write_view_page(runs.front()->model->engine->name(), viewed, page);
  write_moving_page(path, page.str());
  return 0;
}

/// Times from the first to the last one, both exact.
std::vector<double> spread(double first, double last, size_t count) {
  std::vector<double> times;
  for (size_t k = 0; k < count; ++k) {
    times.push_back(std::lerp(first, last, static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  return times;
}

/// The coordinates q of a run at these times.
std::vector<std::vector<double>> configurations(const RunHandle& run, const std::vector<double>& times) {
  std::vector<std::vector<double>> out;
  std::vector<double> v;
  for (const double t : times) run.trajectory->state(t, out.emplace_back(), v);
  return out;
}

std::string sketch_of_run(Args& args, const RunHandle& run, const output::SketchOptions& options) {
  if (run.model != args.model()) args.fail("run: the run is of another model");
  constexpr size_t pictures = 9, points = 400;
  const double first = run.trajectory->times().front(), last = run.trajectory->times().back();
  std::vector<double> times;
  if (args.given("times")) {
    times = args.numbers("times");
    if (times.empty()) args.fail("times is an empty list");
  } else {
    args.value("times");
    times = last > first ? spread(first, last, pictures) : std::vector<double>{first};
  }
  const auto [from, to] = std::minmax_element(times.begin(), times.end());
  const std::vector<double> path = *to > *from ? spread(*from, *to, points) : std::vector<double>();
  const output::Scene scene = output::scene_of(*run.trajectory);
  return output::sketch(scene, configurations(run, times), configurations(run, path), options);
}

std::string sketch_at_start(Args& args, const output::SketchOptions& options) {
  if (args.given("times")) args.fail("times are those of a run, but run is missing");
  args.value("times");
  const auto system = args.model()->compiled();
  const auto data = data_at(args.model(), *system, std::nullopt);
  const analysis::ConsistentState state = analysis::Assembly(system, {}).solve(0, *data);
  return output::sketch({args.engine(), data->parameters}, {state.q}, {}, options);
}

int vtk(lua_State* L) {
  const RunHandle& run = check_run(L, "vtk");
  const std::filesystem::path path = check_path(L, "vtk");
  if (path.extension() != ".pvd") {
    throw Error("vtk: the name of the file must end in .pvd, which lists one .vtp file for each picture; got '" +
                path.string() + "'");
  }
  constexpr double per_second = 30;
  const double first = run.trajectory->times().front(), last = run.trajectory->times().back();
  const double wish = std::clamp(std::ceil(per_second * (last - first)) + 1, 61.0, 1001.0);
  const std::vector<double> times =
      last > first ? spread(first, last, static_cast<size_t>(wish)) : std::vector<double>{first};
  const output::Scene scene = output::scene_of(*run.trajectory);
  const output::VtkPictures pictures(scene);
  std::vector<std::string> files;
  std::deque<OutputFile> written;  // none has its name before all are complete
  for (size_t k = 0; k < times.size(); ++k) {
    check_interrupt();
    const std::string number = std::to_string(k);
    files.push_back(path.stem().string() + "_" + std::string(4 - std::min<size_t>(4, number.size()), '0') + number +
                    ".vtp");
    std::vector<double> q, v;
    run.trajectory->state(times[k], q, v);
    written.emplace_back((path.parent_path() / files.back()).string());
    pictures.write(q.data(), v.data(), written.back().stream());
    written.back().close();
  }
  written.emplace_back(path.string());
  output::write_pvd(times, files, written.back().stream());
  written.back().close();
  for (OutputFile& file : written) file.replace();
  return 0;
}

int sketch(lua_State* L) {
  Args args(L);
  const std::string path = args.text("file");
  output::SketchOptions options;
  options.title = args.engine().name();
  if (args.given("view")) {
    if (args.engine().dimension() == 2) args.fail("view is for spatial models; a planar one is seen from the front");
    const model::Vector view = args.vector("view", 3);
    options.view = {args.value_of(view[0]), args.value_of(view[1]), args.value_of(view[2])};
    if (*options.view == output::Triple{}) args.fail("view must not be the zero vector");
  } else {
    args.value("view");
  }
  std::string picture;
  if (const int index = args.value("run")) {
    const RunHandle* run = test_userdata<RunHandle>(L, index);
    if (!run) args.fail_value("run", index);
    picture = sketch_of_run(args, *run, options);
  } else {
    picture = sketch_at_start(args, options);
  }
  args.check_all_read();
  write_file(path, [&](std::ostream& out) { out << picture; });
  return 0;
}

}  // namespace

std::span<const Constructor> picture_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:sketch",
       .object = "sketch",
       .summary =
           "Draws the mechanism as SVG, as textbooks do: links, joints by type, springs, ground; as assembled at\n"
           "the start, or at times of a run: the last one strong, those before it faint, with dotted traces of\n"
           "the points in between.",
       .positional = {{.name = "file", .type = Type::String, .text = "to be written", .required = true}},
       .fields = {{.name = "run", .type = Type::Run, .text = "a motion of the model", .fallback = "none"},
                  {.name = "times",
                   .type = Type::Numbers,
                   .text = "of the pictures",
                   .unit = "s",
                   .fallback = "9 over the whole run"},
                  {.name = "view",
                   .type = Type::Triple,
                   .text = "from the mechanism towards the eye (spatial models)",
                   .unit = unitless,
                   .fallback = "obliquely from above"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local A, P = m:ground { at = {0, 0} }, m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:bar { A, P, mass = 1 }\n"
                  "m:sketch { os.tmpname() }\n"
                  "m:sketch { os.tmpname(), run = m:simulate { t = 1 }, times = {0, 0.2, 0.4} }",
       .see_also = {"view", "svg", "plot"},
       .function = guarded<sketch>},
      {.name = "mbs.compare",
       .object = "compare",
       .summary =
           "Writes a page as run:view does, with several runs over each other, each in its colour: of one model\n"
           "before and after an optimization, or by several methods; or of several models, all planar or all\n"
           "spatial. Each signal has a plot with a curve for each run.",
       .positional = {{.name = "file", .type = Type::String, .text = "to be written", .required = true},
                      {.name = "run", .type = Type::Run, .text = "a motion", .required = true}},
       .repeats = true,
       .fields =
           {{.name = "names", .type = Type::Texts, .text = "of the runs, in their order", .fallback = "their methods"},
            {.name = "signals",
             .type = Type::Shown,
             .text = "to plot, which all runs have; expressions where all runs are of one model",
             .fallback = "those of run:view"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
                  "local A, P = m:ground { at = {0, 0} }, m:point { \"P\", at = {L, 0}, mass = 1 }\n"
                  "m:distance { A, P }\n"
                  "local short = m:simulate { t = 2 }\n"
                  "L.value = 1.5\n"
                  "local long = m:simulate { t = 2 }\n"
                  "mbs.compare { os.tmpname(), short, long, names = {\"1 m\", \"1.5 m\"}, signals = {\"P.y\"} }",
       .see_also = {"view", "sketch", "run"},
       .function = guarded<compare>},
  };
  return constructors;
}

std::span<const Function> picture_functions() {
  static const std::vector<Function> functions = {
      {.name = "run:view",
       .signature = "run:view(file, signals...)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"...", shown_signals_type, "names of signals, or expressions", unitless}},
       .summary =
           "Writes a page that any browser opens, also without a network: the mechanism in motion, to be played,\n"
           "turned and zoomed, with joint frames, force arrows, traces, and the signals over time; without names\n"
           "joint angles and displacements, energies and the constraint drift. A click says what an object is and\n"
           "its values now, lets the camera follow it, or hides it. Bodies look like the solids of their\n"
           "inertia_of, others like links between their joints; cams have their profiles. What motors, drivers and\n"
           "springs of angles do now are arrows, around the axis or straight. Beams are bent tubes, coloured as\n"
           "chosen in the legend, by the quantities of run:envelope.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, 0, -9.81} }\n"
                  "local rod = mbs.cylinder { mass = 1, radius = 0.03, length = 1, at = {0.5, 0, 0} }\n"
                  "local arm = m:body { \"arm\", inertia_of = rod }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0, 0}, axis = \"y\" }\n"
                  "local run = m:simulate { t = 2 }\n"
                  "run:view(os.tmpname(), \"pivot.angle\", \"energy.total\")",
       .see_also = {"compare", "movie", "sketch", "svg", "plot", "run"},
       .function = guarded<view>},
      {.name = "run:vtk",
       .signature = "run:vtk(file)",
       .arguments = {{"file", "string", "name.pvd, to be written", unitless}},
       .summary =
           "Writes the mechanism in motion for ParaView: a file name.pvd, and beside it one file name_0000.vtp\n"
           "and so on for each of 30 pictures a second (at least 61, at most 1001 in all). The cell array object\n"
           "numbers the bodies and points in order of declaration, then the connections, then the beams by their\n"
           "names. Those are poly-lines, whose points have the quantities of run:envelope as arrays.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {1, 5}, mass = 1 }\n"
                  "local folder = mbs.make_folder \"/tmp/perilune_example\"\n"
                  "m:simulate { t = 1 }:vtk(folder .. \"/throw.pvd\")",
       .see_also = {"view", "movie", "csv"},
       .function = guarded<vtk>},
      movie_entry(),
  };
  return functions;
}

}  // namespace perilune::lua
