-- Runs scripts/schaffer_hmmwv.lua as a user would, and tries its vehicle beside what statics says of it: loads of tires by
-- levers, forces of struts by virtual work on arms of which the test finds the positions itself, and gradients by
-- differences of another form.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local mbs = require "perilune"
local hmmwv = require "perilune.hmmwv"
local function results_of(call)
  local file = os.tmpname()
  local pipe = assert(io.popen(("%q %q %s --json %q"):format(program, script, call, file)))
  local text = pipe:read "a"
  assert(pipe:close(), "the script failed: " .. text)
  local stream = assert(io.open(file))
  local found = json.decode(stream:read "a")
  stream:close()
  os.remove(file)
  return found, text
end
local function near(what, value, expected, tolerance)
  if not (math.abs(value - expected) <= tolerance) then
    error(("%s is %.12g, expected %.12g within %g"):format(what, value, expected, tolerance), 2)
  end
end

local found, text = results_of '--t 0.05 --counts "1 16"'
-- Printed: section 6.1.2.
local counts = found.counts
assert(counts.coordinates == 91 and counts.constraints == 81 and counts.degrees_of_freedom == 10 and counts.joints == 20
       and counts.parameters == 16)
for _, printed in ipairs { "146.00", "2435.00", "69346.00" } do assert(text:find(printed, 1, true), printed) end
-- Over so short a time the gradient is less than a ten-thousandth of the cost, so that differences have fewer digits.
local seen = {}
for _, cell in ipairs(found.cells) do
  assert(cell.difference < 1e-6 and cell.forward_runs > 0 and cell.threads >= 1, cell.method .. " " .. cell.difference)
  seen[cell.method] = (seen[cell.method] or 0) + 1
end
for _, name in ipairs { "discrete direct", "discrete adjoint", "continuous direct", "continuous adjoint" } do
  assert(seen[name] == 2, name)
end
assert(seen["piecewise adjoint"] == 4, "piecewise adjoint")  -- by one thread and by two
local value = {}
for _, row in ipairs(found.gradient) do value[row.method] = row.value end
local function apart(a, b)
  local difference, size = 0, 0
  for k = 1, 16 do
    difference, size = difference + math.abs(value[a][k] - value[b][k]), size + math.abs(value[b][k])
  end
  return difference / size
end
near("discrete methods apart", apart("discrete direct", "discrete adjoint"), 0, 1e-10)
near("continuous methods apart", apart("continuous direct", "continuous adjoint"), 0, 1e-7)
assert(math.abs(found.quality.energy_error) < 1e-7 * found.quality.energy, "energy")
assert(found.quality.position_drift < 1e-13 and found.quality.velocity_drift < 1e-13, "drift")
assert(found.tires.least > 0, "a tire lifts off")

-- Over the whole 2 s all methods agree within 1e-8. With the tolerance of the script, by fewer parameters, which take less
-- than a minute.
local long = results_of "--counts 4"
assert(#long.gradient == 7 and #long.cells == 7)
for i, row in ipairs(long.gradient) do
  assert(#row.value == 4)
  for k = 1, i - 1 do
    local difference, size = 0, 0
    for j, value in ipairs(long.gradient[k].value) do
      difference, size = difference + math.abs(row.value[j] - value), size + math.abs(value)
    end
    near(row.method .. " beside " .. long.gradient[k].method, difference / size, 0, 1e-8)
  end
end

-- What is wrong with the columns is said.
local pipe = assert(io.popen(("%q %q --counts '4 2' 2>&1"):format(program, script)))
assert(pipe:read "a":find('ascending numbers from 1 to 16, such as "1 4 16", got "4 2"', 1, true))
pipe:close()

-- Statics of another vehicle, so that no number is the script's: the loads of the axles by the lever of the other one, all
-- loads by the weight, and a strut by virtual work: the wheel's load less its weight lifts the ball of the lower arm.
local data = hmmwv.data()
data.chassis.mass, data.chassis.at[1], data.wheel.mass = 2000, 0.4, 70
local car = hmmwv.build { velocity = { 0, 0, -0.2 }, data = data }
local m = car.model
local mobility = m:mobility {}
assert(mobility.degrees_of_freedom == 10 and mobility.rank == 81 and #mobility.redundant == 0
       and mobility.singular_freedoms == 0)
assert(m:check_elements(5).worst < 1e-9)
local rest = m:equilibrium {}
local corner_weight, weight = 9.81 * (12 + 6 + 70), 9.81 * 2000
local sum = 0
for _, corner in ipairs(car.corners) do
  local forwards = corner.name:sub(1, 1) == "F" and 1 or -1
  local load = rest:at(corner.tire.fz)
  -- The weight moves forwards as the vehicle pitches about its tires: by less than a thousandth of the wheelbase.
  near("load of " .. corner.name, load / (corner_weight + weight * (1 + forwards * 0.8 / 3.3) / 4), 1, 2e-3)
  sum = sum + load
end
near("all loads", sum / (weight + 4 * corner_weight), 1, 1e-10)

-- The printed stiffness and damping of the tires, on the way down, and those of a strut whose arm the chassis leaves behind.
local start = m:simulate { t = 1e-4, integrator = mbs.bdf {} }
for _, corner in ipairs(car.corners) do
  near("tire on the way down", start:at(corner.tire.fz, 0), 296325 * (0.495 - 0.47) + 3502 * 0.2, 1e-8)
  near("strut as declared", start:at(corner.strut.force, 0), -2e7 * 5.4e-4, 1e-5)
  local later = 1e-4
  near("strut, later", start:at(corner.strut.force, later),
       2e7 * (start:at(corner.strut.length, later) - start:at(corner.strut.length, 0) - 5.4e-4)
       + 2e6 * start:at(corner.strut.rate, later), 1e-3)
end

-- The plane of an axle as a four-bar of hinges and balls: how far the wheel, the arms and the strut's foot go when the
-- lower arm turns, by differences of positions that the test finds itself.
local function four_bar(turn)
  local lower, upper, wheel = data.lower_arm, data.upper_arm, data.wheel
  local function turned(from, to, angle)
    local y, z = to[1] - from[1], to[2] - from[2]
    return { from[1] + y * math.cos(angle) - z * math.sin(angle), from[2] + y * math.sin(angle) + z * math.cos(angle) }
  end
  local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) end
  local ball = turned(lower.hinge, lower.ball, turn)
  local other = turn  -- of the upper arm, by Newton's method: the balls keep their distance
  for _ = 1, 30 do
    local function off(angle) return distance(ball, turned(upper.hinge, upper.ball, angle))
                                     - distance(lower.ball, upper.ball) end
    other = other - off(other) * 2e-6 / (off(other + 1e-6) - off(other - 1e-6))
  end
  local top = turned(upper.hinge, upper.ball, other)
  local camber = math.atan(top[2] - ball[2], top[1] - ball[1])
                 - math.atan(upper.ball[2] - lower.ball[2], upper.ball[1] - lower.ball[1])
  local function middle(arm, angle)
    return turned(arm.hinge, { (arm.hinge[1] + arm.ball[1]) / 2, (arm.hinge[2] + arm.ball[2]) / 2 }, angle)[2]
  end
  local hub = turned(lower.ball, { wheel.y, wheel.z }, camber)
  return { wheel = hub[2] + ball[2] - lower.ball[2], lower = middle(lower, turn), upper = middle(upper, other),
           strut = distance(data.strut.chassis, turned(lower.hinge, data.strut.arm, turn)) }
end
local up, down = four_bar(1e-4), four_bar(-1e-4)
local function way(name) return up[name] - down[name] end
for _, corner in ipairs(car.corners) do
  local work = (rest:at(corner.tire.fz) - 9.81 * 70) * way "wheel" - 9.81 * (12 * way "lower" + 6 * way "upper")
  near("strut of " .. corner.name, rest:at(corner.strut.force) / (work / way "strut"), 1, 1e-2)
end

-- From the equilibrium that the parameters have, discrete methods beside extrapolated differences, by both kinds of masses.
local tall = m:objective { "tall", integral = 100 * (car.chassis.body.z - 0.8) ^ 2 + car.RL.wheel.body.vz ^ 2 }
local fields = { tall, over = { car.parameters[1], car.parameters[3] }, t = 0.3, at_rest = true,
                 formulation = mbs.index1 { project = true },
                 integrator = mbs.bdf { relative_tolerance = 1e-9, absolute_tolerance = 1e-11 } }
local function gradient(method)
  fields.method = method
  return m:gradient(fields).gradient
end
local adjoint, direct = gradient(mbs.adjoint {}), gradient(mbs.direct {})
local differences = gradient(mbs.finite_difference { step = 1e-2, richardson = 1 })
for k = 1, 2 do
  near("direct, " .. k, direct[k] / adjoint[k], 1, 1e-9)
  near("differences, " .. k, differences[k] / adjoint[k], 1, 1e-5)
end

-- What is wrong with the vehicle's data is said at the caller's line.
local function refused(options, ...)
  local ok, message = pcall(function() hmmwv.build(options) end)
  assert(not ok)
  for _, part in ipairs { "schaffer_hmmwv_script", ... } do assert(message:find(part, 1, true), message) end
end
refused({ speed = 5 }, "no option 'speed'", "velocity")
refused({ velocity = { 1, 2 } }, "velocity[3] must be a finite number")
local wrong = hmmwv.data()
wrong.strut.damping = -1
refused({ data = wrong }, "data.strut.damping must not be negative")
wrong = hmmwv.data()
wrong.chassis.weight = 1
refused({ data = wrong }, "data.chassis has a field 'weight'")
wrong = hmmwv.data()
wrong.lower_arm.mass = -1
refused({ data = wrong }, "RLLCA")
