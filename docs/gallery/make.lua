-- Draws the pictures of the gallery from the scripts' models:
--   perilune docs/gallery/make.lua [--out FOLDER]
local mbs = require "perilune"
local here = arg[0]:match "^(.*)/" or "."
local options = mbs.options { out = here }
local scripts = here .. "/../../scripts/"
package.path = scripts .. "?.lua;" .. package.path
local mechanisms = require "mechanisms"
mbs.make_folder(options.out)

local function file(name) return options.out .. "/" .. name .. ".svg" end

-- The model that a script makes; its output is dropped, and what it would write.
local function model_of(script)
  local made
  local make, write, say = mbs.model, io.write, print
  mbs.model = function(...)
    made = make(...)
    return made
  end
  io.write, print = function() end, function() end
  local chunk = assert(io.open(scripts .. script))
  local text = chunk:read("a"):gsub("\nrun:view[^\n]*", "")
  chunk:close()
  assert(load(text, "@" .. script))()
  mbs.model, io.write, print = make, write, say
  return made
end

local pendulum = model_of "double_pendulum.lua"
pendulum:sketch { file "double_pendulum", run = pendulum.last_run, times = { 0, 0.15, 0.3, 0.45, 0.6, 0.75 } }
pendulum.last_run:svg(file "double_pendulum_angles", "upper.angle", "lower.angle")

local four_bar = model_of "four_bar.lua"
four_bar:sketch { file "four_bar", run = four_bar.last_run, times = { 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9 } }
four_bar.last_run:svg(file "four_bar_motor", "rocker.angle", "motor.force")

for name, times in pairs {
  five_bar = { 0, 0.1, 0.2, 0.3 }, slider_crank = { 0, 0.1, 0.2, 0.3 }, pendulum = { 0, 0.15, 0.3 },
  driven_four_bar = { 0, 0.2, 0.4, 0.6 }, redundant = { 0, 0.25, 0.5 },
} do
  local mechanism = mechanisms[name]()
  local run = mechanism.model:simulate { t = times[#times], integrator = mbs.rk4 { step = mechanism.step } }
  mechanism.model:sketch { file(name), run = run, times = times }
end

-- Zhu's five-bar mechanism: its optimization, and the motion before and after.
local five_bar = mechanisms.five_bar()
local m, P2 = five_bar.model, five_bar.P2
local cost = m:objective { "distance", integral = (P2.x - 0.5)^2 + (P2.y + 2)^2 }
m:simulate { t = 5, integrator = mbs.rk4 { step = 2e-3 } }:svg(file "five_bar_before", "P2.x", "P2.y")
m:optimize { minimize = cost, over = { five_bar.over[1], five_bar.over[2] } }:convergence(file "five_bar_convergence")

-- The passive walker: a step of its gait, how the gait is approached, and the gaits of three kinds of feet.
local walker = require "walker"
local robot, exact = walker.rigid(), mbs.dormand_prince {}
local function portrait(r, name, steps, shown, integrator)
  local run = r.model:simulate { t = 20, phases = r.phases(steps), integrator = integrator }
  local x, y = run:values(r.thigh[1].angle), run:values(r.thigh[1].omega)
  local first = run.phases[#run.phases - shown * #r.phases(1) + 1].first
  return { name, x = table.move(x, first, #x, 1, {}), y = table.move(y, first, #y, 1, {}) }, run
end
local function chart(name, title, curves)
  mbs.chart { file(name), title = title, x_label = "angle [rad]", y_label = "rate [rad/s]", curves = curves }
end
local approach = portrait(robot, "from the printed start", 8, 8, exact)
robot.model:limit_cycle { phases = robot.phases(1), returns = {
  q1 = robot.thigh[2].angle - robot.slope, w1 = robot.thigh[2].omega, w2 = robot.thigh[1].omega,
} }
local cycle, step = portrait(robot, "limit cycle", 2, 2, exact)
chart("passive_walker_portrait", "thigh of leg 1", { approach, cycle })
robot.model:sketch { file "passive_walker", run = step, times = { 0, 0.15, 0.3, 0.45, 0.56 } }
local stiff = mbs.rosenbrock { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 }
cycle[1] = "instantaneous impacts"
chart("passive_walker_feet", "thigh of leg 1 in the gait", {
  cycle, (portrait(walker.point_feet {}, "compliant point feet", 12, 2, stiff)),
  (portrait(walker.surface_feet {}, "surface feet", 18, 2, stiff)),
})

-- The inverted pendulum: how the optimum brings it upright, and three sets of gains on a plant with other friction.
local plate_and_pole = require "plate_and_pole"
local function pendulum_on_plate(gains, friction)
  local r = plate_and_pole.build { gains = gains, friction = friction }
  return r, r.model:simulate { t = 3, integrator = exact }
end
local optimal = { 563.11, 626.57, 90.68 }
local upright, rise = pendulum_on_plate(optimal, plate_and_pole.brown_mcphee {})
upright.model:sketch { file "inverted_pendulum", run = rise, times = { 0, 0.1, 0.2, 0.3, 0.6 }, view = { 0, -1, 0 } }
local errors, times = {}, {}
for k = 0, 300 do times[k + 1] = k / 100 end
for _, case in ipairs {
  { "initial gains", { 750, 200, 10 } }, { "optimal with friction", optimal },
  { "optimal without friction", { 419.42, 30.30, 65.95 } },
} do
  local r, run = pendulum_on_plate(case[2], plate_and_pole.gonthier {})
  errors[#errors + 1] = { case[1], x = times, y = run:values(r.error.x, times) }
end
mbs.chart { file "inverted_pendulum_error", title = "pole against plate, with Gonthier's friction",
            x_label = "time [s]", y_label = "error [m]", curves = errors }

local governor = require "flyball_governor"
local r = governor.build { design = governor.optimum, free_length = governor.calibrate(governor.optimum) }
r.model:sketch { file "governor", view = { 0, -1, 0 } }
