local check = require "exercise"

local g = 9.81

local function cost(given, M, T)
  local m, H = given.mass, given.travel
  return 12 * (m + M) ^ 2 * H ^ 2 / T ^ 3 + (m - M) ^ 2 * g ^ 2 * T
end

local function best(given, T)
  local weight, speed = g ^ 2 * T ^ 4, 12 * given.travel ^ 2
  return math.max(0, given.mass * (weight - speed) / (weight + speed))
end

-- M, c0, c1 of the best controller for a counterweight.
local function design(given, M)
  local m, H, T = given.mass, given.travel, given.time
  return { M, 6 * (m + M) * H / T ^ 2 + (m - M) * g, -12 * (m + M) * H / T ^ 3 }
end

return {
  title = "Co-design of a counterweight and its controller",
  topic = "optimization",
  level = 3,
  limits = { seconds = 30 },
  given = function(random)
    local travel = random(0.6, 1)
    -- So many times 12 H^2 / T^3 is g^2 T: from 3 on M = m is better than none, from 1 on a counterweight helps.
    local function time(share) return tonumber(("%.3g"):format((share * 12 * travel ^ 2 / g ^ 2) ^ 0.25)) end
    return { mass = random(8, 15), travel = travel, time = time(random(4, 7)), fast = time(random(1.4, 2.2)) }
  end,
  checks = function(given)
    local m, H, T = given.mass, given.travel, given.time
    local M, other = 0.4 * m, 1.1 * T
    local right, optimum = cost(given, M, other), best(given, T)
    local designed = design(given, optimum)
    local quick = best(given, given.fast)
    local costs = { cost(given, 0, given.fast), cost(given, m, given.fast), cost(given, quick, given.fast) }
    local limit = (12 * H ^ 2 / g ^ 2) ^ 0.25
    local parts = { 0, 0.2, 0.5, 0.8, 1 }
    local ways = {}
    for i, s in ipairs(parts) do ways[i] = H * (3 * s ^ 2 - 2 * s ^ 3) end
    local inertia, load = 12 * H ^ 2 / other ^ 3, g ^ 2 * other
    return {
      check.near { "cost", name = "the cost, by hand", points = 3, call = "cost", arguments = { M, other },
                   unit = "N^2 s", rtol = 1e-6, expected = right,
                   mistakes = { { cost(given, M, T), "this is with the given time, not with the argument T" },
                                { m ^ 2 * inertia + (m - M) ^ 2 * load, "the counterweight is accelerated, too: m + M" },
                                { (m + M) ^ 2 * inertia, "gravity is missing: (m - M) g" },
                                { (m + M) ^ 2 * inertia + (m + M) ^ 2 * load,
                                  "gravity pulls the counterweight down, and the slide up: m - M" },
                                { (m - M) ^ 2 * (inertia + load), "both move: their inertia is m + M" },
                                { (m + M) * inertia + (m - M) * load, "u is squared" },
                                { (m + M) ^ 2 * inertia + (m - M) ^ 2 * g ^ 2, "the load acts for the time T" } } },
      check.near { "best", name = "the best counterweight", points = 3, call = "best", arguments = { other }, unit = "kg",
                   rtol = 1e-5, expected = best(given, other),
                   mistakes = { { m, "this balances the axis, and is the best one only for a robot without haste" },
                                { best(given, T), "this is for the given time, not for the argument T" },
                                { m * (load + inertia) / (load - inertia), "a sign: it is lighter than the slide" },
                                { 0, "that is the best one only for a short time" } },
                   hint = "dJ/dM = 24 (m + M) H^2 / T^3 - 2 (m - M) g^2 T = 0" },
      check.residual { "never_negative", name = "which is not negative", call = "best", arguments = { 0.7 * limit },
                       below = 0,
                       residual = function(value)
                         if not math.type(value) then return "best: should be a number in kg" end
                         if value < -1e-9 then
                           return "best: a counterweight has no negative mass; which one is the best for a very short "
                                    .. "time?"
                         end
                         if not (value < 1e-6 * m) then return "best: too large for a very short time" end
                         return 0
                       end },
      check.near { "sequential", name = "one after the other", points = 2, answer = "sequential", unit = "N^2 s",
                   rtol = 1e-4, expected = cost(given, m, T),
                   mistakes = { { cost(given, optimum, T), "this is all three at once; keep M = m" },
                                { cost(given, 0, T), "this is without a counterweight" },
                                { cost(given, m, T) / 4, "has the counterweight a mass, and is it on the belt?" } } },
      check.near { "least", name = "all at once", points = 2, answer = "least", unit = "N^2 s", rtol = 1e-4,
                   expected = cost(given, optimum, T),
                   mistakes = { { cost(given, m, T), "M has stayed at m: is it among over?" } } },
      check.residual { "codesign", name = "the best pair", points = 3, answer = "codesign", below = 1e-3,
                       residual = function(value)
                         if type(value) ~= "table" or #value ~= 3 then
                           return "codesign: should be a list of three: M, c0, c1"
                         end
                         local off, balanced = {}, design(given, m)
                         for i = 1, 3 do
                           if not math.type(value[i]) then return ("codesign: number %d should be a number"):format(i) end
                           off[i] = value[i] / designed[i] - 1
                         end
                         local function near(i, number) return math.abs(value[i] / number - 1) < 1e-3 end
                         if near(1, m) and near(2, balanced[2]) then return "codesign: this is the pair with M = m" end
                         if near(1, designed[1]) and near(2, balanced[2]) then
                           return "codesign: M is right, but the controller is that of M = m"
                         end
                         if near(1, designed[1]) and near(3, -designed[3]) then
                           return "codesign: the sign of c1: it brakes in the end"
                         end
                         if near(2, designed[3]) then return "codesign: M first, then c0, then c1" end
                         return off
                       end },
      check.near { "motion", name = "its motion", points = 2, run = "run", relative = true,
                   signals = { "slide.y", "counterweight.y" }, times = parts, rtol = 1e-3,
                   expected = { ways, { -ways[1], -ways[2], -ways[3], -ways[4], -ways[5] } },
                   mistakes = { { { ways, ways },
                                  "the counterweight goes up with the slide: slide.y + counterweight.y = 0" } },
                   hint = "simulate after the optimization, from 0 to T" },
      check.near { "turns", name = "taking turns", points = 2, answer = "turns", unit = "kg", rtol = 1e-3, expected = m,
                   mistakes = { { optimum, "does it get there? With c0 and c1 given, which M keep the limits?" },
                                { 0, "with c0 and c1 given, does M = 0 keep the limits?" } } },
      check.near { "fast", name = "a faster robot", points = 3, answer = "fast", unit = "N^2 s", rtol = 1e-4,
                   expected = costs,
                   mistakes = { { { costs[1], costs[2], costs[2] }, "the best M is less than m" },
                                { { costs[1], costs[2], cost(given, optimum, given.fast) },
                                  "this is the M that was best for T" },
                                { { cost(given, 0, T), cost(given, m, T), cost(given, optimum, T) },
                                  "this is with the time T" } } },
      check.near { "no_counterweight", name = "from when on none", answer = "no_counterweight", unit = "s", rtol = 1e-3,
                   expected = limit,
                   mistakes = { { (36 * H ^ 2 / g ^ 2) ^ 0.25,
                                  "there none is as good as M = m; a lighter one is better than both" },
                                { limit ^ 2, "a root is missing: T^4 = 12 H^2 / g^2" },
                                { math.sqrt(2 * H / g), "this is the time of a free fall" } },
                   hint = "where best(T) comes down to zero" },
      check.uses { "optimize", name = "by optimization", of = "model:optimize", at_least = 2 },
    }
  end,
}
