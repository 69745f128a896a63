-- What m:export writes, mbs.read reads: the same motion from the declared state, and the same angles.
local mbs = require "perilune"
local m = mbs.model { "rt", gravity = {0.3, 0, -9.81} }
local a = m:body { "a", mass = 1, inertia = {0.1, 0.12, 0.05, 0.01,0.002,0.003}, at = {1, 0, 0}, center_of_mass={0.1,0.2,0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:revolute { "pivot", a, m.ground, at = {0, 0, 0}, axis = "y" }
local b = m:body { "b", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 1, 0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:spherical { "ball", a, b, at = {1, 0.5, 0} }
local d = m:body { "d", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 2, 0}, velocity={0,0,-0.7}, angular_velocity={0,0.7,0} }
m:translational { "rail", b, d, at = {1, 1.5, 0}, axis = {0.3,1,0.2} }
local w = m:body { "w", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {1, 2, 1}, velocity={0.7,0,-0.7}, angular_velocity={0,0.7,0} }
m:weld { "w1", d, w, at={1,2,0} }
local f = m:body { "f", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {5, 2, 1}, orientation={1,0.2,0.3,0.4}, velocity={1,2,3}, angular_velocity={1,2,3} }
local g = m:body { "g", mass = 2, inertia = {0.1, 0.12, 0.05}, at = {5, 2, 1}, orientation={1,0.2,0.3,0.4}, velocity={1,2,3}, angular_velocity={1,2,3} }
m:revolute { "fg", f, g, at={5,2,1}, axis={1,1,0} }
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
for _, body in ipairs { "a", "b", "d", "f", "g" } do
  for _, what in ipairs { "x", "y", "z", "e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z" } do
    check(body .. "." .. what)
  end
end
for _, signal in ipairs { "pivot.angle", "pivot.omega", "rail.displacement", "fg.angle" } do check(signal) end
