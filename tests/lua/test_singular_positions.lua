-- Runs that come through singular positions, where branches of the motion cross: they stay on theirs, or say so.
local mbs = require "perilune"
local check = require "check"

-- One window of a ladder (IFToMM's library of problems): bars of 1 m and 1 kg, here as half of their mass at either
-- end and the distances, and the parallelogram of the same kind. Every time the cranks lie level, the kite crosses it.
local function window(speed, width)
  local m = mbs.model { "window", gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 1 }, velocity = { speed, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { width, 1 }, velocity = { speed, 0 }, mass = 1 }
  m:distance { "left", m:ground { at = { 0, 0 } }, P }
  m:distance { "right", m:ground { at = { width, 0 } }, Q }
  m:distance { "bar", P, Q }
  return m
end

-- The parallelogram turns like a pendulum whose mass is at 1 m: no branch but this keeps Q beside P.
local function is_true(run, width, t)
  return math.abs(run:at("energy.total", t) - run:at("energy.total", 0)) < 5e-2
    and math.abs(run:at("Q.x", t) - run:at("P.x", t) - width) < 1e-3
end

local function outcome(model, t, width, settings)
  settings.t = t
  local ok, message = pcall(model.simulate, model, settings)
  if not ok then
    assert(message:find('"bar"', 1, true) or message:find('"left"', 1, true) or message:find('"right"', 1, true), message)
    assert(message:find("singular position", 1, true), message)
    local own = tostring(settings.formulation):match "[%w_]+"
    assert(not message:find("mbs." .. own .. " {}", 1, true), message)
    return "said"
  end
  return is_true(model.last_run, width, t) and "true" or "wrong"
end

-- What left the branch in silence.
for _, formulation in ipairs { mbs.index1 {}, mbs.penalty {}, mbs.index1 { alpha = 10, beta = 10 } } do
  check.equal(outcome(window(5, 2), 3, 2, { formulation = formulation, integrator = mbs.dormand_prince {} }), "said",
    tostring(formulation))
end
assert(outcome(window(1, 1), 5, 1, { formulation = mbs.index1 {}, integrator = mbs.dormand_prince {} }) ~= "wrong")
check.equal(outcome(window(5, 2), 3, 2, { formulation = mbs.index1 {}, integrator = mbs.rk4 { step = 1e-3 } }), "said")

-- Over a range of speeds none is wrong without a word, and what is recommended passes.
local counts = {}
for k = 1, 20 do
  local speed = 3 + 0.15 * k
  for _, settings in ipairs {
    { formulation = mbs.penalty {}, integrator = mbs.dormand_prince {} },
    { formulation = mbs.index1 {}, integrator = mbs.dormand_prince {} },
    { formulation = mbs.maggi {}, integrator = mbs.dormand_prince {} },
  } do
    local name = tostring(settings.formulation)
    local found = outcome(window(speed, 2), 3, 2, settings)
    assert(found ~= "wrong", name .. " at " .. speed)
    counts[name .. found] = (counts[name .. found] or 0) + 1
  end
end
check.equal(counts[tostring(mbs.maggi {}) .. "true"], 20)
