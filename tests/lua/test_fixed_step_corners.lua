-- Constant steps across a corner of an integrand: x = 1/2 - t, so that the integral of |x| up to t = 1 is 1/4.
local mbs = require "perilune"
local check = require "check"

local function said(warnings)
  for _, text in ipairs(warnings) do
    local bound = text:match 'corner of the integrand of objective "way".* may be off by up to ([%d%.e%-]+)'
    if bound then return tonumber(bound), text end
  end
end

local m = mbs.model { "corner", gravity = { 0, 0 } }
local v = m:param { "v", -1 }
local P = m:point { "P", at = { 0.5, 0 }, velocity = { v, 0 }, mass = 1 }
local way = m:objective { "way", integral = math.abs(P.x) }
local square = m:objective { "square", integral = P.x ^ 2 }

-- In the middle of a step of 0.04 s, for every rule; the bound holds.
for name, integrator in pairs {
  rk4 = mbs.rk4 { step = 0.04 }, trapezoidal = mbs.trapezoidal { step = 0.04 }, radau = mbs.radau { step = 0.04 },
  bdf = mbs.bdf { step = 0.04 }, hht = mbs.hht { step = 0.04 },
} do
  local run = m:simulate { t = 1, objectives = { way, square }, integrator = integrator }
  local bound, text = said(run.warnings)
  assert(bound, name .. " goes across a corner in silence")
  local error = math.abs(run.objectives.way - 0.25)
  assert(error > 1e-6 and error < 1.01 * bound, ("%s: %g, and at most %g"):format(name, error, bound))
  assert(bound < 5e-4 and text:find("at t = 0.52 s", 1, true) and text:find("fixed step", 1, true), text)
  assert(said(m:gradient { objective = way, over = { v }, t = 1, integrator = integrator }.warnings), name)
end

-- Where no step goes across it, where steps are short enough, and where they end there.
for name, integrator in pairs {
  between = mbs.rk4 { step = 0.05 }, short = mbs.rk4 { step = 0.0007 }, adaptive = mbs.dormand_prince {},
  implicit = mbs.radau {},
} do
  local run = m:simulate { t = 1, objectives = { way }, integrator = integrator }
  assert(not said(run.warnings), name)
  check.near(run.objectives.way, 0.25, 1e-6, name)
end
assert(not said(m:simulate { t = 1, objectives = { square }, integrator = mbs.rk4 { step = 0.04 } }.warnings))

-- Many corners: sin(20 t) of a spring and a mass, with |x| over ten periods. The bound is that of all.
do
  local m = mbs.model { "many", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, velocity = { 20, 0 }, mass = 1 }
  m:force { "pull", on = P, law = function(s) return -400 * s.x, 0 end }
  local way = m:objective { "way", integral = math.abs(P.x) }
  local t = math.pi
  local run = m:simulate { t = t, objectives = { way }, integrator = mbs.rk4 { step = 0.01 } }
  local bound, text = said(run.warnings)
  assert(bound and text:find("by all", 1, true), text)
  assert(math.abs(run.objectives.way - 2) < 1.01 * bound, run.objectives.way)
end

print "ok"
