-- The output of a controller without limits that is cut off behind it: runs warn, whatever cuts it off.
local mbs = require "perilune"

local function warnings(law, gains)
  local m = mbs.model { "lift", gravity = { 0, -9.81 } }
  local cabin = m:point { "cabin", at = { 0, 0 }, mass = 1 }
  local most = m:param { "most", 15, unit = "N" }
  local given = { "height", error = 1 - cabin.y, kp = 40, ki = 20 }
  for key, value in pairs(gains or {}) do given[key] = value end
  local height = m:pid(given)
  m:force { "drive", on = cabin, law = function(s) return 0, law(height.output, s, most) end }
  local count = 0
  for _, sentence in ipairs(m:simulate { t = 0.01 }.warnings) do
    if sentence:find("winds up", 1, true) then
      assert(sentence:find('cuts off the output of pid "height"', 1, true) and sentence:find('drive (', 1, true), sentence)
      count = count + 1
    end
  end
  return count
end

-- By the smaller or larger of two, by a condition with either branch, with limits that depend on time or parameters.
assert(warnings(function(u) return math.min(u, 15) end) == 1)
assert(warnings(function(u) return math.max(-15, u) end) == 1)
assert(warnings(function(u) return mbs.where(mbs.lt(u, 15), u, 15) end) == 1)
assert(warnings(function(u) return mbs.where(mbs.ge(u, 15), 15, u) end) == 1)
assert(warnings(function(u, s) return math.min(u, 10 + s.t) end) == 1)
assert(warnings(function(u, _, most) return math.min(2 * u, most) end) == 1)
-- A power that is limited cuts off the force.
assert(warnings(function(u, s) return math.min(u, 50 / (1 + math.abs(s.vy))) end) == 1)

assert(warnings(function(u) return mbs.where(mbs.lt(u - 15, 0), u, 15) end) == 1)
assert(warnings(function(u) return mbs.where(mbs.lt(u, 0), 0, u) end) == 1)

-- Not where the controller knows its limits, has no integral, or nothing is cut off.
assert(warnings(function(u) return math.min(u, 15) end, { lower = -15, upper = 15 }) == 0)
assert(warnings(function(u) return math.min(u, 15) end, { ki = 0 }) == 0)
assert(warnings(function(u) return 0.5 * u end) == 0)
assert(warnings(function(u) return u + 0.1 * math.abs(u) + 0.1 * mbs.sign(u) end) == 0)
assert(warnings(function(u) return mbs.where(mbs.lt(u, 0), 0.9 * u, u) end) == 0)
assert(warnings(function(u) return mbs.where(mbs.lt(u, 5), u, 1.2 * u - 1) end) == 0)
assert(warnings(function(u, s) return u + mbs.where(mbs.lt(5, u), s.vy, 0) end) == 0)
assert(warnings(function(u, s) return mbs.where(mbs.lt(s.t, 0.005), 0, u) end) == 0)

-- A cascade: the inner controller has limits, and the outer one does not know of them.
do
  local m = mbs.model { "lift", gravity = { 0, -9.81 } }
  local cabin = m:point { "cabin", at = { 0, 0 }, mass = 1 }
  local outer = m:pid { "place", error = 1 - cabin.y, kp = 4, ki = 2 }
  local inner = m:pid { "speed", error = outer.output - cabin.vy, kp = 10, lower = -5, upper = 20 }
  m:force { "drive", on = cabin, law = function() return 0, inner.output end }
  local warned = table.concat(m:simulate { t = 0.01 }.warnings, "\n")
  assert(warned:find('cuts off the output of pid "place"', 1, true) and not warned:find('pid "speed"', 1, true), warned)
end
