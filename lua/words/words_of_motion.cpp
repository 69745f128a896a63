// SPDX-License-Identifier: MIT
// Bodies, coordinates, rotations and kinematics.
#include "words/words.hpp"

namespace perilune::lua {

std::span<const Word> words_of_motion() {
  static constexpr Word words[] = {
      {"rigid body|rigid|part|solid body|component",
       "A body that does not deform. Here: m:body, with mass and inertia, or inertia_of a shape.",
       "body, box, natural_body", "tutorial/02_four_bar.md",
       "m:body { \"part\", mass = 1, inertia = 0.1, at = { 0, 2 } }", "body"},
      {"particle|mass of a body|point mass|mass point|lumped mass|bob|mass",
       "A mass without turning is m:point; the mass of a body is its field mass, needed unless inertia_of has it.",
       "point, body", "tutorial/01_double_pendulum.md", "m:point { \"bob\", at = { 1, 0 }, mass = 1 }", "point"},
      {"frame|fixed point|frame of reference|reference frame|coordinate system|inertial frame|world|world frame|global "
       "frame|fixed frame|base|world body",
       "m.ground is what stands still, its frame that of space; each body has one at its reference point, and b:marker "
       "{ ... } adds one with axes of its own.",
       "ground, marker, body", "theory/bodies_and_joints.md", "print(m.ground)"},
      {"local frame|body frame|body fixed frame|local coordinate|frame of a joint|connector|attachment "
       "point|site|hardpoint",
       "Places on a body: b:point { x, y } for a point in its frame, b:marker { at = ..., axis = ... } with axes.",
       "place, marker", "tutorial/02_four_bar.md", "local tip = rod:point { 0.5, 0 }"},
      {"moment of inertia|inertia|inertia tensor|mass moment of inertia|second moment of mass|product of "
       "inertia|principal axis|principal axes|principal moment|steiner|parallel axis theorem|radius of gyration",
       "Field inertia of m:body: one number in the plane, {Jxx, Jyy, Jzz} or six in space, about the centre of mass. "
       "mbs.box, mbs.cylinder, mbs.assembly compute it from shapes, by Steiner's theorem for several.",
       "body, box, assembly", "reference/solids.md", "print(mbs.box { density = 7850, size = { 1, 0.1, 0.1 } })"},
      {"center of mass|center of gravity|cog|com|centroid|mass center",
       "Where mass balances. A body's frame begins there unless center_of_mass says otherwise; m:group has that of "
       "several bodies as com_x, com_y.",
       "body, group", "howto/signals.md", "m:group { \"all\", rod, block }"},
      {"generalized coordinate|coordinate|absolute coordinate|cartesian coordinate|reference point coordinate|state "
       "variable|configuration",
       "What the equations are in. Points: x, y, z; planar bodies: x, y, angle; spatial ones: x, y, z and Euler "
       "parameters; m:natural_body: a point and three vectors. mbs.joint_coordinates {} has angles of joints for "
       "trees.",
       "body, natural_body, joint_coordinates", "theory/bodies_and_joints.md", "print(#m:signals())"},
      {"natural coordinate|fully cartesian coordinate|garcia de jalon|basic point",
       "Points and unit vectors as coordinates, without angles. m:point, m:vector, and m:natural_body for spatial "
       "bodies.",
       "point, vector, natural_body", "theory/bodies_and_joints.md", ""},
      {"relative coordinate|joint coordinate|recursive formulation|articulated body|featherstone|composite rigid "
       "body|order n|recursive newton euler|minimal coordinate",
       "Angles and displacements of joints as unknowns, by recursions from body to body. mbs.joint_coordinates {} does "
       "that for spatial bodies on joints, with loops or without.",
       "joint_coordinates, maggi", "howto/formulation.md", "mbs.joint_coordinates {}"},
      {"independent coordinate|null space matrix|velocity transformation|qr decomposition|singular value "
       "decomposition|svd|orthogonal complement|dependent coordinate|coordinate reduction|coordinate partitioning "
       "method|wehage haug|velocity projection|null space",
       "As many coordinates as degrees of freedom, the others by the constraints. mbs.maggi {} and "
       "mbs.coordinate_partitioning {} choose them; field independent keeps named ones at their values in assembly.",
       "maggi, coordinate_partitioning", "howto/formulation.md", "mbs.coordinate_partitioning {}"},
      {"rotation|orientation|attitude|turning|rotate",
       "In the plane a body has its angle; in space orientation = {e0, e1, e2, e3} at the start, signals omega_x to "
       "omega_z, and body:roll_pitch_yaw(), body:rotation_vector(), body:turn_of(other, axis) for angles.",
       "body, roll_pitch_yaw, rotation_vector, turn_of", "howto/signals.md", "print(rod.omega)"},
      {"rotation matrix|direction cosine|direction cosine matrix|transformation matrix|homogeneous "
       "transformation|screw theory|twist|dual quaternion|denavit hartenberg|dh parameter",
       "Not something that scripts see: places and axes are given in space or in body frames, and the matrix is made "
       "from Euler parameters inside. There are no Denavit-Hartenberg tables; joints are given at places of space.",
       "body, marker, turn_of", "theory/bodies_and_joints.md", ""},
      {"quaternion|euler parameter|unit quaternion|euler rodrigues|rodrigues parameter",
       "Four numbers {cos(a/2), sin(a/2) n} for a turn by a about n: how spatial bodies turn here, without singular "
       "positions. Field orientation of m:body, signals e0 to e3; their norm is a constraint.",
       "body, roll_pitch_yaw, rotation_vector", "theory/bodies_and_joints.md", ""},
      {"euler angle|bryan angle|tait bryan|cardan angle|roll|pitch|yaw|rpy|gimbal lock|bryant angle",
       "Three angles for a turn in space. Not coordinates here, so no gimbal lock in the motion; body:roll_pitch_yaw() "
       "has them as expressions for plots and objectives.",
       "roll_pitch_yaw, rotation_vector", "howto/signals.md",
       "local b = mbs.model { gravity = { 0, 0, 0 } }:body { \"b\", mass = 1, inertia = { 1, 1, 1 } }; local roll = "
       "b:roll_pitch_yaw()"},
      {"rotation vector|euler theorem|axis angle|angle axis|exponential map|lie group",
       "The axis of a turn times its angle: body:rotation_vector(), and body:axis_angle() for both apart, as "
       "expressions. Steps are not of a Lie group; Euler parameters are the coordinates.",
       "rotation_vector, axis_angle, turn_of", "howto/signals.md", ""},
      {"angular velocity|omega|spin|rotational speed|rpm|revolution per minute|rotation rate",
       "Field angular_velocity at the start, signals omega (plane) or omega_x to omega_z (space, along the body's "
       "axes), in rad/s: 1 rpm is math.pi / 30.",
       "body, revolute", "howto/signals.md", "m:signal { \"speed\", rod.omega, unit = \"rpm\" }"},
      {"angular acceleration|alpha", "Signals alpha of planar bodies, alpha_x to alpha_z of spatial ones, in rad/s^2.",
       "body", "howto/signals.md", "print(run:at(rod.alpha, 0.05))"},
      {"position|displacement|travel|stroke",
       "Signals x, y, z of points, bodies and places on them; displacement of m:translational and its like; length of "
       "m:spring.",
       "body, point, translational, at", "howto/signals.md", "print(run:at(\"P.x\", 0.05))"},
      {"velocity|speed|initial velocity|initial condition|starting velocity",
       "Signals vx, vy, vz; at the start fields velocity and angular_velocity, which assembly makes fit the joints. "
       "Given velocities on the way: m:driver { velocity = ... }.",
       "body, point, driver", "howto/velocities.md",
       "m:point { \"ball\", at = { 0, 5 }, velocity = { 1, 2 }, mass = 1 }"},
      {"relative motion|relative angle|relative displacement|relative position|relative velocity|relative rotation",
       "The difference of two signals, as an expression; angles and displacements of joints are relative already; "
       "body:turn_of(other, axis) is for spatial bodies.",
       "signal, turn_of, revolute", "howto/signals.md", "m:signal { \"gap\", block.x - rod.x, unit = \"m\" }"},
      {"initial position|initial angle|start position|starting position|initial configuration|initial "
       "orientation|declared position",
       "Field at of points and bodies, angle of planar ones, orientation of spatial ones. Joints take them as "
       "declared; if they do not fit, assembly moves them and says so.",
       "body, point, simulate", "tutorial/02_four_bar.md",
       "m:body { \"leaning\", mass = 1, inertia = 0.1, at = { 0, 5 }, angle = math.rad(30) }"},
      {"acceleration|jerk",
       "Signals ax, ay, az, of the coordinates' second derivatives. Jerk, the third, is no signal: take differences of "
       "run:values.",
       "body, values", "howto/signals.md", "print(run:at(\"P.ay\", 0.05))"},
      {"coriolis|centripetal acceleration|d alembert principle|euler equation|rigid body dynamic|gyroscopic "
       "torque|inertial effect|coriolis force|coriolis acceleration|centrifugal "
       "force|centrifugal|centripetal|gyroscopic|quadratic velocity vector|fictitious force|inertial force|inertia "
       "force|d alembert",
       "They come by themselves: coordinates are those of an inertial frame, so accelerations contain them, and bodies "
       "have their gyroscopic terms. There is no list of them as forces.",
       "body, joint_coordinates", "theory/bodies_and_joints.md", ""},
      {"motion profile|motion law|trapezoidal profile|s curve|cycloidal "
       "motion|cycloidal|cycloid|bezier|polynomial|harmonic motion|rise dwell return|acceleration profile|sinusoidal",
       "A law of time for m:driver, as any formula of s.t: mbs.smoothstep goes from rest to rest, mbs.spline through "
       "points, math.sin swings. Its velocity must not jump.",
       "driver, smoothstep, spline", "howto/control.md",
       "m:driver { \"rise\", hinge.angle, law = function(s) return s.t - math.sin(2 * math.pi * s.t) / (2 * math.pi) "
       "end }"},
      {"trajectory|path|trace|locus|path of a point|curve of a point",
       "m:sketch of a run draws the paths of points, run:view too; run:values has the numbers. A given path is "
       "m:driver of coordinates or a m:constraint.",
       "sketch, view, values, driver", "howto/export.md", "m:sketch { os.tmpname(), run = run }"},
      {"spatial vector|wrench|screw axis|chasles|mozzi axis|plücker coordinate|plucker coordinate|motion subspace|bias "
       "force|spatial algebra|skew symmetric matrix|cross product|dot product|vector algebra|vector product|norm",
       "Tools of the equations, not of scripts: places, axes and forces are lists of 2 or 3 numbers, and a wrench is "
       "m:force with its field torque. There is no library of vectors.",
       "force, marker", "theory/bodies_and_joints.md", "m:force { on = rod, force = { 1, 2 }, torque = 3 }"},
      {"generalized force|virtual displacement|principle of virtual work|virtual power|generalized "
       "momentum|generalized velocity",
       "What forces at places do along the coordinates; made inside from m:force and its like by their virtual work. "
       "Scripts give forces where they act and read signals.",
       "force, torque", "theory/bodies_and_joints.md", ""},
      {"gyroscope|polhode|herpolhode|poinsot|torque free motion|inertia ellipsoid|free rotation|top|spinning "
       "top|precession|nutation|gyroscopic effect|dzhanibekov|tennis racket theorem",
       "A body that spins about an axis that turns. m:body or m:natural_body with m:spherical at its tip; m:linearize "
       "{ steady = true } has the stability of a steady precession.",
       "natural_body, spherical, linearize", "gallery/README.md", ""},
      {"kinematic|forward kinematic|position analysis|kinematic analysis|velocity analysis|direct kinematic",
       "Motion by geometry alone. m:driver for each degree of freedom, then m:kinematics; forces of drives and "
       "reactions come with it.",
       "kinematics, driver", "tutorial/02_four_bar.md", ""},
      {"inverse kinematic|ik|posture",
       "Angles for a wanted place. m:driver of the place's coordinates in place of angles, then m:kinematics; or "
       "m:optimize over angles as parameters where there are more of them.",
       "driver, kinematics, optimize", "tutorial/02_four_bar.md",
       "m:driver { \"path\", P.x, law = function(s) return 0.5 + 0.1 * s.t end }"},
      {"inverse dynamic|computed torque|required torque|motor torque|drive torque|feedforward",
       "Forces that a motion takes. m:driver prescribes it, m:kinematics or m:simulate runs it; signal force of the "
       "driver is the force or torque, power its power.",
       "driver, kinematics", "howto/control.md", ""},
      {"forward dynamic|dynamic|dynamic analysis|dynamic simulation|time history|transient|time domain|run a "
       "simulation|run|solve|solver",
       "Motion from forces: m:simulate { t = 2 }. It returns a run, which is plotted, written and asked.",
       "simulate, run", "tutorial/01_double_pendulum.md", "m:simulate { t = 0.1 }", "simulate"},
      {"simulation time|end time|duration|start time|final time|how long|pause|simulated time",
       "Field t of m:simulate is the end of the motion in seconds, a number or an expression of parameters, start its "
       "beginning; stop ends it earlier, from = run goes on.",
       "simulate, run", "howto/moving_end.md", "m:simulate { t = 0.2 }"},
      {"assembly of a mechanism|assemble|initial assembly|position correction|initial position problem|closure "
       "error|assembly analysis",
       "Declared positions need not fit exactly: the nearest that fit the joints are taken at the start, and run.moved "
       "says by how much. m:simulate and its like do it; what contradicts is named.",
       "simulate, mobility", "howto/singular_positions.md", "print(run.moved)"},
      {"planar|2d|two dimensional|plane motion|planar mechanism",
       "A model in the plane has two components of gravity: mbs.model { gravity = {0, -9.81} }. (help \"planar\" is "
       "the joint of that name, for space.)",
       "model", "tutorial/01_double_pendulum.md", "mbs.model { gravity = { 0, -9.81 } }"},
      {"spatial|3d|three dimensional|spatial mechanism",
       "A model in space has three components of gravity: mbs.model { gravity = {0, 0, -9.81} }.", "model, body",
       "tutorial/05_space.md", "mbs.model { gravity = { 0, 0, -9.81 } }"},
      {"pendulum|simple pendulum|physical pendulum|compound pendulum",
       "A mass on a hinge. m:point with m:distance to a m:ground, or m:body with m:revolute.",
       "point, distance, revolute", "tutorial/01_double_pendulum.md", "m:distance { m:ground { at = { 0, 2 } }, P }"},
      {"double pendulum|triple pendulum|multiple pendulum|chaos|chaotic|sensitive dependence|lyapunov exponent",
       "Small causes, great effects. Runs and gradients of such motions are right for short times only; m:accuracy "
       "tells how exact an objective is. Lyapunov exponents are not computed.",
       "point, bar, accuracy", "tutorial/01_double_pendulum.md", ""},
      {"inverted pendulum|cart pole|pendulum on a cart|balancing|segway",
       "A pendulum that a controller holds upright. m:state_space and mbs.lqr for gains, m:force or m:torque for the "
       "drive; scripts/inverted_pendulum.lua is one with friction.",
       "state_space, lqr, pid", "howto/control.md", ""},
      {"projectile|throw|ballistic|free fall|trajectory of a ball",
       "A mass that flies. m:point with velocity; stop = ... ends the run where it lands.", "point, simulate",
       "howto/moving_end.md", "m:simulate { t = 0.1, stop = P.y }"},
      {"box|block|brick|cuboid|ellipsoid|cone|tube|hollow cylinder|shape|geometry|primitive",
       "Mass properties from shapes: mbs.box, mbs.cylinder, mbs.sphere, mbs.rod, several by mbs.assembly; field "
       "inertia_of takes them. Others are given by mass and inertia.",
       "box, cylinder, sphere, rod, assembly", "reference/solids.md",
       "m:body { \"crate\", inertia_of = mbs.box { density = 500, size = { 1, 0.5, 0.5 } }, at = { 0, 2 } }"},
      {"stl|cad|step file|triangle mesh|obj file|obj|wavefront|solid modeling",
       "mbs.mesh has mass, centre and inertia of a closed surface in a file, STL or OBJ, for inertia_of of m:body. "
       "Meshes "
       "do not touch and are not in pictures; there is no STEP. mbs.read takes MJCF, URDF and FreeCAD's assembly text.",
       "mesh, read, assembly", "howto/model_files.md", ""},
      {"flexible body|elastic body|flexible multibody|finite element|fem|fea|deformable body|craig bampton|component "
       "mode synthesis|floating frame of reference|modal body|superelement",
       "Of what deforms there are beams alone, exact in large motions: m:beam. There are no modal bodies "
       "(Craig-Bampton, floating frames) and no files of finite element programs.",
       "beam, clamp, bushing", "howto/beams.md", ""},
      {"ancf|timoshenko beam|euler bernoulli beam|bernoulli beam|absolute nodal coordinate|geometrically exact "
       "beam|timoshenko|euler bernoulli|cantilever|rod theory|bending|flexural rigidity|elastica",
       "m:beam: slender ones without shear by nodes with slopes, kind = \"shear\" with shear and torsion (Timoshenko, "
       "geometrically exact). m:clamp holds an end.",
       "beam, clamp, material", "howto/beams.md", ""},
      {"young modulus|elastic modulus|poisson ratio|density|material property|steel",
       "mbs.material { young = ..., density = ... } for beams; shapes such as mbs.box take density.",
       "material, beam, box", "howto/beams.md", "mbs.material { young = 2.1e11, density = 7850, poisson = 0.3 }"},
      {"stress|strain|bending moment|shear force|stress recovery|fatigue|von mises stress",
       "Of beams: b:station { 0.5 } has moment, axial_force, strain and stresses there as expressions, run:envelope "
       "the largest along the beam. Other bodies are rigid and have reactions alone; fatigue is not computed.",
       "station, envelope, beam", "howto/beams.md", ""},
      {"cross section|section|rectangle|area moment|second moment of area|i beam",
       "mbs.round_section { diameter = ... } and mbs.rectangular_section { width = ... } for beams; others by the "
       "fields area and the like of m:beam.",
       "round_section, rectangular_section, beam", "howto/beams.md", "mbs.round_section { diameter = 0.02 }"},
  };
  return words;
}

}  // namespace perilune::lua
