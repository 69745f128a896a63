// SPDX-License-Identifier: MIT
// Pages of help about what is neither made by a constructor nor called: runs, the vehicle, and the interactive mode.
#include "base/guard.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

std::span<const Topic> value_topics() {
  static constexpr std::string_view example =
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, -9.81} }\n"
      "local P = m:point { \"P\", at = {0, 1}, velocity = {1, 5}, mass = 1 }\n"
      "local run = m:simulate { t = 1 }\n"
      "print(run, run.steps, run.t, run.reason)\n"
      "print(run:at(\"P.y\", 0.5), #run:times(), m.last_run:at(\"P.x\", 1))";
  static const std::vector<Topic> topics = {
      {.name = "run",
       .summary =
           "What m:simulate, m:kinematics and m:equilibrium return: a motion, or one instant of rest. Its methods\n"
           "read it: run:times(), run:values(signal), run:at(signal, time), run:csv(file), run:json(file),\n"
           "run:svg(file), run:plot(signals), run:gnuplot(file), run:view(file), run:vtk(file). print(run) says\n"
           "how it went. m:simulate { from = run } goes on from its end.",
       .fields = {{"t", "s", "time at its end"},
                  {"reason", "", "why it ended, as a text"},
                  {"warnings", "", "list of texts, about singular positions, drift or stiff motions for example"},
                  {"quality", "", "table of figures: help \"quality\"", "", "of m:simulate"},
                  {"objectives", "", "table of their values by name"},
                  {"peaks", "",
                   "table by name, of objectives with maximum or minimum: {value, t, error}; error is an estimate of "
                   "what the interpolation between steps is off by; of smooth ones the extremum itself, with smooth"},
                  {"steps", "", "number of accepted steps", "rejected, evaluations, factorizations"},
                  {"jacobians", "", "derivatives of the equations of implicit steps"},
                  {"newton_iterations", "", "of implicit integrators and of statics"},
                  {"events", "",
                   "list of {t, what}: where adaptive steps ended at a contact's event; what is \"floor.gap\""},
                  {"phases", "",
                   "list of {name, start, finish, first, last, complete, impulses, ...}: see help \"phase\""},
                  {"seconds", "s", "processor time"},
                  {"moved", "m or rad", "largest change of a coordinate by assembly"},
                  {"residual", "N or N m", "largest force that is left", "", "of an equilibrium"},
                  {"stable", "", "true, false, or nil where unknown", "", "of an equilibrium"}},
       .example = example,
       .see_also = {"simulate", "kinematics", "equilibrium", "times", "values", "at", "csv", "svg", "plot", "view",
                    "last_run"}},
      {.name = "quality",
       .summary =
           "How well a run of m:simulate kept its own equations, as run.quality: the largest figures over its steps.\n"
           "Where one exceeds what the tolerances promise, run.warnings has a sentence with time and element, and\n"
           "so has a gradient or an optimum that was computed from such a run. Tolerances are those of one step:\n"
           "a thousand times as much is let pass. Constant steps are measured by a relative tolerance of 1e-6; of "
           "their\n"
           "energy it is said where half of it appears or is lost for no reason.",
       .fields = {{"energy", "J", "what the next two compare with: the greatest kinetic energy, or that of the loads"},
                  {"energy_error", "J", "of the kinetic energy beside the work of all forces and drivers", "",
                   "nil for bodies with their centre of mass off the reference point"},
                  {"constraint_work", "J", "of constraint forces, beside that of drivers: of forms that drift"},
                  {"position_drift", "m or rad", "how far coordinates are from where constraints hold"},
                  {"velocity_drift", "m/s or rad/s", "the same of the velocities"},
                  {"normalization", "", "the same of Euler parameters"},
                  {"pivot_ratio", "", "smallest over largest pivot of the equations: small near singular positions"},
                  {"rejected", "", "rejected steps per accepted one"},
                  {"integral_error", "", "table of the estimated errors of the objectives' integrals, by name", "",
                   "with adaptive steps"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local A = m:ground { at = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:distance { A, P }\n"
                  "local run = m:simulate { t = 1 }\n"
                  "print(run)\n"
                  "for figure, value in pairs(run.quality) do print(figure, value) end",
       .see_also = {"run", "simulate", "gradient"}},
      {.name = "last_run",
       .summary =
           "The run of the last m:simulate or m:kinematics, as m.last_run: also of one that failed on the way or\n"
           "was interrupted, with the motion so far; nil before the first.",
       .example = example,
       .see_also = {"run", "simulate"}}};
  return topics;
}

std::span<const Topic> session_topics() {
  static const std::vector<Topic> topics = {
      {.name = "session",
       .summary =
           "The interactive mode, 'perilune' alone or 'perilune -i script.lua'. An expression prints its value,\n"
           "without '='; a ';' at its end silences it. Statements may have several lines, and what is pasted is one\n"
           "chunk: if the last of several statements is an expression or a call, its value is printed; an error\n"
           "ends all of it, and says which of its variables got no value. Names that nobody gave a value are\n"
           "errors, as in scripts. What is 'local' outside of blocks and functions lasts as long as the session,\n"
           "and means what it means in a script, which can be pasted as it is: a second 'local x' is a new variable,\n"
           "functions keep theirs, and '<const>' stays constant. What is '<close>' is closed at the end of its chunk.",
       .fields = {{"_", "", "the last value"},
                  {"name?", "", "the value, and the page of help about it: m?, spring?, m:spring?", "? name"},
                  {"help()", "",
                   "the topics; help spring a page, help gear ratio what that leads to: also without quotes"},
                  {"apropos(word)", "", "the topics that mention a word"},
                  {"who()", "", "your variables"},
                  {"time(f, ...)", "", "calls a function and prints the elapsed time"},
                  {"run(file)", "", "runs a script; its globals stay. run \"file\" does so even if run is a variable"},
                  {"Tab", "", "completes names, methods, signals, fields of constructors, files in strings"},
                  {"Up, Down, Ctrl-R", "", "the history, which is kept; Ctrl-R searches it"},
                  {"Ctrl-C", "", "stops a computation, with the motion so far in m.last_run, or clears the line"},
                  {"Ctrl-C Ctrl-C", "", "within two seconds: ends the process, with exit code 130"},
                  {"Ctrl-D", "", "leaves"}},
       .see_also = {"help", "apropos", "last_run"}}};
  return topics;
}

std::span<const Function> session_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.help",
       .signature = "mbs.help(topic)",
       .arguments = {{"topic?", "string", "such as \"spring\" or \"gear ratio\"", unitless}},
       .summary =
           "Prints the page of a topic, what another word of mechanics leads to, or the list of topics: help \"gear "
           "ratio\",\nhelp \"degrees of freedom\". The words are those of docs/reference/words.md.",
       .example = "local mbs = require \"perilune\"\nmbs.help \"point\"",
       .see_also = {"apropos", "session"},
       .function = guarded<help>},
      {.name = "mbs.apropos",
       .signature = "mbs.apropos(word)",
       .arguments = {{"word", "string", "such as \"damping\"", unitless}},
       .summary = "Lists the topics of help that mention the word: in their names, texts, fields or signals.",
       .example = "local mbs = require \"perilune\"\nmbs.apropos \"damping\"",
       .see_also = {"help"},
       .function = guarded<apropos>},
  };
  return functions;
}

std::span<const Topic> vehicle_topics() {
  static constexpr std::string_view example =
      "local iltis = require \"perilune.iltis\"\n"
      "local car = iltis.build { speed = 5, bounds = { kL = { 0, 100000 } } }\n"
      "car.parameters.kL_front.value = 30000\n"
      "print(car.model:equilibrium {}:at(car.front_left.tire.normal_force))";
  static const std::vector<Topic> topics = {
      {.name = "iltis",
       .summary =
           "The Bombardier Iltis of Zhu (2014) on its tires, of 14 degrees of freedom: iltis.build of\n"
           "require \"perilune.iltis\" returns it. Parameters kL (leaf springs), c (dampers) and k (springs) of\n"
           "each axle, such as car.parameters.kL_front. Parts: car.model, car.chassis.body, car.rack and corners\n"
           "such as car.front_left, with arm, link, carrier, wheel, leaf, damper, stop and tire. iltis.data() is\n"
           "a new table of all its numbers, to alter; iltis.spring_force, damper_force and leaf_force are laws.",
       .fields = {{"preload", "", "\"kept\" (default): k and kL turn the curves about the nominal length; \"literal\""},
                  {"damper", "", "\"continuous\" (default): the outer lines move with c; \"printed\": they do not"},
                  {"bump_stop", "", "false leaves the stops out"},
                  {"tires", "", "false leaves the tires out, so that posts can move the wheels"},
                  {"height", "m", "the ground, a function of s.x, s.y, s.t; flat without"},
                  {"vertical", "", "false: tires push along the normal of the ground, not straight up"},
                  {"speed", "m/s", "forward at the start, default 0"},
                  {"steering", "m", "displacement of the rack to the left, a function of s.t; 0 without"},
                  {"bounds", "", "of the parameters, such as { kL = { 0, 200000 }, c = { 0, 1e5 } }; from 0 without"},
                  {"data", "", "of iltis.data(), altered"}},
       .example = example,
       .see_also = {"hmmwv", "tire", "bump_stop", "equilibrium", "optimize"}},
      {.name = "hmmwv",
       .summary =
           "The HMMWV of Schaffer (2005), of 13 bodies and 10 degrees of freedom: hmmwv.build of\n"
           "require \"perilune.hmmwv\" returns it. The source prints its joints, struts and tires; masses, inertias\n"
           "and positions are ours. Its 16 parameters are masses and moments of inertia, such as m_CHASSIS. Parts:\n"
           "car.model, car.chassis.body, the lists car.bodies, joints and parameters, and corners such as car.RL,\n"
           "with lower_arm, upper_arm, wheel, strut and tire. hmmwv.data() is a new table of its numbers.",
       .fields = {{"velocity", "m/s", "of the centre of the chassis at the start, {0, 0, 0} without"},
                  {"angular_velocity", "rad/s",
                   "of the whole vehicle at the start, along x, y and z; {0, 0, 0} without"},
                  {"data", "", "of hmmwv.data(), altered"}},
       .example = "local hmmwv = require \"perilune.hmmwv\"\n"
                  "local car = hmmwv.build { velocity = { 10, 0, 0 } }\n"
                  "print(car.model:mobility {}, car.model:equilibrium {}:at(car.RL.tire.fz))",
       .see_also = {"iltis", "spring", "equilibrium", "mobility"}}};
  return topics;
}

}  // namespace perilune::lua
