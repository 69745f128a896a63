-- Planar mechanisms with loops made at random, some with redundant constraints, some that pass near singular positions:
-- mbs.joint_coordinates comes to what Maggi's form comes to by another integrator, or says that something is wrong.
--   perilune tests/lua/test_planar_loops_random.lua [--count 300] [--say 1]
local mbs = require "perilune"
local check = require "check"
local options = mbs.options { count = 60, say = 0 }

-- Numbers of a sequence that no library changes.
local state
local function any(low, high)
  state = (state * 48271) % 2147483647
  return low + (high - low) * state / 2147483647
end
local function one_of(list) return list[1 + math.floor(any(0, #list - 1e-9))] end
local function somewhere(size) return { any(-size, size), any(-size, size) } end

local function model() return mbs.model { gravity = { any(-1, 1), -9.81 } } end
local function bar(m, name, a, b, speed)
  return m:body { name, at = { (a[1] + b[1]) / 2, (a[2] + b[2]) / 2 }, mass = any(0.5, 2), inertia = any(0.01, 0.1),
                  center_of_mass = somewhere(0.05), angular_velocity = speed or 0 }
end

local kinds = {}

-- Bodies on each other by joints of all kinds, and what closes loops, as long as freedoms are left.
function kinds.anything()
  local m = model()
  local bodies, hinges, freedoms = {}, {}, 0
  for i = 1, math.floor(any(3, 8)) do
    local b = m:body { "b" .. i, at = somewhere(1), angle = any(-1, 1), mass = any(0.5, 2), inertia = any(0.01, 0.1),
                       center_of_mass = somewhere(0.05) }
    local on = i == 1 and m.ground or one_of { m.ground, bodies[i - 1], one_of(bodies) }
    local kind = one_of { "revolute", "revolute", "translational", "weld", "nothing" }
    local first, second = b, on
    if any(0, 1) < 0.5 then first, second = on, b end
    if kind == "nothing" then
      freedoms = freedoms + 3
    elseif kind == "revolute" then
      hinges[#hinges + 1] = m:revolute { "h" .. i, first, second, at = somewhere(1) }
      freedoms = freedoms + 1
    elseif kind == "translational" then
      m:translational { "t" .. i, first, second, at = somewhere(1), axis = { any(0.2, 1), any(-1, 1) } }
      freedoms = freedoms + 1
    else
      m:weld { "w" .. i, first, second, at = somewhere(1) }
    end
    bodies[i] = b
  end
  local closes = { revolute = 2, translational = 2, distance = 1, point_on_line = 1, gear = 1, weld = 3, driver = 1 }
  local place = 0
  for _ = 1, 12 do
    local kind = one_of { "revolute", "translational", "distance", "point_on_line", "gear", "weld", "driver" }
    local a, b = one_of(bodies), one_of(bodies)
    place = place + 1
    if closes[kind] < freedoms and a ~= b then
      if any(0, 1) < 0.3 then b = m.ground end
      if kind == "distance" then
        m:distance { "d" .. place, a:point(somewhere(0.5)), b:point(somewhere(2)) }
      elseif kind == "point_on_line" then
        m:point_on_line { "l" .. place, a, b, at = somewhere(1), axis = { any(0.2, 1), any(-1, 1) } }
      elseif kind == "gear" then
        if #hinges > 1 then
          local x, y, ratio = hinges[1], hinges[#hinges], any(-2, 2)
          m:constraint { "g" .. place, law = function() return y.angle - ratio * x.angle end }
          hinges = {}
        else
          freedoms = freedoms + 1
        end
      elseif kind == "driver" then
        if #hinges > 0 then
          local swing, rate = any(0.1, 0.4), any(1, 4)
          m:driver { "m" .. place, hinges[#hinges].angle, law = function(s) return swing * math.sin(rate * s.t) end }
          hinges[#hinges] = nil
        else
          freedoms = freedoms + 1
        end
      elseif kind == "weld" then
        m:weld { "c" .. place, a, b, at = somewhere(1) }
      else
        local joint = { "c" .. place, a, b, at = somewhere(1), axis = kind == "translational" and { any(0.2, 1), any(-1, 1) } or nil }
        m[kind](m, joint)
      end
      freedoms = freedoms - closes[kind]
    end
  end
  m:spring { m.ground:point(somewhere(1)), bodies[#bodies], stiffness = any(10, 60), free_length = any(0.3, 1), damping = any(0, 1) }
  m:spring { bodies[1]:point(somewhere(0.3)), bodies[#bodies], stiffness = any(10, 60), free_length = any(0.3, 1), damping = any(0, 1) }
  return m, bodies[#bodies]
end

-- Four-bars that turn, some of whose lengths come near to a change point or meet it.
function kinds.turning()
  local m = model()
  local gap = one_of { 0.3, 0.03, 1e-3, 1e-5, 0 }
  local crank, coupler = any(0.2, 0.5), any(0.8, 1.2)
  local base = any(0.7, 1)
  local rocker = crank + base - coupler + gap  -- crank + base = coupler + rocker: all on one line
  if rocker < 0.1 then coupler, rocker = coupler + 0.1 - rocker, 0.1 + gap end
  local f = any(0.7, 2)
  local x, y = crank * math.cos(f), crank * math.sin(f)
  local d = math.sqrt((base - x) ^ 2 + y ^ 2)
  local cosine = (coupler ^ 2 + d ^ 2 - rocker ^ 2) / (2 * coupler * d)
  cosine = math.max(-1, math.min(1, cosine))
  local g = math.atan(-y, base - x) + math.acos(cosine)
  local tip = { x + coupler * math.cos(g), y + coupler * math.sin(g) }
  local speed = any(4, 12)
  local a = bar(m, "a", { 0, 0 }, { x, y }, speed)
  local b = bar(m, "b", { x, y }, tip)
  local c = bar(m, "c", tip, { base, 0 })
  m:revolute { "p", m.ground, a, at = { 0, 0 } }
  m:revolute { "q", a, b, at = { x, y } }
  m:revolute { "r", b, c, at = tip }
  m:revolute { "s", c, m.ground, at = { base, 0 } }
  return m, c
end

-- Slider-cranks that turn, with rods barely longer than the crank, and far longer.
function kinds.sliding()
  local m = model()
  local crank = any(0.2, 0.4)
  local rod_length, f = crank * one_of { 3, 1.5, 1.05, 1.001 }, any(0.3, 1.2)
  local tip = { crank * math.cos(f), crank * math.sin(f) }
  local along = tip[1] + math.sqrt(rod_length ^ 2 - tip[2] ^ 2)
  local a, rod = bar(m, "a", { 0, 0 }, tip, any(4, 15)), bar(m, "rod", tip, { along, 0 })
  local slider = bar(m, "slider", { along, 0 }, { along, 0 })
  m:revolute { "p", m.ground, a, at = { 0, 0 } }
  m:revolute { "q", a, rod, at = tip }
  m:revolute { "r", rod, slider, at = { along, 0 } }
  m:translational { "s", slider, m.ground, at = { along, 0 }, axis = { 1, 0 } }
  return m, slider
end

-- Cranks of one length below one beam: with three and more a constraint is redundant.
function kinds.parallel()
  local m = model()
  local length, f, speed, cranks = any(0.3, 0.6), any(0.3, 1), any(-3, 3), math.floor(any(2, 5))
  local s, c = length * math.sin(f), -length * math.cos(f)
  local beam = m:body { "beam", at = { 0.5 + s, c }, mass = 1, inertia = 0.1, velocity = { -speed * c, speed * s } }
  for i = 1, cranks do
    local x = any(0, 1) + i
    local a = bar(m, "a" .. i, { x, 0 }, { x + s, c }, speed)
    m:revolute { "g" .. i, m.ground, a, at = { x, 0 } }
    m:revolute { "k" .. i, a, beam, at = { x + s, c } }
  end
  return m, beam
end

-- What is held twice: two rails side by side, a weld and a hinge, two hinges that are one weld.
function kinds.twice()
  local m = model()
  local a, b, c = bar(m, "a", { 0, 0 }, { 0.5, 0 }), bar(m, "b", { 0.5, 0 }, { 1, 0 }), bar(m, "c", { 1, 0 }, { 1.5, 0.3 }, any(-3, 3))
  m:revolute { "p", m.ground, a, at = { 0, 0 } }
  local how = one_of { "rails", "weld", "hinges" }
  if how == "rails" then
    local axis = { 1, any(-0.5, 0.5) }
    m:translational { "t1", a, b, at = { 0.5, 0 }, axis = axis }
    m:translational { "t2", b, a, at = somewhere(0.5), axis = axis }
    m:spring { a, b, stiffness = 200, free_length = 0.5, damping = 1 }
  elseif how == "weld" then
    m:weld { "w", a, b, at = { 0.5, 0 } }
    m:revolute { "h", b, a, at = somewhere(0.5) }
  else
    m:revolute { "h1", a, b, at = { 0.5, 0 } }
    m:revolute { "h2", b, a, at = { 0.5, any(0.1, 0.3) } }
  end
  m:revolute { "q", b, c, at = { 1, 0 } }
  m:point_on_line { "bead", m.ground, c, at = { 1.5, 0.3 }, axis = { 1, any(-0.5, 0.5) } }
  return m, c
end

local names = { "anything", "turning", "sliding", "parallel", "twice" }
local function make(seed)
  state = 7919 + 104729 * seed
  for _ = 1, 3 do any(0, 1) end
  return kinds[names[seed % #names + 1]]()
end

local coarse = mbs.dormand_prince {}
local fine = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local steps = mbs.rk4 { step = 2e-4 }
local other_way = mbs.radau { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 }
local ends = 0.8

local function run(seed, form, integrator)
  local m, watched = make(seed)
  local ok, found = pcall(m.simulate, m, { t = ends, formulation = form, integrator = integrator })
  if not ok then return { refused = tostring(found) } end
  local out = { warnings = {}, factorizations = found.factorizations }
  for _, said in ipairs(found.warnings) do  -- of the motion, not of how it starts or what reactions share
    if not said:find("^assembly made") and not said:find("^redundant") then out.warnings[#out.warnings + 1] = said end
  end
  for i, what in ipairs { "x", "y", "angle" } do
    local values = found:values(("%s.%s"):format(watched.name, what))
    out[i] = values[#values]
  end
  return out
end
local function apart(a, b)
  local out = 0
  for i = 1, 3 do out = math.max(out, math.abs(a[i] - b[i])) end
  return out
end

local counts = { right = 0, said = 0, refused = 0, ["not judged"] = 0, recursive = 0 }
local function judge(seed, found, truth, allowed)
  if found.refused then
    counts.refused = counts.refused + 1
    return
  end
  if found.factorizations == 0 then counts.recursive = counts.recursive + 1 end
  if not truth or truth.refused then
    counts["not judged"] = counts["not judged"] + 1
  elseif apart(found, truth) <= allowed then  -- m and rad
    counts.right = counts.right + 1
  else
    check.equal(#found.warnings > 0, true, ("%s, seed %d: wrong by %.1e without a word"):format(names[seed % #names + 1], seed, apart(found, truth)))
    counts.said = counts.said + 1
  end
end

local joints, maggi, lagrangian = mbs.joint_coordinates {}, mbs.maggi {}, mbs.augmented_lagrangian { project = true }
for seed = 1, options.count do
  local truth = run(seed, maggi, other_way)
  local again = run(seed, maggi, fine)
  -- Where one form does not agree with itself a motion branches, or hangs on rounding.
  local is_known = not truth.refused and not again.refused and apart(truth, again) < 1e-6
  local rounding = 1e-6
  if truth.refused then  -- through positions that are singular to rounding an augmented Lagrangian leads
    truth, again = run(seed, lagrangian, steps), run(seed, lagrangian, coarse)
    is_known, rounding = not truth.refused and not again.refused and apart(truth, again) < 1e-5, 1e-4
  end
  for _, how in ipairs { { fine, 1e-6 }, { coarse, 1e-4 } } do
    local found = run(seed, joints, how[1])
    local other = run(seed, maggi, how[1])
    judge(seed, found, is_known and truth or nil, math.max(rounding, how[2]))
    if options.say ~= 0 then
      print(("%3d %-9s truth %s, joints %s, maggi %s"):format(seed, names[seed % #names + 1], truth.refused and "refused" or is_known and "known" or "open",
            found.refused or (#found.warnings .. " warnings, " .. (found.factorizations == 0 and "recursive" or found.warnings[1] or "?") .. (is_known and (", %.1e"):format(apart(found, truth)) or "")),
            other.refused or (#other.warnings .. " warnings" .. (is_known and (", %.1e"):format(apart(other, truth)) or ""))))
    end
    -- What Maggi's form can do at these tolerances is not refused.
    if found.refused and not other.refused and rounding <= how[2] then
      check.equal(found.refused, nil, ("seed %d: refused where Maggi's form is not"):format(seed))
    end
  end
end
if options.say ~= 0 then for name, count in pairs(counts) do print(name, count) end end
check.equal(counts.right > 1.2 * options.count, true, "most are right, to be judged, and by recursions: " .. counts.right)
check.equal(counts.recursive > 1.2 * options.count, true, "by recursions: " .. counts.recursive)
