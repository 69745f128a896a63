-- Do the intervals of a fit hold what they promise? A three-link arm with friction in its joints is moved by known
-- motor torques, its joint angles are measured with 1 % noise, and ten parameters are fitted, again and again with
-- fresh noise: the true values should lie within the printed 95 % intervals 95 times out of 100.
--
--   perilune fit_three_links.lua [--seeds 5] [--json file]
--
-- Differences would take eleven simulations for each Jacobian; what the fit takes with exact derivatives is printed
-- beside it.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { seeds = 5, json = "" }

local length, centre = { 0.5, 0.4, 0.3 }, { 0.25, 0.2, 0.15 }  -- m, of the links, and from their joint to their centre
local names = { "m1", "m2", "m3", "J3", "viscous1", "viscous2", "viscous3", "dry1", "dry2", "dry3" }
local truth = { m1 = 3, m2 = 2, m3 = 1, J3 = 0.012, viscous1 = 0.8, viscous2 = 0.4, viscous3 = 0.15, dry1 = 0.6,
                dry2 = 0.4, dry3 = 0.2 }
local guess = { m1 = 2.5, m2 = 2.3, m3 = 1.2, J3 = 0.01, viscous1 = 0.6, viscous2 = 0.3, viscous3 = 0.2, dry1 = 0.4,
                dry2 = 0.3, dry3 = 0.3 }  -- from further away a search may end at a minimum that is none of the arm's
local mean, swing, speed, phase = { 18, 4, 0.5 }, { 9, 3, 1.2 }, { 3, 5, 7 }, { 0, 1, 2 }  -- of the motors' torques
local units = { m = "kg", J = "kg m^2", v = "N m s/rad", d = "N m" }

local function arm(values)
  local m = mbs.model { "arm", gravity = { 0, -9.81 } }
  local p, over = {}, {}
  for _, name in ipairs(names) do
    p[name] = m:param { name, values[name], unit = units[name:sub(1, 1)], min = guess[name] / 10,
                        max = 10 * guess[name] }
    over[#over + 1] = p[name]
  end
  local links, signals, x = {}, {}, 0
  for i = 1, 3 do
    local inertia = i == 3 and p.J3 or p["m" .. i] * length[i]^2 / 12  -- slender, but for the tool on the last one
    links[i] = m:body { "link" .. i, at = { x + centre[i], 0 }, mass = p["m" .. i], inertia = inertia }
    local before = links[i - 1]
    local joint = m:revolute { "joint" .. i, before or m.ground, links[i], at = { x, 0 } }
    x = x + length[i]
    local viscous, dry = p["viscous" .. i], p["dry" .. i]
    m:torque { "motor" .. i, on = links[i], reaction_on = before, law = function(s)
      local rate = before and links[i].omega(s) - before.omega(s) or links[i].omega(s)
      return mean[i] + swing[i] * math.sin(speed[i] * s.t + phase[i]) - viscous * rate - dry * mbs.tanh(rate / 0.1)
    end }
    signals[i] = { "angle" .. i, joint.angle }
  end
  return m, over, signals
end

-- A normal deviate, by G. E. P. Box and M. E. Muller.
local function normal() return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random()) end

local exact = { t = {} }
for k = 1, 100 do exact.t[k] = 0.03 * k end
local m, over, signals = arm(truth)
local run = m:simulate { t = 3 }
local deviation = {}
for _, signal in ipairs(signals) do
  local y = run:values(signal[2], exact.t)
  exact[signal[1]] = y
  deviation[signal[1]] = 0.01 * (math.max(table.unpack(y)) - math.min(table.unpack(y)))  -- 1 % of the range
end

local function noisy(seed)
  math.randomseed(seed)
  local data = { t = exact.t }
  for _, signal in ipairs(signals) do
    local y = {}
    for k, value in ipairs(exact[signal[1]]) do y[k] = value + deviation[signal[1]] * normal() end
    data[signal[1]] = y
  end
  return data
end

m, over, signals = arm(guess)
local inside, simulations, jacobians, undetermined, unfinished, squares = {}, 0, 0, 0, 0, {}
for _, name in ipairs(names) do inside[name], squares[name] = 0, 0 end
for seed = 1, options.seeds do
  for k, name in ipairs(names) do over[k].value = guess[name] end
  local fit = m:fit { data = noisy(seed), signals = signals, over = over }
  if seed == 1 then print(fit) end
  simulations = simulations + fit.simulations
  jacobians = jacobians + fit.differentiated
  if #fit.lost + #fit.weak > 0 then undetermined = undetermined + 1 end
  if fit.reason == "evaluation_limit" or fit.reason == "stalled" then unfinished = unfinished + 1 end
  for _, name in ipairs(names) do
    local low, high = table.unpack(fit.intervals[name])
    if low <= truth[name] and truth[name] <= high then inside[name] = inside[name] + 1 end
    squares[name] = squares[name] + ((fit.parameters[name] - truth[name]) / fit.standard_errors[name])^2
  end
end

print(("\nin how many of %d fits the 95 %% interval has the true value; rms of the errors in standard errors:"):format(
  options.seeds))
local total, errors = 0, {}
for _, name in ipairs(names) do
  total, errors[name] = total + inside[name], (squares[name] / options.seeds)^0.5
  print(("  %-9s %4d  %6.3f"):format(name, inside[name], errors[name]))
end
local coverage = 100 * total / (#names * options.seeds)
local by_differences = simulations - jacobians + (1 + #names) * jacobians
print(("all of them: %.1f %%; %d fits with parameters that the data do not tell, %d unfinished"):format(
  coverage, undetermined, unfinished))
print(("simulations per fit: %.1f, of these with derivatives %.1f; with differences %.1f"):format(
  simulations / options.seeds, jacobians / options.seeds, by_differences / options.seeds))
results.write(options.json, {}, {}, { coverage = {
  seeds = options.seeds, inside = inside, errors = errors, percent = coverage,
  simulations = simulations / options.seeds, by_differences = by_differences / options.seeds,
  undetermined = undetermined, unfinished = unfinished } })
