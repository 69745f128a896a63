-- Scripts reach metamethods and methods by the debug library: called on something else they fail as anything does.
local mbs = require "perilune"

local m = mbs.model { "model", gravity = { 0, -9.81 } }
local mass = m:param { "mass", 1 }
local body = m:body { "body", mass = mass, inertia = 1, at = { 0, 1 } }
local cost = m:objective { "cost", terminal = body.y }
local run = m:simulate { t = 0.01, objectives = cost }
local space = mbs.model { "space", gravity = { 0, 0, 0 } }
local values = {
  m, body, body.x, cost, run, m:gradient { cost }, m:check_gradient { cost }, m:hessian { cost }, m:linearize {},
  mbs.spline { x = { 0, 1, 2 }, y = { 0, 1, 0 } }, mbs.rk4 {},
  mbs.bicubic_spline { x = { 0, 1 }, y = { 0, 1 }, z = { { 0, 1 }, { 0, 1 } } },
  mbs.penalty {}, mbs.kelvin_voigt { stiffness = 1 }, mbs.ambrosio { coefficient = 0.5 }, mbs.adjoint {}, mbs.lbfgsb {},
  mbs.box { size = { 1, 1, 1 }, mass = 1 }, m:mobility {}, m:phase { "phase", stop = body.y },
  m:optimize { minimize = cost, over = mass, t = 0.01, optimizer = mbs.lbfgsb { max_evaluations = 1 } },
  space:body { "ball", mass = 1, inertia = { 1, 1, 1 } }, space:point { "P", at = { 0, 0, 0 }, mass = 1 },
}
-- Those of kinds without a value here too.
for _, entry in pairs(debug.getregistry()) do
  local kind = type(entry) == "table" and rawget(entry, "__name")
  if kind and kind ~= "FILE*" then values[#values + 1] = setmetatable({}, entry) end
end

local wrong, called = { 5, "text", {}, io.stdout, m, body, body.x, run, mbs.rk4 {} }, 0
local function call(f)
  for _, own in ipairs(wrong) do
    pcall(f, own, "x", 3)
    called = called + 1
  end
  pcall(f)
end
local seen = {}
local function walk(entry)
  if type(entry) ~= "table" or seen[entry] then return end
  seen[entry] = true
  for name, value in pairs(entry) do
    if type(value) == "function" and name ~= "__gc" then call(value) end
    if name == "methods" or name == "__index" then walk(value) end
  end
end
for _, value in ipairs(values) do walk(debug.getmetatable(value)) end
-- Nor do the texts of tables that the engine made, when a script has changed them.
local function changed(t)
  local meta, fields = debug.getmetatable(t), {}
  for key in pairs(t) do fields[#fields + 1] = key end
  for _, key in ipairs(fields) do
    local kept = t[key]
    for _, other in ipairs { {}, 5, "text", false } do
      rawset(t, key, other or nil)
      for _, name in ipairs { "__tostring", "__pretty" } do pcall(meta[name] or tostring, t) end
      called = called + 1
    end
    rawset(t, key, kept)
  end
end
for _, value in ipairs(values) do
  if type(value) == "table" and debug.getmetatable(value) then changed(value) end
end
assert(called > 500, called)
assert(tostring(m):find "model" and tostring(run), "what was called on something else changed it")
