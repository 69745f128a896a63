-- table.move, which is ours because Lua's cannot be interrupted, does what the manual of Lua 5.4 (6.6) says.
local function same(got, expected)
  assert(#got == #expected, #got .. " elements, not " .. #expected)
  for i, value in ipairs(expected) do assert(got[i] == value, ("element %d is %s, not %s"):format(i, got[i], value)) end
end
same(table.move({ 1, 2, 3 }, 1, 3, 2), { 1, 1, 2, 3 })
same(table.move({ 1, 2, 3 }, 2, 3, 1), { 2, 3, 3 })
same(table.move({ 1, 2, 3 }, 1, 0, 7), { 1, 2, 3 })
same(table.move({ 1, 2, 3 }, 1, 3, 2, { 9 }), { 9, 1, 2, 3 })
same(table.move({ 1, 2, 3 }, 2, 3, 3, nil), { 1, 2, 2, 3 })
-- Tables that are equal by their own opinion overlap, and values go through metamethods.
local kept = { 1, 2, 3, 4 }
local equal = { __index = kept, __newindex = function(_, k, v) kept[k] = v end, __eq = function() return true end }
table.move(setmetatable({}, equal), 1, 3, 2, setmetatable({}, equal))
same(kept, { 1, 1, 2, 3 })
local extreme = table.move({ [math.maxinteger] = 5 }, math.maxinteger, math.maxinteger, math.mininteger)
assert(extreme[math.mininteger] == 5)
local function refused(text, ...)
  local ok, message = pcall(table.move, ...)
  assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end
refused("too many elements to move", {}, 0, math.maxinteger, 2)
refused("too many elements to move", {}, -1, math.maxinteger, 2)
refused("destination wrap around", {}, 1, math.maxinteger, 2)
refused("destination wrap around", {}, 1, 2, math.maxinteger)
refused("table expected, got number", 1, 1, 2, 3)
refused("table expected, got string", {}, 1, 2, 3, "text")
refused("number has no integer representation", {}, 1, 2.5, 3)
