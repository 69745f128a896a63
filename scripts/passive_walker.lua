-- The kneed passive walker (Zhu 2014, chapter 5; V. F. Hsu Chen 2007): two legs with knees walk down a slope without
-- any motor. First with instantaneous impacts, where a step is a motion in phases, the gait a fixed point of its return
-- map, and its stability the eigenvalues there; then with compliant contact. --out FOLDER: where pictures go.
local mbs = require "perilune"
local walker = require "walker"
local options = mbs.options { out = "" }
local g = 9.81

local robot = walker.rigid()
local m, thigh, shank, foot_x, q1 = robot.model, robot.thigh, robot.shank, robot.foot_x, robot.start.q1
local precise = mbs.dormand_prince { relative_tolerance = 1e-10 }
local function simulate(steps) return m:simulate { t = 20, integrator = precise, phases = robot.phases(steps) } end

print "1. Instantaneous impacts"
local run = simulate(8)
io.write "q1 after each step from the printed start:"
for _, phase in ipairs(run.phases) do
  local strikes, leg = phase.name:match "(heel strike) (%d)"
  if strikes then io.write((" %.4f"):format(run:values(thigh[tonumber(leg)].angle - robot.slope)[phase.last])) end
end
print ""
local portrait = {
  { "from the printed start", x = run:values "thigh1.angle", y = run:values "thigh1.omega" },
}

local gait = m:limit_cycle { phases = robot.phases(1), returns = {
  q1 = thigh[2].angle - robot.slope, w1 = thigh[2].omega, w2 = thigh[1].omega,
} }
print(gait)
run = simulate(2)
table.insert(portrait, { "limit cycle", x = run:values "thigh1.angle", y = run:values "thigh1.omega" })
if options.out ~= "" then
  mbs.chart { options.out .. "/passive_walker_portrait.svg", title = "Thigh of leg 1 over two steps",
              x_label = "angle [rad]", y_label = "rate [rad/s]", curves = portrait }
end

local free, locked, strike = run.phases[1], run.phases[2], run.phases[3]
local function value(signal, point) return run:values(signal)[point] end
local energy = run:values "energy.total"
local at_knee, at_heel = energy[free.last] - energy[locked.first], energy[locked.last] - energy[strike.first]
local length = value(foot_x[2], strike.first)
local friction = 0 -- the ratio of tangential to normal force that the foot needs
for k, fx in ipairs(run:values "pin1.force_x") do
  if k <= locked.last then friction = math.max(friction, math.abs(fx / run:values("pin1.force_y")[k])) end
end

-- The reference is an independent simulation of the same equations.
print(("\n%-42s %12s %12s"):format("", "here", "reference"))
for _, row in ipairs {
  { "q1, rad", q1.value, 0.188185 },
  { "w1, rad/s", robot.start.w1.value, -1.109587 },
  { "w2, rad/s", robot.start.w2.value, -0.057148 },
  { "knee strike, s", free.finish, 0.348612 },
  { "period, s", strike.finish, 0.564328 },
  { "eigenvalue 1, real", gait.eigenvalues[1].real, 0.35257 },
  { "eigenvalue 1, imaginary", gait.eigenvalues[1].imaginary, 0.55221 },
  { "eigenvalue 3", gait.eigenvalues[3].real, 0.14382 },
  { "stance thigh before knee strike, rad/s", value(thigh[1].omega, free.last), -0.757345 },
  { "swing thigh before", value(thigh[2].omega, free.last), 0.743517 },
  { "swing shank before", value(shank[2].omega, free.last), 8.459251 },
  { "stance leg after", value(thigh[1].omega, locked.first), -0.719523 },
  { "swing leg after", value(thigh[2].omega, locked.first), 1.256381 },
  { "stance leg before heel strike, rad/s", value(thigh[1].omega, locked.last), -1.538918 },
  { "swing leg before", value(thigh[2].omega, locked.last), -1.990816 },
  { "energy lost at knee strike, J", at_knee, 0.016393 },
  { "energy lost at heel strike, J", at_heel, 0.357358 },
  { "both; weight times descent of a step", at_knee + at_heel, 1.6 * g * length * math.sin(robot.slope.value) },
  { "step length, m", length, 0.472657 },
  { "mean speed, m/s", length / strike.finish, 0.83756 },
} do
  print(("%-42s %12.6f %12.6f"):format(table.unpack(row)))
end
print(("%-42s %12.3f %12.3f"):format("friction that the foot needs", friction, 0.258))

-- Derivatives through all impacts of four steps.
local function compare(title, robot_, phases, settings, over, method)
  local time = robot_.model:objective { "time", terminal = function(s) return s.t end }
  local distance = robot_.model:objective { "distance", terminal = robot_.foot_x[1] }
  local call = { { time, distance }, phases = phases, over = over }
  for k, v in pairs(settings) do call[k] = v end
  local direct = robot_.model:gradient(call)
  call.method = method
  local differences = robot_.model:gradient(call)
  print(("\n%-42s %12s %12s"):format(title, "direct", "differences"))
  for o, name in ipairs { "time", "distance" } do
    for p, parameter in ipairs(direct[o].parameters) do
      print(("%-42s %12.8f %12.8f"):format("d " .. name .. " / d " .. parameter, direct[o].gradient[p],
                                           differences[o].gradient[p]))
    end
  end
end
local mass = robot.mass
compare("four steps", robot, robot.phases(4), { t = 20, integrator = precise },
        { robot.slope, mass.hip, mass.thigh, mass.shank }, mbs.finite_difference { step = 1e-4, richardson = 2 })

print "\n2. Compliant contact"
-- Until t (s) or a fall: then some phase takes too long, and fails the motion.
local function walk(title, r, t, integrator)
  local ok, message = pcall(function() r.model:simulate { t = t, integrator = integrator, phases = r.phases(60) } end)
  local run, strikes, fell = r.model.last_run, {}, nil
  for k, height in ipairs(run:values "hip.y") do
    if height < 0.7 then fell = fell or run:times()[k] end
  end
  if not ok and not fell then error(message, 0) end
  for _, phase in ipairs(run.phases) do
    if phase.name:find "heel strike" and phase.start < (fell or t) then strikes[#strikes + 1] = phase.start end
  end
  print(("%-32s %2d steps in %4.1f s, last period %.4f s%s"):format(
    title, #strikes, fell or run.t, strikes[#strikes] - strikes[#strikes - 1],
    fell and (", fell at %.2f s"):format(fell) or ""))
end
local stiff = mbs.rosenbrock { relative_tolerance = 1e-6, absolute_tolerance = 1e-8 }
for _, t in ipairs { 5, 10 } do
  walk("static friction", walker.point_feet {}, t, stiff)
  walk("dry friction 0.9", walker.point_feet { mu = 0.9 }, t, stiff)
end
walk("dry friction 0.3", walker.point_feet { mu = 0.3 }, 5, stiff)
walk("dry friction 0.2", walker.point_feet { mu = 0.2 }, 2.2, stiff)
walk("surface feet, static friction", walker.surface_feet {}, 5, mbs.rosenbrock { step = 2e-5 })

-- Derivatives of the steps that were computed, through contact and friction.
local smooth = walker.point_feet { mu = 0.9, smooth = true }
compare("two steps on smooth contact, friction 0.9", smooth, smooth.phases(2), { t = 20, integrator = stiff },
        { smooth.mu, smooth.slope, smooth.mass.hip, smooth.mass.thigh, smooth.mass.shank },
        mbs.finite_difference { step = 1e-5, richardson = 2 })
