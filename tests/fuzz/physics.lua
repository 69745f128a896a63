-- Random mechanisms against balances that hold whatever they are: energy, momentum, another formulation, the motion
-- backwards. A difference beyond the tolerance fails unless the run warned or was refused with a sentence.
--   perilune tests/fuzz/physics.lua --seed 7 --count 200           the settings that tests use
--   perilune tests/fuzz/physics.lua --all 1                        every formulation and integrator that is offered
--   perilune tests/fuzz/physics.lua --seed 7 --first 31 --count 1  mechanism 31 of seed 7 once more
--   perilune tests/fuzz/physics.lua --seconds 120                  until the time is up: a fresh seed may be a slow one
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local mbs = require "perilune"
local random = require "mechanisms_at_random"

local options = mbs.options { seed = 0, first = 1, count = 100, all = 0, time = 1, verbose = 0, seconds = 0 }
if options.seed == 0 then options.seed = math.random(1, 2^31 - 1) end
print("seed " .. options.seed)
io.stdout:flush()  -- said even where the run is cut off

-- Of the energies of the motion; and of how far a start that differs by as much would move its end: some motions are
-- sensitive to that.
local energy_tolerance, place_tolerance = 1e-4, 1e-4

local settings = {
  { "maggi, dormand_prince", mbs.maggi {}, mbs.dormand_prince {} },
  { "augmented_lagrangian, radau", mbs.augmented_lagrangian {}, mbs.radau {} },
}
if options.all ~= 0 then
  local formulations = {
    { "penalty", mbs.penalty {} }, { "index1", mbs.index1 {} }, { "index3", mbs.index3 {} },
    { "augmented_lagrangian", mbs.augmented_lagrangian {} }, { "stabilized_index1", mbs.stabilized_index1 {} },
    { "augmented_lagrangian 3", mbs.augmented_lagrangian { index = 3 } },
    { "maggi", mbs.maggi {} }, { "coordinate_partitioning", mbs.coordinate_partitioning {} },
  }
  local integrators = { { "dormand_prince", mbs.dormand_prince {} }, { "radau", mbs.radau {} }, { "bdf", mbs.bdf {} },
                        { "rosenbrock", mbs.rosenbrock {} }, { "variational", mbs.variational { step = 1e-4 } } }
  settings = { { "defaults" } }
  for _, f in ipairs(formulations) do
    for _, i in ipairs(integrators) do
      settings[#settings + 1] = { f[1] .. ", " .. i[1], f[2], i[2] }
    end
  end
end

local tally = {}  -- by setting: runs, warned, refused, failed
local failures = 0

local function count(setting, what)
  local row = tally[setting[1]] or { runs = 0, warned = 0, refused = 0, unsupported = 0, failed = 0 }
  tally[setting[1]] = row
  row[what] = row[what] + 1
end

local function fail(number, mechanism, setting, what)
  failures = failures + 1
  count(setting, "failed")
  print(("FAILED --seed %d --first %d --count 1 (%s; %s): %s"):format(options.seed, number, setting[1], mechanism.text,
                                                                     what))
end

-- A start that assembly changed is a warning too, but not about what is computed from it.
local function is_doubted(run)
  for _, warning in ipairs(run.warnings) do
    if not warning:find "^assembly " then return warning end
  end
end

-- The run and its objective, or nil where it was refused, with the message.
local function simulate(mechanism, state, setting, tighter, time)
  local m, work = mechanism:build(state)
  local integrator = setting[3]
  if tighter then integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } end
  local ok, run = pcall(m.simulate, m, { t = time or options.time, formulation = setting[2], integrator = integrator,
                                         objectives = { work } })
  if not ok then return nil, run end
  return run, run.objectives.work
end

-- What energy has to be compared with: the most kinetic energy and the range of the potential one.
local function scale_of_energy(run)
  local most, low, high = 0, math.huge, -math.huge
  for _, kinetic in ipairs(run:values "energy.kinetic") do most = math.max(most, kinetic) end
  for _, potential in ipairs(run:values "energy.potential") do
    low, high = math.min(low, potential), math.max(high, potential)
  end
  return most + high - low + 1e-9
end

-- Both motions of the mechanism, as one number: the largest distance between places of a part.
local function distance(mechanism, a, time_a, b, time_b)
  local first, second, largest = mechanism:state_of(a, time_a, 1), mechanism:state_of(b, time_b, 1), 0
  for _, name in ipairs(mechanism.parts) do
    for i, x in ipairs(first[name].at) do largest = math.max(largest, math.abs(x - second[name].at[i])) end
  end
  return largest
end

-- Velocities of the start changed by as much as the tolerance says: all alike, or by each one's own share. A motion may
-- hardly notice the one and be thrown far by the other.
local function nearby_start(mechanism, direction, start)
  local nearby, count = {}, 0
  for _, name in ipairs(mechanism.parts) do
    local pose = start[name]
    nearby[name] = setmetatable({ velocity = {}, at = {} }, { __index = pose })
    for i, v in ipairs(pose.velocity) do
      count = count + 1
      nearby[name].velocity[i] = v * (1 + place_tolerance * math.cos(1.7 * direction * count))
      nearby[name].at[i] = pose.at[i]
    end
  end
  return nearby
end

-- How far a state on the way that differs by as much would move the end: a chain that comes by a straight line on its
-- way is sensitive there, whatever it is at its start. Costs many runs.
local function sensitivity_on_the_way(mechanism, run)
  if mechanism.is_driven then return 0 end  -- its drivers would begin anew
  local setting, farthest = { "reference", mbs.maggi {} }, 0
  for part = 1, 7 do
    local t = options.time * part / 8
    local state = mechanism:state_of(run, t, 1)
    for direction = 0, 2 do
      local other = simulate(mechanism, nearby_start(mechanism, direction, state), setting, true, options.time - t)
      if other then farthest = math.max(farthest, distance(mechanism, run, options.time, other, options.time - t)) end
    end
  end
  return farthest
end

-- How far the ends of two runs may be apart, and what tells which of them is wrong.
local function allowed_distance(mechanism)
  local setting = { "reference", mbs.maggi {} }
  local run, farthest = simulate(mechanism, mechanism:start(), setting, true), 0
  if not run or is_doubted(run) then return math.huge, {} end
  for direction = 0, 2 do
    local other = simulate(mechanism, nearby_start(mechanism, direction, mechanism:start()), setting, true)
    if not other then return math.huge, {} end
    farthest = math.max(farthest, distance(mechanism, run, options.time, other, options.time))
  end
  return place_tolerance + farthest, { run = run }
end

local function check(number)
  local mechanism = random.mechanism(options.seed * 100003 + number)
  if options.verbose ~= 0 then print(number, mechanism.text) end
  local good = {}
  for _, setting in ipairs(settings) do
    local run, work = simulate(mechanism, mechanism:start(), setting)
    if not run then
      local unsupported = work:find ", not [%w_]+"  -- "index3 needs radau or bdf, not rk4"
      count(setting, unsupported and "unsupported" or "refused")
      if options.verbose ~= 0 then print("", setting[1], work) end
      if not work:find ":%d+: " then fail(number, mechanism, setting, "no line: " .. work) end
    elseif is_doubted(run) then
      count(setting, "warned")
      if options.verbose ~= 0 then print("", setting[1], is_doubted(run)) end
    else
      count(setting, "runs")
      local scale = scale_of_energy(run)
      local change = run:at("energy.total", run.t) - run:at("energy.total", 0) - work
      if not (math.abs(change) <= energy_tolerance * scale) then
        fail(number, mechanism, setting, ("energy changes by %.3g J of %.3g J"):format(change, scale))
      else
        good[#good + 1] = { setting, run }
      end
      if mechanism.is_free then
        local before, after = mechanism:momentum(run, 0), mechanism:momentum(run, run.t)
        for i, p in ipairs(before) do
          if not (math.abs(after[i] - p) <= energy_tolerance * (1 + math.sqrt(scale))) then
            fail(number, mechanism, setting, ("momentum %d changes from %.9g to %.9g"):format(i, p, after[i]))
          end
        end
      end
    end
  end
  if #good == 0 then return end
  -- Two formulations or integrators end at the same place, that of a tolerance of 1e-10.
  local allowed, reference = allowed_distance(mechanism)
  local first = good[1][2]
  for i = 2, #good do
    if not (distance(mechanism, first, options.time, good[i][2], options.time) <= allowed) then reference.needed = true end
  end
  for _, each in ipairs(reference.needed and good or {}) do
    local off = distance(mechanism, each[2], options.time, reference.run, options.time)
    if not (off <= allowed) then allowed = allowed + sensitivity_on_the_way(mechanism, reference.run) end
    if not (off <= allowed) then
      fail(number, mechanism, each[1], ("ends %.3g m from where a tolerance of 1e-10 does (allowed: %.2g)"):format(off, allowed))
    end
  end
  -- The motion backwards ends where it began.
  if mechanism.is_damped or mechanism.is_driven then return end
  local setting, run = table.unpack(good[1 + number % #good])
  local back = simulate(mechanism, mechanism:state_of(run, run.t, -1), setting)
  if back and not is_doubted(back) then
    local off = distance(mechanism, run, 0, back, options.time)
    if not (off <= 2 * allowed) then
      fail(number, mechanism, setting, ("backwards it ends %.3g m from its start (allowed: %.2g)"):format(off, 2 * allowed))
    end
  end
end

local number, last = options.first - 1, options.first + options.count - 1
local function is_time_up() return options.seconds > 0 and os.clock() > options.seconds end
while number < last and not is_time_up() do
  number = number + 1
  check(number)
end
local names = {}
for name in pairs(tally) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do
  local row = tally[name]
  print(("%-40s %5d runs, %4d warned, %4d refused, %4d unsupported, %4d failed"):format(
    name, row.runs, row.warned, row.refused, row.unsupported, row.failed))
end
print(("seed %d, mechanisms %d to %d: %d failures"):format(options.seed, options.first, number, failures))
os.exit(failures == 0)
