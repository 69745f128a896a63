-- The double pendulum and the four-bar linkage of scripts/: as short as promised, and right.
require "perilune"
local check = require "check"

local folder = arg[0]:gsub("[^/]*$", "") .. "../../scripts/"

-- Statements at the top level, one per line or more lines.
local function statements(path)
  local count, chunk = 0, ""
  for line in io.lines(path) do
    assert(not line:find ";", path .. ": several statements on a line")
    chunk = chunk .. line .. "\n"
    if load(chunk) then
      if not chunk:match "^%s*%-%-[^\n]*\n$" and chunk:find "%S" then count = count + 1 end
      chunk = ""
    end
  end
  assert(chunk == "", path)
  return count
end

-- Runs the script quietly, and returns its model.
local function model_of(path)
  local mbs = require "perilune"
  local made
  local make, write = mbs.model, io.write
  mbs.model = function(...)
    made = make(...)
    return made
  end
  io.write = function() end
  dofile(path)
  mbs.model, io.write = make, write
  return made
end

assert(statements(folder .. "double_pendulum.lua") <= 10)
local m = model_of(folder .. "double_pendulum.lua")
check.equal(m:mobility({}).degrees_of_freedom, 2, "freedoms of the double pendulum")
local run = m.last_run
check.near(run.t, 10, 1e-12)
for _, energy in ipairs(run:values "energy.total") do check.near(energy, 0, 1e-4, "energy") end
-- At the start, from rest and horizontal: (j + 1) a1 + a2 / 2 = -3 g / 2 and a1 / 2 + j a2 = -g / 2, where j is a bar's
-- moment of inertia about its end.
local j = (1 + 0.05 ^ 2) / 12 + 0.25
local determinant = (j + 1) * j - 0.25
check.near(run:at("upper.alpha", 0), (0.25 - 1.5 * j) * 9.81 / determinant, 1e-7, "first acceleration")
check.near(run:at("lower.alpha", 0), (0.75 - (j + 1) / 2) * 9.81 / determinant, 1e-7, "second acceleration")

assert(statements(folder .. "four_bar.lua") <= 15)
m = model_of(folder .. "four_bar.lua")
run = m.last_run
-- The rocker turns back where crank and coupler are in line: by the law of cosines at the pivot, 1 m from the hinge.
local coupler, rocker = math.sqrt(0.6 ^ 2 + 0.7 ^ 2), math.sqrt(0.1 ^ 2 + 0.7 ^ 2)
local function angle(reach) return math.pi - math.acos((1 + rocker ^ 2 - reach ^ 2) / (2 * rocker)) end
local lowest, highest = math.huge, -math.huge
for _, value in ipairs(run:values "rocker.angle") do
  lowest, highest = math.min(lowest, value), math.max(highest, value)
end
check.near(lowest, angle(coupler + 0.3), 1e-3, "rocker stretched")
check.near(highest, angle(coupler - 0.3), 1e-3, "rocker folded")
