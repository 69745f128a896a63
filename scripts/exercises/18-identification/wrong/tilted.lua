-- fails: tells
-- says: which quotient
local mbs = require "perilune"
local given = require "given"

local function carriage(M, k, c)
  local m = mbs.model { "carriage", gravity = { 0, 0 } }
  local p = { M = m:param { "M", M, unit = "kg", min = 0.1, max = 20 },
              k = m:param { "k", k, unit = "N/m", min = 1, max = 2000 },
              c = m:param { "c", c, unit = "N s/m", min = 0, max = 50 },
              load = m:param { "load", 0, unit = "kg", min = 0, max = 10 } }
  local body = m:body { "body", mass = p.M + p.load, inertia = 1, at = { 0.1, 0 } }
  m:translational { "rail", m.ground, body, at = { 0, 0 }, axis = "x" }
  m:force { "spring", on = body, law = function(s) return -p.k * s.x - p.c * s.vx, 0 end }
  return m, p, body
end

-- From the first to the last change of sign there is a number of half periods.
local first, last, halves
for i = 2, #given.x do
  if given.x[i - 1] * given.x[i] < 0 then
    local part = given.x[i - 1] / (given.x[i - 1] - given.x[i])
    last = given.t[i - 1] + part * (given.t[i] - given.t[i - 1])
    first, halves = first or last, (halves or -1) + 1
  end
end
local omega = math.pi * halves / (last - first)

local empty = { t = given.t, x = given.x }

local function fitted(M)
  local m, p, body = carriage(M, M * omega ^ 2, 0.1 * M)
  m:fit { data = empty, signals = { { "x", body.x } }, over = { p.M, p.k, p.c } }
  return { p.M.value, p.k.value, p.c.value }
end

local from_one, from_three = fitted(1), fitted(3)

local m, p, body = carriage(2, 2 * omega ^ 2, 1)
local loaded = { t = given.t, x = given.x_loaded }
m:fit { signals = { { "x", body.x } }, over = { p.M, p.k, p.c },
        experiments = { { "empty", data = empty }, { "loaded", data = loaded, set = { load = given.load } } } }

return {
  from_one = from_one,
  from_three = from_three,
  along = { 1, 1 },
  ratios = { from_one[2] / from_one[1], from_one[3] / from_one[1] },
  predicts = { 1, 0, 0, 1, 0 },
  tells = { 0, 0, 1, 1, 1, 1 },
  identified = { p.M.value, p.k.value, p.c.value },
}
