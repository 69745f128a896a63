-- mbs.read: connections of sites, sections that stand in a file twice, and springs of ball joints. tests/mujoco compares such
-- springs with MuJoCo, which does not connect sites before its version 3.
local mbs = require "perilune"
local check = require "check"
local path = os.tmpname()
local precise = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }

local function read(text, fields) return check.read(path, text, fields) end

-- Connections of sites hold what connections of bodies do, where the sites meet as drawn.
do
  local text = [[<mujoco> <compiler angle="radian"/> <worldbody>
    <site name="peg" pos="0 0 1"/>
    <body name="one" pos="0 0 1" euler="0.2 0.5 0.1"> <freejoint/> <inertial mass="1" pos="0 0 -0.3" diaginertia="0.02 0.03 0.01"/>
      <site name="top" pos="%s"/> <site name="end" pos="0 0 -0.6" euler="0.3 0 0.4"/> </body>
    <body name="two" pos="%s" %s> <freejoint/> <inertial mass="0.5" pos="0 0.1 -0.2" diaginertia="0.01 0.012 0.014"/>
      <site name="hook" pos="0.1 0.2 0.3"/> </body>
  </worldbody> <equality> %s </equality> </mujoco>]]
  local by_sites = '<connect name="pin" site1="peg" site2="top"/> <weld name="bond" site1="end" site2="hook"/>'
  local function moved(text_of_file)
    local m = read(text_of_file)
    check.equal(m:mobility {}.degrees_of_freedom, 3)
    return m:simulate { t = 0.4, integrator = precise }
  end
  -- Where the second body is as drawn that hook and end coincide, in space: by the turns of the file.
  local rotations = require "perilune.files.rotations"
  local function turned(x, y, z)
    local q = rotations.identity
    for k, angle in ipairs { x, y, z } do
      local axis = { 0, 0, 0 }
      axis[k] = 1
      q = rotations.product(q, rotations.about(axis, angle))
    end
    return q
  end
  local one = { pos = { 0, 0, 1 }, quat = turned(0.2, 0.5, 0.1) }
  local two = rotations.compose(rotations.compose(one, { pos = { 0, 0, -0.6 }, quat = turned(0.3, 0, 0.4) }),
    { pos = { -0.1, -0.2, -0.3 }, quat = rotations.identity })
  local place = ("%.17g %.17g %.17g"):format(table.unpack(two.pos))
  local orientation = ('quat="%.17g %.17g %.17g %.17g"'):format(table.unpack(two.quat))
  local run = moved(text:format("0 0 0", place, orientation, by_sites))
  check.equal(#run.warnings, 0)
  local other = moved(text:format("0 0 0", place, orientation,
    '<connect name="pin" body1="one" anchor="0 0 0"/> <weld name="bond" body1="one" body2="two"/>'))
  for _, name in ipairs { "one.z", "one.e1", "two.x", "two.e0", "two.e3" } do
    check.near(run:at(name, 0.4), other:at(name, 0.4), 1e-9, name)
  end
  -- Where they do not meet as drawn, the start is a position in which they do.
  local m = read(text:format("0 0.02 0", "0.1 -0.3 0.2", "", by_sites))
  run = m:simulate { t = 0.4, integrator = precise }
  for t = 0, 0.4, 0.2 do
    for _, k in ipairs { "x", "y", "z" } do
      check.near(run:at(m:object("top")[k], t), k == "z" and 1 or 0, 1e-9, k)
      check.near(run:at(m:object("hook")[k], t), run:at(m:object("end")[k], t), 1e-9, k)
    end
    for _, axis in ipairs { "x", "y", "z" } do
      check.near(run:at(m:object("end"):turn_of(m:object("hook"), axis), t), 0, 1e-9, axis)
    end
  end
  local function wrong(problem, equality)
    check.fails(problem, read, text:format("0 0 0", place, orientation, equality))
  end
  wrong("give site1 and site2, or bodies", '<connect site1="peg"/>')
  wrong('there is no site "pegg"', '<connect site1="pegg" site2="top"/>')
  wrong("anchor is for connections of bodies", '<connect site1="peg" site2="top" anchor="0 0 0"/>')
  wrong("the attribute body1 is missing", '<weld relpose="0 0 0 1 0 0 0"/>')
end

-- The numbers of what is said twice are one; those of springs of balls have derivatives.
do
  local text = [[<mujoco> <option gravity="0 0 -1"/> <option gravity="0 0 -5"/> <worldbody>
    <body name="arm"> <joint name="ball" type="ball" stiffness="2" damping="0.3" armature="0.1"/>
    <inertial mass="1" pos="0.4 0 0" diaginertia="0.02 0.03 0.04"/> </body> </worldbody> </mujoco>]]
  local names = { "option.gravity.z", "ball.stiffness", "ball.damping", "ball.armature" }
  local m = read(text, { parameters = names })
  check.equal(m:object("option.gravity.z").value, -5)
  check.equal(m:object("ball.stiffness").unit, "N m/rad")
  local cost = m:objective { "cost", terminal = m:object("arm").e2 ^ 2 }
  local options = { cost, t = 0.5, integrator = precise }
  for _, name in ipairs(names) do assert(math.abs(m:gradient(options).by_name[name]) > 1e-4, name) end
  local table_of_methods = m:check_gradient(options)
  assert(table_of_methods.worst < 1e-6, tostring(table_of_methods))
  -- About the one axis about which it swings it is a pendulum of J = 0.03 + 0.4^2 + 0.1 kg m^2 with a spring on its angle.
  local swing = mbs.model { "swing", gravity = { 0, -5 } }
  local rod = swing:body { "rod", mass = 1, inertia = 0.13, at = { 0.4, 0 } }
  swing:revolute { "pivot", swing.ground, rod, at = { 0, 0 } }
  swing:torsion_spring { "spring", swing.ground, rod, stiffness = 2, damping = 0.3 }
  local run, plane = m:simulate { t = 0.5, integrator = precise }, swing:simulate { t = 0.5, integrator = precise }
  check.near(2 * math.asin(run:at("arm.e2", 0.5)), -plane:at("rod.angle", 0.5), 1e-9)
end
os.remove(path)
