local mbs = require "perilune"
local given = require "given"

-- The carriage with parameters that begin at these values; the load is known.
local function carriage(M, k, c)
  local m = mbs.model { "carriage", gravity = { 0, 0 } }
  local p = { M = m:param { "M", M, unit = "kg", min = 0.1, max = 20 },
              k = m:param { "k", k, unit = "N/m", min = 1, max = 2000 },
              c = m:param { "c", c, unit = "N s/m", min = 0, max = 50 },
              load = m:param { "load", 0, unit = "kg", min = 0, max = 10 } }
  local body = m:body { "body", mass = p.M + p.load, inertia = 1, at = { 0.1, 0 } }
  m:translational { "rail", m.ground, body, at = { 0, 0 }, axis = "x" }
  -- spring and damper are missing here
  return m, p, body
end

local function fitted(M)
  local m, p, body = carriage(M, 60 * M, 0.1 * M)
  -- local fit = m:fit { data = { t = given.t, x = given.x }, signals = { { "x", body.x } }, over = { p.M, p.k, p.c } }
  return { p.M.value, p.k.value, p.c.value }
end

return { from_one = { 0, 0, 0 }, from_three = { 0, 0, 0 }, along = { 0, 0 }, ratios = { 0, 0 },
         predicts = { 1, 1, 1, 1, 1 }, tells = { 1, 1, 1, 1, 1, 1 }, identified = { 0, 0, 0 } }
