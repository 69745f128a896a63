-- Plain numbers behave exactly as in stock Lua after the module has replaced functions of math.
local stock = {}
for name, f in pairs(math) do stock[name] = f end
local mbs = require "perilune"
local check = require "check"

assert(math.sin ~= stock.sin, "math.sin is replaced")
local values = { 0, 1, -1, 2, 0.5, -0.25, 3.0, 1e300, math.huge, -math.huge, math.maxinteger, math.mininteger, "2", "0x10" }
local function same(a, b) return a == b and math.type(a) == math.type(b) or (a ~= a and b ~= b) end
local one = { "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "abs", "floor", "ceil", "deg", "rad",
  "tointeger", "modf" }
for _, name in ipairs(one) do
  for _, value in ipairs(values) do
    local a, a2 = stock[name](value)
    local b, b2 = math[name](value)
    assert(same(a, b) and same(a2, b2), name .. "(" .. tostring(value) .. ")")
  end
end
for _, name in ipairs { "atan", "log", "max", "min", "ult" } do
  for _, x in ipairs { 1, 2, 8, 10, -3 } do
    for _, y in ipairs { 1, 2, 10, 16, -1 } do
      assert(same(stock[name](x, y), math[name](x, y)), name)
    end
  end
end
check.equal(math.type(math.max(1, 2)), "integer")
check.equal(math.max(1, 2.5, 2), 2.5)
check.equal(math.fmod(7, 3), 1)
check.fails("bad argument #1 to 'math.sin' (number expected, got nil)", math.sin, nil)
for _, name in ipairs { "sin", "max", "atan", "floor", "log", "abs" } do
  for _, arguments in ipairs { { {} }, { 1, {} }, { "x" }, {} } do
    local _, expected = pcall(stock[name], table.unpack(arguments))
    local _, got = pcall(math[name], table.unpack(arguments))
    local function anonymous(message) return type(message) == "string" and message:gsub("to '[^']*'", "to it") end
    check.equal(anonymous(got), anonymous(expected), name)
  end
end
math.randomseed(7)
local a = math.random(100)
math.randomseed(7)
check.equal(math.random(100), a)
assert(math.random() < 1)

-- The module's own functions with numbers.
check.equal(mbs.lt(1, 2), true)
check.equal(mbs.ge(1, 2), false)
check.equal(mbs.where(true, 3, 4), 3)
check.equal(mbs.where(mbs.gt(1, 2), 3, 4), 4)
check.near(mbs.tanh(0.5), (math.exp(1) - 1) / (math.exp(1) + 1))
check.near(mbs.sinh(1) ^ 2 + 1, mbs.cosh(1) ^ 2)
check.equal(mbs.sign(-3), -1)
check.near(mbs.smoothstep(0.25, 0, 1), 3 / 16 - 2 / 64)
check.equal(mbs.smoothstep(-1, 0, 1), 0)
check.equal(mbs.smoothstep(7, 0, 1), 1)
check.near(mbs.sabs(3, 4), 5)
check.near(mbs.softplus(3, 4), 4)
check.near(mbs.atan2(1, -1), 3 * math.pi / 4)
