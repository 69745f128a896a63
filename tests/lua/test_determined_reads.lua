-- Four-bars that move in a plane, of bodies and hinges in space: three of their constraints are redundant, and yet what
-- hinges carry in the plane is determined, and read without complaint wherever the mechanism is; along their axes it is not.
local mbs = require "perilune"
local check = require "check"
math.randomseed(7)
for k = 1, 24 do
  local ax = ({ "x", "y", "z" })[k % 3 + 1]
  local function P(u, w) return ax == "y" and { u, 0, w } or ax == "z" and { u, w, 0 } or { 0, u, w } end
  local m = mbs.model { gravity = P(0, -9.81) }
  local r = math.random
  local A, B, C, D = { 0, 0 }, { .2 * r(), 1 + .3 * r() }, { 2 + r(), 1.5 + r() }, { 2.5 + .5 * r(), .2 * r() }
  local function mid(p, q) return P((p[1] + q[1]) / 2, (p[2] + q[2]) / 2) end
  local I = { .1, .1, .1 }
  local a = m:body { "a", mass = 1, inertia = I, at = mid(A, B) }
  local b = m:body { "b", mass = 1, inertia = I, at = mid(B, C) }
  local c = m:body { "c", mass = 1, inertia = I, at = mid(C, D) }
  local j = m:revolute { "j", m.ground, a, at = P(A[1], A[2]), axis = ax }
  m:revolute { "k", a, b, at = P(B[1], B[2]), axis = ax }
  m:revolute { "l", b, c, at = P(C[1], C[2]), axis = ax }
  local n = m:revolute { "n", c, m.ground, at = P(D[1], D[2]), axis = ax }
  local J, N = m:reaction { "J", j, on = a }, m:reaction { "N", n, on = c }
  local in_plane = { x = { "force_y", "force_z" }, y = { "force_x", "force_z" }, z = { "force_x", "force_y" } }
  local axial = "force_" .. ax
  for _, R in ipairs { J, N } do
    for _, f in ipairs(in_plane[ax]) do
      m:simulate { t = .3, objectives = m:objective { terminal = R[f] } }
    end
    check.fails("reads multipliers that redundant", m.simulate, m,
                { t = .3, objectives = m:objective { terminal = R[axial] } })
  end
end
