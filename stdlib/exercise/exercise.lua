-- The checks of exercises, as data: `require "exercise"` in a checks.lua. Each kind takes a table:
--   { "id", name = what is checked, points = 1, hint = text,
--     answer = name in the table that the script returns                       where the value comes from; or
--     call = name of a function in it, arguments = list                         its first result; or
--     run = name of a run in it, signals = list, times = list, relative = bool  a list of values per signal
--     ... }
-- A value expected may be a function of the answers; it is only called where nothing of the student runs.
local messages = require "exercise.messages"

local exercise = {}

local kinds = {}

local function kind(name)
  exercise[name] = function(check)
    assert(type(check[1]) == "string", "a check needs an id as its first item")
    check.kind, check.id = name, check[1]
    check.points = check.points or 1
    check.what = check.what or check.answer or check.call or check.run
    return check
  end
  return function(judge) kinds[name] = judge end
end

-- A judge returns nothing if all is well, else what is wrong; it is given the check, the value, and all answers.
local function resolved(value, answers)
  if type(value) == "function" then return value(answers) end
  return value
end

-- |a - b| <= atol + rtol |b| for numbers, lists and lists of lists; b is largest of its list where that is one.
-- mistakes: a list of { value, "text" }.
kind "near" (function(check, value, answers)
  local expected = resolved(check.expected, answers)
  local shape = messages.shape(check.what, value, expected, check.unit)
  if shape then return shape end
  local close = messages.closeness(check.rtol or 1e-6, check.atol or 0)
  if close(value, expected) then return end
  return messages.difference(check, value, expected, resolved(check.mistakes, answers) or {}, close)
end)

-- The numbers that check.residual(value, answers) returns (one, or a list) are at most check.below in size.
kind "residual" (function(check, value, answers)
  local residuals, note = check.residual(value, answers)
  if type(residuals) == "string" then return residuals end
  local worst, place = messages.largest(residuals)
  if not worst then return check.what .. ": has numbers that are not finite" end
  if worst <= check.below then return end
  local where = place and (" (worst: number %d)"):format(place) or ""
  return ("%s: off by %.2g%s; at most %.2g is accepted%s"):format(check.what, worst, where, check.below,
    note and "; " .. note or "")
end)

-- A number between check.above and check.below (either may be missing); check.measure(value, answers) if that is given.
kind "bound" (function(check, value, answers)
  if check.measure then
    value = check.measure(value, answers)
    if type(value) == "string" then return value end
  end
  local shape = messages.shape(check.what, value, 0)
  if shape then return shape end
  local above, below = resolved(check.above, answers), resolved(check.below, answers)
  local text = check.measured or check.what
  if above and not (value >= above) then return ("%s: %.2g is too small%s"):format(text, value, check.why_more or "") end
  if below and not (value <= below) then return ("%s: %.2g is too large%s"):format(text, value, check.why_less or "") end
end)

-- The results at the steps check.steps (numbers or lists) approach check.exact with an order between check.order[1]
-- and check.order[2].
kind "converges" (function(check, value, answers)
  local steps, exact = check.steps, resolved(check.exact, answers)
  local expected = {}
  for i = 1, #steps do expected[i] = exact end
  local shape = messages.shape(check.what, value, expected)
  if shape then return shape end
  for i = 1, #steps - 1 do
    local coarse, fine = messages.distance(value[i], exact), messages.distance(value[i + 1], exact)
    if coarse == 0 or fine == 0 then return check.what .. ": an error is exactly zero, which no integrator reaches" end
    local order = math.log(coarse / fine) / math.log(steps[i] / steps[i + 1])
    if not (order >= check.order[1] and order <= check.order[2]) then
      return ("%s: from step %g to %g the errors change with order %.1f; it should be between %g and %g"):format(
        check.what, steps[i], steps[i + 1], order, check.order[1], check.order[2])
    end
  end
end)

-- Numbers that stay the same but for check.rtol times the largest of them, or times check.scale.
kind "invariant" (function(check, value, answers)
  for number, list in ipairs(value) do
    if type(list) ~= "table" then list = value end
    local shape = messages.finite(check.what, list)
    if shape then return shape end
    local low, high = math.min(table.unpack(list)), math.max(table.unpack(list))
    local scale = resolved(check.scale, answers) or math.max(math.abs(low), math.abs(high))
    local name = check.signals and check.signals[number] or check.what
    if high - low > check.rtol * scale then
      return ("%s: changes by %.2g of its size; %.2g is accepted"):format(name, (high - low) / scale, check.rtol)
    end
    if list == value then break end
  end
end)

-- The script took less than check.seconds of processor time.
kind "runs_within" (function(check, _, _, outcome)
  if outcome.seconds > check.seconds then
    return ("the script took %.1f s of processor time; %g s are enough"):format(outcome.seconds, check.seconds)
  end
end)

local function calls(check, outcome)
  local count = 0
  for _, name in ipairs(type(check.of) == "table" and check.of or { check.of }) do
    count = count + (outcome.calls[name] or 0)
  end
  return count
end

-- The script calls check.of, such as "model:simulate", between at_least (1) and at_most times.
kind "uses" (function(check, _, _, outcome)
  local count = calls(check, outcome)
  local name = type(check.of) == "table" and table.concat(check.of, " or ") or check.of
  if count < (check.at_least or 1) then
    return ("%s was %s, which is too seldom"):format(name, messages.called(count))
  end
  if count > (check.at_most or math.huge) then
    return ("%s was %s, which is too often"):format(name, messages.called(count))
  end
end)

-- The script does not call check.of.
kind "avoids" (function(check, _, _, outcome)
  for _, name in ipairs(type(check.of) == "table" and check.of or { check.of }) do
    if (outcome.calls[name] or 0) > 0 then
      return ("%s was called; this exercise wants you to do without it"):format(name)
    end
  end
end)

-- What follows is for the program.

-- The numbers of a student: random(low, high) has three digits.
function exercise.prepare(definition, seed)
  math.randomseed(seed)
  local function random(low, high)
    local value = low + (high - low) * math.random()
    return tonumber(("%.3g"):format(value))
  end
  return definition.given and definition.given(random) or {}
end

-- What the process of the script is to be asked, besides the table that it returns.
function exercise.questions(definition, given)
  local questions = {}
  for _, check in ipairs(definition.checks(given)) do
    if check.call or check.run then
      questions[#questions + 1] = { id = check.id, call = check.call, arguments = check.arguments, run = check.run,
                                    signals = check.signals, times = check.times, relative = check.relative }
    end
  end
  return questions
end

local function value_of(check, outcome)
  if check.kind == "runs_within" or check.kind == "uses" or check.kind == "avoids" then return true end
  if check.answer then
    local value = outcome.answers[check.answer]
    if value == nil then return nil, ("'%s' is missing in what the script returns"):format(check.answer) end
    return value
  end
  if not (check.call or check.run) then return true end
  local result = outcome.results[check.id]
  if not result or result.error then return nil, (result and result.error or "there is no answer"):gsub("\n$", "") end
  if result.value == nil then return nil, ("%s: returns nothing"):format(check.what) end
  return result.value
end

-- What is wrong, and whether that may be the check's own fault.
local function fault(check, outcome)
  if outcome.problem then return "not checked: the script did not come to its end" end
  local value, problem = value_of(check, outcome)
  if problem then return problem end
  local ok, message = pcall(kinds[check.kind], check, value, outcome.answers, outcome)
  if ok then return message end
  return ("%s: cannot be checked (%s)"):format(check.what or check.id, tostring(message)), true
end

-- The list of tests of the report.
function exercise.judge(definition, given, outcome)
  local tests = {}
  for i, check in ipairs(definition.checks(given)) do
    local output, is_doubtful = fault(check, outcome)
    tests[i] = { id = check.id, name = check.name or check.id, max_score = check.points,
                 score = output and 0 or check.points, status = output and "failed" or "passed",
                 doubtful = is_doubtful, output = output or "", hint = output and not outcome.problem and check.hint or "" }
  end
  return tests
end

return exercise
