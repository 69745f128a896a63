-- One step of the variational integrator against one of the trapezoidal rule with constraints on positions (index 3),
-- forwards and by the discrete adjoint: ratios of processor times, the least of several pairs. Run by hand:
--   perilune tests/bench/bench_variational.lua
local mbs = require "perilune"

local function flexible(dimension, n)
  local m = mbs.model { "flexible", gravity = dimension == 3 and { 0, 0, -9.81 } or { 0, -9.81 } }
  local zero = dimension == 3 and { 0, 0, 0 } or { 0, 0 }
  local density = m:param { "density", 4000 }
  local arm = m:beam { "arm", from = zero, to = dimension == 3 and { 1.2, 0, 0 } or { 1.2, 0 }, elements = n,
                       young = 1e7, density = density, area = 0.0025, second_moment = 5e-7 }
  m:coincidence { arm.first, m:ground { at = zero } }
  return m, m:objective { "drop", integral = dimension == 3 and arm.last.z or arm.last.y }
end

local function linked(kind)
  local m = mbs.model { "linked", gravity = { 0, 0, -9.81 } }
  local last, length = m.ground, m:param { "length", 0.5 }
  for i = 1, 4 do
    local rod = m[kind](m, { "rod " .. i, mass = 1, inertia = { 0.01, 0.03, 0.03 }, at = { (i - 0.5) * length, 0, 0 } })
    local a = i == 1 and m:ground { at = { 0, 0, 0 } } or last:point { length / 2, 0, 0 }
    m:spherical { a, rod:point { -length / 2, 0, 0 } }
    if i > 1 then m:spring { m:ground { at = { i * 0.5, 0.3, 0.5 } }, rod, stiffness = 40, damping = 1 } end
    last = rod
  end
  return m, m:objective { "drop", integral = last.z }
end

local function least(m, integrator, objective)
  local seconds = math.huge
  for _ = 1, 5 do
    local how = { t = 1, integrator = integrator, formulation = mbs.index3 {} }
    local clock = os.clock()
    how.objective = objective
    if objective then m:gradient(how) else m:simulate(how) end
    seconds = math.min(seconds, os.clock() - clock)
  end
  return seconds
end

print(("%-28s %10s %10s"):format("variational / trapezoidal", "forward", "adjoint"))
for _, case in ipairs { { "beam in the plane, 5", flexible, 2, 5 }, { "beam in space, 20", flexible, 3, 20 },
                        { "4 natural bodies", linked, "natural_body" }, { "4 bodies", linked, "body" } } do
  local m, objective = case[2](case[3], case[4])
  local ratio = {}
  for i = 1, 2 do
    local seen = i == 2 and objective or nil
    ratio[i] = least(m, mbs.variational { step = 0.001 }, seen) / least(m, mbs.trapezoidal { step = 0.001 }, seen)
  end
  print(("%-28s %10.2f %10.2f"):format(case[1], ratio[1], ratio[2]))
end
