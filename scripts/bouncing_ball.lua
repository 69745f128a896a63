-- A ball that bounces on a hard floor: heights and times of its bounces beside their closed form, and how the height
-- depends on the ball, by the adjoint method through all impacts.
--
-- Hunt and Crossley's law has a closed form too: with b = 3/2 alpha an impact at the speed v ends at the speed u,
-- b v - ln(1 + b v) = -b u - ln(1 - b u), whatever the mass and the stiffness. Gravity acts during the impact, which
-- that leaves out: the difference shrinks with the duration of the impact. --json FILE: the gradient.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "" }

local g, start, bounces = 9.81, 1, 4
local m = mbs.model { "bouncing ball", gravity = { 0, -g } }
local alpha = m:param { "alpha", 0.08, unit = "s/m", min = 0 }
local height = m:param { "height", start, unit = "m", min = 0.5 }
local ball = m:body { "ball", mass = 0.2, inertia = 5e-5, at = { 0, height + 0.02 } }
local floor = m:contact { "floor", m.ground, ball, radius = 0.02,
                          normal = mbs.hunt_crossley { stiffness = 1e14, exponent = 3, dissipation = alpha } }

-- Speed after an impact at speed v, and its slopes in v and b.
local function impact(v, b)
  local lost = b * v - math.log(1 + b * v)
  local low, high = 0, math.min(v, 1 / b)
  for _ = 1, 100 do
    local u = (low + high) / 2
    if -b * u - math.log(1 - b * u) < lost then low = u else high = u end
  end
  local u = (low + high) / 2
  local by_u = b ^ 2 * u / (1 - b * u)
  return u, b ^ 2 * v / (1 + b * v) / by_u, (b * v ^ 2 / (1 + b * v) - b * u ^ 2 / (1 - b * u)) / by_u
end

-- Heights, the times of the tops, and the slopes of the last height in height and alpha.
local heights, tops = {}, {}
local v, t, by_height, by_alpha = math.sqrt(2 * g * start), math.sqrt(2 * start / g), nil, 0
by_height = g / v
for n = 1, bounces do
  local u, in_v, in_b = impact(v, 1.5 * alpha.value)
  by_height, by_alpha = in_v * by_height, in_v * by_alpha + 1.5 * in_b
  heights[n], tops[n] = u ^ 2 / (2 * g), t + u / g
  t, v = t + 2 * u / g, u
end
by_height, by_alpha = v / g * by_height, v / g * by_alpha

-- In flight the top is known from any instant.
local top = ball.y - 0.02 + ball.vy ^ 2 / (2 * g)
local cost = m:objective { "top", terminal = top }
-- The steps end where the ball touches and leaves the floor, and the gradient follows these events.
local settings = { t = tops[bounces], formulation = mbs.index1 {},
                   integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }
local run = m:simulate(settings)
local times, speeds = run:times(), run:values "ball.vy"
local simulated, when = {}, {}
for i = 2, #times do
  if speeds[i - 1] > 0 and speeds[i] <= 0 then
    simulated[#simulated + 1] = run:at("ball.y", times[i]) - 0.02 + speeds[i] ^ 2 / (2 * g)
    when[#when + 1] = times[i] + speeds[i] / g
  end
end
simulated[bounces] = run:at(top, tops[bounces])
when[bounces] = tops[bounces] + run:at("ball.vy", tops[bounces]) / g

print "bounce      height, m   closed form    its time, s   closed form"
for n = 1, bounces do
  print(("%4d      %11.6f   %11.6f    %11.6f   %11.6f"):format(n, simulated[n], heights[n], when[n], tops[n]))
end
settings[1] = cost
settings.method = mbs.adjoint {}
local gradient = m:gradient(settings)
print(("\nslope of the height after %d bounces        adjoint    closed form"):format(bounces))
print(("  by the height at the start     %18.6f %14.6f"):format(gradient.by_name.height, by_height))
print(("  by alpha, m^2/s                %18.6f %14.6f"):format(gradient.by_name.alpha, by_alpha))
print(("\nlargest force on the ball %.0f N, deepest penetration %.1f micrometres"):format(
  math.max(table.unpack(run:values(floor.normal_force))), -1e6 * math.min(table.unpack(run:values(floor.gap)))))
results.write(options.json, { results.row("discrete adjoint, index 1, Dormand-Prince", gradient, run.seconds) }, {})
