-- fails: rings
-- says: steps are asked for, not seconds
local mbs = require "perilune"
local given = require "given"
local c, k, h = given.damping, given.stiffness, given.step

local function simulate(damping, integrator, velocity)
  local m = mbs.model { "door closer", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1.1, 0 }, velocity = { velocity, 0 }, mass = 1 }
  m:spring { "s", m:ground { at = { 0, 0 } }, P, stiffness = k, free_length = 1, damping = damping }
  return m:simulate { t = 3, integrator = integrator }
end

local root = math.sqrt(c ^ 2 / 4 - k)
local fast = -c / 2 - root
local slow = k / fast

local function amplification(z)
  return { 1 + z, 1 + z + z ^ 2 / 2 + z ^ 3 / 6 + z ^ 4 / 24, 1 / (1 - z), (1 + z / 2) / (1 - z / 2) }
end

-- Where R(-z) of Runge and Kutta's method is 1 again.
local low, high = 2, 3
for _ = 1, 50 do
  local middle = (low + high) / 2
  if amplification(-middle)[2] < 1 then low = middle else high = middle end
end

local function steps(method, damping, r)
  return simulate(damping, method { relative_tolerance = r, absolute_tolerance = r / 100 }, 0).steps
end

local function all_steps(method) return { steps(method, c, 1e-3), steps(method, c, 1e-5), steps(method, c, 1e-7) } end

local factors = amplification(fast * h)
local left = { factors[4], factors[3] }
local function rings(factor) return math.ceil(math.log(0.01) / math.log(math.abs(factor))) end
local explicit, implicit = all_steps(mbs.dormand_prince), all_steps(mbs.radau)

return {
  slow = slow,
  fast = fast,
  amplification = amplification,
  largest_steps = { 2 / math.abs(fast), low / math.abs(fast) },
  explicit = explicit,
  implicit = implicit,
  explicit_factor = steps(mbs.dormand_prince, 10 * c, 1e-5) / explicit[2],
  implicit_factor = steps(mbs.radau, 10 * c, 1e-5) / implicit[2],
  run = simulate(c, mbs.trapezoidal { step = h }, given.kick),
  left = left,
  rings = { h * rings(left[1]), h * rings(left[2]) },
}
