-- Equilibria along a parameter: trusses, pendulums and toggles whose limits and bifurcations have closed forms.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"
local paths = require "paths"
local special, stabilities = paths.special, paths.stabilities

-- Von Mises' truss: two springs of the unstretched length L0 over a half span of 1. At the height y the load is
-- F = 2 k y (L0 / l - 1), l^2 = 1 + y^2, which is largest where l^3 = L0.
local k, height = 1e3, 0.3
local L0 = (1 + height^2)^0.5
local function truss_load(y) return 2 * k * y * (L0 / (1 + y^2)^0.5 - 1) end
local function truss(name, load, size)
  size = size or 1
  local m = mbs.model { name, gravity = { 0, 0 } }
  local top = m:point { "top", at = { 0, size * height }, mass = 1 }
  for _, x in ipairs { -size, size } do
    m:spring { m:ground { at = { x, 0 } }, top, stiffness = k / size, free_length = size * L0 }
  end
  return m, top
end
local summit = (L0^(2 / 3) - 1)^0.5
do
  local m, top = truss "truss"
  local P = m:param { "P", 0, unit = "N" }
  m:force { on = top, law = function() return 0, -P end }
  local path = m:equilibrium_path { over = P, to = 20, back_to = -20 }
  check.equal(path.complete, true)
  check.equal(path.parameter, "P")
  check.equal(#path.warnings, 0)
  check.equal(P.value, 0)
  check.equal(path[#path].value, 20)
  local kinds, loads = special(path)
  check.equal(kinds, "limit limit")
  check.near(loads[1] / truss_load(summit), 1, 1e-11)
  check.near(loads[2] / truss_load(summit), -1, 1e-11)
  check.near(path.special[1].equilibrium:at(top.y), summit, 1e-7)
  check.equal(path.special[1].stable, nil)
  check.equal(stabilities(path), "stable unstable stable")
  local ys, Ps, along = path:values(top.y), path:values(P), path:values "top.y"
  check.equal(#ys, #path)
  for i, y in ipairs(ys) do
    check.equal(y, along[i])
    check.equal(Ps[i], path[i].value)
    check.near(Ps[i], truss_load(y), 1e-9)
    if not path[i].kind then check.equal(path[i].stable, math.abs(y) > summit) end
    check.near(path:values(2 * top.y - P)[i], 2 * y - Ps[i], 1e-12)
  end
  -- Its points are equilibria like others.
  local y = path[#path].equilibrium
  P.value = 20
  check.near(m:equilibrium { from = y }:at(top.y), ys[#ys], 1e-10)
  check.equal(m:linearize { from = y }.stable, true)
  -- From there back to no load, along the lower branch.
  local back = m:equilibrium_path { over = P, to = 0, from = y }
  check.equal(special(back), "")
  check.near(back[#back].equilibrium:at(top.y), -height, 1e-10)
  -- Where it comes back to its start it ends: the flat truss.
  P.value = 0
  local half = m:equilibrium_path { over = P, to = 20 }
  check.equal(half.complete, false)
  assert(half.reason:find "came back to 0, where it started", half.reason)
  check.near(half[#half].equilibrium:at(top.y), 0, 1e-12)
  check.equal(half[#half].value, 0)
  check.equal(half[#half].stable, false)
  local few = m:equilibrium_path { over = P, to = 20, points = 7 }
  check.equal(#few, 7)
  check.equal(few.complete, false)
  assert(few.reason:find "7 points" and #few.warnings == 1, few.reason)
  -- A limit beyond `to` is none of the path, one that `to` hardly passes is.
  check.equal(special(m:equilibrium_path { over = P, to = 0.999 * truss_load(summit) }), "")
  check.equal(special(m:equilibrium_path { over = P, to = 1.000001 * truss_load(summit) }), "limit")
end

-- The same points in another unit of the parameter, and of length.
do
  local function found(unit, size)
    local m, top = truss("units", nil, size)
    local P = m:param { "P", 0 }
    m:force { on = top, law = function() return 0, -P * unit end }
    return m:equilibrium_path { over = P, to = 20 / unit, back_to = -20 / unit }, top
  end
  local reference, top = found(1, 1)
  local heights = reference:values(top.y)
  for _, case in ipairs { { 1e6, 1 }, { 1e-6, 1 }, { 1, 1e3 }, { 1, 1e-3 } } do
    local path, its_top = found(case[1], case[2])
    check.equal(#path, #reference)
    for i, y in ipairs(path:values(its_top.y)) do
      check.near(y / case[2], heights[i], 1e-8)
      check.near(path[i].value * case[1], reference[i].value, 1e-7)
    end
  end
end

-- Pulled by the end of a soft spring of stiffness c, whose other end moves by d: d = (0.3 - y) + F(y) / c turns back
-- where F' = c, L0 / l^3 = 1 + c / (2 k). The parameter is a place of the ground.
do
  local c = 30
  local m, top = truss "snap-back"
  local d = m:param { "d", 0, unit = "m" }
  m:spring { m:ground { at = { 0, -1 - d } }, top, stiffness = c, free_length = 1 + height }
  local path = m:equilibrium_path { over = d, to = 1 }
  local kinds, values = special(path)
  local l = (L0 / (1 + c / (2 * k)))^(1 / 3)
  local y = (l^2 - 1)^0.5
  check.equal(kinds, "limit limit")
  check.near(values[1], height - y + truss_load(y) / c, 1e-11)
  check.near(values[2], height + y - truss_load(y) / c, 1e-11)
  check.equal(stabilities(path), "stable unstable stable")
  check.equal(path.complete, true)
  local ys = path:values(top.y)
  for i, at in ipairs(path:values(d)) do check.near(at, height - ys[i] + truss_load(ys[i]) / c, 1e-11) end
end

-- An upright pendulum with a torsional spring, in the plane and in space, under a load P: P L sin(theta) = k theta,
-- a pitchfork at P = k / L; with the spring's rest at a small angle P follows the branch beyond it.
local function pendulum(dimension, tilt)
  local space = dimension == 3
  local zero = space and { 0, 0, 0 } or { 0, 0 }
  local m = mbs.model { "pendulum", gravity = zero }
  local P = m:param { "P", 0, unit = "N" }
  local rod = m:body { "rod", at = space and { 0, 0, 0.5 } or { 0, 0.5 }, mass = 1, inertia = space and { 1, 1, 1 } or 1 }
  local hinge = m:revolute { "hinge", m.ground, rod, at = zero, axis = space and { 1, 2, 0 } or nil }
  m:torsion_spring { on = hinge, stiffness = 5, free_angle = tilt }
  local tip = space and rod:point { 0, 0, 0.5 } or rod:point { 0, 0.5 }
  m:force { on = tip, law = function()
    if space then return 0, 0, -P end
    return 0, -P
  end }
  return m, P, hinge
end
for _, dimension in ipairs { 2, 3 } do
  local m, P, hinge = pendulum(dimension, 0)
  local path = m:equilibrium_path { over = P, to = 8 }
  local kinds, values = special(path)
  check.equal(kinds, "bifurcation")
  check.near(values[1], 5, 1e-10)
  check.equal(path.complete, true)
  check.equal(#path.warnings, 1)
  assert(path.warnings[1]:find "another branch of equilibria leaves at 5, a bifurcation", path.warnings[1])
  check.equal(stabilities(path), "stable unstable")
  for _, angle in ipairs(path:values(hinge.angle)) do check.near(angle, 0, 1e-9) end
  for _, tilt in ipairs { 0.1, -1e-4 } do
    local bent, load, joint = pendulum(dimension, tilt)
    local branch = bent:equilibrium_path { over = load, to = 12 }
    check.equal(special(branch), "")
    check.equal(stabilities(branch), "stable")
    local angles = branch:values(joint.angle)
    for i, angle in ipairs(angles) do
      check.near(branch[i].value * math.sin(angle), 5 * (angle - tilt), 1e-9)
    end
    assert(math.abs(angles[#angles]) > 1.5)
  end
end

-- The length of a rod is the parameter: a mass on an upright rod of length p under its weight F, held by a force -k x
-- aside. Upright it is stable while p > F / k; tilted cos(theta) = F / (k p), a branch that turns back there.
do
  local F, stiffness = 10, 20
  local function stick(p)
    local m = mbs.model { "stick", gravity = { 0, -10 } }
    local length = m:param { "length", p, unit = "m" }
    local top = m:point { "top", at = { 0, p }, mass = F / 10 }
    m:distance { "rod", m:ground { at = { 0, 0 } }, top, length = length }
    m:force { on = top, law = function(s) return -stiffness * s.x, 0 end }
    return m, length, top
  end
  local m, length, top = stick(1)
  local path = m:equilibrium_path { over = length, to = 0.2 }
  local kinds, values = special(path)
  check.equal(kinds, "bifurcation")
  check.near(values[1], F / stiffness, 1e-11)
  check.equal(stabilities(path), "stable unstable")
  for i, y in ipairs(path:values(top.y)) do check.near(y, path[i].value, 1e-12) end
  -- The reaction is that of the weight: rod |u|^2 - p^2, 2 p lambda = F in compression.
  for i, lambda in ipairs(path:values "rod.lambda") do check.near(math.abs(lambda), F / (2 * path[i].value), 1e-9) end
  local function tilted(angle)
    local other, its_length, its_top = stick(1)
    its_top = other:point { "second", at = { math.sin(angle), math.cos(angle) }, mass = F / 10 }
    other:distance { "second_rod", other:ground { at = { 0, 0 } }, its_top, length = its_length }
    other:force { on = its_top, law = function(s) return -stiffness * s.x, 0 end }
    return other:equilibrium_path { over = its_length, to = 0.505, stable = false }, its_top
  end
  local branch, second = tilted(1)
  check.equal(special(branch), "")
  for i, y in ipairs(branch:values(second.y)) do check.near(y, F / stiffness, 1e-10, i) end
  check.equal(stabilities(branch), "unstable")
end

-- A toggle of rigid bodies in space, with redundant revolute joints: bars of length l at the angle a, a slider held by a
-- spring. P = 4 k l (sin a - tan a cos a0), largest where cos(a)^3 = cos(a0).
do
  local stiffness, l, a0 = 200, 0.5, 0.4
  local m = mbs.model { "toggle", gravity = { 0, 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local c, s = l * math.cos(a0), l * math.sin(a0)
  local function bar(name, x, angle)
    return m:body { name, at = { x, 0, s / 2 }, mass = 1, inertia = { 1, 1, 1 }, 
                    orientation = { math.cos(angle / 2), 0, math.sin(angle / 2), 0 } }
  end
  local left, right = bar("left", c / 2, -a0), bar("right", 1.5 * c, a0)
  local slider = m:body { "slider", at = { 2 * c, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } }
  m:revolute { m.ground, left, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { left, right, at = { c, 0, s }, axis = "y" }
  m:revolute { right, slider, at = { 2 * c, 0, 0 }, axis = "y" }
  m:translational { m.ground, slider, at = { 2 * c, 0, 0 }, axis = "x" }
  m:force { on = slider, law = function(state) return -stiffness * (state.x - 2 * c), 0, 0 end }
  local knee = left:point { l / 2, 0, 0 }
  m:force { on = knee, law = function() return 0, 0, -P end }
  local path = m:equilibrium_path { over = P, to = 30, back_to = -30 }
  local function load(a) return 4 * stiffness * l * (math.sin(a) - math.tan(a) * math.cos(a0)) end
  local kinds, values = special(path)
  local a = math.acos(math.cos(a0)^(1 / 3))
  check.equal(kinds, "limit limit")
  check.near(values[1] / load(a), 1, 1e-10)
  check.near(values[2] / load(a), -1, 1e-10)
  check.equal(stabilities(path), "stable unstable stable")
  for i, z in ipairs(path:values(2 * left.z)) do check.near(path[i].value, load(math.asin(z / l)), 1e-8) end
end

-- Two branches at once: a post on a ball joint with springs that hold it alike in both directions. It may spin about its
-- axis, which no force holds.
do
  local m = mbs.model { "post", gravity = { 0, 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local post = m:body { "post", at = { 0, 0, 0.5 }, mass = 1, inertia = { 1, 1, 1 } }
  m:spherical { m.ground, post, at = { 0, 0, 0 } }
  local tip = post:point { 0, 0, 0.5 }
  m:force { on = tip, law = function(s) return -7 * s.x, -7 * s.y, -P end }
  local path = m:equilibrium_path { over = P, to = 12 }
  local kinds, values = special(path)
  check.equal(kinds, "bifurcation")
  check.near(values[1], 7, 1e-9)
  check.equal(stabilities(path), "stable unstable")
end

-- Ziegler's double pendulum under a load that follows its tip has no singular stiffness: it begins to flutter at
-- P = (7 / 2 - sqrt 2) k / l, with 2 m at the knee and m at the tip.
do
  local m = mbs.model { "ziegler", gravity = { 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local base = m:ground { at = { 0, 0 } }
  local knee, tip = m:point { "knee", at = { 0, 1 }, mass = 2 }, m:point { "tip", at = { 0, 2 }, mass = 1 }
  m:distance { base, knee }
  m:distance { knee, tip }
  local first = mbs.atan2(-knee.x, knee.y)
  m:torsion_spring { on = first, stiffness = 3 }
  m:torsion_spring { on = mbs.atan2(knee.x - tip.x, tip.y - knee.y) - first, stiffness = 3 }
  m:force { on = tip, law = function() return -P * (tip.x - knee.x), -P * (tip.y - knee.y) end }
  local path = m:equilibrium_path { over = P, to = 9, step = 0.01 }
  check.equal(special(path), "")
  check.equal(path.complete, true)
  check.equal(stabilities(path), "stable unstable")
  assert(path.warnings[1]:find "without a singular stiffness: the equilibrium begins to flutter", path.warnings[1])
  for _, point in ipairs(path) do check.equal(point.stable, point.value < (3.5 - 2^0.5) * 3) end
end

-- First-order states: z' = p + z - z^3 turns back at z = -+1 / sqrt 3, p = +-2 / (3 sqrt 3); a mass follows by a spring.
do
  local m = mbs.model { "switch", gravity = { 0, 0 } }
  local p = m:param { "p", -1 }
  local mass = m:point { "mass", at = { -1.3, 0 }, mass = 1 }
  local z = m:state { "z", at = -1.3, rate = function(s) return p + s.value - s.value^3 end }
  m:force { on = mass, law = function() return 4 * (z.value - mass.x) - mass.vx, -mass.y - mass.vy end }
  local path = m:equilibrium_path { over = p, to = 1 }
  local kinds, values = special(path)
  check.equal(kinds, "limit limit")
  check.near(values[1], 2 / (3 * 3^0.5), 1e-11)
  check.near(values[2], -2 / (3 * 3^0.5), 1e-11)
  check.equal(stabilities(path), "stable unstable stable")
  local zs, xs = path:values(z.value), path:values(mass.x)
  for i, point in ipairs(path) do
    check.near(zs[i]^3 - zs[i], point.value, 1e-10)
    check.near(xs[i], zs[i], 1e-10)
  end
end

-- The stiffness alone does not decide where forces read velocities: with -x + p v the rest is stable for p < 0.
do
  local m = mbs.model { "driven", gravity = { 0, 0 } }
  local p = m:param { "p", -1, unit = "N s/m" }
  local mass = m:point { "mass", at = { 0, 0 }, mass = 1 }
  m:force { on = mass, law = function(s) return -s.x + p * s.vx, -s.y - s.vy end }
  local path = m:equilibrium_path { over = p, to = 1.03 }
  check.equal(special(path), "")
  check.equal(stabilities(path), "stable unstable")
  for _, point in ipairs(path) do check.equal(point.stable, point.value < 0) end
end

-- Steps that would reach from one side of a snap to the other are not taken: a truss that is hardly raised, under loads
-- far beyond its limit, in a few long steps; and a frame of beams, whose limits do not depend on the steps.
for _, case in ipairs { { 0.1, 1.5 }, { 0.01, 1.5 }, { 0.01, 1000 } } do
  local raised, far = table.unpack(case)
  local free_length = (1 + raised^2)^0.5
  local m = mbs.model { "shallow", gravity = { 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local top = m:point { "top", at = { 0, raised }, mass = 1 }
  for _, x in ipairs { -1, 1 } do
    m:spring { m:ground { at = { x, 0 } }, top, stiffness = k, free_length = free_length }
  end
  m:force { on = top, law = function() return 0, -P end }
  local y = (free_length^(2 / 3) - 1)^0.5
  local limit = 2 * k * y * (free_length / (1 + y^2)^0.5 - 1)
  local kinds, loads = special(m:equilibrium_path { over = P, to = far * limit, back_to = -2 * limit, step = 0.5 })
  check.equal(kinds, "limit limit")
  for i, sign in ipairs { 1, -1 } do check.near(loads[i] / limit, sign, 1e-8) end
end
do
  local loads = {}
  for i, step in ipairs { 0.01, 0.3 } do
    local m = mbs.model { "frame", gravity = { 0, 0 } }
    local P = m:param { "P", 0, unit = "N" }
    local function leg(name, from, to)
      return m:beam { name, kind = "shear", from = from, to = to, elements = 4, young = 1e9, density = 1000, area = 1e-4,
                      second_moment = 1e-9, poisson = 0.3, shear_factor = 5 / 6 }
    end
    local left, right = leg("left", { -1, 0 }, { 0, 0.02 }), leg("right", { 0, 0.02 }, { 1, 0 })
    m:weld { m.ground, left.first, at = { -1, 0 } }
    m:weld { left.last, right.first, at = { 0, 0.02 } }
    m:weld { right.last, m.ground, at = { 1, 0 } }
    m:force { on = left.last, law = function() return 0, -P end }
    local kinds
    kinds, loads[i] = special(m:equilibrium_path { over = P, to = 60, back_to = -60, step = step })
    check.equal(kinds, "limit limit")
  end
  for i = 1, 2 do check.near(loads[1][i], loads[2][i], 1e-9) end
end

-- More coordinates than eigenvalues are sought of: limits are found, and the rest is said to be unknown.
do
  local m, top = truss "large"
  local P = m:param { "P", 0, unit = "N" }
  m:force { on = top, law = function() return 0, -P end }
  for i = 1, 200 do
    local other = m:point { "other" .. i, at = { 0, 0 }, mass = 1 }
    m:force { on = other, law = function(s) return -s.x, -s.y end }
  end
  local path = m:equilibrium_path { over = P, to = 20, back_to = -20, points = 1000 }
  local kinds, loads = special(path)
  check.equal(kinds, "limit limit")
  check.near(loads[1] / truss_load(summit), 1, 1e-11)
  assert(#path.warnings == 1 and path.warnings[1]:find "stability is not known", path.warnings[1])
  for _, point in ipairs(path) do check.equal(point.stable, nil) end
end
