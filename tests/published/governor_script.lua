-- Runs scripts/governor.lua as a user would: what stands in its columns "printed" and "reference" must come out to its
-- last digit; the free length and the speeds that it finds must be those of a balance of energies, without any model of
-- bodies and joints.
local governor = require "flyball_governor"
local script = arg[1]
local program = arg[-1]
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --json %q"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local function near(what, value, expected, tolerance)
  if not (math.abs(value - expected) <= tolerance) then
    error(("%s is %.12g, expected %.12g within %g\n%s"):format(what, value, expected, tolerance, text))
  end
end

local compared, tables = 0, text:match "^(.-)\n3%. Motion"
for name, got, expected in tables:gmatch "\n([^\n]-) +(%-?%d[%d.]*) +(%-?%d[%d.]*)%f[\n]" do
  near(name, tonumber(got), tonumber(expected), 0.01 * 10 ^ -#(expected:match "%.(%d+)" or ""))
  compared = compared + 1
end
assert(compared == 9 + 9, compared .. " numbers\n" .. text)

-- At a steady speed w the spring carries dV/dz - w^2 / 2 dI/dz: potential energy and moment of inertia about the axis
-- of what the collar moves, over its height z.
local d = governor.data
local function energies(design, z)
  local top, bottom, overhang, offset, radius, height, flyweight = table.unpack(design)
  local inner, dx, dz = (1 - overhang) * top, radius - offset, height - z
  local distance = math.sqrt(dx * dx + dz * dz)
  local angle = math.atan(dx, dz) + math.acos((inner ^ 2 + distance ^ 2 - bottom ^ 2) / (2 * inner * distance))
  local function arm(s) return offset + s * math.sin(angle), height - s * math.cos(angle) end
  local V, I = d.collar * d.gravity * z, 0
  local function rod(length, x0, z0, x1, z1)
    local mass = d.line * length
    V, I = V + 2 * mass * d.gravity * (z0 + z1) / 2, I + 2 * mass * (x0 * x0 + x0 * x1 + x1 * x1) / 3
  end
  local x, tip = arm(top)
  local elbow_x, elbow_z = arm(inner)
  rod(top, offset, height, x, tip)
  rod(bottom, radius, z, elbow_x, elbow_z)
  return V + 2 * flyweight * d.gravity * tip, I + 2 * flyweight * x * x
end
local function slopes(design)
  local h = 1e-5
  local V1, I1 = energies(design, d.height + h)
  local V0, I0 = energies(design, d.height - h)
  return (V1 - V0) / (2 * h), (I1 - I0) / (2 * h)
end
local V, I = slopes(governor.optimum)
local free_length = d.height + (V - d.target ^ 2 / 2 * I) / d.stiffness
near("free length", tonumber(text:match "free length of the spring: ([%d.]+)"), free_length, 1e-6)
V, I = slopes(governor.initial)
local speed = math.sqrt(2 * (V - d.stiffness * (free_length - d.height)) / I)
local checked = 0
for design, value, z in text:gmatch
    "\n(%a[%a ]-) +from +[%d.]+ rad/s: psi +[%d.]+, after 1 s +([%d.]+) rad/s and the collar at ([%d.]+) m" do
  near(design, tonumber(value), design == "initial" and speed or d.target, 1e-3)
  near("height, " .. design, tonumber(z), d.height, 2e-6)
  checked = checked + 1
end
assert(checked == 4, text)

local stream = assert(io.open(file))
local written = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua").decode(stream:read "a")
stream:close()
os.remove(file)
assert(written.counts.total == 992 and written.counts.sensitivities == 868 and written.counts.constraints == 40)
assert(#written.gradient == 3, text)
for _, row in ipairs(written.gradient) do
  assert(#row.value == 7 and row.relative_difference < (row.method:find "discrete" and 1e-10 or 1e-6), row.method)
  near("objective", row.objective, written.objective, 1e-6)
end

-- Where it starts at 15 rad/s the optimum turns so, too, and it lies near the printed one: the arms are shorter and
-- lighter, the bottom arms longer, overhang and height of the pillar at their lowest.
local near_optimum, from_below = written.optimizations[1], written.optimizations[2]
assert(near_optimum.final < 1e-8 * near_optimum.initial, text)
local p, initial = near_optimum.parameters, {}
for i, name in ipairs(governor.names) do initial[name] = governor.initial[i] end
assert(p.overhang == 0.2 and p.pillar_height == 0.2, text)
assert(p.top_arm < initial.top_arm and p.flyweight < initial.flyweight and p.bottom_arm > initial.bottom_arm, text)
near("speed of the optimum", tonumber(text:match "from 15 rad/s: psi [^\n]* after 1 s ([%d.]+)"), 15, 1e-3)
-- From 10 rad/s psi has the time in which the pillar gets faster: offset and radius of the collar are at their lowest.
assert(from_below.final < from_below.initial / 10, text)
assert(from_below.parameters.offset == 0.02 and from_below.parameters.collar_radius == 0.02, text)
