-- What m:export writes, mbs.read reads: the same motion from the declared state, and the same angles.
local mbs = require "perilune"
local m = require "exported_model" ()
local file = os.tmpname() .. ".xml"
m:export(file)
local copy = mbs.read { file, key = "start" }
os.remove(file)
local function motion(x)
  return x:simulate { t = 0.5, integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 } }
end
local one, other = motion(m), motion(copy)
local function check(signal)
  local x, y = one:at(signal, 0.5), other:at(signal, 0.5)
  -- Euler parameters of both signs are the same orientation.
  local difference = signal:find "%.e%d$" and math.min(math.abs(x - y), math.abs(x + y)) or math.abs(x - y)
  assert(difference < 1e-9, ("%s: %.17g, read again %.17g"):format(signal, x, y))
end
for _, body in ipairs { "a", "b", "d", "f", "g", "h", "k" } do
  for _, what in ipairs { "x", "y", "z", "e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z" } do
    check(body .. "." .. what)
  end
end
for _, signal in ipairs { "pivot.angle", "pivot.omega", "rail.displacement", "free.angle", "turned.angle", "moved.displacement" } do check(signal) end
assert(math.abs(one:at("turned.angle", 0)) > 0.3 and math.abs(one:at("moved.displacement", 0)) > 0.3)
