-- Path synthesis: the lengths of a four-bar whose coupler point follows a given path, under Grashof's condition and
-- limits on the angle between coupler and rocker, through which the force goes (transmission angle).
--
--   perilune four_bar_synthesis.lua [--angle 45] [--json file]
--
-- The path is that of a known four-bar, ours: without a limit that forbids it, its lengths come back. Its transmission
-- angle falls to 41.5 degrees. Where at least `angle` degrees are asked for, the path has to give way, and the optimum
-- says what a degree costs.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { angle = 45, json = "" }

local known = { a = 1, b = 2.2, c = 2, d = 2.5, p = 1.1, q = 0.6 }  -- crank, coupler, rocker, ground; point on the coupler
local start = { a = 0.8, b = 2.5, c = 2.2, d = 2.8, p = 0.9, q = 0.9 }
local names = { "a", "b", "c", "d", "p", "q" }

-- Where the point of the known mechanism is at the angle of its crank: where two circles meet.
local function target(angle)
  local k = known
  local bx, by = k.a * math.cos(angle), k.a * math.sin(angle)
  local ux, uy = k.d - bx, -by
  local far = (ux^2 + uy^2)^0.5
  local along = (k.b^2 - k.c^2 + far^2) / (2 * k.b * far)
  local across = (1 - along^2)^0.5
  local ex, ey = (ux * along - uy * across) / far, (uy * along + ux * across) / far -- along the coupler
  return bx + k.p * ex - k.q * ey, by + k.p * ey + k.q * ex
end

local function four_bar()
  local m = mbs.model { "four-bar", gravity = { 0, 0 } }
  local l = {}
  for _, name in ipairs(names) do l[name] = m:param { name, start[name], unit = "m", min = 0.1, max = 5 } end
  -- The pose with the crank along x.
  local along = (l.b^2 - l.c^2 + (l.d - l.a)^2) / (2 * l.b * (l.d - l.a))
  local across = (1 - along^2)^0.5
  local pin = { l.a + l.b * along, l.b * across }
  local crank = m:body { "crank", mass = 1, inertia = 1, at = { 0, 0 } }
  local coupler = m:body { "coupler", mass = 1, inertia = 1, at = { l.a, 0 } }
  local rocker = m:body { "rocker", mass = 1, inertia = 1, at = { l.d, 0 } }
  local pivot = m:revolute { "A", m.ground, crank, at = { 0, 0 } }
  m:revolute { "B", crank, coupler, at = { l.a, 0 } }
  m:revolute { "C", coupler, rocker, at = pin }
  m:revolute { "D", m.ground, rocker, at = { l.d, 0 } }
  m:driver { "motor", pivot.angle, law = function(s) return 2 * math.pi * s.t end }
  local px, py = l.p * along - l.q * across, l.p * across + l.q * along -- in the axes of the coupler
  local path = m:objective { "path", integral = function(s)
    local x, y = target(2 * math.pi * s.t)
    local c, sine = math.cos(coupler.angle(s)), math.sin(coupler.angle(s))
    return (coupler.x(s) + c * px - sine * py - x)^2 + (coupler.y(s) + sine * px + c * py - y)^2
  end }
  return m, l, path
end

-- Grashof: the crank turns around if it is the shortest and the sum with the longest is below that of the others.
-- The cosine of the transmission angle is extreme where the crank lies along the ground.
local function limits(l, angle)
  local cosine = math.cos(math.rad(angle))
  local function mu(reach) return (l.b^2 + l.c^2 - reach^2) / (2 * l.b * l.c) end
  return { { "Grashof, coupler longest", l.a + l.b - l.c - l.d, max = 0, unit = "m" },
           { "Grashof, rocker longest", l.a + l.c - l.b - l.d, max = 0, unit = "m" },
           { "Grashof, ground longest", l.a + l.d - l.b - l.c, max = 0, unit = "m" },
           { "folded", mu(l.d - l.a), max = cosine }, { "stretched", mu(l.d + l.a), min = -cosine } }
end

local function synthesis(angle)
  local m, l, path = four_bar()
  return m:optimize { minimize = path, t = 1, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 1 / 200 },
                      subject_to = limits(l, angle) }
end

local optimizations = {}
for _, angle in ipairs { 40, options.angle } do
  local best = synthesis(angle)
  print(("at least %g degrees:"):format(angle))
  print(best)
  local found = results.optimization(angle .. " degrees", best)
  found.kkt, found.violation, found.multiplier = best.kkt, best.violation, best.constraints.folded.multiplier
  optimizations[#optimizations + 1] = found
end
results.write(options.json, {}, optimizations)
