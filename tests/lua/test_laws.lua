-- User laws: what tracing can and cannot do, and that every trap is caught.
local mbs = require "perilune"
local check = require "check"

local m, P1, P2, k, spring, w

local function fresh()
  m = mbs.model { gravity = { 0, -9.81 } }
  k = m:param { "k", 100, min = 0 }
  w = 2 * k
  P1 = m:point { "P1", at = { 1, 2 }, mass = 1 }
  P2 = m:point { "P2", at = { 3, 2 }, mass = 1 }
  spring = m:spring { "spring", P1, P2, stiffness = k }
end

local function law(f)
  fresh()
  return m:force { "f", on = P1, law = f }
end

local function refused(text, f)
  check.fails(text, law, f)
  -- The model still works, and nothing of the check is left behind.
  check.equal(w.formula, "2 * k")
  check.equal(getmetatable(0), nil)
  m:force { "after", on = P1, law = function(s) return -k * s.x, w end }
end

-- What works.
local calls = 0
local function counted(s)
  return -k * s.x - 0.1 * s.vx, P2.y(s) - P2.y + s.t + spring.length(s)
end
check.equal(law(counted).fx.formula, "-k * P1.x - 0.1 * P1.vx")
check.equal(tostring(law(function(s) return 1, 2.5 end).fy), "2.5")
law(function(s) return math.max(s.x, 0, k), math.min(s.y, 1) end)
law(function(s) return math.abs(s.x), math.atan(s.y, s.x) + math.log(s.y, 2) + math.rad(s.x) end)
law(function(s) return mbs.where(mbs.lt(s.x, 0), -k * s.x, 0), mbs.where(mbs.ge(s.y, k), s.x, 1) end)
law(function(s) return mbs.smoothstep(s.x, 0, 1) + mbs.softplus(s.y, k), mbs.sabs(s.vx, 0.1) * mbs.tanh(s.vy) end)
law(function(s) return math.sqrt(s.x), math.asin(s.y) end) -- NaN outside their domain
law(function(s) return s.x ^ s.y, 1 / s.x end)
law(function(s) return s.x * 0 / s.y, (s.x - s.x) / s.x end)
law(function(s) return w, -w end)
law(function(s) return 2 * k - w, k * s.x + 0 end)
law(function(s) return (P1.x - 0.2) ^ 2, m:signal "energy.kinetic" end)
law(function(s)
  local sum = 0
  for i = 1, 5 do sum = sum + s.x ^ i / i end
  local r = { x = s.x, y = s.y }
  return sum, r.x + r.y
end)
law(function(s) return k.name == "k" and s.x or s.y, 0 end)
law(function(s) return math.sqrt((P2.x - P1.x) ^ 2 + (P2.y - P1.y) ^ 2) + spring.length, 0 end)
law(function(s) return select("#", s.x, s.y), 0 end)
do -- helpers, in locals and in tables
  local helper = { gain = 3, offset = 0.5 }
  function helper.saturate(x) return mbs.tanh(x / helper.gain) + helper.offset end
  law(function(s) return helper.saturate(s.x), helper.saturate(k) end)
end
-- Printing inside a law happens once.
do
  local printed, stock = 0, print
  print = function() printed = printed + 1 end
  law(function(s) print(s.x) return 0, 0 end)
  check.equal(printed, 1)
  print = stock
end

-- if on a symbol
refused("condition on symbolic '0 < P1.x'", function(s) if s.x > 0 then return 1, 1 end return 0, 0 end)
refused("use mbs.where(mbs.le(P1.x, k), a, b)", function(s) return s.x <= k and 1 or 2, 0 end)
refused("condition on symbolic 'P1.x == P1.y'", function(s) return s.x == s.y and 1 or 2, 0 end)
refused("condition on symbolic 'k < 200'", function(s) return k < 200 and 1 or 2, 0 end)

-- x == number: Lua never asks
local frozen = "depends on a condition that tracing froze"
refused(frozen .. ": at s.x = 0 it returns fx = 1, but the compiled law gives 0",
  function(s) if s.x == 0 then return 1, 1 end return s.x, 0 end)
refused(frozen .. ": at P1.x = 0.25", function(s) return P1.x == 0.25 and 7 or s.x, 0 end)
refused(frozen .. ": at P2.vx = 1e+06", function(s) return P2.vx(s) == 1e6 and 7 or s.x, 0 end)
refused(frozen .. ": at s.x = 1, k = 100", function(s) return k == 100 and 7 or s.x, 0 end)
refused(frozen .. ": at t = 3", function(s) return s.t == 3 and 7 or s.x, 0 end)
refused(frozen, function(s) return s.x ~= 0.1 + 0.2 and s.x or 7, 0 end)
refused(frozen, function(s) return w == 5 and 7 or s.x, 0 end)
refused(frozen, function(s) return spring.length == 5 and 7 or s.x, 0 end)
refused(frozen, function(s) return s.x == 0 and s.y == 0 and 7 or s.x, 0 end)
refused(frozen, function(s) return s.vx == -12 and 7 or s.x, 0 end)
do
  local x0 <const>, y0, t = 0.7, 0.71, { z0 = 0.72 }
  local function helper(x) if x == 0.37 then return 1 end return x end
  refused(frozen, function(s) return s.x == x0 and 7 or s.x, 0 end)
  refused(frozen, function(s) return s.x == y0 and 7 or s.x, 0 end)
  refused(frozen, function(s) return s.x == t.z0 and 7 or s.x, 0 end)
  refused(frozen, function(s) return helper(s.x), 0 end)
  y0 = 0.8
end
-- and, or, not; type; conditions as booleans
refused(frozen, function(s) return type(s.x) == "number" and 1 or 2, 0 end)
refused(frozen, function(s) return math.type(s.x) and 1 or 2, 0 end)
refused(frozen, function(s) if mbs.lt(s.x, 0) then return 1, 0 end return 2, 0 end)
refused(frozen, function(s) return not mbs.lt(s.x, 0) and 1 or 2, 0 end)
-- length, integer division, remainder, bits, loops
refused("'#' does not work on the expression P1.x", function(s) return #s.x, 0 end)
refused("'%' does not work on the expression P1.x: it has no derivative", function(s) return s.x % 1, 0 end)
refused("'//' does not work", function(s) return s.x // 1, 0 end)
refused("'&' does not work", function(s) return s.x & 1, 0 end)
refused("bad 'for' limit", function(s) local r = 0 for i = 1, s.x do r = r + i end return r, 0 end)
-- functions without a derivative
for _, name in ipairs { "floor", "ceil", "fmod", "modf", "ult", "tointeger" } do
  refused("math." .. name .. " of symbolic 'P1.x' has no derivative", function(s) return math[name](s.x, 2), 0 end)
end
-- changing calls
local n, t = 0, { n = 0 }
refused("assigns to 'n', a variable outside of it", function(s) n = n + 1 return n, 0 end)
refused("gives different values when it is called twice", function(s) t.n = t.n + 1 return t.n * s.x, 0 end)
refused("math.random inside a law", function(s) return math.random(), 0 end)
refused("assignment to a parameter does not work inside a law", function(s) k.value = 3 return 0, 0 end)
check.equal(k.value, 100)
refused("'.value' of 'k' inside a law would be frozen", function(s) return k.value * s.x, 0 end)
refused("model:point does not work inside a law", function(s) m:point { "Q", at = { 0, 0 } } return 0, 0 end)
-- results
refused("must return 2 numbers (fx, fy), but returns nothing", function(s) end)
refused("must return 2 numbers (fx, fy), but returns only 1", function(s) return 1 end)
refused("must return 2 numbers (fx, fy), but returns 3 values", function(s) return 1, 2, 3 end)
refused("but fx is nothing (nil)", function(s) return nil, 2 end)
refused("but fy is \"2\" (a string)", function(s) return 1, "2" end)
refused("but fx is a table", function(s) return { 1, 2 } end)
refused("'lt(P1.x, 0)' is a condition, not a number", function(s) return mbs.lt(s.x, 0), 0 end)
refused("'lt(P1.x, 0)' is a condition, not a number", function(s) return 2 * mbs.lt(s.x, 0), 0 end)
refused("mbs.where: expected a condition such as mbs.lt(x, 0), got nothing (nil)", function(s) return mbs.where(nil, 1, 2), 0 end)
-- the state
refused("has no field 'vz' (did you mean 'vx'?)", function(s) return s.vz, 0 end)
refused("the argument of a law is read-only", function(s) s.x = 1 return 0, 0 end)
check.fails("reads 'P1.ax', but accelerations and reactions follow from it", function()
  m:constraint { law = function(s) return P1.ax end }
end)
do
  law(function(s) t.kept = s return s.x, 0 end)
  check.fails("the argument of a law was used after the law had returned", function() return t.kept.x end)
end
-- errors inside keep their line
refused("test_laws.lua:" .. debug.getinfo(1, "l").currentline .. ": attempt to index a nil value (local 'u')", function(s) local u return u.x, 0 end)
refused("in the law of force \"f\"", function(s) error "mine" end)
check.equal(select(2, pcall(law, function(s) error { code = 7 } end)).code, 7)
local foreign = mbs.model { "other" }:param { "q", 1 }
refused("fx is an expression of another model (\"other\")", function(s) return foreign * 1, 0 end)
refused("'q' and 'P1.x' belong to different models (\"other\" and \"model\")", function(s) return foreign * s.x, 0 end)
-- runaway loops
refused("is there a loop in a law that should not be unrolled?", function(s)
  local r = s.x
  for i = 1, 1e9 do r = math.sin(r + i) end
  return r, 0
end)
