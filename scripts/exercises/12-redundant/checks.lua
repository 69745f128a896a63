local check = require "exercise"

local g = 9.81

-- Horizontal reactions at t = 0 of the hinges that are not redundant: two equations, forces in x and torques about y at
-- the centre of mass.
local function horizontals(given, omega)
  local m, c = given.mass, given.distance
  local up, down = given.high - given.middle, given.middle - given.low
  -- upper + lower = -m c omega^2, and up upper - down lower = -c m g
  local sum, moment = -m * c * omega ^ 2, -c * m * g
  local upper = (moment + down * sum) / (up + down)
  return upper, sum - upper
end

local trusted = { 0, 1, 0, 1, 1 }

local function misjudged(value)
  if type(value) ~= "table" or #value ~= 5 then return "trusted: should be a list of five, each 0 or 1" end
  local wrong = 0
  for i = 1, 5 do
    if value[i] ~= 0 and value[i] ~= 1 then return "trusted: should be a list of five, each 0 or 1" end
    if value[i] ~= trusted[i] then wrong = wrong + 1 end
  end
  if wrong == 0 then return 0 end
  local text = table.concat { value[1], value[2], value[3], value[4], value[5] }
  if text == "11111" then
    return "trusted: the two runs of question 2 have the same motion and other reactions, so not all can be determined"
  end
  if text == "00000" then return "trusted: the balance of the whole door leaves some of them no choice" end
  if text:sub(1, 1) == "1" then return "trusted: compare lower.force_z in the two runs of question 2" end
  if text == "01111" then
    return "trusted: horizontal forces could be a couple alone, but each hinge bears a torque as well: what may "
             .. "replace what?"
  end
  return "trusted: not all of the five are right; for each, look for reactions that balance each other and change it"
end

-- What is wrong with two pairs of vertical forces, by two forms: only their sums are determined.
local function misread(value, weight)
  local names = { "maggi", "augmented_lagrangian" }
  for i = 1, 2 do
    local pair = type(value) == "table" and value[i]
    if type(pair) ~= "table" or #value ~= 2 or #pair ~= 2 or not math.type(pair[1]) or not math.type(pair[2]) then
      return "choices: should be a list of two lists of two numbers in N: lower and upper by maggi, then by " .. names[2]
    end
    local sum = pair[1] + pair[2]
    if math.abs(sum + weight) < 1e-3 * weight then
      return "choices: the sign is wrong; force_z is the force on the second body: declare m.ground first"
    end
    if math.abs(g * sum - weight) < 1e-3 * weight then return "choices: these are kilograms: g is missing" end
    if not (math.abs(sum - weight) < 1e-3 * weight) then
      return ("choices: by %s lower and upper together do not carry the weight of the door"):format(names[i])
    end
  end
  if math.abs(value[1][1] - value[2][1]) < 0.05 * weight then
    return "choices: the two forms choose differently; did you run both?"
  end
  return 0
end

-- What is wrong with the vertical forces on the door of question 4.
local function carried(upper, lower, weight)
  local tolerance = 1e-4 * weight
  if math.abs(upper - weight) < tolerance and math.abs(lower) < tolerance then return 0 end
  if math.abs(lower - weight) < tolerance and math.abs(upper) < tolerance then
    return "determinate: the lower hinge carries the weight; the ball joint belongs above"
  end
  if math.abs(upper + weight) < tolerance then
    return "determinate: the sign is wrong; force_z is the force on the second body: declare m.ground first"
  end
  if math.abs(upper + lower - weight) < tolerance then
    return "determinate: both hinges carry some of the weight, so something is redundant still: see m:mobility"
  end
  return "determinate: the hinges do not carry the weight of the door"
end

return {
  title = "Redundant constraints and unique reactions",
  topic = "constraints",
  level = 2,
  given = function(random)
    return { mass = random(18, 30), distance = random(0.38, 0.5), low = random(0.2, 0.3), high = random(1.7, 1.9),
             middle = random(0.9, 1.1), omega = random(2, 4), stiffness = random(2, 6) * 1e5, ratio = random(1.5, 3) }
  end,
  checks = function(given)
    local weight = given.mass * g
    local part = given.ratio / (1 + given.ratio)
    local upper, lower = horizontals(given, given.omega)
    local upper_at_rest, lower_at_rest = horizontals(given, 0)
    local misfit = weight / given.stiffness
    local function motion(c, t)
      return c * math.cos(given.omega * t), c * math.sin(given.omega * t)
    end
    local x1, y1 = motion(given.distance, 0.5)
    local x2, y2 = motion(given.distance, 1)
    return {
      check.near { "counts", name = "the freedoms and the redundant constraints", answer = "counts", rtol = 0,
                   expected = { 1, 5 },
                   mistakes = { { { 1, 1 }, "one joint is redundant, but how many constraints is that?" },
                                { { -4, 5 }, "6 - 10 = -4 counts constraints that say nothing new" },
                                { { 1, 10 }, "these are all constraints; half of them are needed" },
                                { { 1, 0 }, "the second hinge is missing" },
                                { { -4, 0 }, "6 - 10 = -4 counts constraints that say nothing new" } },
                   hint = "print(m:mobility {})" },
      check.residual { "choices", name = "what two forms choose", points = 2, answer = "choices", below = 0,
                       residual = function(value) return misread(value, weight) end,
                       hint = "run:at(\"lower.force_z\", 1) and run:at(\"upper.force_z\", 1), in both runs" },
      check.residual { "trusted", name = "which reactions are determined", points = 4, answer = "trusted", below = 0,
                       residual = misjudged },
      check.near { "motion", name = "a door without redundant constraints", points = 2, run = "determinate",
                   signals = { "leaf.x", "leaf.y" }, times = { 0, 0.5, 1 }, rtol = 1e-3,
                   expected = { { given.distance, x1, x2 }, { 0, y1, y2 } },
                   mistakes = { { { { given.distance, x1, x2 }, { 0, -y1, -y2 } }, "the door turns clockwise" },
                                { { { given.distance, given.distance, given.distance }, { 0, 0, 0 } },
                                  "the door does not turn: door(given.omega) gives it its velocities" } } },
      check.residual { "vertical", name = "its upper hinge carries the weight", points = 2, run = "determinate",
                       signals = { "upper.force_z", "lower.force_z" }, times = { 0 }, below = 0,
                       residual = function(value) return carried(value[1][1], value[2][1], weight) end },
      check.near { "horizontal", name = "and its horizontal forces", points = 2, run = "determinate",
                   signals = { "upper.force_x", "lower.force_x" }, times = { 0 }, rtol = 1e-4,
                   expected = { { upper }, { lower } },
                   mistakes = { { { { upper_at_rest }, { lower_at_rest } }, "this is the door at rest; it turns" } },
                   hint = "forces along x: upper + lower = -m c omega^2; and the torques about y at the centre of mass" },
      check.near { "shares", name = "elastic hinges", points = 2, answer = "shares", rtol = 2e-3,
                   expected = { part, part },
                   mistakes = { { { part, 1 / 2 },
                                  "stiffer hinges share as the ratio of their stiffnesses says, how stiff they may be" },
                                { { 1 / 2, 1 / 2 }, "both sink alike, so the stiffer one carries more" },
                                { { part, 0 }, "the limit of stiff hinges is not what Maggi's form chose" },
                                { { 1 - part, 1 - part }, "this is the part of the lower one" },
                                { { part * weight, part * weight }, "divide by the weight" },
                                { { given.ratio, given.ratio },
                                  "this is the ratio of upper and lower force; the part of the whole is asked for" } },
                   hint = "forces along z: k z + ratio k z = m g" },
      check.near { "misfits", name = "the misfit", points = 2, answer = "misfits", unit = "m", rtol = 5e-3,
                   expected = { misfit, misfit / 1000 },
                   mistakes = { { { misfit / given.ratio, misfit / given.ratio / 1000 },
                                  "the upper hinge carries nothing then: the other one's stiffness counts" },
                                { { misfit / (1 + given.ratio), misfit / (1 + given.ratio) / 1000 },
                                  "by so much the door sinks without misfit, with both; now the lower one carries all" },
                                { { misfit, misfit }, "1000 times stiffer hinges sink less under the same weight" },
                                { { misfit, 1000 * misfit },
                                  "1000 times stiffer hinges sink less under the same weight" },
                                { { misfit / g, misfit / g / 1000 }, "the weight is m g" } },
                   hint = "the lower hinge carries m g then; how far does it sink?" },
      check.uses { "both", name = "by both forms", of = "mbs.augmented_lagrangian" },
    }
  end,
}
