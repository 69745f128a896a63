-- mbs.read: what files say in a few digits, or leave unsaid, and joints that make parts of their own. tests/mujoco compares
-- balls beside other joints, and balanced inertia, with MuJoCo.
local mbs = require "perilune"
local check = require "check"
local models = arg[0]:gsub("[^/]*$", "") .. "../mujoco/models/"
local path = os.tmpname()
local precise = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

local function read(text, fields) return check.read(path, text, fields) end

-- The moments of a plate, written with three digits, sum up to less than the third: each changes by a third of what
-- is missing, wherever the axes point, and the plate is flat then.
do
  local mjcf = '<mujoco> <worldbody> <body name="plate"> <freejoint/> <inertial pos="0 0 0" mass="0.3" %s/> </body> </worldbody> </mujoco>'
  local urdf = [[<robot name="r"> <link name="base"/> <link name="plate"> <inertial> <origin xyz="0 0 0" rpy="%s"/> <mass value="0.3"/>
    <inertia ixx="1.0e-3" iyy="1.0e-3" izz="2.01e-3" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
    <joint name="j" type="floating"> <parent link="base"/> <child link="plate"/> </joint> </robot>]]
  local third = 0.01e-3 / 3
  local function check_inertia(m, expected)
    for k = 1, 6 do check.near(m:object("plate").inertia[k], expected[k], 1e-14) end
    m:simulate { t = 0.01 }
  end
  local flat = { 1.0e-3 + third, 1.0e-3 + third, 2.01e-3 - third, 0, 0, 0 }
  check_inertia(read(mjcf:format 'diaginertia="1.0e-3 1.0e-3 2.01e-3"'), flat)
  check_inertia(read(urdf:format "0 0 0"), flat)
  check_inertia(read(urdf:format "0 1.5707963267948966 0"), { flat[3], flat[2], flat[1], 0, 0, 0 })
  -- An eighth of a turn about x mixes the largest with another.
  local mean, half = (1.0e-3 + 2.01e-3) / 2, 1.01e-3 / 2
  check_inertia(read(mjcf:format(('fullinertia="1.0e-3 %.17g %.17g 0 0 %.17g"'):format(mean, mean, half))),
    { flat[1], (flat[2] + flat[3]) / 2, (flat[2] + flat[3]) / 2, 0, 0, (flat[3] - flat[2]) / 2 })
  -- What is changed would not follow parameters: of these no number of such a part can be one, others can.
  for _, text in ipairs { mjcf, (mjcf:gsub("<mujoco>", '<mujoco> <compiler balanceinertia="true"/>')) } do
    check.fails("would not follow the parameter that is asked for", function()
      read(text:format 'diaginertia="1.0e-3 1.0e-3 2.01e-3"', { parameters = { "plate.inertial.diaginertia.x" } })
    end)
  end
  local m = read(mjcf:format 'diaginertia="1.0e-3 1.0e-3 2.01e-3"', { parameters = { "plate.inertial.mass" } })
  for k = 1, 6 do check.near(m:object("plate").inertia[k], flat[k], 1e-14) end
  m = read(mjcf:format 'diaginertia="1.0e-3 1.0e-3 1.9e-3"', { parameters = { "plate.inertial.diaginertia.z" } })
  check.equal(m:object("plate").inertia[3].value, 1.9e-3)
  -- The mean of what no body can have may be one that it can: MuJoCo takes no negative moments for that.
  check.fails("must not be negative", function()
    read((mjcf:gsub("<mujoco>", '<mujoco> <compiler balanceinertia="true"/>'):format 'diaginertia="-0.001 0.5 0.5"'))
  end)
  -- What exceeds by no more than the last bits is as written.
  check.equal(read(mjcf:format 'diaginertia="0.1 0.2 0.30000000000000004"'):object("plate").inertia[3], 0.30000000000000004)
end

-- FreeCAD's text, whose moments are in kg mm^2.
do
  local m = require "assembly_text".read(path, { parts = { { "plate", moments = { 1, 1, 2.01 } } } }, { unit = "mm" })
  for k, J in ipairs { 1 + 0.01 / 3, 1 + 0.01 / 3, 2.01 - 0.01 / 3 } do check.near(m:object("plate").inertia[k], J * 1e-6, 1e-14) end
end

-- balanceinertia leaves possible moments alone, and makes others equal.
do
  local m = mbs.read { models .. "balance.xml" }
  for k, J in ipairs { 0.024, 0.024, 0.024, 0, 0, 0 } do check.near(m:object("plate").inertia[k], J, 1e-14) end
  local possible = '<mujoco> <compiler balanceinertia="true"/> <worldbody> <body name="a"> <freejoint/> <inertial pos="0 0 0" mass="1" ' ..
    'diaginertia="1 2 2.9"/> </body> </worldbody> </mujoco>'
  check.equal(read(possible):object("a").inertia[3], 2.9)
end

-- Three slides and a ball move as a free body does.
do
  local body = [[<mujoco> <option gravity="0.1 0.2 -9.81"/> <worldbody> <body name="base" pos="0 0 1"> %s
    <inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.1 0.15 0.2"/> </body> </worldbody>
    <keyframe> <key name="start" qpos="%s 0.9 0.1 0.2 -0.3" qvel="0.1 0.2 0.3 1 2 3"/> </keyframe> </mujoco>]]
  local slides = '<joint name="x" type="slide" axis="1 0 0"/> <joint name="y" type="slide" axis="0 1 0"/> <joint name="z" type="slide"/> <joint name="turn" type="ball"/>'
  local one = read(body:format(slides, "0.1 0.2 0.3"), { key = "start" })
  local other = read(body:format("<freejoint/>", "0.1 0.2 1.3"), { key = "start" })
  check.equal(one:mobility {}.degrees_of_freedom, 6)
  check.equal(one:object("turn").kind, "spherical")
  local exact = { t = 0.5, integrator = precise }
  local run, free = one:simulate(exact), other:simulate(exact)
  check.equal(#run.warnings, 0)
  for _, signal in ipairs { "x", "y", "z", "e0", "e1", "e2", "e3", "omega_x" } do
    check.near(run:at("base." .. signal, 0.5), free:at("base." .. signal, 0.5), 1e-8, signal)
  end
  check.near(run:at("z.x", 0.5), free:at("base.z", 0.5) - 1, 1e-8)
end

-- A URDF file whose joints begin at a link world that it does not have is the one with that link.
do
  local text = [[<robot name="r"> %s <link name="arm"> <inertial> <origin xyz="0.2 0 0"/> <mass value="1"/>
    <inertia ixx="0.01" iyy="0.03" izz="0.035" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
    <joint name="a" type="%s"> <parent link="world"/> <child link="arm"/> <origin xyz="0 0 1" rpy="0.1 0.2 0"/> <axis xyz="0 1 0"/> </joint> </robot>]]
  for kind, freedom in pairs { continuous = 1, prismatic = 1, floating = 6, fixed = 0 } do
    local without, with = read(text:format("", kind)), read(text:format('<link name="world"/>', kind))
    check.equal(without:object("world").kind, "marker")
    if kind ~= "fixed" then
      check.equal(without:mobility {}.degrees_of_freedom, freedom)
      local a, b = without:simulate { t = 0.3 }, with:simulate { t = 0.3 }
      check.equal(a:at("arm.z", 0.3), b:at("arm.z", 0.3))
    end
  end
  check.fails('"arm" has no parent, and neither has "world"', read, (text:format("", "fixed"):gsub('<child link="arm"/>',
    '<child link="b"/>'):gsub("<joint", '<link name="b"/> <joint')))
end

-- A link without mass between two hinges whose axes meet is the cross of a universal joint.
do
  local m = read [[<robot name="r"> <link name="base"/> <link name="cross"/>
    <link name="arm"> <inertial> <origin xyz="0.1 0.05 0.3"/> <mass value="1.5"/> <inertia ixx="0.1" iyy="0.12" izz="0.15" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
    <joint name="a" type="continuous"> <parent link="base"/> <child link="cross"/> <axis xyz="0 1 0"/> </joint>
    <joint name="b" type="continuous"> <parent link="cross"/> <child link="arm"/> <axis xyz="1 0 0"/> </joint> </robot>]]
  local own = mbs.model { gravity = { 0, 0, -9.81 } }
  local arm = own:body { "arm", mass = 1.5, inertia = { 0.1, 0.12, 0.15 }, center_of_mass = { 0.1, 0.05, 0.3 }, at = { 0, 0, 0 } }
  own:universal { "cross", own.ground, arm, at = { 0, 0, 0 }, axis = "y", axis_b = "x" }
  local run, other = m:simulate { t = 0.8, integrator = precise }, own:simulate { t = 0.8, integrator = precise }
  check.equal(m:mobility().degrees_of_freedom, 2)
  for _, name in ipairs { "e0", "e1", "e2", "e3" } do check.near(run:at("arm." .. name, 0.8), other:at("arm." .. name, 0.8), 1e-8, name) end
end

-- Names: bodies have theirs, whatever stands before them; parts of other bodies are markers.
do
  local m = read [[<mujoco> <worldbody> <body name="a"> <joint name="b"/> <geom size="0.1"/> <site name="a"/>
    <body name="c"> <body name="b"> <joint name="b.1" axis="0 1 0"/> <geom size="0.1" pos="0 0 1"/> </body> </body> </body>
    </worldbody> <actuator> <motor name="b_joint" joint="b.1" ctrlrange="1 2"/> </actuator> </mujoco>]]
  for name, kind in pairs { a = "body", b = "body", c = "marker", b_joint = "revolute", b_1 = "revolute", a_site = "marker" } do
    check.equal(m:object(name).kind, kind, name)
  end
  check.equal(m:object("b_joint_ctrl").value, 1)
end
