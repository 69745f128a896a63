-- mbs.read: closed forms, models written by hand beside those from files, differences of files by their numbers, and what
-- is wrong with files. tests/mujoco compares with MuJoCo.
local mbs = require "perilune"
local check = require "check"
local models = arg[0]:gsub("[^/]*$", "") .. "../mujoco/models/"
local path = os.tmpname()

local function read(text, fields) return check.read(path, text, fields) end
local exact = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

-- A small swing of the pendulum: a ball of radius 0.1 m on a rod of 0.8 m.
do
  local m = mbs.read { models .. "pendulum.xml", key = "small" }
  local omega = math.sqrt(9.81 * 0.8 / (0.8 ^ 2 + 2 / 5 * 0.1 ^ 2))
  local run = m:simulate { t = 2, integrator = exact }
  for _, t in ipairs { 0.3, 0.9, 2 } do
    check.near(run:at("pivot.angle", t), 1e-3 * math.cos(omega * t), 2e-9)
  end
  check.equal(m:object("ball").mass, 2)
  check.equal(m:object("middle").kind, "marker")
end

-- Masses and moments of inertia of geoms, by sums over slices. `half(z)` are the half axes of the ellipse at the height z.
do
  local function by_slices(height, half, density)
    local n, mass, J = 4000, 0, { 0, 0, 0 }
    for k = 0, n do
      local z = height * (2 * k / n - 1)
      local a, b = half(z)
      local weight = (k == 0 or k == n) and 1 or k % 2 == 1 and 4 or 2
      local slice = density * math.pi * a * b * weight * 2 * height / n / 3
      mass = mass + slice
      J[1] = J[1] + slice * (b * b / 4 + z * z)
      J[2] = J[2] + slice * (a * a / 4 + z * z)
      J[3] = J[3] + slice * (a * a + b * b) / 4
    end
    return mass, J
  end
  local function ball(r) return function(z) local a = math.sqrt(math.max(r * r - z * z, 0)) return a, a end end
  local cases = {
    { 'type="sphere" size="0.3"', 0.3, ball(0.3) },
    { 'type="cylinder" size="0.2 0.4"', 0.4, function() return 0.2, 0.2 end },
    { 'type="capsule" size="0.2 0.4"', 0.6, function(z)
      local over = math.max(math.abs(z) - 0.4, 0)
      local a = math.sqrt(math.max(0.04 - over * over, 0))
      return a, a
    end },
    { 'type="ellipsoid" size="0.2 0.3 0.5"', 0.5, function(z)
      local s = math.sqrt(math.max(1 - (z / 0.5) ^ 2, 0))
      return 0.2 * s, 0.3 * s
    end },
  }
  for _, case in ipairs(cases) do
    local m = read(('<mujoco> <worldbody> <body name="b"> <freejoint/> <geom %s density="800"/> </body> </worldbody> </mujoco>')
      :format(case[1]))
    local b = m:object "b"
    local mass, J = by_slices(case[2], case[3], 800)
    check.near(b.mass, mass, 1e-6, case[1])
    for k = 1, 3 do check.near(b.inertia[k], J[k], 1e-6, case[1]) end
  end
  local m = read [[<mujoco> <worldbody> <body name="b"> <freejoint/>
    <geom type="box" size="0.1 0.2 0.3" pos="1 0 0" euler="0 0 90"/> </body> </worldbody> </mujoco>]]
  local b = m:object "b"
  check.near(b.mass, 48)  -- 0.2 * 0.4 * 0.6 m^3 of water
  check.near(b.center_of_mass[1], 1)
  check.near(b.inertia[1], 48 / 12 * (0.2 ^ 2 + 0.6 ^ 2))  -- turned by a quarter
  check.near(b.inertia[2], 48 / 12 * (0.4 ^ 2 + 0.6 ^ 2))
end

-- The double pendulum once more by hand, with rotors as added inertia of what turns alone.
do
  local m = read [[<mujoco>
    <compiler angle="radian"/> <option gravity="0.5 0.7 -9.81"> <flag contact="disable"/> </option>
    <worldbody> <body name="upper" pos="0 0 2">
      <joint name="shoulder" axis="0 1 0" stiffness="3" springref="0.4" damping="0.2" armature="0.05"/>
      <inertial pos="0.3 0 0" mass="2" diaginertia="0.01 0.06 0.07"/>
      <body name="lower" pos="0.6 0 0.1"> <joint name="elbow" axis="0 1 0"/>
        <inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.03"/> </body>
    </body> </worldbody>
    <actuator> <motor name="push" joint="elbow" gear="-2"/> </actuator>
  </mujoco>]]
  m:object "push".value = 0.3
  local h = mbs.model { gravity = { 0.5, 0.7, -9.81 } }
  -- The rotor stands on the ground, and so adds to the upper body's inertia about the hinge.
  local upper = h:body { "upper", mass = 2, inertia = { 0.06, 0.06 + 0.05, 0.07 }, at = { 0.3, 0, 2 } }
  local lower = h:body { "lower", mass = 1, inertia = { 0.01, 0.02, 0.03 }, at = { 0.8, 0, 2.1 } }
  local shoulder = h:revolute { "shoulder", h.ground, upper, at = { 0, 0, 2 }, axis = "y" }
  local elbow = h:revolute { "elbow", upper, lower, at = { 0.6, 0, 2.1 }, axis = "y" }
  h:torsion_spring { on = shoulder, stiffness = 3, free_angle = 0.4, damping = 0.2 }
  h:torque { on = lower, reaction_on = upper, torque = { 0, -0.6, 0 } }
  local one, other = m:simulate { t = 1, integrator = exact }, h:simulate { t = 1, integrator = exact }
  for _, signal in ipairs { "shoulder.angle", "elbow.angle", "shoulder.omega", "elbow.omega" } do
    check.near(one:at(signal, 1), other:at(signal, 1), 1e-8, signal)
  end
end

-- Euler angles about axes that turn with the body or stand still, and coordinates that are not zero as drawn.
do
  local function orientation(text)
    local b = read(text):object "b"
    return table.concat({ ("%.12g"):format(b.orientation[1]), ("%.12g"):format(b.orientation[2]),
      ("%.12g"):format(b.orientation[3]), ("%.12g"):format(b.orientation[4]) }, " ")
  end
  local text = [[<mujoco> <compiler eulerseq="%s"/> <worldbody> <body name="b" euler="90 0 90"> <freejoint/>
    <geom size="1"/> </body> </worldbody> </mujoco>]]
  check.equal(orientation(text:format "xyz"), "0.5 0.5 -0.5 0.5")
  check.equal(orientation(text:format "XYZ"), "0.5 0.5 0.5 0.5")
  check.equal(orientation [[<robot name="r"> <link name="base"/> <link name="b"> <inertial> <mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link> <joint name="j" type="floating">
    <parent link="base"/> <child link="b"/> <origin rpy="1.5707963267948966 0 1.5707963267948966"/> </joint> </robot>]],
    "0.5 0.5 0.5 0.5")
  local m = read [[<mujoco> <option gravity="0 0 0"/> <worldbody>
    <body name="a" pos="1 2 3"> <joint name="turn" axis="0 0 1" ref="30"/> <geom size="0.1"/> </body>
    <body name="b" pos="4 5 6"> <joint name="rail" type="slide" axis="0 1 0" ref="0.2"/> <geom size="0.1"/> </body>
    </worldbody> <keyframe> <key name="moved" qpos="1 0.5"/> </keyframe> </mujoco>]]
  local run = m:simulate { t = 0.1 }
  check.near(run:at("turn.angle", 0.1), math.rad(30))
  check.near(run:at("a.e3", 0.1), 0)
  check.near(run:at("rail.displacement", 0.1), 0.2)
  check.near(run:at("b.y", 0.1), 5)
  run = mbs.read({ path, key = "moved" }):simulate { t = 0.1 }
  check.near(run:at("turn.angle", 0.1), 1)
  check.near(run:at("a.e3", 0.1), math.sin((1 - math.rad(30)) / 2))
  check.near(run:at("rail.displacement", 0.1), 0.5)
  check.near(run:at("b.y", 0.1), 5.3)
end

-- Derivatives by numbers of the file against differences of runs of altered files.
do
  local text = [[<mujoco> <option gravity="0.5 0 {option.gravity.z}"> <flag contact="disable"/> </option>
    <default> <joint damping="{default.main.joint.damping}"/> </default>
    <worldbody> <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" stiffness="5" springref="{shoulder.springref}" ref="{shoulder.ref}"/>
      <geom type="capsule" fromto="0 0 0 {upper.geom.fromto.4} 0 0" size="{upper.geom.size.x}"/>
      <body name="lower" pos="{lower.pos.x} 0 0.1" euler="20 {lower.euler.y} 5">
        <joint axis="0 1 {lower.joint.axis.z}"/>
        <joint name="elbow" axis="1 0 0" pos="0 {elbow.pos.y} 0" armature="{elbow.armature}"/>
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.02 {lower.inertial.diaginertia.y} 0.025" quat="1 0.3 0 0.1"/>
        <body name="end" pos="0.2 0 0"> <joint name="last" type="slide"/>
          <geom name="tip" type="box" size="{tip.size.x} 0.1 0.1"/> </body>
      </body> </body> </worldbody>
    <actuator> <position name="servo" joint="last" kp="{servo.kp}" gear="2"/> </actuator>
    <keyframe> <key name="start" qpos="0.1 {start.qpos.2} 0.2 0.02" qvel="{start.qvel.1} 0.4 0.5 0.6"/> </keyframe> </mujoco>]]
  local given = {
    ["option.gravity.z"] = -9.5, ["default.main.joint.damping"] = 0.05, ["shoulder.springref"] = 11,
    ["shoulder.ref"] = 5, ["upper.geom.fromto.4"] = 0.5, ["upper.geom.size.x"] = 0.03, ["lower.pos.x"] = 0.5,
    ["lower.euler.y"] = 10, ["lower.joint.axis.z"] = 0.3, ["elbow.pos.y"] = 0.02, ["elbow.armature"] = 0.1,
    ["lower.inertial.diaginertia.y"] = 0.02, ["tip.size.x"] = 0.2, ["servo.kp"] = 3, ["start.qpos.2"] = 0.3,
    ["start.qvel.1"] = 1,
  }
  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  local function with(altered, by)
    return (text:gsub("{(.-)}", function(name) return ("%.17g"):format(given[name] + (name == altered and by or 0)) end))
  end
  local function cost(m)
    local tip, lower = m:object "end", m:object "lower"
    return m:objective { "cost", integral = tip.x ^ 2 + 0.3 * tip.z + 0.1 * lower.omega_x ^ 2, terminal = tip.y }
  end
  local steps = mbs.rk4 { step = 2e-3 }
  local m = read(with(), { key = "start", parameters = names })
  local gradient = m:gradient { cost(m), t = 0.3, integrator = steps }
  for name, value in pairs(given) do
    check.equal(m:object(name).value, value)
    local function at(by)
      local other = read(with(name, by), { key = "start" })
      return other:simulate { objectives = { cost(other) }, t = 0.3, integrator = steps }.objectives.cost
    end
    local h = 2e-3 * math.max(0.1, math.abs(value))
    local wide, narrow = (at(h) - at(-h)) / (2 * h), (at(h / 2) - at(-h / 2)) / h
    check.near(gradient.by_name[name], (4 * narrow - wide) / 3, 1e-8, name)
    assert(math.abs(gradient.by_name[name]) > 1e-5, name)
  end
end

-- A default that is a parameter is one number for all; an element's own path is that element's.
do
  local text = [[<mujoco> <default> <geom density="100" size="0.1"/> </default> <worldbody>
    <body name="a"> <freejoint/> <geom/> </body> <body name="b" pos="1 0 0"> <freejoint/> <geom/> </body>
    </worldbody> </mujoco>]]
  local m = read(text, { parameters = { "default.main.geom.density", ["b.geom.size.x"] = { min = 0.05, max = 0.3 } } })
  m:object "default.main.geom.density".value = 200
  m:object "b.geom.size.x".value = 0.2
  check.equal(m:object("b.geom.size.x").max, 0.3)
  check.near(m:object("a").mass.value, 200 * 4 / 3 * math.pi * 0.1 ^ 3)
  check.near(m:object("b").mass.value, 200 * 4 / 3 * math.pi * 0.2 ^ 3)
end

-- Equalities are exact constraints.
do
  local m = mbs.read(models .. "equality.xml")
  local run = m:simulate { t = 1, integrator = exact }
  for _, t in ipairs { 0.2, 1 } do
    local x = run:at("j1.angle", t) - 0.1
    check.near(run:at("j2.angle", t), -2 * x + 0.5 * x ^ 2, 1e-9)
    check.near(run:at("j3.displacement", t), 0.25, 1e-9)
    local a = { mbs = 0 }
    for _, name in ipairs { "rod", "mate" } do
      a[name] = {}
      for _, s in ipairs { "x", "y", "z", "e0", "e1", "e2", "e3" } do a[name][s] = run:at(name .. "." .. s, t) end
    end
    -- The axis x of the rod, of which the end half a metre back stays where it was.
    local r = a.rod
    local ux = { 1 - 2 * (r.e2 ^ 2 + r.e3 ^ 2), 2 * (r.e1 * r.e2 + r.e0 * r.e3), 2 * (r.e1 * r.e3 - r.e0 * r.e2) }
    check.near(r.x - 0.5 * ux[1], -0.5, 1e-9)
    check.near(r.y - 0.5 * ux[2], 2, 1e-9)
    check.near(r.z - 0.5 * ux[3], 1, 1e-9)
    local uy = { 2 * (r.e1 * r.e2 - r.e0 * r.e3), 1 - 2 * (r.e1 ^ 2 + r.e3 ^ 2), 2 * (r.e2 * r.e3 + r.e0 * r.e1) }
    check.near(a.mate.x - r.x, 0.2 * uy[1], 1e-9)
    check.near(a.mate.z - r.z, 0.2 * uy[3], 1e-9)
    for k = 0, 3 do check.near(a.mate["e" .. k], r["e" .. k], 1e-9) end
    check.near(run:at("off.z", t), 1 - 9.81 / 2 * t ^ 2, 1e-9)
  end
end

-- Four-bars: angles of the rocker by the two circles that its pin is on.
do
  local function rocker_angle(crank, coupler, rocker_length, ground)  -- crank angle from the vertical, clockwise seen from -y
    local px, pz = 0.3 * math.sin(crank), 0.3 * math.cos(crank)
    local dx, dz = ground - px, -pz
    local d = math.sqrt(dx * dx + dz * dz)
    local along = (coupler ^ 2 - rocker_length ^ 2 + d ^ 2) / (2 * d)
    local up = math.sqrt(coupler ^ 2 - along ^ 2)
    local x, z = px + (along * dx - up * dz) / d, pz + (along * dz + up * dx) / d
    return math.atan(x - ground, z)
  end
  local coupler, length = math.sqrt(0.85), math.sqrt(0.26)
  for _, file in ipairs { "four_bar.xml", "loop.urdf" } do
    local m = mbs.read(models .. file)
    check.equal(m:mobility {}.degrees_of_freedom, 1)
    local sign = 1
    if file == "four_bar.xml" then
      m:object "speed".value = 3
      sign = -1
    end
    local run = m:simulate { t = 0.5, integrator = exact }
    for _, t in ipairs { 0.2, 0.5 } do
      local crank = sign * run:at("motor.angle", t)
      check.near(sign * run:at("pivot.angle", t), rocker_angle(crank, coupler, length, 1) - rocker_angle(0, coupler, length, 1), 1e-8)
      if file == "loop.urdf" then check.near(run:at("wheel.angle", t), 0.2 - 0.5 * crank, 1e-9) end
    end
    assert(math.abs(run:at("motor.angle", 0.5)) > 0.1)
  end
end

-- Coordinates of several joints on a body: no constraint of theirs is redundant, and starts fit.
for _, case in ipairs { { "hip.xml", "fall", 13 }, { "defaults.xml", "on", 4 }, { "actuators.xml", "work", 5 } } do
  local m = mbs.read { models .. case[1], key = case[2] }
  check.equal(m:mobility {}.degrees_of_freedom, case[3])
  check.equal(#m:simulate { t = 0.01 }.warnings, 0)
end

-- A starting position of more than half a turn counts on from there, for springs and servos, too.
do
  local m = read([[<mujoco> <compiler angle="radian"/> <option gravity="0 0 0"/> <worldbody> <body name="wheel">
    <joint name="axle" stiffness="2"/> <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/> </body> </worldbody>
    <keyframe> <key name="wound" qpos="20"/> </keyframe> </mujoco>]], { key = "wound" })
  local run = m:simulate { t = 1, integrator = exact }
  check.near(run:at("axle.omega", 1), -20 * 2 * math.sin(2), 1e-8)  -- omega^2 = 2 / 0.5
end

-- That a parameter leads there later makes no difference.
do
  local text = [[<mujoco> <compiler angle="radian"/> <option gravity="0 0 0"/> <worldbody> <body name="wheel">
    <joint name="axle" stiffness="2" springref="0.5"/> <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/> </body>
    </worldbody> <keyframe> <key name="wound" qpos="2"/> </keyframe> </mujoco>]]
  local m = read(text, { key = "wound", parameters = { "wound.qpos.1" } })
  for _, start in ipairs { 2, 5, -20, 0.1 } do
    m:object "wound.qpos.1".value = start
    local run = m:simulate { t = 1, integrator = exact }
    check.near(run:at("axle.omega", 1), -(start - 0.5) * 2 * math.sin(2), 1e-8)
    if math.abs(start) < 3 then check.near(run:at("axle.angle", 1), 0.5 + (start - 0.5) * math.cos(2), 1e-8) end
  end
end

-- Derivatives by numbers of URDF, with a loop and with a joint that follows another.
do
  local file <close> = assert(io.open(models .. "loop.urdf"))
  local text = file:read "a"
  local given = { ["pin.origin.xyz.z"] = { "0 0 (0.3)", 0.3 }, ["close.origin.xyz.x"] = { "(0.9) 0 0.2", 0.9 },
    ["wheel.mimic.multiplier"] = { "(-0.5)\" offset", -0.5 }, ["rocker.inertial.mass.value"] = { 'value="(0.8)', 0.8 },
    ["coupler.inertial.origin.xyz.x"] = { "(0.45) 0 0.1", 0.45 } }
  local names = {}
  for name in pairs(given) do names[#names + 1] = name end
  local settings = { t = 0.3, formulation = mbs.augmented_lagrangian {}, integrator = mbs.rk4 { step = 2e-3 } }
  local function cost(m)
    return m:objective { "cost", integral = m:object "pivot".angle ^ 2 + m:object "wheel".angle ^ 2 + m:object "coupler".z }
  end
  local m = read(text, { parameters = names })
  local gradient = m:gradient { cost(m), t = settings.t, formulation = settings.formulation,
                                integrator = settings.integrator }
  for name, number in pairs(given) do
    local function at(by)
      local first, last = text:find(number[1]:gsub("%-", "%%-"):gsub("%.", "%%."):gsub("[()]", ""))
      local altered = text:sub(first, last):gsub((("%g"):format(number[2]):gsub("%-", "%%-")),
        ("%.17g"):format(number[2] + by), 1)
      local other = read(text:sub(1, first - 1) .. altered .. text:sub(last + 1))
      settings.objectives = { cost(other) }
      return other:simulate(settings).objectives.cost
    end
    local h = 2e-3
    local wide, narrow = (at(h) - at(-h)) / (2 * h), (at(h / 2) - at(-h / 2)) / h
    check.near(gradient.by_name[name], (4 * narrow - wide) / 3, 1e-8, name)
  end
end

-- Along -z, where directions have no shortest turn: geoms drawn upwards, and axes that point down, follow their numbers.
do
  local steps = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }
  for _, case in ipairs {
    { "a.geom.fromto.4", '<joint type="ball"/> <geom type="capsule" size="0.02" fromto="0 0 0  @ 0 1"/> <geom size="0.05" pos="0.3 0.2 0.1"/>' },
    { "a.joint.axis.x", '<joint axis="@ 0 -1"/> <geom size="0.05" pos="0.3 0.2 0.1"/>' },
    { "a.joint.axis.y", '<joint type="slide" axis="0 @ -1"/> <geom size="0.05" pos="0.3 0.2 0.1"/>' },
  } do
    local text = '<mujoco> <option gravity="1 -9.81 3"/> <worldbody> <body name="a">' .. case[2] .. "</body> </worldbody> </mujoco>"
    local function cost(m)
      return m:objective { "cost", terminal = function(s)
        local a = m:object "a"
        return a.vx(s) + 2 * a.vy(s) + 3 * a.vz(s) + a.omega_x(s) + 0.5 * a.omega_y(s) + 0.3 * a.omega_z(s)
      end }
    end
    local function at(x)
      local m = read((text:gsub("@", ("%.17g"):format(x))))
      return m:simulate { t = 0.2, integrator = steps, objectives = { cost(m) } }.objectives.cost
    end
    local m = read((text:gsub("@", "0")), { parameters = { case[1] } })
    local own = cost(m)
    local slope = m:gradient { own, t = 0.2, integrator = steps }.gradient[1]
    local h = 2e-3
    check.near(slope, (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h), 1e-8, case[1])
    m:object(case[1]).value = 0.3
    check.near(m:simulate { t = 0.2, integrator = steps, objectives = { own } }.objectives.cost, at(0.3), 1e-8, case[1])
  end
end

-- What is wrong with files.
local body = '<mujoco> <worldbody> <body name="a">\n%s</body> </worldbody> </mujoco>'
for _, case in ipairs {
  { "<mujoco>\n<worldbody>\n<body>", ":3: not well-formed XML: Start-end tags mismatch" },
  { "", ":1: not well-formed XML: No document element found" },
  { "<a/><b/>", "<b> is a second element beside <a>" },
  { "<sdf/>", ":1: <sdf>: the root element must be <mujoco> (MJCF) or <robot> (URDF)" },
  { '<mujoco a="1" a="2"/>', "has the attribute 'a' twice" },
  { ("<a>"):rep(2000) .. ("</a>"):rep(2000), "nested more than 1000 deep" },
  { "<mujoco/>", "<mujoco> has no <worldbody>" },
  { body:format '<joint type="screw"/> <geom size="1"/>', ':2: <joint>: type="screw" is not known; expected hinge, slide' },
  { body:format "<joint/>", '<body> "a" moves and has no mass: give it an <inertial>' },
  { body:format '<joint axis="0 0 0"/> <geom size="1"/>', "axis has no direction" },
  { body:format '<joint axis="0 1"/> <geom size="1"/>', 'axis="0 1" has 2 numbers; expected 3' },
  { body:format '<joint axis="0 1 O"/> <geom size="1"/>', "has 'O', which is no number" },
  { body:format '<joint/> <geom size="nan"/>', "has 'nan', which is no number" },
  { body:format '<joint/> <geom size="1e999"/>', "which is no number" },
  { body:format '<joint/> <geom size="-1"/>', "the size of a sphere must have 1 positive number, got -1" },
  { body:format '<joint class="q"/> <geom size="1"/>', 'there is no default class "q"' },
  { body:format '<joint/> <inertial mass="1" diaginertia="1 1 1"/>', "the attribute pos is missing" },
  { body:format '<joint/> <inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>', "mass must be positive, got -1" },
  { body:format '<joint/> <inertial pos="0 0 0" mass="1" diaginertia="-1 1 1"/>', "the moments of inertia must not be negative" },
  { body:format '<joint/> <geom type="mesh" mesh="x"/>', ':2: <geom>: there is no mesh "x" in <asset>' },
  { body:format '<joint/> <geom size="1" quat="1 0 0 0" euler="0 0 0"/>', "quat and euler both say its orientation" },
  { body:format '<joint type="free"/> <joint/> <geom size="1"/>', "a free joint beside others" },
  { body:format '<joint/> <inertial pos="0 0 0" mass="1" diaginertia="1 1 2.1"/>', ':2: <inertial> of body "a": inertia belongs to '
    .. 'no body: the moment 2.1 exceeds the sum of the two others, 2, by more than rounding does; moments are those about the ' ..
    'centre of mass: correct them, or say <compiler balanceinertia="true"/>' },
  { body:format "<replicate/>", "bodies by <replicate> cannot be read" },
  { '<mujoco> <include file="none.xml"/> </mujoco>', "<include>: cannot read" },
  { ('<mujoco> <include file="%s"/> </mujoco>'):format(path), "files include each other" },
  { '<mujoco> <worldbody> <body zaxis="0 0 -1"> <joint/> <geom size="1"/> </body> </worldbody> </mujoco>',
    "zaxis as a parameter must not be -z", { parameters = { "body1.zaxis.x" } } },
  { body:format '<joint name="j"/> <joint name="j"/> <geom size="1"/>', 'the name "j" is that of the joint at line' },
  { body:format '<site name="s"/> <site name="s"/> <geom size="1"/>', 'the name "s" is that of the site at line' },
  { '<robot name="r"/>', "has no <link>" },
  { '<robot name="r"> <xacro:macro name="m"/> </robot>', "this is xacro, not URDF yet" },
  { '<robot name="r"> <link name="a"> <inertial> <mass value="${m}"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial> </link> </robot>',
    "first run: xacro" },
  { '<robot name="r"> <link name="a"/> <joint name="j" type="fixed"/> </robot>', "<parent> or <child> is missing" },
  { '<robot name="r"> <link name="a"/> <joint name="j" type="knee"> <parent link="a"/> <child link="a"/> </joint> </robot>',
    'type="knee" is not known' },
  { '<robot name="r"> <link name="a"/> <link name="a"/> </robot>', 'the name "a" is that of the link' },
  { '<robot name="r"> <link name="a"/> <link name="b"/> </robot>', '"b" has no parent, and neither has "a"' },
} do
  check.fails(case[2], read, case[1], case[3])
end

