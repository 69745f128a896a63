-- What checks say of a wrong value: roughly how far off it is and which mistake would explain it, but never the right
-- one; not so precisely either that asking again and again would find it.
local messages = {}

local function is_finite(x) return x == x and x ~= math.huge and x ~= -math.huge end

local function described(value)
  if type(value) == "table" and getmetatable(value) then return "a " .. value.type end
  if type(value) == "table" then return ("a table with a list of %d"):format(#value) end
  return type(value) == "nil" and "nothing" or "a " .. type(value)
end

function messages.called(count)
  return count == 0 and "never called" or count == 1 and "called once" or ("called %d times"):format(count)
end

-- Nothing if all items are finite numbers.
function messages.finite(what, list)
  for i, x in ipairs(list) do
    if type(x) ~= "number" then return ("%s: item %d should be a number, got %s"):format(what, i, described(x)) end
    if not is_finite(x) then return ("%s: item %d is not a finite number"):format(what, i) end
  end
end

-- Nothing if the value has the form of the expected one: a finite number, a list of so many, a list of lists.
function messages.shape(what, value, expected, unit)
  local of_unit = unit and " in " .. unit or ""
  if type(expected) == "number" then
    if math.type(value) == nil then
      return ("%s: should be a number%s, got %s"):format(what, of_unit, described(value))
    end
    if not is_finite(value) then return what .. ": is not a finite number" end
    return
  end
  if type(value) ~= "table" or getmetatable(value) then
    return ("%s: should be a list of %d%s, got %s"):format(what, #expected, of_unit, described(value))
  end
  if #value ~= #expected then
    return ("%s: should have %d items, but has %d"):format(what, #expected, #value)
  end
  for i, item in ipairs(expected) do
    local problem = messages.shape(("%s[%d]"):format(what, i), value[i], item, unit)
    if problem then return problem end
  end
end

-- All numbers of nested lists, in order.
local function flat(value, out)
  out = out or {}
  if type(value) == "number" then
    out[#out + 1] = value
  else
    for _, item in ipairs(value) do flat(item, out) end
  end
  return out
end

-- The largest absolute value and its place (none for a single number); nothing if one is not finite.
function messages.largest(value)
  local worst, place = 0, nil
  for i, x in ipairs(flat(value)) do
    if not is_finite(x) then return nil end
    if math.abs(x) > worst then worst, place = math.abs(x), i end
  end
  return worst, type(value) == "table" and place or nil
end

-- The norm of the difference of two values of one shape.
function messages.distance(value, expected)
  local a, b, sum = flat(value), flat(expected), 0
  for i = 1, #b do sum = sum + (a[i] - b[i]) ^ 2 end
  return math.sqrt(sum)
end

-- A function that tells whether two values of one shape are as close as these tolerances say.
function messages.closeness(rtol, atol)
  return function(value, expected)
    local a, b = flat(value), flat(expected)
    local limit = atol + rtol * messages.largest(expected)
    for i = 1, #b do
      if not (math.abs(a[i] - b[i]) <= limit) then return false end
    end
    return #a == #b
  end
end

local function mapped(value, f)
  if type(value) == "number" then return f(value) end
  local out = {}
  for i, item in ipairs(value) do out[i] = mapped(item, f) end
  return out
end

local function scaled(factor) return function(x) return factor * x end end

local transformations = {
  { "the sign is wrong", scaled(-1) },
  { "twice too large: a factor 2", scaled(2) },
  { "half of what it should be: a factor 2", scaled(1 / 2) },
  { "four times too large", scaled(4) },
  { "a quarter of what it should be", scaled(1 / 4) },
  { "too large by 2 pi: turns, or hertz, and radians?", scaled(2 * math.pi) },
  { "too small by 2 pi: turns, or hertz, and radians?", scaled(1 / (2 * math.pi)) },
  { "in degrees; radians are expected", scaled(180 / math.pi) },
  { "an angle was taken for degrees that is in radians", scaled(math.pi / 180) },
  { "twice too large, and the sign is wrong", scaled(-2) },
  { "half of what it should be, and the sign is wrong", scaled(-1 / 2) },
  { "too large by 1000: a unit?", scaled(1000) },
  { "too small by 1000: a unit?", scaled(1 / 1000) },
  { "the reciprocal of what it should be", function(x) return 1 / x end },
  { "the square of what it should be", function(x) return x * x end },
  { "the square root of what it should be", function(x) return x < 0 and 0 / 0 or math.sqrt(x) end },
}

local function permuted(list, order)
  local out = {}
  for i, k in ipairs(order) do out[i] = list[k] end
  return out
end

local function is_list(value) return type(value) == "table" and type(value[1]) == "number" end

local function rearrangement(value, expected, close)
  if is_list(expected) then
    local orders = #expected == 2 and { { 2, 1 } } or
      #expected == 3 and { { 1, 3, 2 }, { 2, 1, 3 }, { 3, 2, 1 }, { 2, 3, 1 }, { 3, 1, 2 } } or {}
    for _, order in ipairs(orders) do
      if close(value, permuted(expected, order)) then return "the components are exchanged: the wrong axis?" end
    end
    local flipped = {}
    for i, x in ipairs(expected) do flipped[i] = math.abs(x + value[i]) < math.abs(x - value[i]) and -x or x end
    if close(value, flipped) then return "the signs of some components are wrong" end
    local backward = {}
    for i = 1, #expected do backward[i] = expected[#expected + 1 - i] end
    if close(value, backward) then return "the list is in reverse order" end
  elseif type(expected) == "table" and #expected == #expected[1] then
    local transposed = {}
    for i = 1, #expected do
      transposed[i] = {}
      for k = 1, #expected do transposed[i][k] = expected[k][i] end
    end
    if close(value, transposed) then return "the matrix is transposed" end
  end
end

local function common_factor(value, expected, close)
  local a, b = flat(value), flat(expected)
  local over, under = 0, 0
  for i = 1, #b do over, under = over + a[i] * b[i], under + b[i] * b[i] end
  if #b < 2 or under == 0 or over == 0 then return end
  if close(value, mapped(expected, scaled(over / under))) then
    return ("all of it is off by the same factor, about %.2g"):format(over / under)
  end
end

local function explanation(value, expected, mistakes, close)
  for _, mistake in ipairs(mistakes) do
    if close(value, mistake[1]) then return mistake[2] end
  end
  if messages.largest(expected) == 0 then return end
  for _, transformation in ipairs(transformations) do
    local wrong = mapped(expected, transformation[2])
    -- What is as close to zero as to this explanation is not explained by it.
    local told = messages.largest(wrong) and not close(mapped(wrong, scaled(0)), wrong)
    if told and close(value, wrong) then return transformation[1] end
  end
  return rearrangement(value, expected, close) or common_factor(value, expected, close)
end

-- To one digit.
local function rounded(x) return tonumber(("%.0e"):format(x)) end

-- What a value that has the right form but is not close has to be told.
function messages.difference(check, value, expected, mistakes, close)
  local why = explanation(value, expected, mistakes, close)
  if why then return check.what .. ": " .. why end
  local a, b = flat(value), flat(expected)
  local worst, place = 0, 1
  for i = 1, #b do
    if math.abs(a[i] - b[i]) > worst then worst, place = math.abs(a[i] - b[i]), i end
  end
  local size = messages.largest(expected)
  local where = #b > 1 and (" (worst: number %d of %d)"):format(place, #b) or ""
  if size == 0 then return ("%s: off by %.0e%s"):format(check.what, worst, where) end
  local relative = worst / size
  local direction = math.abs(a[place]) > math.abs(b[place]) and "too large" or "too small"
  if relative < 0.01 then return ("%s: off by less than 1 %%, which is not close enough%s"):format(check.what, where) end
  if relative < 2 then return ("%s: %s by about %.0f %%%s"):format(check.what, direction, rounded(100 * relative), where) end
  return ("%s: %s by a factor of about %.0e%s"):format(check.what, direction, relative + 1, where)
end

return messages
