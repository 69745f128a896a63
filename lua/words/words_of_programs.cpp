// SPDX-License-Identifier: MIT
// Files, pictures, units, and words of other programs.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_programs() {
  static constexpr Word words[] = {
      {"plot a signal|graph|diagram|draw|chart of signals|figure|plotting|xy plot|curve plot",
       "run:plot in the terminal, run:svg as a picture, run:view as a page with motion and curves, run:gnuplot, all "
       "over time; mbs.chart draws your own numbers, such as one signal over another.",
       "plot, svg, view, chart", "howto/export.md", "run:plot(\"P.x\", \"P.y\")"},
      {"animation|animate the motion|visualization|viewer|movie|3d "
       "view|render|graphic|display|visualize|show|browser|html",
       "run:view writes one page for any browser, with the motion to play, turn and zoom. Lines with m:sketch.",
       "view, sketch, compare", "howto/export.md", "run:view(os.tmpname())"},
      {"video|mp4|gif|screen recording|film|picture sequence",
       "run:movie writes an animated GIF, or PNG files of which other programs make videos; run:view makes a page with "
       "the "
       "motion.",
       "movie, view, vtk", "howto/export.md", "run:view(os.tmpname())"},
      {"picture|image|screenshot|png|pdf|sketch of the mechanism|drawing|stroboscopic|vector graphic|latex|tikz",
       "m:sketch writes the mechanism, run:svg curves, as SVG files, which browsers and Inkscape turn into PNG and "
       "PDF.",
       "sketch, svg, chart", "howto/export.md", "run:svg(os.tmpname(), \"P.x\")"},
      {"comma separated|spreadsheet|excel|csv export|csv file|export|save result|write file|data export|table of "
       "results|text file|dump",
       "run:csv for tables, run:json, run:mat; without names all coordinates and velocities.", "csv, json, mat",
       "howto/export.md", "run:csv(os.tmpname(), \"P.x\")", "csv"},
      {"matlab|octave|simulink|mat file|simscape",
       "run:mat and mbs.write_mat write files for both, mbs.read_mat reads them. Simulink loads what m:export "
       "\"x.fmu\" "
       "writes.",
       "mat, write_mat, read_mat, export", "howto/export.md", "run:mat(os.tmpname(), \"P.x\")"},
      {"python|numpy|pandas|julia|jupyter|notebook|bindings|c++|c++ api|library|embedding|api",
       "Scripts are Lua. Python reads what run:csv, run:json and perilune doc --json write; C++ programs can use the "
       "engine itself.",
       "csv, json", "howto/embedding.md", ""},
      {"paraview|vtk file|blender|vtk export|vtu", "run:vtk writes files of a motion that ParaView opens.", "vtk",
       "howto/export.md", ""},
      {"import|open a file|load a model|model file|read file|urdf|mjcf|sdf|freecad|xml|asmt|file format",
       "mbs.read takes MJCF, URDF and FreeCAD's assembly text. Scripts themselves are run: perilune script.lua. "
       "m:export writes rigid bodies with their joints as MJCF or URDF.",
       "read", "howto/model_files.md", ""},
      {"save|save model|store|checkpoint file|restart|continue a simulation|resume|state file",
       "A model is its script. m:simulate { from = run } goes on from a run; m:optimize { job = file } after a break; "
       "results by run:csv and its like.",
       "simulate, optimize, csv", "howto/export.md", "m:simulate { from = run, t = 0.2 }"},
      {"adams|msc adams|recurdyn|simpack|cosim|working model|sam|amesim",
       "Their files are not read. The page has the words of Adams beside ours; others use much the same.",
       "model, simulate", "howto/coming_from.md", ""},
      {"geom|keyframe|qpos|qvel|qacc|ctrl|xpos|mjdata|mjmodel",
       "Words of MuJoCo: qpos and qvel are signals of bodies and joints here (rod.x, hinge.angle, hinge.omega), ctrl a "
       "law or a parameter, a geom the shape in inertia_of, or a m:contact.",
       "signals, body, contact, read", "howto/model_files.md", "print(run:at(\"hinge.angle\", 0.05))"},
      {"bistop|impact function|sforce|gforce|vforce|step5|haversine|acf|adm|cmd file|akispl|cubspl",
       "Functions of Adams, here: BISTOP is m:bump_stop, STEP mbs.smoothstep, IMPACT m:contact with a law, SFORCE "
       "m:spring with a law, GFORCE and VFORCE m:force, CUBSPL mbs.spline.",
       "bump_stop, smoothstep, contact, force, spline", "howto/coming_from.md", ""},
      {"mujoco|isaac|bullet|pybullet|drake|brax|dart|pinocchio|rbdl|gazebo|ros|physics engine|game engine",
       "mbs.read takes MJCF and URDF models, without their contacts and limits of joints. docs/howto/coming_from.md "
       "has MuJoCo's words beside ours.",
       "read, model", "howto/model_files.md", ""},
      {"exudyn|chrono|project chrono|simbody|mbdyn|modelica|openmodelica|dymola|mbsvt|opensim|robotran|neweul",
       "The page has the words of Adams, Chrono, Exudyn, Modelica, MuJoCo and Simscape beside ours, and one mechanism "
       "written for several; docs/howto/mbsvt.md is about MBSVT.",
       "model", "howto/coming_from.md", ""},
      {"quit|exit|leave perilune", "Ctrl-D leaves the interactive mode, os.exit() a script.", "help",
       "reference/session.md", ""},
      {"unit|joule|watt|kg|newton meter|rad/s|pascal|second|si unit|units of "
       "measure|millimeter|mm|inch|imperial|newton|kilogram|pound|dimension",
       "All in SI: m, kg, s, N, rad. Units of m:param and m:signal convert: m:param { \"reach\", 300, unit = \"mm\" } "
       "is 0.3 m in the model.",
       "param, signal", "howto/signals.md", "m:param { \"reach\", 300, unit = \"mm\" }"},
      {"radian|degree|angle unit|deg|rad|angle in degrees|angle",
       "Angles are radians, counter-clockwise: math.rad(30) for 30 degrees; unit = \"deg\" of m:param and m:signal "
       "converts. Signals: angle of planar bodies and of joints, with full turns.",
       "param, signal, revolute", "howto/signals.md", "m:signal { \"tilt\", rod.angle, unit = \"deg\" }"},
      {"sign convention|positive direction|right hand rule|counter clockwise|clockwise|handedness|axis convention",
       "Right-handed axes; in the plane angles count counter-clockwise, from x to y. Reactions are those on body b, "
       "along a's axes.",
       "model, revolute", "theory/bodies_and_joints.md", ""},
      {"body coordinate of a point|offset|axis|direction|unit vector|vector of a joint|normal vector",
       "Field axis of joints: a direction in space as declared, {x, y, z} or \"x\", \"y\", \"z\"; without it the z "
       "axis of markers. In the plane it is z for turning, x for sliding.",
       "marker, revolute", "tutorial/05_space.md",
       "m:translational { m.ground, wheel, at = { 3, 0 }, axis = { 1, 1 } }"},
      {"distance|distance constraint|spherical spherical joint|two ball link|length|rod without mass|massless link|two "
       "force member|truss member|truss|massless",
       "m:distance keeps two places at a length, without mass; a m:body may be without, too, where joints hold it. "
       "m:bar has mass, m:spring gives way.",
       "distance, bar, spring", "tutorial/01_double_pendulum.md", "m:distance { m:ground { at = { 1, 3 } }, P }"},
      {"lua|programming|scripting|language|syntax|local|variable in lua|comment",
       "Scripts are Lua 5.4: names of your own by local, tables in braces, -- for comments. Everything of Perilune "
       "stands in local mbs = require \"perilune\".",
       "session, model", "tutorial/01_double_pendulum.md", "print(1 + 1) -- a comment"},
      {"math|math function|logarithm|exponential|sine|cosine|square root|sqrt|absolute value|power "
       "function|modulo|arctangent|trigonometry",
       "Lua's math works in laws and expressions: math.sin, math.exp, math.log, math.sqrt, math.abs, math.max, and x ^ "
       "2. Beside them mbs.sign, mbs.tanh, mbs.atan2, mbs.where and others.",
       "laws, where, sabs, atan2", "theory/expressions.md",
       "m:signal { \"f\", math.exp(-P.y) * math.sqrt(P.y) * math.abs(P.x) + math.log(P.y), unit = \"1\" }"},
      {"input file|script|example|getting started|tutorial|beginner|how to start|first model|sample",
       "The tutorial begins with a double pendulum; perilune init folder makes a first script, perilune exercise list "
       "shows a course.",
       "model, session", "tutorial/01_double_pendulum.md", ""},
      {"exercise|homework|course|teaching|lecture|student|grading|assignment",
       "perilune exercise list shows twenty exercises that check themselves; lecturers hand out and grade with pack "
       "and grade.",
       "session", "howto/teaching.md", ""},
      {"gui|graphical user interface|editor|vs code|window|mouse|toolbox|menu|ide",
       "There is no window to build models in: they are scripts. Editors complete and check them by annotations; "
       "run:view shows motions.",
       "view, session", "howto/editor.md", ""},
      {"find an object|all bodies|name of an object|object name|object list|inspect|what is in the model",
       "m:object \"hinge\" and m[\"hinge\"] find objects by name, m:signals() lists what can be measured, print(m) "
       "what there is.",
       "object, signals, model", "howto/changing_models.md", "print(m:object \"hinge\")"},
      {"scale|scaling|micro mechanism|mems|very small|very large|nondimensional|dimensionless",
       "Everything is in SI, whatever the size. Where numbers are far from 1, set absolute_tolerance of the "
       "integrator; limits of m:optimize have a scale.",
       "dormand_prince, optimize", "howto/formulation.md", "mbs.dormand_prince { absolute_tolerance = 1e-14 }"},
      {"verbose|log|progress|logging|print|information|summary|report",
       "print works on everything: a run, a gradient, an optimum, a model. run.warnings and run.quality say what is "
       "doubtful; best:page of an optimum writes it as a page.",
       "run, quality, page", "howto/gradient.md", "print(run)"},
      {"camera|viewpoint|color|perspective|background|view direction|zoom",
       "Pages of run:view are turned and zoomed with the mouse; m:sketch has the field view, a direction. Colours are "
       "not chosen.",
       "view, sketch", "howto/export.md", ""},
      {"delete|deactivate|remove an object|edit model|change a model|undo|modify|rename|copy a model",
       "m:remove takes objects away, m[\"arm\"] finds them, k.value = 5 changes a parameter. A model is not copied: "
       "build it by a function twice.",
       "remove, object, param", "howto/changing_models.md", "k.value = 3"},
      {"command line|option|argument|command line option|batch mode|terminal|shell|argv",
       "perilune script.lua --param k=120 sets a parameter; perilune -h lists all. mbs.options reads options of your "
       "own.",
       "options, session", "reference/files.md", ""},
      {"version|license|licence|citation|cite|author|open source",
       "perilune --version prints the version; the licence is MIT (file LICENSE), how to cite stands in CITATION.cff.",
       "session", "README.md", ""},
      {"undamped|frictionless|ideal|ideal joint|lossless",
       "Joints have no friction and springs no damping unless you give them: that is the default.", "revolute, spring",
       "tutorial/01_double_pendulum.md", ""},
      {"book|textbook|literature|reference list|theory|paper|source|equation|shabana|haug|nikravesh|zhu|schaffer",
       "help of each object has its equations and their sources; docs/theory derives them. Main sources: Zhu 2014, "
       "Schaffer 2005, Ebrahimi 2019.",
       "formulations, model", "theory/README.md", ""},
  };
  return words;
}

}  // namespace perilune::lua
