// Pages and pictures of mechanisms.
#include <sstream>

#include "guard.hpp"
#include "result/view_page.hpp"
#include "run.hpp"

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

}  // namespace

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
       .see_also = {"svg", "plot", "run"},
       .function = guarded<view>},
  };
  return functions;
}

}  // namespace perilune::lua
