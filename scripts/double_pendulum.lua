-- A double pendulum of two bars of 1 m and 1 kg, let go from the horizontal.
local mbs = require "perilune"
local m = mbs.model { "double pendulum", gravity = { 0, -9.81 } }
local bar = mbs.box { mass = 1, size = { 1, 0.05, 0.05 }, at = { 0.5, 0, 0 } }
local upper = m:body { "upper", inertia_of = bar }
local lower = m:body { "lower", inertia_of = bar, at = { 1, 0 } }
m:revolute { "shoulder", m.ground, upper, at = { 0, 0 } }
m:revolute { "elbow", upper, lower, at = { 1, 0 } }
local run = m:simulate { t = 10 }
run:plot("upper.angle", "lower.angle")
run:view "double_pendulum.html"
