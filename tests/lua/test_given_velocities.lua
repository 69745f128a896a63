-- Knife edges and drives with a given speed: closed forms, reactions, gradients.
local mbs = require "perilune"
local check = require "check"

local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end
local function tanh(x) return 1 - 2 / (math.exp(2 * x) + 1) end

-- Chaplygin's sleigh in the plane, on a plane in space that is held upright, and on a moving plate: with
-- k = J / m + a^2 the speed along the edge is V tanh(a V t / k + c), the rate of turn V / sqrt(k) sech(a V t / k + c);
-- the edge pushes the centre of mass sideways with m (v w + a w').
do
  local mass, J, a, V, c = 2, 0.3, 0.4, 1.5, -0.5
  local k = J / mass + a * a
  local function speed(t) return V * tanh(a * V * t / k + c) end
  local function turn(t) return V / math.sqrt(k) / cosh(a * V * t / k + c) end
  local function judge(run, what)
    for _, t in ipairs { 0, 0.4, 1 } do
      local slope = -a * V / k * tanh(a * V * t / k + c) * turn(t)
      check.near(run:at("edge.speed", t), speed(t), 1e-8, what)
      check.near(run:at("edge.lateral_force", t), mass * (speed(t) * turn(t) + a * slope), 1e-7, what)
    end
  end
  local options = { t = 1, formulation = mbs.maggi {},
                    integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  for _, moving in ipairs { 0, 0.7 } do
    local plane = mbs.model { "plane", gravity = { 0, 0 } }
    local plate = plane:body { "plate", mass = 5, inertia = 1, at = { 0, 0 }, velocity = { moving, 0 } }
    plane:translational { "rail", plane.ground, plate, at = { 0, 0 }, axis = "x" }
    plane:driver { "tow", plate.x, velocity = function(s) return moving + 0 * s.t end }
    local sled = plane:body { "sled", mass = mass, inertia = J, at = { 0, 0 },
                              velocity = { moving + speed(0), a * turn(0) }, angular_velocity = turn(0) }
    plane:knife_edge { "edge", plate, sled:point { -a, 0 } }
    assert(plane:check_elements().worst < 1e-9)
    local run = plane:simulate(options)
    judge(run, "in the plane")
    check.near(run:at("sled.omega", 1), turn(1), 1e-9)
  end
  local space = mbs.model { "space", gravity = { 0, 0, -9.81 } }
  local sled = space:body { "sled", mass = mass, inertia = { 0.2, 0.2, J }, at = { 0, 0, 0 },
                            velocity = { speed(0), a * turn(0), 0 }, angular_velocity = { 0, 0, turn(0) } }
  space:planar { "flat", space.ground, sled, at = { 0, 0, 0 }, axis = "z" }
  space:knife_edge { "edge", space.ground, sled:point { -a, 0, 0 }, axis = "x" }
  judge(space:simulate(options), "in space")
end

-- A motor that keeps its speed takes the torque of inertia and weight, from wherever it starts.
do
  local m = mbs.model { "motor", gravity = { 0, -9.81 } }
  local start = m:param { "start", 0.3, unit = "rad" }
  local rate = m:param { "rate", 2, unit = "rad/s" }
  local length = 0.1
  local crank = m:body { "crank", mass = 1.5, inertia = 0.1, angle = start,
                         at = { length * math.cos(start), length * math.sin(start) } }
  m:revolute { "hinge", m.ground, crank, at = { 0, 0 } }
  local motor = m:driver { "motor", crank.angle, velocity = function(s) return rate + s.t end }
  check.equal(m:mobility {}.degrees_of_freedom, 0)
  check.equal(m:mobility {}.position_freedoms, 1)
  local tight = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
  local run = m:simulate { t = 1, formulation = mbs.maggi {}, integrator = tight }
  local function angle(t) return 0.3 + 2 * t + t^2 / 2 end
  for _, t in ipairs { 0, 0.5, 1 } do
    local torque = 0.1 + 1.5 * length^2 + 1.5 * 9.81 * length * math.cos(angle(t))
    check.near(run:at("crank.angle", t), angle(t), 1e-9)
    check.near(run:at("motor.force", t), torque, 1e-8)
    check.near(run:at("motor.power", t), torque * (2 + t), 1e-8)
  end
  -- What it does is the energy: d/d start and d/d rate of the height are those of the closed form.
  local height = m:objective { "height", terminal = crank.y, integral = motor.power }
  local J = (0.1 + 1.5 * length^2) / 2
  local expected = { length * math.cos(angle(1)) + 1.5 * 9.81 * length * (math.cos(angle(1)) - math.cos(0.3)),
                     length * math.cos(angle(1)) + 1.5 * 9.81 * length * math.cos(angle(1)) + 2 * J * ((2 + 1) - 2) }
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    local g = m:gradient { height, over = { start, rate }, t = 1, formulation = mbs.maggi {}, integrator = tight,
                           method = method }
    for i = 1, 2 do check.near(g.gradient[i], expected[i], 1e-7, tostring(method)) end
  end
end

-- A velocity that jumps ends the run where it does.
do
  local m = mbs.model { "crank", gravity = { 0, 0 } }
  local crank = m:body { "crank", mass = 1, inertia = 1, at = { 0, 0 } }
  local pin = m:revolute { "pin", m.ground, crank, at = { 0, 0 } }
  m:driver { "drive", pin.angle, velocity = function(s) return mbs.where(mbs.gt(s.t, 0.5), 2, 0) end }
  check.fails('the velocity that "drive" prescribes jumps by 2', function() m:simulate { t = 1 } end)
end
