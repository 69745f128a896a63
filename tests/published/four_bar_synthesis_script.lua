-- Runs scripts/four_bar_synthesis.lua as a user would: the known lengths come back, the optimum under a limit keeps it
-- and is one, by formulas of our own; and a tenth of a degree more costs what the multiplier says.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()

local function run(angle)
  local pipe = assert(io.popen(("%q %q --angle %g --json %q"):format(program, script, angle, file)))
  local text = pipe:read "a"
  assert(pipe:close(), "the script failed: " .. text)
  local stream = assert(io.open(file))
  local found = json.decode(stream:read "a").optimizations
  stream:close()
  return found
end

local function near(what, value, expected, tolerance)
  assert(math.abs(value - expected) <= tolerance, ("%s is %.12g, expected %.12g"):format(what, value, expected))
end

-- The square of the distance between the paths of two mechanisms, by the midpoint rule around the crank.
local known = { a = 1, b = 2.2, c = 2, d = 2.5, p = 1.1, q = 0.6 }
local function point(k, angle)
  local b = { k.a * math.cos(angle), k.a * math.sin(angle) }
  local far = math.sqrt((k.d - b[1])^2 + b[2]^2)
  local direction = math.atan(-b[2], k.d - b[1]) + math.acos((k.b^2 + far^2 - k.c^2) / (2 * k.b * far))
  local c, s = math.cos(direction), math.sin(direction)
  return b[1] + k.p * c - k.q * s, b[2] + k.p * s + k.q * c
end
local function path(k)
  local sum, n = 0, 720
  for i = 1, n do
    local angle = 2 * math.pi * (i - 0.5) / n
    local x, y = point(k, angle)
    local wanted_x, wanted_y = point(known, angle)
    sum = sum + ((x - wanted_x)^2 + (y - wanted_y)^2) / n
  end
  return sum
end
local function folded(k) return (k.b^2 + k.c^2 - (k.d - k.a)^2) / (2 * k.b * k.c) end

local at = run(45)
for name, value in pairs(known) do near(name, at[1].parameters[name], value, 1e-7) end
assert(at[1].final < 1e-15 and at[1].evaluations < 60)

local best = at[2].parameters
near("the path's error", path(best), at[2].final, 1e-8)
near("the transmission angle", math.deg(math.acos(folded(best))), 45, 1e-6)
-- First-order conditions with the script's multiplier, by differences of the formulas above.
for name in pairs(known) do
  local function lagrangian(step)
    local k = {}
    for n, value in pairs(best) do k[n] = value end
    k[name] = k[name] + step
    return path(k) + at[2].multiplier * folded(k)
  end
  near("the Lagrangian's slope by " .. name, (lagrangian(1e-5) - lagrangian(-1e-5)) / 2e-5, 0, 2e-7)
end
local later = run(45.1)[2]
local change = math.cos(math.rad(45.1)) - math.cos(math.rad(45))
near("the cost of a tenth of a degree", later.final - at[2].final, -(at[2].multiplier + later.multiplier) / 2 * change,
  1e-4 * (later.final - at[2].final))
os.remove(file)
