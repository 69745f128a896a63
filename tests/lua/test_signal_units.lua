-- Units of signals against what the units of their parts make of them: what contradicts them is refused, what a number
-- leaves open is taken.
local mbs = require "perilune"
local check = require "check"
local fails = check.fails

local m = mbs.model { "m", gravity = { 0, -9.81 } }
local b = m:body { "b", mass = 1, inertia = 1, at = { 0.5, 0.3 }, angle = 0.5, velocity = { 1, 2 } }
local spring = m:spring { "spring", m:ground { at = { 0, 0 } }, b, stiffness = 1, free_length = 0 }
local hinge = m:body { "arm", mass = 1, inertia = 1 }
local pin = m:revolute { "pin", m.ground, hinge, at = { 0, 0 } }
local L, any = m:param { "L", 500, unit = "mm" }, m:param { "any", 3 }
local count = 0
local function named(value, unit)
  count = count + 1
  return m:signal { "s" .. count, value, unit = unit }
end
local function refused(why, value, unit)
  fails(('unit = "%s" does not fit: %s'):format(unit, why), named, value, unit)
end

do  -- Products, quotients and powers have the unit of their parts.
  refused("the value is in m^2", b.x * b.y, "mm")
  refused("the value is in m^2", b.x ^ 2, "mm")
  refused("the value is in W", spring.force * b.vx, "kN")
  refused("the value is in m/s", b.x / m:signal "t", "mm")
  refused("the value is in m", math.sqrt(b.x ^ 2 + b.y ^ 2), "deg")
  refused("the value is in rad or a pure number", b.x / b.y, "mm")
  refused("the value is in m^2", function(s) return L * b.x(s) end, "m")
  refused("the value is in rad", pin.angle - 1, "mm")
  named(b.x * b.y, "mm^2")
  named(spring.force * b.vx, "kW")
  named(function(s) return b.vx(s) * s.t end, "mm")
  named(math.sqrt(b.x ^ 2 + b.y ^ 2), "mm")
  named(math.sqrt(b.x * b.y) ^ 2 / b.x, "cm")
  named((b.x ^ 2) ^ (1 / 3) * b.y ^ (1 / 3), "mm")
  named(math.atan(b.y, b.x), "deg")
  named(b.x / b.y, "%")
end

do  -- Sums of two units have none, whatever is asked for.
  refused("m and rad or a pure number are added", b.x + b.angle, "deg")
  refused("m and rad or a pure number are added", b.x + b.angle, "mm")
  refused("m and m/s are subtracted", b.x - b.vx, "mm")
  refused("m and m/s are compared", math.max(b.x, b.vx), "mm")
  refused("sin is of m", math.sin(b.x), "mm")
  named(b.x + b.vx)  -- nothing is said of it
  named(math.sin(b.angle) * b.y + b.x, "mm")
end

do  -- Numbers and parameters without a unit may have any; a number 1 as well as a number 2.
  for _, k in ipairs { 1, 2 } do
    named(k * b.ax, "N")
    named(b.x + k * b.vx, "mm")
    named(function(s) return b.ax(s) * k end, "kN")
    named(mbs.where(mbs.lt(b.x, 1), k * b.ax, 0), "N")
  end
  named(any * b.x * b.vx, "N/mm")
  named(0.05 * b.angle + b.x, "mm")
  refused("the value is in m/s^2", b.ax, "N")
end

do  -- What one name said of an expression is no reason against another.
  named(2 * b.x, "N")
  named(2 * b.x, "mm")
  named(1 * b.ax, "kN")
  named(b.ax, "mm/s^2")
  -- The expression of a spring of 1 N/m and of no length is the length.
  named(spring.force, "N")
  named(spring.length, "mm")
end

do  -- Without a name, too.
  local run = m:simulate { t = 0.01 }
  local file = os.tmpname()
  fails("the value is in m^2", run.csv, run, file, { "area", b.x * b.y, unit = "mm" })
  run:csv(file, { "force", 1 * b.ax, unit = "N" }, { "area", b.x * b.y, unit = "mm^2" })
  check.near(mbs.read_csv(file).area[1], 0.15e6, 1e-9, "0.5 m times 0.3 m in mm^2")
  os.remove(file)
end

do  -- Prefixes: how many metres each is.
  for unit, size in pairs { dm = 1e-1, cm = 1e-2, um = 1e-6, ["\u{b5}m"] = 1e-6, ["\u{3bc}m"] = 1e-6, nm = 1e-9, pm = 1e-12 } do
    check.near(m:param { "p" .. count, 1, unit = unit }.in_si / size, 1, 1e-12, unit)
    count = count + 1
  end
  fails('the unit "Hz" is not known; Hz leaves open whether it counts radians or turns: write rad/s', named, b.omega, "Hz")
  fails("a tonne is Mg", m.param, m, { "heavy", 1, unit = "t" })
  fails("a tonne is Mg", m.param, m, { "heavy", 1, unit = "t/m^3" })
end

print "ok"
