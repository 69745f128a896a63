-- Runs scripts/schaffer_slider_crank.lua as a user would, beside a program of its own for the same mechanism: the rod's
-- length gives the slider's way, and one equation of the crank's angle the motion, whose kinetic energy comes from
-- differences of positions. Its only numbers are those of the mechanism.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
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

local found, text = results_of '--t 1 --counts "2 16"'

-- Printed: section 6.1.1.
local counts = found.counts
assert(counts.coordinates == 28 and counts.constraints == 27 and counts.degrees_of_freedom == 1 and counts.joints == 4
       and counts.parameters == 16)
local without = found.without_ground.counts
assert(without.coordinates == 21 and without.constraints == 20 and without.degrees_of_freedom == 1)
assert(found.without_ground.difference < 1e-8, found.without_ground.difference)
for _, row in ipairs { "324.00", "2650.00", "243.49" } do assert(text:find(row, 1, true), row) end

-- All methods agree, of whatever kind.
local seen = {}
for _, cell in ipairs(found.cells) do
  assert(cell.difference < 1e-8 and cell.forward_runs > 0 and cell.threads >= 1, cell.method .. " " .. cell.difference)
  seen[cell.method] = (seen[cell.method] or 0) + 1
end
assert(seen["differences"] == 1)
for _, name in ipairs { "discrete direct", "discrete adjoint", "continuous direct", "continuous adjoint" } do
  assert(seen[name] == 2, name)
end
assert(seen["piecewise adjoint"] == 4 and seen["Maggi: adjoint over intervals"] == 2, "over intervals")  -- by 1 and 2 threads
assert(math.abs(found.quality.energy_error) < 1e-9 * found.quality.energy + 1e-9, "energy")
assert(found.quality.position_drift < 1e-13 and found.quality.velocity_drift < 1e-13, "drift")

-- Kinematics in closed form: the crank's centre is half a radius from its axis, the pin a whole one, and the slider on
-- the x axis at the rod's length from the pin.
local radius, length, axis = 0.15, 0.8, { y = 0.12, z = 0.2 }
local motion = found.motion
assert(#motion.times > 50)
for k = 1, #motion.times do
  local y, z = 2 * motion.y[k] - axis.y, 2 * motion.z[k] - axis.z
  near("the slider", motion.slider[k], math.sqrt(length ^ 2 - y ^ 2 - z ^ 2), 1e-12)
end

-- An independent motion, where the rod may spin by nothing: its cross has arms along y of the rod and z of the slider, so
-- that the rod's y axis is normal to z. Positions of all bodies by the crank's angle u from z; rates by differences.
local function rod_axes(y, z, x)
  local d = { x / length, -y / length, -z / length }
  local s = math.sqrt(d[1] ^ 2 + d[2] ^ 2)
  local b = { -d[2] / s, d[1] / s, 0 }
  local c = { d[2] * b[3] - d[3] * b[2], d[3] * b[1] - d[1] * b[3], d[1] * b[2] - d[2] * b[1] }
  return { d, b, c }
end
local function configuration(u)
  local y, z = axis.y - radius * math.sin(u), axis.z + radius * math.cos(u)
  local x = math.sqrt(length ^ 2 - y ^ 2 - z ^ 2)
  return { crank = { y = (axis.y + y) / 2, z = (axis.z + z) / 2 }, rod = { x / 2, y / 2, z / 2 }, x = x,
           axes = rod_axes(y, z, x) }
end
-- Derivative by u of the places and the rod's turning rate in its own axes, by differences of the fourth order.
local function rates(u)
  local h, weights = 1e-3, { [-2] = 1 / 12, [-1] = -8 / 12, [1] = 8 / 12, [2] = -1 / 12 }
  local here, place, turn, x = configuration(u), { 0, 0, 0 }, { 0, 0, 0 }, 0
  local moved = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  for k, weight in pairs(weights) do
    local there = configuration(u + k * h)
    for i = 1, 3 do
      place[i] = place[i] + weight * there.rod[i] / h
      for j = 1, 3 do moved[i][j] = moved[i][j] + weight * there.axes[i][j] / h end
    end
    x = x + weight * there.x / h
  end
  local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
  local a = here.axes
  turn = { dot(moved[2], a[3]), dot(moved[3], a[1]), dot(moved[1], a[2]) }
  return here, place, turn, x
end
local function mass_and_height(u)
  local here, place, turn, x = rates(u)
  local J = { { 0.03, 0.004, -0.003 }, { 0.004, 0.22, 0.005 }, { -0.003, 0.005, 0.21 } }
  local rod = 0
  for i = 1, 3 do
    rod = rod + 4 * place[i] ^ 2
    for j = 1, 3 do rod = rod + turn[i] * J[i][j] * turn[j] end
  end
  local crank = 0.1 + 2 * (radius / 2) ^ 2
  local height = 9.81 * (2 * here.crank.z + 4 * here.rod[3])
  -- q'q of all bodies: places, and 1 of each for the Euler parameters; qdot'qdot by the square of the rate of u.
  local q = here.crank.y ^ 2 + here.crank.z ^ 2 + here.x ^ 2 + 4
  for i = 1, 3 do q = q + here.rod[i] ^ 2 end
  local v = (radius / 2) ^ 2 + x ^ 2 + 1 / 4
  for i = 1, 3 do v = v + place[i] ^ 2 + turn[i] ^ 2 / 4 end
  return crank + rod + 3 * x ^ 2, height, q, v
end
-- Energy gives the rate of u; u itself by Runge-Kutta. The crank never stops, as it is thrown fast enough.
local start = math.rad(30)
local mass0, height0 = mass_and_height(start)
local energy = mass0 * 4 ^ 2 / 2 + height0
local function rate(u)
  local mass, height, q, v = mass_and_height(u)
  local square = 2 * (energy - height) / mass
  return math.sqrt(square), q + v * square
end
local u, cost, step = start, 0, 1 / 400
for _ = 1, 400 do
  local k1, c1 = rate(u)
  local k2, c2 = rate(u + step / 2 * k1)
  local k3, c3 = rate(u + step / 2 * k2)
  local k4, c4 = rate(u + step * k3)
  u, cost = u + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4), cost + step / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
end
local last = #motion.times
near("the crank at the end", motion.y[last], axis.y - radius / 2 * math.sin(u), 1e-7)
near("the cost", found.objective / cost, 1, 1e-7)
