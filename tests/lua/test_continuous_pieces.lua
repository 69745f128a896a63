-- Approach 1 of the continuous adjoint integrates rates of reactions, which jump where third derivatives of constraints do: it
-- must say so, and the other methods must agree.
local mbs = require "perilune"
local check = require "check"
local m = mbs.model { "lifted", gravity = { 0, 0 } }
local table_ = mbs.spline { x = { 0, 1, 2, 3, 4, 5 }, y = { 0, 2e-3, 5e-3, 6e-3, 4e-3, 1e-3 }, period = 2 * math.pi }
local shaft = m:body { "shaft", mass = 1, inertia = 1, at = { 0, 0 } }
m:driver { m:revolute { m.ground, shaft, at = { 0, 0 } }.angle, law = function(s) return 3 * s.t end }
local lift = m:param { "lift", 1 }
local point = m:point { "P", at = { 0, 0 }, mass = 1 }
m:constraint { law = point.x }
local rider = m:constraint { "rider", law = point.y - lift * table_(shaft.angle) + lift * table_(0) }
local cost = m:objective { "cost", integral = rider.lambda^2 }
m:simulate { t = 1, formulation = mbs.index1 {},
             integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
local exact = m:gradient { cost }
local other = m:gradient { cost, method = mbs.continuous_adjoint { form = "approach2" } }
check.near(other.gradient[1] / exact.gradient[1], 1, 1e-6)
check.equal(#other.warnings, 0)
local rough = m:gradient { cost, method = mbs.continuous_adjoint { form = "approach1" } }
assert(rough.warnings[1] and rough.warnings[1]:find("where these stand in constraints", 1, true), rough.warnings[1])

-- A kink within a law's own form is no event. First-order equations do not mind; those that differentiate slopes of
-- forces along the motion are off by what they are on the other side of it, and say so.
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local k, mu = m:param { "k", 300 }, m:param { "mu", 0.5 }
  local b = m:body { "b", mass = 2, inertia = 0.01, at = { 0.1, 0.098 }, velocity = { 1, 0 } }
  m:contact { m.ground, b, radius = 0.1, normal = mbs.kelvin_voigt { stiffness = 1e4, damping = 50 },
    friction = mbs.ambrosio { coefficient = mu, v0 = 0.2, v1 = 0.5 } }
  m:spring { m:ground { at = { -1, 0.1 } }, b, stiffness = k, free_length = 1.08 }
  local how = { m:objective { "J", integral = b.x, terminal = b.x }, over = { k, mu }, t = 0.2,
    formulation = mbs.stabilized_index1 {}, integrator = mbs.radau { relative_tolerance = 1e-8, absolute_tolerance = 1e-10 } }
  local exact = m:gradient(how)
  local function found(form)
    how.method = mbs.continuous_adjoint { form = form }
    local gradient = m:gradient(how)
    return math.abs(gradient.by_name.mu / exact.by_name.mu - 1), table.concat(gradient.warnings, "\n")
  end
  local off, said = found "first_order_explicit"
  assert(off < 1e-5 and not said:find("slopes", 1, true), said)
  off, said = found "second_order"
  assert(off > 1e-3)
  assert(said:find('slopes of the forces on "b%.[xy]" jump'), said)
  -- Where pieces of a law meet smoothly nothing is said; neither where a jump of the slope is an event.
  for _, law in ipairs { mbs.spline { x = { -2, -1, 0, 1, 2 }, y = { -3, -1, 0, 1, 3 } }, math.abs } do
    local smooth = mbs.model { gravity = { 0, 0 } }
    local c = smooth:param { "c", 30 }
    local p = smooth:point { "p", mass = 1, at = { 0.7, 0 }, velocity = { 1, 0.5 } }
    smooth:force { on = p, law = function(s) return -c * p.x(s) - law(p.x(s)), -c * p.y(s) end }
    local gradient = smooth:gradient { smooth:objective { "J", integral = p.x * p.x }, over = { c }, t = 2,
      formulation = mbs.stabilized_index1 {}, integrator = mbs.radau {}, method = mbs.continuous_adjoint { form = "second_order" } }
    assert(not table.concat(gradient.warnings):find("slopes", 1, true), table.concat(gradient.warnings))
  end
end
