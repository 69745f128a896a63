local mbs = require "perilune"
local given = require "given"

local m = mbs.model { "five-bar", gravity = { 0, -9.81 } }
local L01 = m:param { "L01", math.sqrt(5), unit = "m", min = 0.5, max = 5 }
local L02 = m:param { "L02", math.sqrt(4.25), unit = "m", min = 0.5, max = 5 }
local A, B = m:ground { at = { 0, 0 } }, m:ground { at = { 1, 0 } }
local P1 = m:point { "P1", at = { -1, -1 } }
local P2 = m:point { "P2", at = { 0.5, -2 } }
local P3 = m:point { "P3", at = { 2, -1 } }
-- bars and springs are missing here

return { initial = 0, gradient = { 0, 0 }, L01 = L01.value, L02 = L02.value, rest_distance = 0 }
