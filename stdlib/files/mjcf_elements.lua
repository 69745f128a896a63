-- What the elements of MJCF may have: read, without meaning for the motion, or left out with a reason.
local function set(words)
  local out = {}
  for word in words:gmatch "%S+" do out[word] = true end
  return out
end

local elements = {}

local orientations = "quat axisangle euler xyaxes zaxis"
local frames = "name class pos " .. orientations

-- read: used here. ignored: of pictures, numerics, or what is not simulated at all (contact is said once).
elements.attributes = {
  body = { read = set("childclass " .. frames), ignored = set "user sleep" },
  inertial = { read = set("pos mass diaginertia fullinertia " .. orientations), ignored = set "" },
  mesh = {
    read = set "name class file scale refpos refquat inertia",
    ignored = set "smoothnormal maxhullvert vertex normal texcoord face content_type",
  },
  joint = {
    read = set "name class type pos axis ref stiffness springref damping armature",
    ignored = set "group user solreflimit solimplimit solreffriction solimpfriction margin limited actuatorfrclimited",
  },
  freejoint = { read = set "name", ignored = set "group user align" },
  geom = {
    read = set("type size fromto mass density mesh group " .. frames),
    ignored = set("contype conaffinity condim priority friction solmix solref solimp margin gap material rgba user " ..
                  "hfield fitscale fluidcoef"),
  },
  site = { read = set(frames), ignored = set "type size fromto material rgba group user" },
  connect = { read = set "name class body1 body2 anchor site1 site2 active", ignored = set "solref solimp" },
  weld = { read = set "name class body1 body2 relpose site1 site2 active", ignored = set "solref solimp anchor torquescale" },
  equality_joint = { read = set "name class joint1 joint2 polycoef active", ignored = set "solref solimp" },
  equality_tendon = { read = set "name class tendon1 tendon2 polycoef active", ignored = set "solref solimp" },
  tendon_joint = { read = set "joint coef", ignored = set "" },
  tendon = {
    read = set "name class stiffness damping springlength range frictionloss",
    ignored = set("group user width material rgba limited solreflimit solimplimit solreffriction solimpfriction margin " ..
                  "actuatorfrclimited"),
  },
  -- What else actuators act on is told of each as a whole.
  motor = { read = set "name class joint jointinparent tendon site gear ctrlrange",
            ignored = set "group user ctrllimited refsite body cranksite slidersite cranklength" },
  key = { read = set "name qpos qvel ctrl", ignored = set "" },
  compiler = {
    read = set("angle eulerseq inertiafromgeom inertiagrouprange coordinate settotalmass meshdir assetdir strippath " ..
               "exactmeshinertia balanceinertia"),
    ignored = set "autolimits fitaabb texturedir discardvisual convexhull fusestatic usethread saveinertial alignfree",
  },
  option = {
    read = set "gravity",
    ignored = set("timestep apirate impratio tolerance noslip_tolerance mpr_tolerance ls_tolerance ccd_tolerance " ..
      "integrator collision cone jacobian solver iterations noslip_iterations mpr_iterations ls_iterations " ..
      "ccd_iterations magnetic o_margin o_solref o_solimp o_friction sdf_iterations sdf_initpoints"),
  },
}
elements.attributes.position = { read = set("kp kv") , ignored = elements.attributes.motor.ignored }
elements.attributes.velocity = { read = set("kv"), ignored = elements.attributes.motor.ignored }
elements.attributes.general = {
  read = set "gaintype biastype dyntype gainprm biasprm", ignored = elements.attributes.motor.ignored,
}
for _, kind in ipairs { "position", "velocity", "general" } do
  for word in pairs(elements.attributes.motor.read) do elements.attributes[kind].read[word] = true end
end

-- Why the others of some are left out.
elements.reasons = {
  range = "limits of joints are not modelled (m:bump_stop)",
  frictionloss = "dry friction of joints is not modelled (m:revolute { friction = ... })",
  springdamper = "springs by time constant are not modelled; give stiffness and damping",
  dampratio = "damping by a ratio is not modelled; give kv", timeconst = "the actuator acts at once",
  inheritrange = "give ctrlrange",
  gravcomp = "gravity is not compensated (m:force)",
  mocap = "the body stands still",
  shellinertia = "the geom counts as solid",
  fluidshape = "forces of fluids are not modelled",
  forcerange = "the force is not limited", forcelimited = "the force is not limited",
  actuatorfrcrange = "the force is not limited",
  wind = "forces of fluids are not modelled", density = "forces of fluids are not modelled",
  viscosity = "forces of fluids are not modelled",
  boundmass = "masses are as given", boundinertia = "inertias are as given",
  tendon = "tendons that run otherwise than between two sites are not modelled (m:spring)", contact = "contact is not modelled (m:contact)",
  deformable = "what deforms is not modelled (m:beam)", extension = "plugins are not called",
}

-- Elements below another that have no meaning for the motion without contact, or in pictures of other programs.
elements.ignored = {
  mujoco = set "visual statistic asset size custom sensor", body = set "camera light", default = set
    "material camera light pair equality",
  contact = set "exclude", asset = set "",
}

return elements
