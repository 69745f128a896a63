local check = require "exercise"

local duration = 3

local function roots(c, k)
  local fast = -c / 2 - math.sqrt(c ^ 2 / 4 - k)
  return k / fast, fast
end

local function rk4(z) return 1 + z + z ^ 2 / 2 + z ^ 3 / 6 + z ^ 4 / 24 end
local function trapezoidal(z) return (1 + z / 2) / (1 - z / 2) end

-- -z at the end of the real interval of stability of Runge and Kutta's method.
local function limit()
  local low, high = 2, 3
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if rk4(-middle) < 1 then low = middle else high = middle end
  end
  return low
end

-- Velocities of the trapezoidal rule after so many steps: each of the two parts has its own factor.
local function ringing(given, counts)
  local slow, fast = roots(given.damping, given.stiffness)
  local x, v, h = 0.1, given.kick, given.step
  local a = (v - fast * x) / (slow - fast)
  local b = x - a
  local values = {}
  for i, n in ipairs(counts) do
    values[i] = a * slow * trapezoidal(slow * h) ^ n + b * fast * trapezoidal(fast * h) ^ n
  end
  return values
end

local function steps_of_explicit(given)
  local _, fast = roots(given.damping, given.stiffness)
  return duration * -fast / 3.3066
end

-- Nothing if these are three numbers that may be numbers of steps.
local function no_steps(what, value)
  if type(value) ~= "table" or #value ~= 3 then return what .. ": should be a list of three numbers of steps" end
  for i = 1, 3 do
    if not math.type(value[i]) or not (value[i] >= 5 and value[i] < 1e6) then
      return ("%s: number %d should be a number of steps"):format(what, i)
    end
  end
end

local function miscounted(value, expected)
  local problem = no_steps("explicit", value)
  if problem then return problem end
  if value[3] > 1.3 * value[1] then
    return "explicit: so much a smaller tolerance does not cost here: it is stability that limits the steps. Measured?"
  end
  for i = 1, 3 do
    if math.abs(value[i] - expected) > 0.1 * expected then
      return ("explicit: number %d is not what the largest stable step needs: by mbs.dormand_prince, 3 s, from rest, "
        .. "with given.damping?"):format(i)
    end
  end
  return 0
end

local function misread(value, most)
  local problem = no_steps("implicit", value)
  if problem then return problem end
  if value[3] > most / 4 then
    return "implicit: so many steps only an explicit method needs; are these the steps of mbs.radau?"
  end
  if not (value[2] > value[1] and value[3] > value[2]) then
    return "implicit: a smaller tolerance needs more steps; in the order of r = 1e-3, 1e-5, 1e-7"
  end
  if not (value[3] > 3 * value[1]) then
    return "implicit: from r = 1e-3 to 1e-7 they grow more; the absolute tolerance should be r / 100, too"
  end
  return 0
end

-- What is wrong with two numbers of steps, which may be off by one.
local function misheard(value, expected, h)
  if type(value) ~= "table" or #value ~= 2 or not math.type(value[1]) or not math.type(value[2]) then
    return "rings: should be a list of two numbers of steps"
  end
  local function near(a, b) return math.abs(value[1] - a) <= 1 and math.abs(value[2] - b) <= 1 end
  if value[1] == 1 and value[2] == 1 then return "rings: stable means not to grow; how fast does it shrink?" end
  if math.abs(value[1] / (h * expected[1]) - 1) < 0.1 then return "rings: steps are asked for, not seconds" end
  if near(expected[1], expected[2]) then return 0 end
  if near(expected[2], expected[1]) then return "rings: the two methods are exchanged" end
  if near(expected[1] / 2, expected[2]) then return "rings: 1 % is asked for, not 10 %" end
  return "rings: not the steps until less than 1 % is left, by |left|"
end

return {
  title = "Stiffness, and what a step costs",
  topic = "integration",
  level = 2,
  given = function(random)
    return { stiffness = random(2000, 4000), damping = random(1500, 3000), step = random(0.015, 0.03),
             kick = random(20, 50) }
  end,
  checks = function(given)
    local c, k, h = given.damping, given.stiffness, given.step
    local slow, fast = roots(c, k)
    local z = -2.5
    local euler, runge = 2 / -fast, limit() / -fast
    local steps = steps_of_explicit(given)
    local _, faster = roots(10 * c, k)
    local R, S = trapezoidal(fast * h), 1 / (1 - fast * h)
    local function rounds(factor) return math.ceil(math.log(0.01) / math.log(math.abs(factor))) end
    local counts, times = { 0, 1, 2, 3, 10, 20 }, {}
    for i, n in ipairs(counts) do times[i] = n * h end
    return {
      check.near { "slow", name = "the slow part", answer = "slow", unit = "1/s", rtol = 1e-4, expected = slow,
                   mistakes = { { -k / c, "this is the limit for a strong damper; solve s^2 + c s + k = 0" },
                                { fast, "this is the fast one" }, { -1 / slow, "this is a time constant" } } },
      check.near { "fast", name = "the fast part", answer = "fast", unit = "1/s", rtol = 1e-5, expected = fast,
                   mistakes = { { -c, "this is the limit for a strong damper; solve s^2 + c s + k = 0" },
                                { slow, "this is the slow one" }, { -1 / fast, "this is a time constant" },
                                { -math.sqrt(k), "this would be the frequency without the damper" } } },
      check.near { "amplification", name = "the factors of a step", points = 3, call = "amplification", arguments = { z },
                   rtol = 1e-6, expected = { 1 + z, rk4(z), 1 / (1 - z), trapezoidal(z) },
                   mistakes = { { { 1 + z, math.exp(z), 1 / (1 - z), trapezoidal(z) },
                                  "exp(z) is what the exact solution does; Runge-Kutta takes the series up to z^4" },
                                { { 1 + z, rk4(z), 1 / (1 - z), (1 + z) / (1 - z) },
                                  "the trapezoidal rule goes half a step with each slope" },
                                { { 1 + z, rk4(z), 1 / (1 + z), trapezoidal(z) },
                                  "implicit Euler: x_new = x + z x_new, so (1 - z) x_new = x" },
                                { { 1 - z, rk4(-z), 1 / (1 + z), trapezoidal(-z) },
                                  "the sign: z = s h is negative already for a decay" },
                                { { 1 / (1 - z), rk4(z), 1 + z, trapezoidal(z) },
                                  "explicit and implicit Euler are exchanged" } } },
      check.near { "largest_steps", name = "the largest stable steps", points = 2, answer = "largest_steps", unit = "s",
                   rtol = 1e-3, expected = { euler, runge },
                   mistakes = { { { 2 / -slow, limit() / -slow }, "both s must be stable, and the fast one is not" },
                                { { euler, 2 * math.sqrt(2) / -fast },
                                  "2 sqrt(2) is the limit for undamped oscillations, on the imaginary axis" },
                                { { euler / 2, runge }, "at 1 / |s| the factor is 0; it may go down to -1" },
                                { { euler, 4 / -fast }, "the order is no limit: solve R(z) = 1 for z < 0" },
                                { { 2, limit() }, "these are |z|; divide by |s|" } } },
      check.residual { "explicit", name = "steps of the explicit method", points = 2, answer = "explicit", below = 0,
                       residual = function(value) return miscounted(value, steps) end,
                       hint = "run.steps of the three runs; 3 s over the largest stable step predicts them" },
      check.residual { "implicit", name = "steps of the implicit method", points = 2, answer = "implicit", below = 0,
                       residual = function(value) return misread(value, steps) end },
      check.near { "explicit_factor", name = "ten times the damping: explicit", answer = "explicit_factor", rtol = 0.1,
                   expected = faster / fast,
                   mistakes = { { 0.1, "the motion is slower, but the fast s is ten times faster: measure it" },
                                { 1, "the largest stable step is another one now" } } },
      check.bound { "implicit_factor", name = "ten times the damping: implicit", answer = "implicit_factor", above = 0.2,
                    below = 1.5, why_more = ": the steps with 10 c over those with c",
                    why_less = ": the solution is smoother than before, and mbs.radau only has to follow that" },
      check.near { "motion", name = "the trapezoidal rule", points = 3, run = "run", signals = { "P.vx" }, times = times,
                   rtol = 1e-3, expected = { ringing(given, counts) },
                   mistakes = { { { ringing(setmetatable({ kick = 0 }, { __index = given }), counts) },
                                  "the velocity at the start is missing" } },
                   hint = "simulate(given.damping, mbs.trapezoidal { step = given.step }, given.kick)" },
      check.near { "left", name = "what one step leaves", points = 2, answer = "left", rtol = 1e-4, expected = { R, S },
                   mistakes = { { { -R, S }, "the sign: the fast part changes its sign in each step" },
                                { { S, R }, "the two methods are exchanged" },
                                { { trapezoidal(slow * h), 1 / (1 - slow * h) }, "this is the slow part" },
                                { { math.exp(fast * h), math.exp(fast * h) },
                                  "this is what the exact solution leaves" } },
                   hint = "amplification(fast * h)" },
      check.residual { "rings", name = "how long it rings", points = 2, answer = "rings", below = 0,
                       residual = function(value) return misheard(value, { rounds(R), rounds(S) }, h) end,
                       hint = "|left|^n < 0.01" },
      check.uses { "measured", name = "measured with both", of = "model:simulate", at_least = 9 },
    }
  end,
}
