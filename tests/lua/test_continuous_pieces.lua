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
