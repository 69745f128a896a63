-- small:animate: what it refuses, and that the state is the linearized one.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local P = m:point { "P", at = { 0, -1 }, mass = 1 }
m:distance { m:ground { at = { 0, 0 } }, P }
local small = m:linearize {}
local file = os.tmpname()
check.fails("there is no mode 2; the linearization has one, which is mode 1", small.animate, small, file, 2)
check.fails("there is no mode 0", small.animate, small, file, 0)
check.fails("a whole number, or a list of them, got 1.5", small.animate, small, file, 1.5)
check.fails("the list of modes is empty", small.animate, small, file, {})
check.fails("mode 1 is in the list twice", small.animate, small, file, { 1, 1 })
check.fails("is a method of what m:linearize returns", small.animate, { modes = small.modes }, file, 1)
check.fails("is a method of what m:linearize returns", small.animate, nil, file, 1)
local f = assert(io.open(file))
check.equal(f:read "a", "", "a refused page leaves the file alone")
f:close()
small:animate(file, 1)
assert(#assert(io.open(file)):read "a" > 100)
-- The model may grow afterwards: the page is of what was linearized.
m:point { "late", at = { 5, 0 }, mass = 1 }
small:animate(file)
assert(not assert(io.open(file)):read "a":find('"late"', 1, true), "what was declared later is on the page")
check.equal(tostring(small):find("small motions of", 1, true), 1)
-- A mode of a first-order state alone moves nothing.
local c = mbs.model { "filter", gravity = { 0, 0 } }
local Q = c:point { "Q", at = { 0, 0 }, mass = 1 }
c:force { on = Q, law = function(s) return -s.x - 0.1 * s.vx, -2 * s.y - 0.1 * s.vy end }
c:state { "z", rate = function(s) return -3 * s.value end }
local linear = c:linearize {}
local found
for k, mode in ipairs(linear.modes) do if mode.imaginary == 0 then found = k end end
check.fails("moves no body, point or beam: it is one of first-order states", linear.animate, linear, file, found)
os.remove(file)
-- Without a freedom there is no mode.
local s = mbs.model { "still", gravity = { 0, 0 } }
local R = s:point { "R", at = { 0, 0 }, mass = 1 }
s:coincidence { R, s:ground { at = { 0, 0 } } }
local none = s:linearize {}
check.fails("the mechanism has no freedom", none.animate, none, os.tmpname())
