-- A pendulum that a spring holds: a host program asks for the mean square of its angle.
local mbs = require "perilune"
local m = mbs.model { "swing", gravity = { 0, -9.81 } }
local L = m:param { "L", 0.5, unit = "m", min = 0.2, max = 1 }
local k = m:param { "k", 20, unit = "N/m", min = 0 }
local arm = m:body { "arm", mass = 1, inertia = L ^ 2 / 12, at = { L / 2, 0 } }
m:revolute { "pivot", m.ground, arm, at = { 0, 0 } }
m:spring { "spring", m:ground { at = { 0, 1 } }, arm, stiffness = k, free_length = 0.8 }
m:simulate { t = 5, integrator = mbs.rk4 { step = 1e-3 }, formulation = mbs.index1 {} }
return m:objective { "swing", integral = arm.angle ^ 2 / 5 }
