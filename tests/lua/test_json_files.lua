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
