// SPDX-License-Identifier: MIT
// Forces, friction, contact, energy and rest.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_forces() {
  static constexpr Word words[] = {
      {"damper|damping force|damper curve|oil damper|dashpot|shock absorber|damping element|viscous damper|spring "
       "damper|strut|suspension strut",
       "Takes energy by rate. Field damping (or damper_curve) of m:spring between two places, of m:torsion_spring on "
       "an angle.",
       "spring, torsion_spring, bushing", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, damping = 5 }", "spring"},
      {"free body diagram|moment balance|sum of forces|force polygon|method of joints|statically "
       "determinate|statically indeterminate|castigliano|influence line|bar force|truss force|determinate",
       "Reactions are signals after m:equilibrium or m:simulate, as force_x of a joint. m:mobility says whether they "
       "are determined: redundant joints are not.",
       "equilibrium, mobility, revolute", "tutorial/06_rest.md", "print(m:equilibrium {}:at(\"hinge.force_y\"))"},
      {"tuned mass damper|vibration absorber|dynamic absorber|den hartog|tmd|vibration damper",
       "A mass on a spring beside what swings: m:body or m:point, m:spring with damping; m:linearize shows what it "
       "does, m:optimize tunes it.",
       "spring, linearize, optimize", "tutorial/06_rest.md", ""},
      {"base excitation|earthquake|ground motion|seismic|shaker|support motion|vibration "
       "isolation|isolation|transmissibility|foundation|shaking table|shake table|moving base|moving support|moving "
       "ground",
       "m.ground stands still: what shakes is a m:support that moves by a law of time, or a terrain whose height is a "
       "law of s.t.",
       "support, driver, tire", "howto/moving_supports.md",
       "m:support { \"shaker\", law = function(s) return 0.01 * math.sin(20 * s.t), 0 end }"},
      {"plasticity|plastic|thermal expansion|fracture|yield|material law|hyperelastic|rubber|nonlinear material",
       "Materials are linear: beams by mbs.material, springs as you write them. Nothing yields, breaks or warms.",
       "material, spring, beam", "howto/beams.md", ""},
      {"viscoelastic|maxwell element|maxwell model|standard linear solid|zener model|relaxation|kelvin element",
       "Spring and damper side by side are one m:spring. One behind the other: a m:state for the damper's length, "
       "whose rate is the force over its damping.",
       "spring, state", "howto/force_law.md",
       "local x = m:state { \"x\", rate = function(s) return 10 * (P.y(s) - 2 - s.value) end }"},
      {"damping|damping coefficient|viscous damping|rayleigh damping|structural damping|proportional damping|energy "
       "dissipation",
       "N s/m as field damping of m:spring, m:bushing, m:bump_stop and contacts, seconds in mbs.material for beams. "
       "There is no Rayleigh damping of a whole model; damping ratios come from m:linearize.",
       "spring, bushing, material, linearize", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = 100, damping = 2 }"},
      {"viscosity|viscous|newtonian fluid|squeeze film|oil film",
       "Force in proportion to speed: field damping of m:spring along it, of m:torsion_spring about a joint; field "
       "viscous of laws of friction in joints and contacts. Drag of a fluid is a law of speed in m:force. Films of "
       "oil are not modelled.",
       "spring, torsion_spring, stribeck, force", "howto/friction.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, damping = 2 }"},
      {"stiffness|spring force|coil spring|helical spring|compression spring|disc spring|spring rate|spring "
       "constant|spring stiffness|nonlinear spring|progressive spring|hooke law",
       "N/m as field stiffness of m:spring (a list {k1, k2, ...} or spring_curve for curved ones), N m/rad of "
       "m:torsion_spring. Their signals force and torque are what they pull with.",
       "spring, torsion_spring, spline", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = { 100, 0, 2000 } }"},
      {"springs in series|springs in parallel|parallel springs|equivalent stiffness|two springs|series "
       "connection|parallel connection",
       "Side by side: two m:spring between the same places. One behind the other: a single one with 1/k = 1/k1 + 1/k2, "
       "or a m:point with mass between.",
       "spring, point", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = 1 / (1 / 100 + 1 / k) }"},
      {"free length|preload|spring preload|natural length|undeformed length|preload of a spring|pretension|rest length",
       "Length at which a spring does not pull: field free_length of m:spring, the declared distance without it; field "
       "force is a constant pull.",
       "spring", "tutorial/04_forces.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, stiffness = 100, free_length = 1.5 }"},
      {"rotational spring|rotary spring|spiral spring|torsional spring|torsion bar|rotary damper|anti roll bar",
       "A spring, damper and actuator on an angle. Here: m:torsion_spring.", "torsion_spring", "tutorial/04_forces.md",
       "m:torsion_spring { on = hinge, stiffness = 20, damping = 0.1 }", "torsion_spring"},
      {"air spring|gas spring|gas strut|hydraulic cylinder|pneumatic|hydraulic|fluid power",
       "Not ready-made. m:spring with a law of s.length and s.rate; pressures are m:state with their rates.",
       "spring, state", "howto/force_law.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, law = function(s) return -50 / s.length end }"},
      {"rubber mount|flexible joint|joint compliance|joint stiffness|compliance|mount|silentblock|elastomer|bearing "
       "stiffness|elastic mount|6 dof spring|isolator",
       "Stiffness and damping in all directions. Here: m:bushing.", "bushing", "reference/forces.md",
       "m:bushing { m.ground, block, stiffness = { 1e5, 1e5, 40 } }", "bushing"},
      {"stop|rebound stop|jounce stop|end stop|joint limit|limit stop|hard stop|bumper|angle limit|range of "
       "motion|mechanical stop",
       "Keeps an angle or length within limits, by stiffness. Here: m:bump_stop. Joints have no fields for limits.",
       "bump_stop, contact", "reference/forces.md",
       "m:bump_stop { on = hinge.angle, lower = -1, upper = 1, stiffness = 1e4, damping = 10 }", "bump_stop"},
      {"motor|driving constraint|driver constraint|absolute driver|relative driver|excitation by "
       "motion|actuator|drive|rotational actuator|servo|servomotor|motion generator|prescribed "
       "motion|rheonomic|imposed motion|displacement input",
       "One that follows a law of time exactly is m:driver; one that has a torque or force is m:torque, m:force, or "
       "field force of m:spring; one that is controlled has m:pid.",
       "driver, torque, force, pid", "howto/control.md",
       "m:driver { \"motor\", hinge.angle, law = function(s) return 2 * s.t end }", "driver"},
      {"stepper|stepper motor|stepping motor",
       "An angle that goes on in steps: m:driver with a law that is a sum of mbs.smoothstep, or mbs.piecewise_linear "
       "of "
       "time. A magnet that is soft and may lose steps is m:torque with a law of the difference of both angles.",
       "driver, smoothstep, torque", "howto/control.md",
       "m:driver { \"step\", rod.angle, law = function(s) return 0.2 * mbs.smoothstep(s.t, 0.5, 1) end }"},
      {"linear actuator|electric cylinder|muscle|stretch actuator",
       "Pushes along a line between two places: field force or law of m:spring, or m:driver of the length of a "
       "m:translational for a given motion. Muscle models are not ready-made.",
       "spring, driver, translational", "howto/control.md", "m:spring { m:ground { at = { 0, 3 } }, P, force = 10 }"},
      {"electric motor|dc motor|motor inertia|torque speed|torque speed curve|armature|motor model",
       "A torque that falls with speed: m:torque with a law, or mbs.piecewise_linear for a curve; currents are m:state "
       "with their rates.",
       "torque, state, piecewise_linear", "howto/force_law.md",
       "m:torque { on = rod, torque = function(s) return 5 - 0.2 * rod.omega end }"},
      {"moment|couple|load torque|applied torque|applied force|external force|external load|load|force "
       "element|pull|push|thrust",
       "m:force at a place, constant or by a law, with torque; m:torque for a torque alone. frame = \"body\" turns it "
       "with the body, reaction_on has its opposite.",
       "force, torque", "tutorial/04_forces.md", "m:force { \"push\", on = P, force = { 1, 0 } }"},
      {"weight|gravitation|gravitational acceleration|g|gravity field",
       "mbs.model { gravity = {0, -9.81} } for all bodies, or m:set_gravity before the first. Attraction between "
       "bodies is a m:force by law.",
       "model, gravity", "tutorial/01_double_pendulum.md", "mbs.model { gravity = { 0, -1.62 } }"},
      {"drag|aerodynamic drag|air resistance|aerodynamic|wind|lift|buoyancy|water resistance|fluid|cfd",
       "Not ready-made: m:force by a law of the place's velocity. Fluids are not computed.", "force, where",
       "howto/force_law.md",
       "m:force { on = P, law = function(s) local v = (s.vx^2 + s.vy^2 + 1e-12)^0.5 return -0.1 * v * s.vx, -0.1 * v * "
       "s.vy end }"},
      {"magnet|electromagnetic|electric force|charge|thermal|temperature|heat",
       "Not modelled. A force that is known as a function of distance and time is m:force or m:spring by a law.",
       "force, spring", "howto/force_law.md", ""},
      {"reaction|reaction force|joint force|constraint force|bearing load|joint reaction|internal force|support force",
       "What a joint carries: signals force_x, force_y, torque of joints, on body b along the joint's axes on a. The "
       "multipliers "
       "lambda are the equations' own.",
       "revolute, signals", "howto/signals.md", "print(run:at(\"hinge.force_x\", 0.05))"},
      {"newton third law|action and reaction|actio reactio|counterforce",
       "m:spring, m:bushing and joints act on both ends; m:force and m:torque only where on says, unless reaction_on "
       "names what feels the opposite.",
       "force, torque", "howto/force_law.md", "m:force { on = P, reaction_on = block, force = { 1, 0 } }"},
      {"friction|viscous friction|friction force|stribeck curve|dry friction|coulomb friction|sliding "
       "friction|friction coefficient|coefficient of friction|kinetic friction|stick "
       "slip|stiction|sticking|rubbing|friction law|static friction coefficient|friction angle|self locking",
       "Field friction of joints and contacts takes a law: mbs.brown_mcphee, mbs.coulomb and others are smooth and "
       "creep; mbs.lugre, mbs.dahl and others have bristles that stick.",
       "coulomb, brown_mcphee, lugre, contact", "howto/friction.md",
       "m:contact { m.ground, P, normal = mbs.hunt_crossley { stiffness = 1e5 }, friction = mbs.coulomb { coefficient "
       "= 0.3 } }"},
      {"jamming|jam|wedging|painlevé paradox|painleve paradox|painlevé|painleve|dynamic jam|friction lock",
       "Friction so large that no accelerations fit it. The run ends with a sentence that names the joint and the "
       "time; less friction, longer bearings or elastic parts (m:bushing) help.",
       "revolute, translational, bushing", "howto/friction.md", ""},
      {"wear|abrasion|power loss|heat of friction|loss",
       "Wear is not computed. What is lost is signal dissipation of joints with friction, contacts, springs and "
       "dampers, in W; its integral is an objective.",
       "revolute, spring, objective", "howto/friction.md",
       "m:objective { \"lost\", integral = m:spring { m:ground { at = { 0, 3 } }, P, damping = 5 }.dissipation }"},
      {"slip|creep|creepage|slip velocity|sliding velocity|slip rate",
       "Signal slip of contacts, joints with friction, and tires. Smooth friction laws creep under any load, those "
       "with bristles hold.",
       "contact, lugre, coulomb, tire", "howto/friction.md", ""},
      {"joint friction|bearing friction|friction in a joint|friction in joints|friction torque|journal bearing|bearing",
       "Nine joints take friction = ..., with the bearing's radius or length; it feels the joint's own load. "
       "Lubricated bearings are not modelled.",
       "revolute, translational, brown_mcphee", "howto/friction.md",
       "m:revolute { m.ground, wheel, at = { 3, 1 }, radius = 0.02, friction = mbs.coulomb { coefficient = 0.1 } }"},
      {"bristle|bristle model|presliding|hysteresis|bouc wen|friction memory",
       "Friction that remembers: mbs.dahl, mbs.lugre, mbs.elasto_plastic, mbs.gonthier. Hysteresis of materials "
       "(Bouc-Wen) is not ready-made: m:state with its rate.",
       "dahl, lugre, state", "howto/friction.md", "mbs.dahl { coefficient = 0.3, stiffness = 1e4 }"},
      {"friction cone|linear complementarity|lcp|complementarity|nonsmooth|nonsmooth dynamic|moreau|set "
       "valued|unilateral|unilateral constraint|time stepping scheme",
       "Contact and friction are laws of force, smooth or with events, not complementarity problems. What is exactly "
       "rigid and lets go is m:phase, from event to event.",
       "contact, phase, coulomb", "howto/contact.md", ""},
      {"rolling resistance|rolling friction|drilling friction",
       "Not a field. m:torque by a law against the turning, for example with mbs.tanh of its speed.",
       "torque, tanh, rolling", "howto/force_law.md",
       "m:torque { on = rod, torque = function(s) return -0.01 * mbs.tanh(rod.omega / 0.1) end }"},
      {"rolling without slipping|pure rolling|rolling wheel|rolling disc|ball rolling|wheel",
       "m:rolling for balls and wheels without slip, m:contact with friction or m:tire where they may slip.",
       "rolling, tire, contact", "howto/velocities.md", "m:rolling { m.ground, wheel, radius = 0.3 }"},
      {"knife|blade|skate|sledge|sleigh|skid|ice skate|chaplygin sleigh",
       "Something that does not move sideways. Here: m:knife_edge.", "knife_edge, constraint", "howto/velocities.md",
       "m:knife_edge { m.ground, wheel }", "knife_edge"},
      {"collision|contact point|collision detection|contact detection|touch|contact force|contact model|penalty "
       "contact|interference|penetration",
       "m:contact of points, spheres or ellipsoids with planes, terrain or balls, as you declare each; nothing else "
       "touches. No meshes and no search for pairs.",
       "contact, hunt_crossley, hertz", "howto/contact.md",
       "m:contact { m.ground, P, normal = mbs.hunt_crossley { stiffness = 1e5 } }"},
      {"impact|shock|impulsive|coefficient of restitution|restitution|bounce|bouncing ball|rebound|elastic "
       "impact|newton impact law|poisson impact",
       "Newton's coefficient is the field restitution of m:phase, for impacts at once. Contacts that give way rebound "
       "by dissipation of mbs.hunt_crossley or damping of mbs.kelvin_voigt (whose restitution is another number).",
       "phase, contact, hunt_crossley, kelvin_voigt", "howto/phases.md",
       "m:contact { m.ground, P, normal = mbs.hunt_crossley { stiffness = 1e5, exponent = 1.5, dissipation = 0.5 } }"},
      {"center of percussion|centre of percussion|sweet spot",
       "Where a push moves a hinged body without a reaction in its hinge: at the inertia about the hinge over mass "
       "times "
       "the distance of the centre of mass. m:force there, and m:reaction says that the hinge has none.",
       "force, reaction, revolute", "tutorial/04_forces.md", ""},
      {"impulse|impulsive reaction|linear impulse|angular impulse",
       "Integral of a force over time, or the jump of momentum in an impact: run.phases has impulses of each; an "
       "m:objective with integral = force has that of a force.",
       "phase, objective, model", "howto/phases.md", "m:objective { \"push\", integral = hinge.force_x }"},
      {"momentum|linear momentum|angular momentum|conservation of momentum|moment of momentum|quantity of motion",
       "Signals momentum.x and angular_momentum.z of the model, momentum_x and angular_momentum of m:group. "
       "mbs.variational keeps them to rounding.",
       "model, group, variational", "howto/signals.md", "print(run:at(\"momentum.x\", 0.05))"},
      {"energy|kinetic energy|potential energy|total energy|energy balance|energy conservation|conservation of "
       "energy|strain energy|lagrangian",
       "Signals energy.total, energy.kinetic, energy.potential; run.quality.energy_error is how far the balance with "
       "the work of all forces is off. The Lagrangian is energy.kinetic less energy.potential.",
       "model, quality, variational", "howto/signals.md",
       "print(run:at(\"energy.total\", 0.05), run.quality.energy_error)"},
      {"power|work|work done|mechanical work|energy consumption|virtual work|efficiency",
       "Signal power of m:driver, m:force and m:torque, in W; work is its integral, as m:objective { integral = ... }. "
       "Virtual work gives the generalized forces inside.",
       "driver, force, objective", "howto/signals.md",
       "m:objective { \"work\", integral = m:driver { hinge.angle, law = function(s) return s.t end }.power }"},
      {"torque|driving torque|tq|turning moment|twisting moment",
       "m:torque acts on a body, by a number or a law; the torque in a joint is its signal torque, in a driver its "
       "signal force.",
       "torque, revolute, driver", "tutorial/04_forces.md", "m:torque { on = rod, torque = 2 }"},
      {"force law|user force|user subroutine|custom force|function expression|callback|user function|user "
       "element|nonlinear force",
       "A Lua function as field law: called once with symbols, compiled, and differentiated. 'if' becomes mbs.where.",
       "force, spring, where", "howto/force_law.md", "m:force { on = P, law = function(s) return -s.vx, -s.vy end }"},
      {"if in a law|conditional|switch|step function|heaviside|smooth step|ramp|pulse|condition|case distinction",
       "In laws mbs.where(mbs.gt(a, b), x, y) in place of 'if'; mbs.smoothstep(x, a, b) for one without a corner. "
       "Conditions are events where steps end.",
       "where, smoothstep, gt", "howto/force_law.md",
       "m:force { on = P, law = function(s) return mbs.where(mbs.gt(s.t, 1), 5, 0), 0 end }"},
      {"interpolation|periodic|periodic function|repeating|lookup table|curve|table|cubic spline|measured "
       "curve|characteristic curve|characteristic "
       "map|akima",
       "mbs.spline for smooth curves (with period for what repeats), mbs.piecewise_linear with corners, "
       "mbs.bicubic_spline of two variables; springs "
       "take them as spring_curve.",
       "spline, piecewise_linear, bicubic_spline", "howto/force_law.md",
       "local curve = mbs.spline { x = { 0, 1, 2 }, y = { 0, 1, 4 } }"},
      {"terrain|road|road profile|ground profile|height field|hill|uneven ground|speed bump",
       "Field height of m:contact, m:tire and m:rolling: a function of the place, or a table such as mbs.spline or "
       "mbs.bicubic_spline.",
       "tire, contact, rolling, bicubic_spline", "howto/contact.md", ""},
      {"pacejka|magic formula|tyre model|tire model|slip angle|cornering stiffness|longitudinal slip|relaxation "
       "length|brush model|wheel ground contact",
       "m:tire is a spring with slip forces up to an ellipse (Zhu 2014). There is no Magic Formula; a tire of your own "
       "is m:force by a law that reads the wheel.",
       "tire, iltis, rolling", "reference/contact.md", ""},
      {"vehicle|steering linkage|ackermann|ackermann steering|camber|toe|kingpin|anti dive|unsprung mass|wheel "
       "hop|jounce|wheel alignment|wheelbase|track width|motion ratio|car|suspension|wishbone|mcpherson|quarter "
       "car|half car|steering|ride "
       "comfort|handling|lane change",
       "require \"perilune.iltis\" and require \"perilune.hmmwv\" are whole cars; the tutorial optimizes a suspension.",
       "iltis, hmmwv, tire", "tutorial/10_suspension.md", ""},
      {"bicycle|motorcycle|shimmy|whipple|weave|capsize|caster",
       "Wheels that roll on a frame that leans. scripts/bicycle.lua is the benchmark bicycle with its stability "
       "speeds, by m:rolling and m:linearize { steady = true }.",
       "rolling, linearize", "howto/velocities.md", ""},
      {"railway|rail|train|track|wheel rail|wheelset|hunting",
       "There is no contact of wheel and rail with profiles. m:rolling has wheels without slip, m:force a law of creep "
       "of your own.",
       "rolling, force", "howto/velocities.md", ""},
      {"static|static equilibrium|rest|static analysis|force balance|equilibrium position|static "
       "load|balance|settle|trim|trim state",
       "m:equilibrium finds where all forces are in balance, downhill from what is declared; at_rest = true begins a "
       "motion there.",
       "equilibrium, simulate", "tutorial/06_rest.md", "print(m:equilibrium {})"},
      {"quasi static|load stepping|load path|arc length|riks|continuation|path following|limit "
       "point|bifurcation|fold|load displacement curve",
       "Equilibria along a parameter, past limits and bifurcations. Here: m:equilibrium_path.",
       "equilibrium_path, equilibrium", "howto/snap_through.md", "", "equilibrium_path"},
      {"hertz contact|hertzian contact|contact stiffness|hunt crossley model|lankarani nikravesh|kelvin voigt "
       "contact|normal force|contact law",
       "Field normal of m:contact takes mbs.hertz, mbs.hunt_crossley or mbs.kelvin_voigt. Signal normal_force of a "
       "contact is what it carries.",
       "hertz, hunt_crossley, kelvin_voigt, contact", "howto/contact.md",
       "mbs.hunt_crossley { stiffness = 1e6, exponent = 1.5, dissipation = 0.3 }"},
      {"seat belt|airbag|crash|biomechanics|human body|muscle force|gait analysis",
       "No ready models of people. Their links are m:body and joints, muscles m:spring with a law.",
       "spring, body, read", "howto/force_law.md", ""},
      {"hydrodynamic|lubrication|sph|dem|particle method|granular|discrete element|peridynamics",
       "Not here: Perilune is for mechanisms of bodies, beams and joints, with contact of declared pairs.",
       "contact, beam", "howto/contact.md", ""},
  };
  return words;
}

}  // namespace perilune::lua
