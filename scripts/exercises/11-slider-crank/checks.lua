local check = require "exercise"

-- The mechanism by its closed form at the angle phi: x, x', x''; j and j' / 2.
local function at(given, phi, rod_mass, rod_inertia)
  local r, l = given.crank, given.rod
  local mass = rod_mass or given.rod_mass
  local inertia = rod_inertia or given.rod_mass * l ^ 2 / 12
  local sin, cos = math.sin(phi), math.cos(phi)
  local sb = (given.offset - r * sin) / l
  local cb = math.sqrt(1 - sb ^ 2)
  local b1 = -r * cos / (l * cb)
  local b2 = (r * sin / l + sb * b1 ^ 2) / cb
  local x1, x2 = -r * sin - l * sb * b1, -r * cos - l * (cb * b1 ^ 2 + sb * b2)
  local xc1, xc2 = -r * sin - l / 2 * sb * b1, -r * cos - l / 2 * (cb * b1 ^ 2 + sb * b2)
  local yc1, yc2 = r * cos / 2, -r * sin / 2
  return { position = { r * cos + l * cb, x1, x2 },
           j = mass * (xc1 ^ 2 + yc1 ^ 2) + inertia * b1 ^ 2 + given.slider_mass * x1 ^ 2,
           half = mass * (xc1 * xc2 + yc1 * yc2) + inertia * b1 * b2 + given.slider_mass * x1 * x2,
           centre = { (r * cos + r * cos + l * cb) / 2, (r * sin + given.offset) / 2 } }
end

local function torque(given, phi, ...) return given.omega ^ 2 * at(given, phi, ...).half end

-- Where f is largest between low and high, where it has one maximum.
local function argmax(f, low, high)
  local ratio = (math.sqrt(5) - 1) / 2
  for _ = 1, 80 do
    local a, b = high - ratio * (high - low), low + ratio * (high - low)
    if f(a) > f(b) then high = b else low = a end
  end
  return (low + high) / 2
end

local function fastest(given)
  return argmax(function(phi) return math.abs(at(given, phi).position[2]) end, 0.2, math.pi - 0.2)
end

local function largest_j(given)
  local best = 0
  for i = 0, 7 do
    local function j(phi) return at(given, phi).j end
    best = math.max(best, j(argmax(j, i * math.pi / 4, (i + 1) * math.pi / 4)))
  end
  return best
end

local function slowest(given, inertia)
  return given.omega * math.sqrt((inertia + at(given, given.angle).j) / (inertia + largest_j(given)))
end

local function peak(given)
  local largest = 0
  for i = 1, 2000 do largest = math.max(largest, math.abs(torque(given, i * math.pi / 1000))) end
  return largest
end

return {
  title = "Inverse dynamics of a slider-crank",
  topic = "dynamics",
  level = 2,
  given = function(random)
    return { crank = random(0.08, 0.12), rod = random(0.28, 0.36), offset = random(0.015, 0.03),
             inertia = random(0.04, 0.07), rod_mass = random(0.6, 1.2), slider_mass = random(1.2, 2),
             omega = random(15, 30), angle = random(0.4, 1.1) }
  end,
  checks = function(given)
    local w, phi = given.omega, 2.1
    local period = 2 * math.pi / w
    local times = { 0, 0.15 * period, 0.4 * period, 0.6 * period, 0.9 * period }
    local function over_turn(value)
      local list = {}
      for i, t in ipairs(times) do list[i] = value(given.angle + w * t) end
      return list
    end
    local function position_with(changes)
      return at(setmetatable(changes, { __index = given }), phi).position
    end
    local right = at(given, phi).position
    local T = torque(given, phi)
    local arm = math.atan(given.rod / given.crank)
    return {
      check.near { "position", name = "the slider, by hand", points = 3, call = "position", arguments = { phi },
                   unit = "m",
                   rtol = 1e-6, expected = right,
                   mistakes = { { position_with { offset = 0 }, "the offset e is missing" },
                                { { right[1], -given.crank * math.sin(phi), -given.crank * math.cos(phi) },
                                  "the rod turns, too: the part of beta' is missing" },
                                { position_with { offset = -given.offset },
                                  "the offset has the wrong sign: sin beta = (e - r sin phi) / l" },
                                { { right[1], right[2] * w, right[3] * w ^ 2 },
                                  "these are derivatives by time; x' and x'' are those by phi" },
                                { { right[1], right[2] * w, right[3] * w },
                                  "these are derivatives by time; x' and x'' are those by phi" },
                                { { right[1], -right[2], right[3] },
                                  "x' has the wrong sign: x falls where phi grows from 0 to pi" } },
                   hint = "x'' has beta'^2 and beta'' in it, since beta' depends on phi" },
      check.near { "torque", name = "the torque, by hand", points = 4, call = "torque", arguments = { phi },
                   unit = "N m", rtol = 1e-6, expected = T,
                   mistakes = { { torque(given, phi, nil, 0), "the rod turns, too: m l^2 / 12 beta'^2 is missing in j" },
                                { torque(given, phi, nil, given.rod_mass * given.rod ^ 2 / 3),
                                  "the inertia of the rod is that about its centre, since x_c and y_c are those of "
                                    .. "the centre" },
                                { torque(given, phi, 0, 0), "the rod is missing in j" },
                                { T / w ^ 2, "this is j' / 2; the factor w^2 is missing" },
                                { T / w, "T w is the power: w^2 is in it, not w" },
                                { T * w, "this is the power; divide it by w" },
                                { given.inertia * w ^ 2, "the crank turns at a constant rate: it needs no torque" } },
                   hint = "T = w^2 j' / 2: the chain rule turns d/dt into w d/dphi" },
      check.near { "motion", name = "the motion of the mechanism", points = 2, run = "run",
                   signals = { "slider.x", "rod.x", "rod.y" }, times = times, rtol = 1e-4,
                   expected = { over_turn(function(p) return at(given, p).position[1] end),
                                over_turn(function(p) return at(given, p).centre[1] end),
                                over_turn(function(p) return at(given, p).centre[2] end) },
                   mistakes = { { { over_turn(function(p) return at(given, 2 * given.angle - p).position[1] end),
                                    over_turn(function(p) return at(given, 2 * given.angle - p).centre[1] end),
                                    over_turn(function(p) return at(given, 2 * given.angle - p).centre[2] end) },
                                  "the motor turns clockwise" },
                                { { over_turn(function(p) return at(given, p + given.angle).position[1] end),
                                    over_turn(function(p) return at(given, p + given.angle).centre[1] end),
                                    over_turn(function(p) return at(given, p + given.angle).centre[2] end) },
                                  "it begins at twice the angle: that of a joint is zero as declared" } },
                   hint = "begin at given.angle; the angle of a joint is zero as declared" },
      check.near { "motor", name = "the torque, by the engine", points = 2, run = "run", signals = { "motor.force" },
                   times = times, rtol = 1e-3, expected = { over_turn(function(p) return torque(given, p) end) },
                   mistakes = { { { over_turn(function(p) return torque(given, p, nil, 0) end) },
                                  "the rod has no moment of inertia" },
                                { { over_turn(function(p)
                                      return torque(given, p) + given.rod_mass * 9.81 * given.crank / 2 * math.cos(p)
                                    end) }, "the plane is horizontal: no gravity" } },
                   hint = "no gravity, rod and slider of their masses, the rod's inertia m l^2 / 12 about its centre" },
      check.near { "fastest", name = "where the slider is fastest", points = 2, answer = "fastest", unit = "rad",
                   rtol = 2e-3,
                   expected = function() return fastest(given) end,
                   mistakes = { { math.pi / 2, "at 90 degrees x' = -r, but the rod's turning adds to that before: x'' "
                                          .. "is not zero there" },
                                { arm, "where crank and rod make a right angle it is near, but x'' is not zero there" },
                                { arm + given.offset / math.sqrt(given.rod ^ 2 + given.crank ^ 2),
                                  "where crank and rod make a right angle it is near, but x'' is not zero there" } },
                   hint = "the speed |x'| w is largest where x'' = 0" },
      check.bound { "work", name = "the work of one turn", answer = "work", above = -0.1 * peak(given),
                    below = 0.1 * peak(given), measured = "the work in J",
                    why_less = ": after one turn the kinetic energy is what it was; count torques with their signs",
                    why_more = ": after one turn the kinetic energy is what it was; count torques with their signs" },
      check.near { "factors", name = "twice the speed, ten times the inertia", points = 2, answer = "factors",
                   rtol = 5e-3,
                   expected = { 4, 1 },
                   mistakes = { { { 2, 1 }, "at twice the speed accelerations are not twice as large" },
                                { { 4, 10 }, "a torque accelerates a flywheel; does it accelerate?" },
                                { { 4, 0.1 },
                                  "this motor keeps the rate by force: what is left for the flywheel to do?" },
                                { { 8, 1 }, "8 is the factor of the power; the torque is asked for" } },
                   hint = "T = w^2 j' / 2: where is J?" },
      check.near { "slowest", name = "coasting", points = 2, answer = "slowest", unit = "rad/s", rtol = 1e-3,
                   expected = function() return { slowest(given, given.inertia), slowest(given, 10 * given.inertia) } end,
                   mistakes = function()
                     local a, b = slowest(given, given.inertia) ^ 2 / w, slowest(given, 10 * given.inertia) ^ 2 / w
                     return { { { a, b }, "it is the square of the rate that goes with 1 / (J + j)" },
                              { { w, w }, "that is the rate with the motor; without it the energy stays the same" } }
                   end,
                   hint = "(J + j) phi'^2 stays the same; with given.inertia first, then ten times that" },
      check.uses { "kinematics", name = "by a kinematic analysis", of = "model:kinematics" },
    }
  end,
}
