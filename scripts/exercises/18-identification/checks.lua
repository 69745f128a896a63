local check = require "exercise"

local start, count, interval = 0.1, 30, 0.1

-- A decaying swing from rest: x(t) with the decay d (1/s) and the frequency w (rad/s).
local function swing(d, w, t) return start * math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t)) end

local function measured(random, M, k, c)
  local d = c / (2 * M)
  local w = math.sqrt(k / M - d ^ 2)
  local list = {}
  for i = 1, count do list[i] = tonumber(("%.4f"):format(swing(d, w, i * interval) + random(-1, 1) * 1.5e-4)) end
  return list
end

-- k / M and c / M by least squares: the best of a grid, and Gauss and Newton's method from there.
local function ratios(given, x)
  local function residuals(d, w)
    local list, sum = {}, 0
    for i, t in ipairs(given.t) do
      list[i] = swing(d, w, t) - x[i]
      sum = sum + list[i] ^ 2
    end
    return list, sum
  end
  local best, d, w = math.huge, 0, 0
  for i = 1, 20 do
    for j = 1, 90 do
      local _, sum = residuals(0.05 * i, 4 + 0.1 * j)
      if sum < best then best, d, w = sum, 0.05 * i, 4 + 0.1 * j end
    end
  end
  for _ = 1, 30 do
    local r, step = residuals(d, w), 1e-5
    local by_d, by_w = residuals(d + step, w), residuals(d, w + step)
    local aa, ab, bb, ar, br = 0, 0, 0, 0, 0
    for i = 1, #r do
      local a, b = (by_d[i] - r[i]) / step, (by_w[i] - r[i]) / step
      aa, ab, bb, ar, br = aa + a * a, ab + a * b, bb + b * b, ar + a * r[i], br + b * r[i]
    end
    local det = aa * bb - ab ^ 2
    d, w = d - (bb * ar - ab * br) / det, w - (aa * br - ab * ar) / det
  end
  return w ^ 2 + d ^ 2, 2 * d
end

-- M from both experiments: k / M and k / (M + load).
local function identified(given)
  local empty, loaded = ratios(given, given.x), ratios(given, given.x_loaded)
  return given.load * loaded / (empty - loaded)
end

-- What is wrong with a fit, of which only the ratios are told.
local function misfitted(what, value, given)
  if type(value) ~= "table" or #value ~= 3 then return what .. ": should be a list of three: M, k, c" end
  for i = 1, 3 do
    if not math.type(value[i]) or not (value[i] > 0 and value[i] < 1e6) then
      return ("%s: number %d should be a positive number"):format(what, i)
    end
  end
  local k, c = ratios(given, given.x)
  local by_k, by_c = value[2] / value[1] / k - 1, value[3] / value[1] / c - 1
  if math.abs(by_k) < 5e-3 and math.abs(by_c) < 2e-2 then return 0 end
  if math.abs(value[1] / value[2] / k - 1) < 5e-3 then return what .. ": M first, then k, then c" end
  if math.abs(by_k) < 5e-3 then
    return what .. ": M and k follow the data, but the damping does not: fitted, with c x' in the law?"
  end
  return what .. ": these do not follow the data: fitted, and from a k with the period of the data?"
end

-- What is wrong with M, k and c.
local function misidentified(value, given)
  local problem = misfitted("identified", value, given)
  if problem ~= 0 then return problem end
  local M = identified(given)
  if math.abs(value[1] / M - 1) < 1e-2 then return 0 end
  if math.abs(value[1] / (M + given.load) - 1) < 1e-2 then return "identified: this is the mass with its load" end
  return "identified: the quotients are right, but not the scale; does the second experiment know of its load?"
end

local function judged(what, value, right, texts)
  local text = {}
  if type(value) ~= "table" or #value ~= #right then
    return ("%s: should be a list of %d, each 0 or 1"):format(what, #right)
  end
  local wrong = 0
  for i = 1, #right do
    if value[i] ~= 0 and value[i] ~= 1 then return ("%s: should be a list of %d, each 0 or 1"):format(what, #right) end
    text[i] = value[i] == 1 and "1" or "0"
    if value[i] ~= right[i] then wrong = wrong + 1 end
  end
  if wrong == 0 then return 0 end
  return what .. ": " .. (texts[table.concat(text)]
    or "not all are right; write down the formula of each, and see whether M, k and c are in it only as quotients")
end

return {
  title = "Identification, and what no data tell apart",
  topic = "identification",
  level = 2,
  given = function(random)
    local M, k, c, load = random(1.6, 2.6), random(100, 150), random(1, 2), random(0.8, 1.2)
    local t = {}
    for i = 1, count do t[i] = tonumber(("%.2f"):format(i * interval)) end
    return { t = t, x = measured(random, M, k, c), x_loaded = measured(random, M + load, k, c), load = load }
  end,
  checks = function(given)
    local k, c = ratios(given, given.x)
    return {
      check.residual { "from_one", name = "a fit from 1 kg", points = 2, answer = "from_one", below = 0,
                       residual = function(value) return misfitted("from_one", value, given) end,
                       hint = "begin with k = M (2 pi / period)^2" },
      check.residual { "from_three", name = "and from 3 kg", points = 2, answer = "from_three", below = 0,
                       residual = function(value, answers)
                         local problem = misfitted("from_three", value, given)
                         if problem ~= 0 then return problem end
                         local other = answers.from_one
                         local first = type(other) == "table" and other[1]
                         if math.type(first) and math.abs(first / value[1] - 1) < 0.05 then
                           return "from_three: the same as from_one? Leave M as the fit left it"
                         end
                         return 0
                       end,
                       hint = "begin with k = M (2 pi / period)^2" },
      check.near { "along", name = "what is lost", points = 2, answer = "along", rtol = 1e-2, expected = { 1, 1 },
                   mistakes = { { { -1, -1 }, "against each other? Multiply the equation of motion by 1.01" },
                                { { 1, 0 }, "then the motion would decay slower: c is in the same equation" },
                                { { 0, 0 }, "then it would swing slower" }, { { 0.01, 0.01 }, "in per cent" },
                                { { 2, 1 }, "the frequency has a root, but of both" } },
                   hint = "the warning of the fit says it" },
      check.near { "ratios", name = "what the data tell", points = 2, answer = "ratios", rtol = 5e-3, expected = { k, c },
                   mistakes = { { { math.sqrt(k), c }, "this is the frequency; k/M is its square" },
                                { { 1 / k, 1 / c }, "the other way round: k/M and c/M" } } },
      check.residual { "damping", name = "and of the damping", answer = "ratios", below = 0,
                       residual = function(value)
                         local mine = type(value) == "table" and value[2]
                         if not math.type(mine) then return "ratios: should be a list of two numbers" end
                         if math.abs(mine / c - 1) < 2e-2 then return 0 end
                         if math.abs(2 * mine / c - 1) < 2e-2 then return "ratios: this is the decay c / (2 M)" end
                         return "ratios: c/M is not what the data tell"
                       end },
      check.residual { "predicts", name = "what can be predicted", points = 3, answer = "predicts", below = 0,
                       residual = function(value)
                         return judged("predicts", value, { 1, 0, 0, 1, 0 },
                           { ["11111"] = "both fits predict the same for all of these? Compute b) with each",
                             ["00000"] = "both fits predict the same for some of these: which are the same for any "
                                          .. "multiple of M, k, c?",
                             ["10110"] = "with another mass on it the quotient k / (M + 0.5 kg) depends on M",
                             ["10000"] = "the damping ratio is c / (2 sqrt(k M)): multiply all three by a number" })
                       end },
      check.residual { "tells", name = "which experiments help", points = 3, answer = "tells", below = 0,
                       residual = function(value)
                         return judged("tells", value, { 0, 0, 0, 1, 1, 1 },
                           { ["111111"] = "no: more of the same motion tells the same quotients",
                             ["010111"] = "more measurements make the quotients more exact, and nothing else",
                             ["100111"] = "twice the start makes twice the motion: the same quotients",
                             ["001111"] = "on a tilted rail k x = M g sin a: which quotient is that?",
                             ["011111"] = "b) makes the quotients more exact, and c) has k x = M g sin a: which "
                                          .. "quotient is that?",
                             ["000000"] = "a known mass, force or stiffness sets the scale" })
                       end },
      check.residual { "identified", name = "all three", points = 4, answer = "identified", below = 0,
                       residual = function(value) return misidentified(value, given) end,
                       hint = "experiments = { { \"empty\", data = ... }, { \"loaded\", data = ..., set = { load = "
                                .. "given.load } } }" },
      check.uses { "fit", name = "by fits", of = "model:fit", at_least = 3 },
    }
  end,
}
