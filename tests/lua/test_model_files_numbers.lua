-- mbs.read { parameters = ... }: numbers of slides, numbers that the file leaves at their usual value, and units. A model
-- whose parameter is set moves as one that is read from a file with that number.
local mbs = require "perilune"
local check = require "check"
local path = os.tmpname()

local function read(text, parameters)
  local file <close> = assert(io.open(path, "w"))
  file:write(text)
  file:flush()
  return mbs.read { path, parameters = parameters }
end

local function state(m, names)
  local run = m:simulate { t = 0.3, integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  local out = {}
  for k, name in ipairs(names) do out[k] = run:at(name, 0.3) end
  return out
end

-- `old`: the text that gives the number, or where it is to stand; `new`: with the other value.
local function same(text, name, value, old, new, signals, unit)
  local first, last = text:find(old, 1, true)
  local m = read(text, { name })
  check.equal(m:object(name).unit, unit, name)
  local before = state(m, signals)
  m:object(name).value = value
  local set, other = state(m, signals), state(read(text:sub(1, first - 1) .. new .. text:sub(last + 1)), signals)
  local moved = 0
  for k, signal in ipairs(signals) do
    check.near(set[k], other[k], 1e-9, name .. " " .. signal)
    moved = math.max(moved, math.abs(set[k] - before[k]))
  end
  assert(moved > 1e-4, name .. " changes nothing")
end

-- Gravity of a file without <option>, or of one that says nothing of it.
for _, option in ipairs { "", '<option timestep="0.01"/>' } do
  local text = "<mujoco> " .. option .. [[ <worldbody> <body name="a" pos="0 0 1"> <joint name="h" axis="0 1 0"/>
    <inertial pos="0.3 0 0" mass="2" diaginertia="0.1 0.1 0.1"/> </body> </worldbody> </mujoco>]]
  same(text, "option.gravity.z", -3, "<mujoco> " .. option, '<mujoco> <option gravity="0 0 -3"/>', { "h.angle" }, "m/s^2")
  same(text, "option.gravity.x", 2, "<mujoco> " .. option, '<mujoco> <option gravity="2 0 -9.81"/>', { "h.angle" }, "m/s^2")
end

-- Springs and dampers of slides count in N and m, alone, beside others, and below a hinge.
for _, joints in ipairs { "", '<joint name="h" axis="0 1 0"/>', '<joint name="r" type="slide" axis="1 0 0"/>' } do
  local text = [[<mujoco> <worldbody> <body name="a" pos="0 0 1"> ]] .. joints .. [[
    <joint name="s" type="slide" axis="0 0 1" stiffness="40" springref="0.05" damping="1"/>
    <geom type="sphere" size="0.1" pos=".2 0 0"/> </body> </worldbody> </mujoco>]]
  same(text, "s.stiffness", 60, 'stiffness="40"', 'stiffness="60"', { "a.x", "a.z" }, "N/m")
  same(text, "s.springref", 0.2, 'springref="0.05"', 'springref="0.2"', { "a.x", "a.z" }, "m")
  same(text, "s.damping", 3, 'damping="1"', 'damping="3"', { "a.x", "a.z" }, "N s/m")
end

-- What a link or joint of URDF does not say has paths: where the centre of mass is, where the joint is, along what.
do
  local text = [[<robot name="r"> <link name="w"/> <link name="b"> <inertial> <mass value="1"/>
    <inertia ixx=".02" iyy=".03" izz=".04" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
    <joint name="j" type="continuous"> <parent link="w"/> <child link="b"/> <axis xyz="0 1 0"/> <dynamics damping="0.2"/> </joint>
    <link name="c"> <inertial> <origin xyz="0.1 0.1 0"/> <mass value="0.5"/>
    <inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
    <joint name="k" type="prismatic"> <parent link="b"/> <child link="c"/> <dynamics damping="2"/> </joint> </robot>]]
  local signals = { "b.e0", "c.x", "c.z" }
  same(text, "b.inertial.origin.xyz.x", 0.2, "<inertial> <mass", '<inertial> <origin xyz="0.2 0 0"/> <mass', signals, "m")
  same(text, "k.origin.rpy.y", 0.4, '<child link="c"/>', '<child link="c"/> <origin rpy="0 0.4 0"/>', signals, "rad")
  same(text, "k.axis.xyz.z", 0.4, '<child link="c"/>', '<child link="c"/> <axis xyz="1 0 0.4"/>', signals, "")
  same(text, "k.dynamics.damping", 5, 'damping="2"', 'damping="5"', signals, "N s/m")
end

-- A hinge and a slide inherit one number, which has no unit then.
do
  local text = [[<mujoco> <compiler angle="radian"/> <default> <joint damping="0.3" stiffness="4" springref="0.1"/> </default>
    <worldbody> <body name="a" pos="0 0 1"> <joint name="h" axis="0 1 0"/> <geom type="sphere" size="0.1" pos=".2 0 0"/>
    <body name="b"> <joint name="s" type="slide" axis="1 0 0"/> <geom type="sphere" size="0.1"/> </body> </body> </worldbody> </mujoco>]]
  for name, value in pairs { damping = 0.6, stiffness = 9, springref = 0.4 } do
    local old = text:match(name .. '="[%d.]+"')
    same(text, "default.main.joint." .. name, value, old, ('%s="%g"'):format(name, value), { "a.e0", "b.x", "b.z" }, "")
  end
end

-- The fourth number of axisangle is an angle in the unit of the file.
do
  local text = [[<mujoco> %s <worldbody> <body name="a" axisangle="0 1 1 %s"> <joint axis="0 1 0"/>
    <geom type="sphere" size="0.1" pos=".2 0 0"/> </body> </worldbody> </mujoco>]]
  same(text:format("", 40), "a.axisangle.4", 70, "1 1 40", "1 1 70", { "a.e0", "a.e2" }, "deg")
  same(text:format('<compiler angle="radian"/>', 0.7), "a.axisangle.4", 1.2, "1 1 0.7", "1 1 1.2", { "a.e0", "a.e2" }, "rad")
end

-- Where fromto says where a geom is, its other place is no number that could be changed.
check.fails('has no number "arm.geom.pos.x"', read, [[<mujoco> <worldbody> <body name="arm"> <joint axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/> </body> </worldbody> </mujoco>]], { "arm.geom.pos.x" })

-- What has no path says why, and long lists say how much they leave out.
do
  local text = [[<mujoco> <default> <geom density="500" size="0.1"/> </default> <worldbody> <body name="a">
    <joint name="h" axis="0 1 0"/> <geom pos=".1 0 0" density="300"/> </body> </worldbody>
    <actuator> <motor name="mo" joint="h"/> </actuator> <keyframe> <key name="k" qpos="0.1" ctrl="2"/> </keyframe> </mujoco>]]
  check.fails('"default.main.geom.density" of \'' .. path .. "' is inherited by no element", read, text,
    { "default.main.geom.density" })
  check.fails("has no number \"default.main.geom.size.y\"", read, text, { "default.main.geom.size.y" })
  read(text, { "default.main.geom.size.x" })
  check.fails('"k.ctrl.1" of \'' .. path .. "' is the parameter \"mo\" of the model already", function()
    read(text)
    mbs.read { path, key = "k", parameters = { "k.ctrl.1" } }
  end)
  check.fails("h.pos.x and ", read, text, { "nothing" })
end
os.remove(path)
