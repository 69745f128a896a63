-- A four-bar linkage whose coupler is drawn 1e-9 m off the plane, as files with some ten digits have it: hinges alone cannot
-- close it, which the error says, and what it names as the remedy moves as the plane linkage does.
local mbs = require "perilune"
local check = require "check"
local assembly = require "assembly_text"
local between = assembly.between
local path = os.tmpname()

local function linkage(off, close, pivot)
  return assembly.read(path, {
    markers = { { "A" }, { "D", at = { 1, 0, 0 } } }, gravity = { 5, -9.81, 0 },
    parts = {
      { "crank", markers = { { "base" }, { "tip", at = { 0, 0.3, 0 } } } },
      { "coupler", at = { 0, 0.3, 0 }, markers = { { "base" }, { "tip", at = { 0.9, 0.2, off } } } },
      { "rocker", at = { 1, 0, 0 }, markers = { { "base" }, { "tip", at = { -0.1, 0.5, 0 } } } },
    },
    joints = {
      between("RevoluteJoint", "motor", "A", "crank/base"), between("RevoluteJoint", "pin", "crank/tip", "coupler/base"),
      between(close, "close", "coupler/tip", "rocker/tip"), between(pivot, "pivot", "D", "rocker/base"),
    },
  }, { unit = "m" })
end

local function failure_of(off)
  local m = linkage(off, "RevoluteJoint", "RevoluteJoint")
  local done, problem = pcall(m.simulate, m, { t = 0.1 })
  assert(not done)
  return tostring(problem)
end
local remedy = "one as cylindrical and another as spherical joint"
for _, off in ipairs { 1e-10, 1e-9, 1e-7 } do
  local text = failure_of(off)
  assert(text:find "contradict each other" and text:find(remedy, 1, true), text)
end
-- A tenth of a millimetre is wrong, and not rounded.
assert(failure_of(1e-4):find "check its lengths and the declared positions")

local exact = { t = 0.4, integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-11 } }
local m = linkage(1e-9, "SphericalJoint", "CylindricalJoint")
check.equal(m:mobility {}.degrees_of_freedom, 1)
local run = m:simulate(exact)
check.equal(#run.warnings, 0)
local in_plane = linkage(0, "RevoluteJoint", "RevoluteJoint"):simulate(exact)
check.near(run:at("motor.angle", 0.4), in_plane:at("motor.angle", 0.4), 1e-8)
assert(math.abs(run:at("motor.angle", 0.4)) > 0.05)
