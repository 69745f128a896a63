-- Objects of a model by their names.
local mbs = require "perilune"
local check = require "check"

local m = mbs.model { "crane", gravity = { 0, -9.81 } }
local k = m:param { "k", 100, unit = "N/m", max = 200 }
local boom = m:body { "boom", mass = 2, inertia = 0.1, at = { 0.5, 0 } }
local pivot = m:revolute { "pivot", m.ground, boom, at = { 0, 0 } }
local spring = m:spring { m:ground { "wall", at = { 0, 1 } }, boom:point { 0.5, 0 }, stiffness = k }
local rise = m:signal { "rise", boom.y, unit = "mm" }

-- One way for all kinds, with or without a name that was given.
check.equal(m["boom"], boom)
check.equal(m.pivot, pivot)
check.equal(m["spring1"], spring)
check.equal(m["wall"].name, "wall")
assert(m["rise"] == rise)
check.equal(m["k"].value, 100)
m["k"].value = 150
check.equal(k.value, 150)
check.equal(m["boom"].mass, 2)

-- Where a name is that of a method or field, that wins, and m:object has the object.
local load = m:point { "body", at = { 1, 0 }, mass = 1 }
local mark = m:point { "name", at = { 2, 0 }, mass = 1 }
check.equal(type(m["body"]), "function")
check.equal(m["name"], "crane")
check.equal(m:object "body", load)
check.equal(m:object "name", mark)
check.fails('the name is taken by the parameter', m.spring, m, { "k", m.ground, boom, stiffness = 1 })
check.fails('the name is taken by the body', m.param, m, { "boom", 1 })

-- What is misspelt is told from what is missing.
check.fails([[model "crane" has no field, method or object 'pivit' (did you mean 'pivot'?)]], function() return m["pivit"] end)
check.fails([[(did you mean 'spring1'?)]], function() return m["spring2"] end)
check.fails([[(did you mean 'simulate'?)]], function() return m.simulat end)
check.fails("its objects: see print(m)", function() return m["zzz"] end)
check.fails("has no field, method or object '1'", function() return m[1] end)
check.fails([[its fields are read-only; the value of the parameter is set by m["k"].value = ...]], function() m["k"] = 1 end)
check.fails("its fields are read-only", function() m.boom = 1 end)

-- Without an object there is nothing to list.
local _, message = pcall(function() return mbs.model {}.zzz end)
assert(not message:find("its objects", 1, true), message)
