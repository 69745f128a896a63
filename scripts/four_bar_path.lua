-- A published four-bar, Simscape Multibody's example of path matching (github.com/mathworks,
-- Simscape-Multibody-Four-Bar-Optim): the lengths of crank and coupler for which the path of a tip has the area and the
-- perimeter of a given path. The given one is that of a = 0.12 m, b = 0.27 m.
--
--   perilune four_bar_path.lua [--json file]
--
-- The example's page prints the cost at its start, (0.18, 0.25), and at the points of its pattern search, and where the
-- search stopped: a = 0.1195, b = 0.2651 after 39 simulations. The lengths are the example's. Where the tip sits on the
-- coupler is in a drawing alone; here it is as far beyond the crank's pin as the printed costs want it, of the places
-- tried the only one. The three printed costs then come out to all digits, of which the first alone was used.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "" }

local c, d, h = 0.2, 0.25, 0.2 -- rocker, ground, from the crank's pin to the tip (m)
local samples = 100            -- the example's polygon of a turn
local m = mbs.model { "four-bar path", gravity = { 0, 0 } }
-- The crank is the shortest, the coupler the longest; with a limit on their sum below the crank turns around.
local a = m:param { "a", 0.18, unit = "m", min = 0.1, max = math.min(c, d) }
local b = m:param { "b", 0.25, unit = "m", min = math.max(c, d), max = 0.3 }

-- The pose with the crank along x.
local along = (b^2 - c^2 + (d - a)^2) / (2 * b * (d - a))
local across = (1 - along^2)^0.5
local crank = m:body { "crank", mass = 1, inertia = 1, at = { 0, 0 } }
local coupler = m:body { "coupler", mass = 1, inertia = 1, at = { a, 0 } }
local rocker = m:body { "rocker", mass = 1, inertia = 1, at = { d, 0 } }
local pin = { a + b * along, b * across }
local pivot = m:revolute { "A", m.ground, crank, at = { 0, 0 } }
m:revolute { "B", crank, coupler, at = { a, 0 } }
m:revolute { "C", coupler, rocker, at = pin }
m:revolute { "D", m.ground, rocker, at = { d, 0 } }
m:driver { "motor", pivot.angle, law = function(s) return 2 * math.pi * s.t end }
-- The tip from the crank's pin, turned with the coupler.
local tip_x, tip_y = -h * along, -h * across
local function place()
  local cosine, sine = math.cos(coupler.angle), math.sin(coupler.angle)
  local x, y = cosine * tip_x - sine * tip_y, sine * tip_x + cosine * tip_y
  return coupler.x + x, coupler.y + y, coupler.vx - coupler.omega * y, coupler.vy + coupler.omega * x
end
local at_x, at_y, speed_x, speed_y = place()

-- What the path encloses, and how long it is, so far.
local area = m:state { "area", unit = "m^2", rate = function() return (at_x * speed_y - at_y * speed_x) / 2 end }
local perimeter = m:state { "perimeter", unit = "m", rate = function() return (speed_x^2 + speed_y^2)^0.5 end }
local how = { t = 1, formulation = mbs.maggi {}, integrator = mbs.rk4 { step = 1 / 400 } }
local function simulate(x, y)
  a.value, b.value = x, y
  return m:simulate { t = how.t, formulation = how.formulation, integrator = how.integrator }
end

-- As the example has it: of the polygon through the samples.
local function polygon(run)
  local sum, length, x, y = 0, 0, {}, {}
  for i = 1, samples do x[i], y[i] = run:at(at_x, (i - 1) / samples), run:at(at_y, (i - 1) / samples) end
  for i = 1, samples do
    local j = i % samples + 1
    sum = sum + (x[i] * y[j] - x[j] * y[i]) / 2
    length = length + ((x[j] - x[i])^2 + (y[j] - y[i])^2)^0.5
  end
  return sum, length
end

local wanted = simulate(0.12, 0.27)
local wanted_area, wanted_perimeter = wanted:at(area.value, 1), wanted:at(perimeter.value, 1)
local polygon_area, polygon_length = polygon(wanted)
local published = { { 0.18, 0.25, 0.383738 }, { 0.12625, 0.25, 0.00661577 }, { 0.12625, 0.276875, 0.00272638 } }
local costs = {}
print "     a        b         cost of polygons  printed"
for k, point in ipairs(published) do
  local polygon_a, polygon_p = polygon(simulate(point[1], point[2]))
  costs[k] = (polygon_a - polygon_area)^2 + (polygon_p - polygon_length)^2
  print(("%9.6f %9.6f %12.6g %12.6g"):format(point[1], point[2], costs[k], point[3]))
end

a.value, b.value = 0.18, 0.25
local cost = m:objective { "cost",
  terminal = (area.value - wanted_area)^2 + (perimeter.value - wanted_perimeter)^2 }
local best = m:optimize { minimize = cost, t = how.t, formulation = how.formulation, integrator = how.integrator,
                          subject_to = { { "turns around", a + b, max = c + d, unit = "m" } } }
print(best)
results.write(options.json, {}, { results.optimization("path", best) }, { costs = costs })
