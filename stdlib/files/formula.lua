-- Functions of time in FreeCAD's assembly text: "2.0*pi*time + 0.1*sin(time)", as functions in Lua. They are what the
-- format's own solver reads, but for tables and pieces.
local numbers = require "perilune.files.numbers"
local rotations = require "perilune.files.rotations"

local formula = {}

local functions = {
  sin = math.sin, cos = math.cos, abs = math.abs, asin = math.asin, arcsin = math.asin, arctan = math.atan,
}

-- What the solver knows and has no smooth counterpart here.
local pieces = { integral = true, rampstep = true, piecewise = true, spline = true, functions = true,
                 transitions = true }

local parser = {}
parser.__index = parser

local function fail(self, problem)
  numbers.fail(self.element, (": \"%s\" %s"):format(self.text, problem))
end

-- Number, word, or one other character; "" at the end. Behind numbers Smalltalk's d stands for an exponent, too.
local function next_token(self)
  local rest = self.text:sub(self.at)
  local blank = #rest:match "^%s*"
  rest, self.at = rest:sub(blank + 1), self.at + blank
  local digits = rest:match "^%d+%.?%d*" or rest:match "^%.%d+"
  if digits then
    local exponent = rest:match("^[de][%+%-]?%d+", #digits + 1) or rest:match("^[de]", #digits + 1) or ""
    self.token, self.kind = digits .. (#exponent > 1 and "e" .. exponent:sub(2) or ""), "number"
    self.at = self.at + #digits + #exponent
    return
  end
  self.token, self.kind = rest:match "^%a[%w_]*", "word"
  if not self.token then self.token, self.kind = rest:match "^[^\128-\191][\128-\191]*" or "", "sign" end
  self.at = self.at + #self.token
end

local function take(self, sign)
  if self.kind ~= "sign" or self.token ~= sign then return false end
  next_token(self)
  return true
end

local expression

local function literal(self, sign)
  local list = self.literals
  list[#list + 1] = sign .. self.token
  local k = #list
  next_token(self)
  return function() return list[k] end
end

local function factor(self)
  local value
  if take(self, "(") then
    value = expression(self)
    if not take(self, ")") then fail(self, "lacks a )") end
  elseif self.kind == "number" then
    value = literal(self, "")
  elseif self.kind == "sign" and (self.token == "-" or self.token == "+") and
    self.text:find("^[%d%.]", self.at) then
    -- A sign that touches its number belongs to it, even before ^.
    local sign = self.token == "-" and "-" or ""
    next_token(self)
    value = literal(self, sign)
  elseif self.kind == "word" then
    local word = self.token
    next_token(self)
    if word == "time" then
      value = function(t) return t end
    elseif word == "pi" then
      value = function() return math.pi end
    elseif pieces[word] then
      fail(self, ("has %s, which is not read; leave the motion out and write m:driver"):format(word))
    elseif functions[word] then
      if not take(self, "(") then fail(self, ("lacks a ( behind %s"):format(word)) end
      local argument = expression(self)
      if not take(self, ")") then fail(self, ("lacks a ) behind %s"):format(word)) end
      local f = functions[word]
      value = function(t) return f(argument(t)) end
    else
      fail(self, ("has %s, which is not known; expected time, pi, sin, cos, abs, asin, arcsin or arctan"):format(word))
    end
  else
    fail(self, self.token == "" and "ends where a number or a function is expected" or
      ("has %s where a number or a function is expected"):format(self.token))
  end
  if take(self, "^") then
    local power = factor(self)
    return function(t) return value(t) ^ power(t) end
  end
  return value
end

local function term(self)
  local value = factor(self)
  while true do
    local left = value
    if take(self, "*") then
      local right = factor(self)
      value = function(t) return left(t) * right(t) end
    elseif take(self, "/") then
      local right = factor(self)
      value = function(t) return left(t) / right(t) end
    else
      return value
    end
  end
end

local function negative(value)
  return function(t) return -value(t) end
end

function expression(self)
  self.depth = self.depth + 1
  if self.depth > 50 then fail(self, "is nested more than 50 deep") end
  local value = take(self, "-") and negative(term(self)) or take(self, "+") and term(self) or term(self)
  while true do
    local left = value
    if take(self, "+") then
      local right = term(self)
      value = function(t) return left(t) + right(t) end
    elseif take(self, "-") then
      local right = term(self)
      value = function(t) return left(t) - right(t) end
    else
      self.depth = self.depth - 1
      return value
    end
  end
end

--- The function of time that stands below a record, 0 if nothing does. Its numbers have the paths path.name.1 and so on.
--- Also returns whether it is 0 at all times.
function formula.read(c, element, text, path)
  if text:find "^%s*$" then return function() return 0 end, true end
  local self = setmetatable({ text = text:gsub("<n>", " "), element = element, at = 1, literals = {}, depth = 0 }, parser)
  next_token(self)
  local value = expression(self)
  if self.token ~= "" then fail(self, ("has %s where it should end"):format(self.token)) end
  local is_zero = #self.literals == 1 and not text:find "%a" and tonumber(self.literals[1]) == 0
  if #self.literals > 0 then
    local record = { text = table.concat(self.literals, " "), element = element }
    local read = c.numbers:list({ element = element, paths = { path }, attributes = { [element.name] = record } },
      element.name, { most = #self.literals, numbered = true })
    for k, number in ipairs(read) do
      self.literals[k] = number
      is_zero = is_zero and type(number) == "number"
    end
  end
  -- Expressions refuse what is no number.
  local fine, start = pcall(function() return rotations.value(value(0)) end)
  if not fine or start ~= start or math.abs(start) == math.huge then fail(self, "is no finite number at time 0") end
  return value, is_zero
end

return formula
