-- Runs scripts/minimum_time.lua as a user would: the cart by its formula, the crane by equations of motion of our own,
-- and what another distance costs as the multipliers say.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()

local function run(distance)
  local pipe = assert(io.popen(("%q %q --distance %.12g --json %q"):format(program, script, distance, file)))
  local text = pipe:read "a"
  assert(pipe:close(), "the script failed: " .. text)
  local stream = assert(io.open(file))
  local found = {}
  for _, one in ipairs(json.decode(stream:read "a").optimizations) do found[one.name] = one end
  stream:close()
  return found
end

local function near(what, value, expected, tolerance)
  assert(math.abs(value - expected) <= tolerance, ("%s is %.12g, expected %.12g"):format(what, value, expected))
end

local mass, load, rope, force, g = 2, 0.5, 1, 4, 9.81
local function formula(distance) return 2 * math.sqrt(distance * mass / force) end

local at = run(2)
near("the cart's time", at.cart.final, formula(2), 1e-8)
near("what a metre more costs the cart", -at.cart.multiplier, math.sqrt(mass / (force * 2)), 1e-6)

-- Lagrange's equations of cart and load: x, angle of the rope, and their rates, by Runge and Kutta's method.
local function rates(y, push)
  local s, c = math.sin(y[2]), math.cos(y[2])
  local ax = (push + load * s * (rope * y[4]^2 + g * c)) / (mass + load * s^2)
  return { y[3], y[4], ax, -(ax * c + g * s) / rope }
end
local function moved(y, by, h)
  local out = {}
  for k = 1, 4 do out[k] = y[k] + h * by[k] end
  return out
end
local y = { 0, 0, 0, 0 }
for k = 1, 4 do
  local push, steps = k % 2 == 1 and force or -force, 400
  local h = at.crane.parameters["push" .. k] / steps
  for _ = 1, steps do
    local k1 = rates(y, push)
    local k2 = rates(moved(y, k1, h / 2), push)
    local k3 = rates(moved(y, k2, h / 2), push)
    local k4 = rates(moved(y, k3, h), push)
    for i = 1, 4 do y[i] = y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
  end
end
for i, wanted in ipairs { 2, 0, 0, 0 } do near("state " .. i .. " at the end", y[i], wanted, 1e-7) end
local pushes = at.crane.parameters
near("the pushes in all", pushes.push1 + pushes.push2 + pushes.push3 + pushes.push4, at.crane.final, 1e-9)

local longer = run(2.01)
near("what a centimetre more costs the crane", longer.crane.final - at.crane.final,
  -(at.crane.multiplier + longer.crane.multiplier) / 2 * 0.01, 1e-7)
os.remove(file)
