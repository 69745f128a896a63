-- Parameters of a pendulum from measurements: mass, inertia, friction in its pivot, and the delay of the encoder there.
--
--   perilune fit_pendulum.lua [--seed 1] [--chart file.svg] [--json file]
--
-- The measurements are ours, drawn with a fixed seed: the angle in the pivot by an encoder, whose readings come late
-- and have an offset, and the rate by a gyro on the body. Nobody knows how exactly the pendulum was let go.
-- A free pendulum tells no mass: with twice the mass, inertia and friction it moves the same way. The first fit says
-- so. The second one has one more experiment, with a known weight hung on, and tells all of them. The gyro, which is
-- not late, is needed: a late sensor alone does not tell its delay from an earlier start.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { seed = 1, chart = "", json = "" }

local length, weight = 0.6, 0.5  -- m from the pivot to the centre of mass; kg, known
local truth = { M = 2, J = 0.08, viscous = 0.06, dry = 0.1, delay = 0.035, offset = 0.02, phi = 1.2, rate = -0.3,
                phi_w = 0.9, rate_w = 0.2, extra = 0 }
local guess = { M = 1, J = 0.2, viscous = 0.02, dry = 0.02, delay = 0.01, offset = 0, phi = 1, rate = 0, phi_w = 1,
                rate_w = 0, extra = 0 }

-- The weight hangs at the centre of mass. "phi" and "rate" are those at the start.
local function pendulum(values)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local p = {}
  local function param(name, unit, min, max)
    p[name] = m:param { name, values[name], unit = unit, min = min, max = max }
  end
  param("M", "kg", 0.1, 10)
  param("J", "kg m^2", 0.001, 2)
  param("viscous", "N m s/rad", 0, 2)
  param("dry", "N m", 0, 2)
  param("delay", "s", 0, 0.1)
  param("offset", "rad", -0.5, 0.5)
  param("phi", "rad", -3, 3)
  param("rate", "rad/s", -5, 5)
  param("phi_w", "rad", -3, 3)
  param("rate_w", "rad/s", -5, 5)
  param("extra", "kg", 0, 5)
  local x, y = length * math.sin(p.phi), -length * math.cos(p.phi)
  local b = m:body { "bob", at = { x, y }, angle = p.phi, mass = p.M + p.extra, inertia = p.J,
                     velocity = { -y * p.rate, x * p.rate }, angular_velocity = p.rate }
  m:revolute { "pivot", m.ground, b, at = { 0, 0 } }
  m:torque { on = b, law = function(s)
    return -p.viscous * b.omega(s) - p.dry * mbs.tanh(b.omega(s) / 0.05)
  end }
  return m, p, { { "encoder", b.angle + p.offset, delay = p.delay }, { "gyro", b.omega } }
end

-- A normal deviate, by G. E. P. Box and M. E. Muller.
local function normal() return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random()) end

local function measurements(with_weight)
  local values = {}
  for name, value in pairs(truth) do values[name] = value end
  if with_weight then values.extra, values.phi, values.rate = weight, truth.phi_w, truth.rate_w end
  local m, _, signals = pendulum(values)
  local run = m:simulate { t = 6 }
  local data, late = { t = {}, encoder = {}, gyro = {} }, {}
  for k = 1, 200 do
    data.t[k] = 0.1 + 0.0295 * (k - 1)
    late[k] = data.t[k] - truth.delay
  end
  data.encoder, data.gyro = run:values(signals[1][2], late), run:values(signals[2][2], data.t)
  for k = 1, #data.t do
    data.encoder[k] = data.encoder[k] + 0.003 * normal()
    data.gyro[k] = data.gyro[k] + 0.02 * normal()
  end
  return data
end

math.randomseed(options.seed)
local bare, weighed = measurements(false), measurements(true)

local m, p, signals = pendulum(guess)
local alone = m:fit { data = bare, signals = signals,
                      over = { p.M, p.J, p.viscous, p.dry, p.delay, p.offset, p.phi, p.rate } }
print "bare pendulum:"
print(alone)

m, p, signals = pendulum(guess)
local both = m:fit {
  signals = signals,
  experiments = { { "bare", data = bare },
                  { "weighed", data = weighed, set = { extra = weight, phi = p.phi_w, rate = p.rate_w } } },
  over = { p.M, p.J, p.viscous, p.dry, p.delay, p.offset, p.phi, p.rate, p.phi_w, p.rate_w } }
print "\nbare, and with a weight:"
print(both)
print "\nthe true values, and how many standard errors the fit is away:"
for _, name in ipairs(both.names) do
  print(("  %-8s %8g %6.2f"):format(name, truth[name],
    (both.parameters[name] - truth[name]) / both.standard_errors[name]))
end
if options.chart ~= "" then both:chart(options.chart, "encoder in bare") end

local function numbers(name, fit)
  local out = { name = name }
  for _, column in ipairs { "reason", "message", "simulations", "cost", "deviation", "degrees_of_freedom", "parameters",
                            "standard_errors", "intervals", "lost", "weak", "warnings" } do
    out[column] = fit[column]
  end
  return out
end
results.write(options.json, {}, {}, { fits = { numbers("bare", alone), numbers("bare and weighed", both) },
                                      truth = truth })
