local mbs = require "perilune"
local check = require "exercise"

-- The linkage, solved by the engine: rates, accelerations, motion and torque.
local function solved(given, gravity)
  local px, py = given.crank * math.cos(given.angle), given.crank * math.sin(given.angle)
  local dx, dy = given.base - px, -py
  local d = math.sqrt(dx ^ 2 + dy ^ 2)
  local along = (d ^ 2 + given.coupler ^ 2 - given.rocker ^ 2) / (2 * d)
  local across = math.sqrt(given.coupler ^ 2 - along ^ 2)
  local qx, qy = px + (along * dx - across * dy) / d, py + (along * dy + across * dx) / d
  local m = mbs.model { gravity = { 0, -gravity } }
  local function bar(name, x1, y1, x2, y2)
    local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
    return m:body { name, mass = 1, inertia = length ^ 2 / 12, at = { (x1 + x2) / 2, (y1 + y2) / 2 },
                    angle = math.atan(y2 - y1, x2 - x1) }
  end
  local crank, coupler = bar("crank", 0, 0, px, py), bar("coupler", px, py, qx, qy)
  local rocker = bar("rocker", given.base, 0, qx, qy)
  local hinge = m:revolute { m.ground, crank, at = { 0, 0 } }
  m:revolute { crank, coupler, at = { px, py } }
  m:revolute { coupler, rocker, at = { qx, qy } }
  m:revolute { m.ground, rocker, at = { given.base, 0 } }
  m:driver { "motor", hinge.angle, law = function(s) return given.omega * s.t end }
  local run = m:kinematics { t = 2 * math.pi / given.omega, points = 101 }
  local function now(signal) return run:at(signal, 0) end
  local times = run:times()
  local some = { times[1], times[26], times[51], times[76], times[101] }
  return { rates = { now "coupler.omega", now "rocker.omega" },
           accelerations = { now "coupler.alpha", now "rocker.alpha" }, torque = now "motor.force",
           motion = { run:values("coupler.x", some), run:values("coupler.y", some), run:values("rocker.x", some) } }
end

return {
  title = "Velocities and accelerations of a four-bar",
  topic = "kinematics",
  level = 1,
  given = function(random)
    return { crank = random(0.15, 0.22), coupler = random(0.6, 0.7), rocker = random(0.5, 0.6), base = random(0.7, 0.8),
             omega = random(2, 6), angle = random(0.5, 1.2) }
  end,
  checks = function(given)
    local function expected(what, gravity) return function() return solved(given, gravity or 9.81)[what] end end
    return {
      check.near { "rates", name = "the angular velocities", points = 3, answer = "rates", unit = "rad/s", rtol = 1e-4,
                   expected = expected "rates",
                   hint = "a vector (ux, uy) of constant length that turns with the rate w changes by w (-uy, ux)" },
      check.near { "accelerations", name = "the angular accelerations", points = 3, answer = "accelerations",
                   unit = "rad/s^2", rtol = 1e-4, expected = expected "accelerations",
                   hint = "the second derivative of a turning vector u has two parts: a (-uy, ux) and -w^2 u" },
      check.near { "motion", name = "the motion of the linkage", points = 3, run = "run", relative = true,
                   signals = { "coupler.x", "coupler.y", "rocker.x" }, times = { 0, 0.25, 0.5, 0.75, 1 }, rtol = 1e-4,
                   expected = expected "motion" },
      check.near { "torque", name = "the torque of the motor", points = 2, answer = "torque", unit = "N m",
                   rtol = 1e-3, expected = expected "torque",
                   mistakes = function() return { { solved(given, 0).torque, "gravity is missing" } } end,
                   hint = "help \"driver\": what do its signals force and lambda mean?" },
      check.uses { "kinematics", name = "by a kinematic analysis", of = "model:kinematics" },
    }
  end,
}
