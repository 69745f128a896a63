// Pages and pictures of mechanisms.
#include <algorithm>
#include <sstream>

#include "analysis/assembly.hpp"
#include "guard.hpp"
#include "result/sketch.hpp"
#include "result/view_page.hpp"
#include "run.hpp"
#include "userdata.hpp"

namespace perilune::lua {

namespace {

int view(lua_State* L) {
  const RunHandle& run = check_run(L, "view");
  const std::string path = check_path(L, "view");
  std::vector<std::string> signals = named_signals(L, run, 3);
  model::Model& engine = *run.model->engine;
  if (signals.empty()) signals = result::signals_to_view(engine);
  std::ostringstream page;  // complete before the file is touched
  result::write_view_page(engine.name(), {{"", run.trajectory.get(), signals}}, page);
  write_file(path, [&](std::ostream& out) { out << page.str(); });
  return 0;
}

/// Times from the first to the last one.
std::vector<double> spread(double first, double last, size_t count) {
  std::vector<double> times;
  for (size_t k = 0; k < count; ++k) {
    times.push_back(first + (last - first) * static_cast<double>(k) / static_cast<double>(count - 1));
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

std::string sketch_of_run(Args& args, const RunHandle& run, const result::SketchOptions& options) {
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
  const result::Scene scene = run.trajectory->scene();
  return result::sketch(scene, configurations(run, times), configurations(run, path), options);
}

std::string sketch_at_start(Args& args, const result::SketchOptions& options) {
  if (args.given("times")) args.fail("times are those of a run, but run is missing");
  args.value("times");
  const auto system = args.model()->compiled();
  const auto data = data_at(args.model(), *system, std::nullopt);
  const analysis::ConsistentState state = analysis::Assembly(system, {}).solve(0, *data);
  return result::sketch({args.engine(), data->parameters}, {state.q}, {}, options);
}

int sketch(lua_State* L) {
  Args args(L);
  const std::string path = args.text("file");
  result::SketchOptions options;
  options.title = args.engine().name();
  if (args.given("view")) {
    if (args.engine().dimension() == 2) args.fail("view is for spatial models; a planar one is seen from the front");
    const model::Vector view = args.vector("view", 3);
    options.view = {args.value_of(view[0]), args.value_of(view[1]), args.value_of(view[2])};
    if (*options.view == result::Triple{}) args.fail("view must not be the zero vector");
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
                   .fallback = "obliquely from above"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local A, P = m:ground { at = {0, 0} }, m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:bar { A, P, mass = 1 }\n"
                  "m:sketch { os.tmpname() }\n"
                  "m:sketch { os.tmpname(), run = m:simulate { t = 1 }, times = {0, 0.2, 0.4} }",
       .see_also = {"view", "svg", "plot"},
       .function = guarded<sketch>},
  };
  return constructors;
}

std::span<const Function> picture_functions() {
  static const std::vector<Function> functions = {
      {.name = "run:view",
       .signature = "run:view(file, signals...)",
       .summary =
           "Writes a page that any browser opens, also without a network: the mechanism in motion, to be played,\n"
           "turned and zoomed, with joint frames, force arrows, traces, and the signals over time; without names\n"
           "joint angles and displacements, energies and the constraint drift. Bodies look like the solids of\n"
           "their inertia_of, others like links between their joints.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, 0, -9.81} }\n"
                  "local rod = mbs.cylinder { mass = 1, radius = 0.03, length = 1, at = {0.5, 0, 0} }\n"
                  "local arm = m:body { \"arm\", inertia_of = rod }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0, 0}, axis = \"y\" }\n"
                  "local run = m:simulate { t = 2 }\n"
                  "run:view(os.tmpname(), \"pivot.angle\", \"energy.total\")",
       .see_also = {"sketch", "svg", "plot", "run"},
       .function = guarded<view>},
  };
  return functions;
}

}  // namespace perilune::lua
