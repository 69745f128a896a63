// SPDX-License-Identifier: MIT
// Joints, linkages and transmissions.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_mechanisms() {
  static constexpr Word words[] = {
      {"hinge|pin|pin joint|pivot|turning pair|knuckle|R joint",
       "A joint that lets one body turn against another about one axis. Here: m:revolute.", "revolute, spherical",
       "tutorial/02_four_bar.md", "m:revolute { \"pin\", block, rod, at = { 1, 0 } }", "revolute"},
      {"prismatic|slider|sliding joint|slide|linear guide|P joint",
       "A joint that lets one body slide on another along a line, without turning. Here: m:translational; "
       "m:point_on_line lets it turn, too.",
       "translational, point_on_line, cylindrical", "theory/bodies_and_joints.md",
       "m:translational { \"guide\", m.ground, wheel, at = { 3, 0 }, axis = \"x\" }", "translational"},
      {"ball joint|ball|ball and socket|rod end|S joint",
       "A joint with a common point and free turning. Here: m:spherical in space; in the plane m:revolute.",
       "spherical, coincidence", "tutorial/05_space.md", "", "spherical"},
      {"fixed joint|weld constraint|clamped|welded|fixed|rigid connection|bolt|rigid joint|fastener",
       "Holds two bodies together. Here: m:weld; its signals are the force and torque that it carries.",
       "weld, bushing", "theory/bodies_and_joints.md", "m:weld { \"bolt\", rod, wheel, at = { 1, 0 } }", "weld"},
      {"universal joint|hooke|cardan|hooke coupling|universal shaft|cardan joint|hooke joint|u joint|universal "
       "coupling",
       "Two crossed axes that pass turning on around a corner, not evenly. Here: m:universal; m:constant_velocity "
       "passes it on evenly. (Hooke's law is field stiffness of m:spring.)",
       "universal, constant_velocity, spring", "theory/bodies_and_joints.md", "", "universal"},
      {"cv joint|homokinetic joint|rzeppa",
       "Passes turning on around a corner at the same speed. Here: m:constant_velocity.",
       "constant_velocity, universal", "theory/bodies_and_joints.md", "", "constant_velocity"},
      {"helical joint|helical|lead screw|ball screw|threaded spindle|screw joint|thread",
       "Turning and sliding along one axis that belong together by a lead. Here: m:screw, with friction if wanted. "
       "(Helical springs are m:spring, helical gears m:gear.)",
       "screw, cylindrical, spring, gear", "reference/joints.md", "", "screw"},
      {"sleeve|sleeve joint|C joint",
       "Turning about and sliding along one axis, independent of each other. Here: m:cylindrical.",
       "cylindrical, screw", "reference/joints.md", "", "cylindrical"},
      {"pin in slot|slot|slotted link|in line joint|slotted lever",
       "A point of one body that stays on a line of another. Here: m:point_on_line.", "point_on_line, translational",
       "reference/joints.md", "m:point_on_line { \"slot\", rod, P, axis = \"y\" }", "point_on_line"},
      {"joint|kinematic pair|lower pair|higher pair|connection",
       "What keeps two bodies to certain motions against each other. Lower pairs have names of their own (m:revolute, "
       "m:translational, m:spherical, ...); for higher pairs there are m:contact, m:rolling, and m:constraint for what "
       "you write yourself.",
       "joints, constraint, contact, rolling", "theory/bodies_and_joints.md", ""},
      {"degree of freedom|dof|mobility of a mechanism|gruebler|grübler|grubler|kutzbach|chebyshev gruebler kutzbach",
       "How many motions are independent. m:mobility counts them by the rank of the constraints, not by Gruebler's "
       "formula, and names joints that are redundant.",
       "mobility", "howto/singular_positions.md", "print(m:mobility {}.degrees_of_freedom)"},
      {"redundant|redundant constraint|overconstrained|overconstraint|passive constraint",
       "A joint holds what others hold already. m:mobility names it; the usual forms then, mbs.maggi {} and in space "
       "mbs.joint_coordinates {}, leave it out with a warning that its reactions are not determined; mbs.penalty {} shares the load, without a word.",
       "mobility, maggi, penalty", "howto/singular_positions.md", "print(m:mobility {})"},
      {"holonomic|constraint equation|algebraic equation|algebraic constraint|holonomic constraint|position constraint",
       "A condition on positions and time, Phi(q, t) = 0. All joints are; m:constraint { law = ... } has your own.",
       "constraint, joints", "theory/bodies_and_joints.md", "m:constraint { \"line\", law = P.y - P.x - 1.5 }"},
      {"scleronomic|scleronomous|rheonomous|autonomous constraint",
       "A constraint without time in it is scleronomic; one with time, such as m:driver, is rheonomic. Constraints of "
       "the first kind at rest do no work, those of the second may: the signal power of the driver says how much.",
       "driver, constraint", "theory/bodies_and_joints.md", "m:constraint { \"line\", law = P.y - P.x - 1.5 }"},
      {"nonholonomic|nonholonomic constraint|pfaffian|rolling constraint|velocity constraint",
       "A condition on velocities that no condition on positions replaces, as of an edge or wheel. m:constraint { "
       "velocity = ... } has your own, m:knife_edge and m:rolling are ready.",
       "constraint, knife_edge, rolling", "howto/velocities.md", "m:constraint { \"steady\", velocity = P.vx - P.vy }"},
      {"closed loop|cut joint|cut body|spanning tree|topology|connectivity|loop|loop closure|kinematic loop|closed "
       "chain|closure equation|vector loop",
       "Bodies whose joints go round. You cut nothing: joints close the loop as constraints, and assembly makes it fit; "
       "mbs.joint_coordinates {} chooses which of them are cut.",
       "joints, mobility, kinematics", "tutorial/02_four_bar.md", ""},
      {"open chain|scara|six axis robot|robotic|serial chain|tree structure|kinematic tree|kinematic chain|serial "
       "robot|manipulator|robot|robot arm",
       "Bodies one behind the other. In space mbs.joint_coordinates {} computes them by recursions; mbs.read takes "
       "robots from URDF and MJCF.",
       "joint_coordinates, revolute, read", "howto/formulation.md", "mbs.joint_coordinates {}"},
      {"end effector|gripper|tool center point|tcp|tool|hand|payload|flange",
       "The last body of an arm. The point that counts is a place on it, such as rod:point { 0.5, 0 }, with x, y, vx "
       "and more as signals; what it carries is its mass, or another body by m:weld.",
       "place, marker, weld", "howto/signals.md", "print(rod:point { \"tool\", 0.5, 0 }.x)"},
      {"four bar|inversion|kinematic inversion|ternary link|assur group|cognate|six bar|four bar linkage|fourbar|crank "
       "rocker|double crank|double rocker|drag link|linkage",
       "Four links in a loop with four hinges, the ground among them. Made of m:bar between m:point, or of m:body with "
       "m:revolute.",
       "bar, revolute, driver", "tutorial/02_four_bar.md", ""},
      {"five bar|five bar linkage",
       "Two cranks and two couplers: two degrees of freedom. scripts/five_bar.lua is the published one, with all "
       "gradients.",
       "bar, revolute", "gallery/README.md", ""},
      {"grashof|grashof condition|grashof criterion",
       "Whether the shortest link turns round: s + l <= p + q for the lengths of a four-bar. No function tests it; "
       "drive the crank by m:driver through a turn with m:kinematics, which says where it cannot go on, or limit the "
       "lengths in m:optimize.",
       "driver, kinematics, optimize", "howto/limits.md", ""},
      {"slider crank|crank slider|piston|connecting rod|conrod|quick return|whitworth",
       "Turning into sliding: crank, rod, and a block in a guide. Of m:revolute three and m:translational one (or "
       "m:point_on_line where the piston is a m:point).",
       "revolute, translational, point_on_line", "gallery/README.md", ""},
      {"crank|rocker|lever|arm|link|coupler|member|bell crank|follower arm",
       "A link is a body. m:body where it turns and has inertia, m:bar for a straight uniform one between two points, "
       "m:distance for one without mass.",
       "body, bar, distance", "tutorial/01_double_pendulum.md", "m:bar { m:ground { at = { -1, 0 } }, P, mass = 0.5 }"},
      {"scotch yoke|yoke",
       "A pin in a slot that moves straight: x = r cos(angle). m:translational for the yoke, m:point_on_line for the "
       "pin, its axis across the guide.",
       "translational, point_on_line", "reference/joints.md", ""},
      {"straight line linkage|straight line mechanism|watt linkage|chebyshev linkage|roberts "
       "linkage|peaucellier|pantograph|coupler curve",
       "A point of a coupler goes along a curve, a straight line for example. m:sketch of a run draws it as dots and "
       "run:view as a trace; m:optimize finds lengths for a wanted one (the straight line in "
       "scripts/straight_line.lua).",
       "sketch, view, optimize", "tutorial/08_optimization.md", "m:sketch { os.tmpname(), run = run }"},
      {"synthesis|kinematic synthesis|dimensional synthesis|path generation|function generation|motion "
       "generation|freudenstein|burmester|precision point",
       "Lengths for a wanted motion. There are no closed formulas of Freudenstein or Burmester; m:optimize with exact "
       "gradients does it, with limits by subject_to. scripts/four_bar_synthesis.lua is one.",
       "optimize, objective", "howto/limits.md", ""},
      {"dead point|dead center|dead centre|toggle|toggle position|toggle mechanism|limit position|change point|stall "
       "position",
       "A position in which one link cannot drive the next. m:mobility has margin, near 0 there, if a m:driver "
       "prescribes the link that shall drive; else compare speeds, as slide.speed / hinge.omega. Motions run through "
       "it.",
       "mobility, quality, equilibrium_path", "howto/singular_positions.md", "print(m:mobility { from = run }.margin)"},
      {"singular|singularity|singular position|singular configuration|bifurcation of motion|branch|kinematic "
       "singularity",
       "A position in which constraints lose rank, so that the motion may go on in more than one way. m:mobility names "
       "what gains freedom there, and has margin near 0 close by; runs stop or warn with the time and the joint.",
       "mobility, quality, simulate", "howto/singular_positions.md", "print(m:mobility {}.weakest)"},
      {"transmission angle|pressure angle",
       "The angle at which a link drives the next. Not ready-made: an expression of positions by math.atan, as a "
       "signal of your own, for plots, objectives and limits.",
       "signal, atan2, objective", "howto/signals.md",
       "m:signal { \"transmission\", mbs.atan2(P.y, P.x) - hinge.angle, unit = \"deg\" }"},
      {"mechanical advantage|velocity ratio|leverage",
       "Output over input force, or input over output speed. Not ready-made: the quotient of two signals as an "
       "expression, such as slide.speed / hinge.omega.",
       "signal, driver", "howto/signals.md", "m:signal { \"ratio\", slide.speed / hinge.omega }"},
      {"instant center|kennedy theorem|roll center|instantaneous center|instant center of "
       "rotation|pole|centrode|polode|aronhold kennedy",
       "The point of a planar body without velocity. Not ready-made: as expressions it is x - vy / omega and y + vx / "
       "omega of the body.",
       "signal, body", "howto/signals.md", "m:signal { \"pole x\", rod.x - rod.vy / rod.omega, unit = \"m\" }"},
      {"velocity polygon|acceleration polygon|graphical method|velocity diagram",
       "Drawing velocities to scale. m:kinematics computes velocities and accelerations of everything that drivers "
       "move, as signals vx, ax, omega, alpha.",
       "kinematics, driver", "tutorial/02_four_bar.md", ""},
      {"gear|worm|idler|involute|module|tooth|teeth|gear tooth|gear teeth|gear mesh|gear wheel|gear pair|spur "
       "gear|gear ratio|transmission ratio|gearbox|reduction|gear train|cogwheel|bevel gear|bevel|spur|helical "
       "gear|worm gear",
       "Two joints that turn by a fixed ratio, about axes of any direction, so that bevel and helical gears are the "
       "same. m:gear takes the joints; -teeth_a / teeth_b for outer gears. Teeth, "
       "their play and their stiffness are not modelled.",
       "gear, belt, rack_and_pinion", "reference/couplings.md",
       "m:gear { \"pair\", hinge, m:revolute { m.ground, wheel, at = { 3, 1 } }, ratio = -0.5 }"},
      {"planetary gear|planetary|epicyclic|epicyclic gear|sun gear|differential|differential gear|ring gear",
       "Gears on a carrier that turns. Two m:gear on joints that have the carrier in common; a constraint on the sum "
       "of two angles for a differential.",
       "gear, constraint", "reference/couplings.md", ""},
      {"backlash|gear play|lash|clearance|joint clearance",
       "Play between parts. Not a field of gears and joints: for an angle m:torsion_spring with a law of "
       "mbs.dead_zone; for a length m:bump_stop with lower and upper.",
       "dead_zone, torsion_spring, bump_stop", "howto/force_law.md",
       "m:torsion_spring { on = hinge, law = function(s) return 1e3 * mbs.dead_zone(s.angle, 0.01) end }"},
      {"belt drive|chain drive|pulley|timing belt|sprocket",
       "Two pulleys that a belt or chain couples without slip. Here: m:belt, which may be crossed. Its stretch and "
       "mass are not modelled.",
       "belt, gear", "reference/couplings.md", ""},
      {"rack|pinion|rack and pinion|rack pinion",
       "A gear that moves a toothed bar. Here: m:rack_and_pinion of two joints.", "rack_and_pinion, gear",
       "reference/couplings.md", "m:rack_and_pinion { hinge, slide, radius = 0.05 }", "rack_and_pinion"},
      {"clutch|freewheel|overrunning clutch|sprag|ratchet|pawl|ratchet and pawl",
       "m:one_way_clutch lets an angle go one way. A clutch that is switched is a m:torque by a law, or a joint that "
       "m:phase leaves out.",
       "one_way_clutch, torque, phase", "reference/forces.md",
       "m:one_way_clutch { on = hinge, stiffness = 200, damping = 1 }", "one_way_clutch"},
      {"latch|catch|detent|snap fit|hook and catch",
       "What holds in a part of the motion alone is a joint that a m:phase leaves out; what gives way at a force or a "
       "position is a m:force or m:torque by a law.",
       "phase, torque, force", "howto/phases.md", ""},
      {"copy|clone|duplicate|subassembly|template|submodel|instance|copy of a model",
       "A Lua function that declares the parts, called once for each with other names and places; one that returns a "
       "model makes several.",
       "model, group", "", ""},
      {"brake",
       "A torque against turning. friction on a m:revolute, or a m:torque by a law such as -c * mbs.tanh(omega / "
       "0.01).",
       "revolute, torque, tanh", "howto/friction.md",
       "m:torque { on = rod, torque = function(s) return -2 * mbs.tanh(rod.omega / 0.01) end }"},
      {"cam follower|cam profile|camshaft|follower|desmodromic|roller follower|knife edge follower|flat faced follower",
       "m:cam has a profile move a roller, a knife edge or a flat face; groove = true holds it both ways. Where only "
       "the "
       "lift is known: m:constraint with mbs.spline of the cam's angle.",
       "cam, spline, constraint", "howto/cams.md",
       "local lift = mbs.spline { x = { 0, 2, 4, 6 }, y = { 0, 0.1, 0.1, 0 } }; m:constraint { law = "
       "slide.displacement - lift(hinge.angle) }"},
      {"geneva drive|geneva wheel|geneva|geneva mechanism|maltese cross|intermittent motion|dwell|indexing|slot and "
       "pin",
       "Motion with rests. A pin between the walls of slots is m:contact with box, of which the page has a Geneva "
       "drive; "
       "a given motion with rests is m:driver with a law of mbs.smoothstep.",
       "contact, driver, smoothstep", "howto/contact.md",
       "m:driver { \"index\", rod.angle, law = function(s) return mbs.smoothstep(s.t, 0.5, 1) end }"},
      {"escapement|anchor escapement|verge|clockwork|escape wheel",
       "Lets a wheel go on by one tooth for each swing. Not ready-made: pallets and teeth are m:contact with box and "
       "ball, as in the Geneva drive of the page; the push of an ideal one is a m:torque by a law of the pendulum's "
       "angle and rate.",
       "contact, torque", "howto/contact.md", ""},
      {"flywheel|axle|spindle|axis of rotation|rotor|shaft|turntable|drum",
       "A body on an axis. m:body with its inertia, and m:revolute; mbs.cylinder gives mass and inertia from its "
       "measures.",
       "body, cylinder, revolute", "reference/solids.md",
       "m:body { \"flywheel\", inertia_of = mbs.cylinder { mass = 5, radius = 0.2, length = 0.05 } }"},
      {"governor|centrifugal governor|flyball",
       "Weights that a shaft throws outwards. scripts/governor.lua has one, optimized over seven numbers.",
       "revolute, optimize", "gallery/README.md", ""},
      {"workspace|reachability|reach|manipulability|dexterity|working space",
       "Not ready-made: drive the joints over their range by m:driver and m:kinematics, or mbs.sweep over parameters. "
       "m:mobility has margin, which is near 0 where a position is nearly singular.",
       "kinematics, driver, mobility", "howto/singular_positions.md", ""},
      {"composite joint|revolute revolute joint|elementary constraint|basic constraint|primitive constraint|dot "
       "product constraint|orthogonality|parallelism|perpendicular|parallel constraint",
       "Joints are made of coincidence, dot-1, dot-2 and parallel axes, which stand alone, too; m:distance is a link "
       "without mass between two balls. Others are m:constraint.",
       "dot1, dot2, coincidence, parallel_axes, constraint", "theory/bodies_and_joints.md", ""},
      {"aircraft|helicopter|propeller|satellite|spacecraft|rocket|drone|ship|boat|wave|wind turbine|orbit",
       "A free body is a m:body without joints; thrust is m:force with frame = \"body\". Air, water, waves and "
       "attraction are laws of force that you write.",
       "body, force", "howto/force_law.md", "m:force { on = rod, force = { 0, 80 }, frame = \"body\" }"},
      {"swing|seesaw|catapult|trebuchet|roller coaster|yo yo|newton cradle|toy|bead on a wire|brachistochrone|curve "
       "constraint|point on curve",
       "Made of m:body and m:revolute; what lets go is m:phase or a stop of m:simulate; a bead on a curve is a "
       "m:constraint, by mbs.spline if need be.",
       "constraint, phase, spline", "howto/phases.md", "m:constraint { \"wire\", law = P.y - 1.75 - P.x^2 }"},
      {"unbalance|imbalance|rotor dynamic|rotor balancing|critical speed|whirl|shaking force|shaking moment|balancing "
       "of rotors|balancing of mechanisms",
       "A body whose field center_of_mass lies off its axis; signals force_x, force_y of its m:revolute are what it "
       "shakes with. Elastic shafts are m:beam with kind = \"shear\"; steady ones m:linearize { steady = true }.",
       "body, revolute, beam, linearize", "theory/bodies_and_joints.md",
       "m:body { \"rotor\", mass = 1, inertia = 0.1, center_of_mass = { 0.001, 0 } }"},
      {"counterweight|counterbalance|gravity compensation|static balancing|spring balancing|balanced mechanism",
       "Weights or springs that hold a mechanism up. m:equilibrium finds where it rests; m:optimize over masses and "
       "stiffnesses with small drive forces as objective designs them.",
       "equilibrium, optimize, spring", "tutorial/08_optimization.md", ""},
      {"crane|landing gear|door|scissor lift|windscreen wiper|sewing machine|exoskeleton|pump jack|multibody|multibody "
       "dynamic|multi body|multibody simulation|virtual prototype|digital "
       "twin|mechanism|excavator|digger|forklift|loader|boom|machine|mechanical system|multibody system|mbs",
       "Bodies (m:body, m:point), joints between them (m:revolute, m:translational), forces (m:spring, m:force) and "
       "drives (m:driver, m:torque). scripts/minimum_time.lua is a crane.",
       "body, joints, forces, driver", "tutorial/02_four_bar.md", ""},
      {"cvt|continuously variable transmission|variable transmission|torque converter|harmonic drive|strain wave gear",
       "Not ready-made. The ratio of m:gear is a number or parameter; one that changes on the way is a m:constraint on "
       "velocities.",
       "gear, constraint", "howto/velocities.md",
       "m:constraint { \"cvt\", velocity = wheel.omega - (1 + block.x) * rod.omega }"},
      {"engine|combustion engine|crankshaft|gas force|internal combustion engine|cylinder pressure|valve "
       "train|tappet|rocker arm|valve",
       "Cranks, rods and pistons are m:revolute and m:translational; gas forces are m:force by a law of the crank's "
       "angle, mbs.spline for measured ones. Valves on cams: m:cam.",
       "revolute, translational, spline, force", "howto/force_law.md",
       "m:force { on = block, law = function(s) return -100 * math.max(math.sin(hinge.angle(s)), 0), 0 end }"},
      {"parallel mechanism|stewart platform|hexapod|delta robot|parallel robot",
       "A platform on several legs. m:universal and m:spherical at the ends of each, m:translational or m:driver of a "
       "length between.",
       "universal, spherical, driver", "tutorial/05_space.md", ""},
      {"oldham coupling|shaft coupling|flexible coupling|elastic coupling",
       "Joins two shafts. m:constant_velocity for an even one, m:torsion_spring on an angle for an elastic one, "
       "m:bushing for all six stiffnesses.",
       "constant_velocity, torsion_spring, bushing", "reference/joints.md", ""},
      {"rope|cable|string|tendon|chain|pulley block|block and tackle|hoist|winch|tackle",
       "What only pulls. A m:spring whose law is mbs.softplus or math.max of the stretch; a rope over pulleys is a "
       "m:constraint on the sum of its lengths. There are no ropes that wrap round drums; m:beam bends, for heavy "
       "cables.",
       "spring, constraint, beam", "howto/force_law.md",
       "m:spring { m:ground { at = { 0, 3 } }, P, law = function(s) return 1e4 * math.max(s.stretch, 0) end }"},
      {"compliant mechanism|flexure|living hinge|flexible hinge|leaf spring",
       "Motion by bending. m:beam for the thin part, or m:revolute with m:torsion_spring for a hinge of little length; "
       "m:equilibrium_path goes past snap-through.",
       "beam, torsion_spring, equilibrium_path", "howto/beams.md", ""},
      {"bistable|snap through|snap back|buckling|buckling load|von mises truss|critical load|euler buckling",
       "A load beyond which the equilibrium jumps or branches. m:equilibrium_path follows it past limits and names "
       "bifurcations.",
       "equilibrium_path, beam", "howto/snap_through.md", ""},
      {"walking machine|humanoid|quadruped|foot|feet|walker|legged robot|biped|passive walker|gait|leg",
       "Feet that touch and let go. m:phase says which joints hold when, impacts are computed between, m:limit_cycle "
       "finds a gait.",
       "phase, limit_cycle, contact", "howto/phases.md", ""},
  };
  return words;
}

}  // namespace perilune::lua
