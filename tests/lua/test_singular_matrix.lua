-- Matrices that are singular to rounding: the run ends with a sentence about its own mechanism, not with a crash.
local mbs = require "perilune"

local function ladder(windows)
  local m = mbs.model { "ladder", gravity = { 0, -9.81 } }
  local previous
  for i = 0, windows do
    local up = m:body {
      "up" .. i,
      at = { i, 0.5 },
      angle = math.pi / 2,
      velocity = { 0.5, 0 },
      angular_velocity = -1,
      mass = 1,
      inertia = 1 / 12,
    }
    m:revolute { "foot" .. i, m.ground, up, at = { i, 0 } }
    if i > 0 then
      local top = m:body { "top" .. i, at = { i - 0.5, 1 }, velocity = { 1, 0 }, mass = 1, inertia = 1 / 12 }
      m:revolute { "left" .. i, previous, top, at = { i - 1, 1 } }
      m:revolute { "right" .. i, top, up, at = { i, 1 } }
    end
    previous = up
  end
  return m
end

-- Folded flat, the constraints of the last joint follow from the others but for rounding.
for windows = 2, 3 do
  local ok, message = pcall(function()
    return ladder(windows):simulate { t = 10, formulation = mbs.index1 { alpha = 10, beta = 10 } }
  end)
  if not ok then
    message = tostring(message)
    assert(not message:find("memory", 1, true), message)
    assert(message:find("at t = ", 1, true), message)
    local joint = message:match 'constraints of "(%a+)%d"'
    assert(joint == nil or joint == "right" or joint == "left", message)
    assert(not message:find("(constraint of", 1, true), message)
  end
end

-- Beside ten bodies on hinges that have nothing to do with it: a crank whose loop cannot follow its driver.
for _, form in ipairs { mbs.penalty {}, mbs.index1 {} } do
  local m = mbs.model { "crank and chain", gravity = { 0, -9.81 } }
  local previous = m.ground
  for i = 1, 10 do
    local body = m:body { "b" .. i, at = { 5 + 0.5 * i - 0.25, 0 }, mass = 1, inertia = 0.1 }
    m:revolute { "h" .. i, previous, body, at = { 5 + 0.5 * (i - 1), 0 } }
    previous = body
  end
  local crank = m:body { "crank", at = { 0, 0 }, mass = 1, inertia = 0.1, angle = math.pi / 2 }
  local pivot = m:revolute { "pivot", m.ground, crank, at = { 0, 0 } }
  local P = m:point { "P", at = { 0.8, 0.8 }, mass = 1 }
  m:distance { "rod", crank:point { 0.8, 0 }, P }
  m:distance { "link", P, m:ground { at = { 1, 0 } } }
  m:driver { "motor", pivot.angle, law = function(s) return 3 * s.t end }
  local ok, message = pcall(function()
    return m:simulate { t = 1, formulation = form, integrator = mbs.rk4 { step = 1e-3 } }
  end)
  assert(not ok)
  assert(not tostring(message):find('"[bh]%d+"'), message)
  assert(not tostring(message):find("mbs.penalty", 1, true) or not tostring(form):find "penalty", message)
end
