-- fails: gradient
local mbs = require "perilune"
local given = require "given"

local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
local L01 = m:param { "L01", math.sqrt(5), unit = "m", min = 0.5, max = 5 }
local L02 = m:param { "L02", math.sqrt(4.25), unit = "m", min = 0.5, max = 5 }
local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
local P1 = m:point { "P1", at = { -1, -1 } }
local P2 = m:point { "P2", at = { 0.5, -2 } }
local P3 = m:point { "P3", at = { 2, -1 } }
m:bar { "bar1", A, P1, mass = 1 }
m:bar { "bar2", P1, P2, mass = given.mass }
m:bar { "bar3", P2, P3, mass = given.mass }
m:bar { "bar4", P3, B, mass = 1 }
m:spring { "s1", A, P3, stiffness = given.stiffness, free_length = L01 }
m:spring { "s2", B, P2, stiffness = given.stiffness, free_length = L02 }
local cost = m:objective { "psi", integral = (P2.x - 0.5) ^ 2 + (P2.y + 2) ^ 2 }

local run = m:simulate { t = 2, formulation = mbs.penalty { alpha = 1e9 }, integrator = mbs.rk4 { step = 5e-3 },
                         objectives = cost }
local gradient = m:gradient({ cost, over = { L01, L02 } }).gradient
m:optimize { minimize = cost, over = { L01, L02 }, optimizer = mbs.lbfgsb { projected_gradient = 1e-9 } }
local rest = m:equilibrium {}

return {
  initial = run.objectives.psi,
  gradient = gradient,
  L01 = L01.value,
  L02 = L02.value,
  rest_distance = math.sqrt((rest:at "P2.x" - 0.5) ^ 2 + (rest:at "P2.y" + 2) ^ 2),
}
