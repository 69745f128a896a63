local check = require "exercise"

local g = 9.81

local function height(h, e, T)
  local t1 = math.sqrt(2 * h / g)
  return e * g * t1 * (T - t1) - g / 2 * (T - t1) ^ 2
end

local function slope(h, e, T)
  local t1 = math.sqrt(2 * h / g)
  return (1 + e) * (T - t1) / t1 - e
end

-- The soft floor y'' = -g - K y - D y' from y = 0 and y' = -v, at the time t: y and y'; and with g = 0 the change of
-- these that begins as (dy, dv).
local function oscillation(K, D, y, v, gravity)
  local decay = D / 2
  local omega = math.sqrt(K - decay ^ 2)
  local a = y + gravity / K
  local b = (v + decay * a) / omega
  return function(t)
    local c, s, f = math.cos(omega * t), math.sin(omega * t), math.exp(-decay * t)
    local x = f * (a * c + b * s)
    return x - gravity / K, f * (omega * (b * c - a * s)) - decay * x
  end
end

-- y(T) on the soft floor, and the slope that forgets that the force jumps at another time.
local function soft(h, T, K, D)
  local t1 = math.sqrt(2 * h / g)
  local motion = oscillation(K, D, 0, -g * t1, g)
  local function force(t)
    local y, v = motion(t)
    return -K * y - D * v
  end
  local high = 1e-5
  while force(high) > 0 do high = high + 1e-5 end
  local low = high - 1e-5
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if force(middle) > 0 then low = middle else high = middle end
  end
  local y, v = motion(low)
  local left = T - t1 - low
  local dy, dv = oscillation(K, D, 1, 0, 0)(low)
  return y + v * left - g / 2 * left ^ 2, dy + left * dv
end

local function soft_slope(h, T, K, D)
  local d = 1e-4 * h
  return (soft(h + d, T, K, D) - soft(h - d, T, K, D)) / (2 * d)
end

-- The slope of the damped bounce, the wrong one that fixed steps report, and that without damping.
local function soft_slopes(h, T, K, D)
  return { right = soft_slope(h, T, K, D), wrong = select(2, soft(h, T, K, D)), undamped = soft_slope(h, T, K, 0) }
end

-- What is wrong with one of the two slopes of question 6: the first by events, the second by fixed steps, which scatters.
local function misjudged(value, number, slopes)
  if type(value) ~= "table" or #value ~= 2 then return "damped: should be a list of two numbers" end
  local mine = value[number]
  if not math.type(mine) or mine ~= mine then return ("damped: item %d should be a number"):format(number) end
  local function near(what, part) return math.abs(mine - slopes[what]) <= part * math.abs(slopes[what]) end
  if number == 1 and near("right", 2e-3) or number == 2 and near("wrong", 0.25) then return 0 end
  if near("undamped", 1e-2) then return "damped: the damping of the contact is missing" end
  if number == 1 and near("wrong", 0.25) then return "damped: dormand_prince first, then rk4" end
  if number == 2 and near("right", 1e-2) then
    return "damped: the fixed steps of rk4 report something else than dormand_prince; what did you measure?"
  end
  return ("damped: item %d is not what %s reports here"):format(number, number == 1 and "dormand_prince" or "rk4")
end

return {
  title = "A bouncing ball: an event and its gradient",
  topic = "gradients",
  level = 3,
  given = function(random)
    local h, e = random(0.9, 1.5), random(0.6, 0.8)
    local t1 = math.sqrt(2 * h / g)
    return { height = h, restitution = e, time = tonumber(("%.4g"):format(t1 * (1 + random(0.2, 0.3)))),
             stiffness = random(0.6, 1.4) * 1e5, damping = random(40, 80) }
  end,
  checks = function(given)
    local h, e, T, K, D = given.height, given.restitution, given.time, given.stiffness, given.damping
    local t1 = math.sqrt(2 * h / g)
    local right, other = slope(h, e, T), 1.02 * h
    local t2 = math.sqrt(2 * other / g)
    local v1 = 3.7
    local S = { { -e, 0 }, { (1 + e) * g / v1, -e } }
    local bounce = { g / 2 * (T / (1 + 2 * e)) ^ 2, e + 2 * e ^ 2, -e * (e + 2 * e ^ 2) }
    return {
      check.near { "height", name = "the height after the bounce", points = 2, call = "height", arguments = { other },
                   unit = "m", rtol = 1e-6, expected = height(other, e, T),
                   mistakes = { { height(other, 1, T), "the bounce takes energy: e is missing" },
                                { height(other, math.sqrt(e), T), "e is the ratio of speeds, not of energies" },
                                { height(other, e ^ 2, T), "e is the ratio of speeds, so it enters once" },
                                { height(h, e, T), "this is at the given height, not at the argument of the function" },
                                { e * g * t2 * (T - t2), "gravity acts after the bounce, too" },
                                { e * g * t2 * T - g / 2 * T ^ 2, "the flight after the bounce takes T - t1" },
                                { other - g / 2 * T ^ 2, "this is without a bounce" } } },
      check.near { "slope", name = "its slope", points = 3, answer = "slope", rtol = 1e-4, expected = right,
                   mistakes = { { 1, "one centimetre more at the start is not one more at T: t1 depends on h" },
                                { e * (T - t1) / t1, "v1 depends on h, but t1 does, too" },
                                { (T - t1) / t1 - e, "T - t1 appears twice in y(T)" },
                                { e, "neither the ratio of speeds nor that of heights is the slope" },
                                { e ^ 2, "this is the slope of the largest height, not of that at T" } },
                   hint = "differentiate e v1 (T - t1) - g / 2 (T - t1)^2 with dt1/dh = 1 / v1" },
      check.near { "naive", name = "what a naive program reports", answer = "naive", rtol = 1e-6, expected = 1,
                   mistakes = { { right, "it does not know that t1 changes: what becomes of (dh, 0)?" },
                                { -e, "dy+ = dy-: this one does not touch positions" } } },
      check.near { "saltation", name = "the saltation matrix", points = 3, call = "saltation", arguments = { v1 },
                   rtol = 1e-6, expected = S,
                   mistakes = { { { { 1, 0 }, { 0, -e } },
                                  "this is the law of the bounce alone; the bounce is at another time" },
                                { { { -e, 0 }, { 0, -e } },
                                  "gravity turns a change of time into one of velocity: g dt before and after" },
                                { { { -e, 0 }, { g / v1, -e } },
                                  "gravity acts for dt before one bounce and after the other: 1 + e times g dt" },
                                { { { -e, 0 }, { -(1 + e) * g / v1, -e } },
                                  "the sign of the lower left item: the later ball is the faster one upwards" },
                                { { { e, 0 }, { (1 + e) * g / v1, -e } },
                                  "the upper left item: the ball that was higher starts to rise later" },
                                { { { 1, 0 }, { (1 + e) * g / v1, -e } },
                                  "the positions: in the time dt the other ball has risen by e v1 dt" } },
                   hint = "(dh, 0) becomes S (dh, 0), and after T - t1 more it must be your slope" },
      check.near { "elastic", name = "by the engine, elastic", points = 2, answer = "elastic", rtol = 1e-3,
                   expected = function() return soft_slope(h, T, K, 0) end,
                   mistakes = { { slope(h, 1, T), "this is the hard floor; on the soft one a bounce takes time" },
                                { right, "this is the hard floor with e; here it is soft and e = 1" },
                                { 1, "has the point a contact with the ground?" } } },
      check.residual { "events", name = "with a force that jumps", points = 3, answer = "damped", below = 0,
                       residual = function(value) return misjudged(value, 1, soft_slopes(h, T, K, D)) end,
                       hint = "m:gradient with mbs.dormand_prince {}, whose steps end at the touch" },
      check.residual { "fixed", name = "with fixed steps across the jump", points = 3, answer = "damped", below = 0,
                       residual = function(value) return misjudged(value, 2, soft_slopes(h, T, K, D)) end,
                       hint = "m:gradient with mbs.rk4 { step = 1e-4 }" },
      check.near { "kink", name = "the kink", points = 3, answer = "kink", rtol = 1e-4, expected = bounce,
                   mistakes = { { { bounce[1], bounce[3], bounce[2] },
                                  "the slopes are exchanged: from a higher h the second bounce has not happened yet" },
                                { { bounce[1], bounce[2], -bounce[2] },
                                  "after the second bounce the speed is e times smaller" },
                                { { bounce[1], bounce[2], e * bounce[2] }, "the second bounce turns the velocity round" },
                                { { g / 2 * (T / (1 + e)) ^ 2, bounce[2], bounce[3] },
                                  "from bounce to bounce it is up and down: 2 e t1" },
                                { { bounce[1], slope(bounce[1], e, T), slope(bounce[1], e, T) },
                                  "these are equal: then it would be no kink" } },
                   hint = "y(T) = 0 with T = t1 (1 + 2 e)" },
    }
  end,
}
