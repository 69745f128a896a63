-- mbs.read_json gives back what mbs.write_json wrote, and what other programs write.
local mbs = require "perilune"
local check = require "check"

local file = os.tmpname()
local function read(text)
  local out = assert(io.open(file, "w"))
  out:write(text)
  out:close()
  return mbs.read_json(file)
end

local value = { name = "p\u{e4}rchen \"1\"", list = { 1, 2.5, -3e-300 }, nested = { { a = true }, { b = {} } }, third = 1 / 3 }
mbs.write_json(file, value)
local back = mbs.read_json(file)
check.equal(back.name, value.name)
for i = 1, 3 do check.equal(back.list[i], value.list[i]) end
check.equal(#back.list, 3)
check.equal(math.type(back.list[1]), "integer")
check.equal(back.nested[1].a, true)
check.equal(next(back.nested[2].b), nil)
check.equal(back.third, 1 / 3)

check.equal(read "[1, null, 3]"[2] ~= read "[1, null, 3]"[2], true, "null is not a number")
check.equal(#read "[1, null, 3]", 3)
check.equal(read '"\\u00e4\\n"', "\u{e4}\n")
check.equal(read "12345678901234567890" > 1e19, true)
check.equal(1 / read "-0.0", -math.huge)
check.fails("No such file", mbs.read_json, file .. ".none")
os.remove(file)

-- Integers stay what they are as far as Lua's reach; larger ones are numbers with a fraction.
for _, text in ipairs { "9007199254740993", "-9223372036854775808", "9223372036854775807", "0" } do
  local whole = read(text)
  check.equal(math.type(whole), "integer")
  check.equal(("%d"):format(whole), text)
  mbs.write_json(file, { whole })
  check.equal(mbs.read_json(file)[1], whole)
end
check.equal(math.type(read "9223372036854775808"), "float")
-- What has a fraction or an exponent is no integer, which would wrap around: E^2 of a steel was negative.
for _, text in ipairs { "3.0", "2.1e11", "1E0", "-4.0e9" } do check.equal(math.type(read(text)), "float", text) end
check.equal(read "2.1e11" * read "2.1e11", 4.41e22)

local function written(x)
  mbs.write_json(file, x)
  local input <close> = assert(io.open(file))
  return (input:read "a":gsub("%s", ""))
end

for _, number in ipairs { 3, 3.0, -4e9, 2.1e11, 1e300, 0.5, -0.0, 0.0 } do
  local back = read(written(number))
  check.equal(back, number)
  check.equal(math.type(back), math.type(number), tostring(number))
end

-- Lists that were read stay lists, also when they get empty; other empty tables are objects.
check.equal(written(read '{"a": [], "b": {}, "c": [[], [1]]}'), '{"a":[],"b":{},"c":[[],[1]]}')
local list = read "[1]"
table.remove(list)
check.equal(written(list), "[]")
list.name = 1
check.equal(written(list), '{"name":1}')
check.equal(written {}, "{}")

-- A byte order mark is no character of the text. Bytes that are not UTF-8 would not come back.
check.equal(read '\u{feff}{"k": 1}'.k, 1)
check.fails('write_json: byte 2 of the text', mbs.write_json, file, { "a\xff" })
check.fails("is not UTF-8", mbs.write_json, file, { ["\xe4"] = 1 })
check.equal(read(written { ["a\0b"] = "\u{fffd}\u{20ac}" })["a\0b"], "\u{fffd}\u{20ac}")
os.remove(file)
