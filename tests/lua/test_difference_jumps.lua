-- Differences over a jump of assembly: two bars of length 1 from (0, 0) and (1, 0) hold P at (1/2, +-3^(1/2)/2), on the
-- side on which it is declared, at (1/2, e). For e of either sign P does not depend on it.
local mbs = require "perilune"
local check = require "check"

local function truss(value)
  local m = mbs.model { "truss", gravity = { 0, 0 } }
  local e, L = m:param { "e", value }, m:param { "L", 1 }
  local P = m:point { "P", at = { 0.5, e }, mass = 1 }
  m:distance { "left", m:ground { at = { 0, 0 } }, P, length = L }
  m:distance { "right", m:ground { at = { 1, 0 } }, P, length = 1 }
  m:point { "free", at = { 0, 2 }, velocity = { 1, 0 }, mass = 1 }
  return m, e, L, m:objective { "height", terminal = P.y }
end

local function said(result)
  for _, text in ipairs(result.warnings) do
    if text:find("differences go over a jump", 1, true) then return text end
  end
end

for _, richardson in ipairs { 0, 1, 2 } do
  local m, e, L, height = truss(7e-5)
  local by_e = m:gradient { objective = height, over = { e }, t = 0.1, method = mbs.finite_difference { richardson = richardson } }
  assert(said(by_e), "a jump of assembly is passed over")
  check.near(by_e.value, 3 ^ 0.5 / 2, 1e-9)
  assert(said(by_e):find('"P.y" changed by -1.73 m', 1, true) and said(by_e):find("in place of 7e-05", 1, true), said(by_e))
  -- The length moves P smoothly: y^2 = L^2 - x^2 with x = L^2 / 2.
  local by_L = m:gradient { objective = height, over = { L }, t = 0.1, method = mbs.finite_difference { richardson = richardson } }
  assert(not said(by_L), said(by_L))
  check.near(by_L.gradient[1], 1 / 3 ^ 0.5, 1e-6)
  local exact = m:gradient { objective = height, over = { e, L }, t = 0.1 }
  check.near(exact.gradient[1], 0, 1e-9)
  check.near(exact.gradient[2], 1 / 3 ^ 0.5, 1e-9)
end

do  -- Far from the jump, and with a step below it, there is none.
  local m, e, _, height = truss(0.2)
  local found = m:gradient { objective = height, over = { e }, t = 0.1, method = mbs.finite_difference { richardson = 1 } }
  assert(not said(found), said(found))
  check.near(found.gradient[1], 0, 1e-8)
  m, e, _, height = truss(7e-5)
  found = m:gradient { objective = height, over = { e }, t = 0.1, method = mbs.finite_difference { step = 1e-5 } }
  assert(not said(found), said(found))
end

-- A large change that is smooth is no jump: half of the mechanism turns with the angle.
do
  local m = mbs.model { "arm", gravity = { 0, 0 } }
  local a = m:param { "a", 0.3 }
  local arm = m:body { "arm", at = { math.cos(a), math.sin(a) }, angle = a, mass = 1, inertia = 1 }
  m:revolute { "pin", m.ground, arm, at = { 0, 0 } }
  local found = m:gradient { objective = m:objective { "x", terminal = arm.x }, over = { a }, t = 0.1,
                             method = mbs.finite_difference { step = 0.2, richardson = 2 } }
  assert(not said(found), said(found))
  check.near(found.gradient[1], -math.sin(0.3), 1e-6)
end

print "ok"
