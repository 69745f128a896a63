-- Derivatives of joints, forces and inertias against complex step, in the layout of Tables 6.3 to 6.8 of
-- A. S. Schaffer, "On the adjoint formulation of design sensitivity analysis of multibody dynamics" (Iowa 2005), whose
-- numbers are differences from central differences: sums of the absolute values of all entries. The thesis does not
-- print its poses; ours are random, several of them, and the largest difference counts.
--
--   perilune scripts/schaffer_derivatives.lua [--json FILE]
local mbs = require "perilune"

local options = mbs.options { json = "" }

-- Two bodies in general position, with every number of the element under test a parameter, as in the thesis.
local function two_bodies()
  local m = mbs.model { gravity = { 0.3, -0.2, -9.81 } }
  local count = 0
  local function p(value)
    count = count + 1
    return m:param { "p" .. count, value }
  end
  local inertia = { 0.9, 1.1, 1.3, 0.05, -0.04, 0.03 }
  local i = m:body { "i", mass = 2, inertia = inertia, at = { 0.3, -0.2, 0.5 }, orientation = { 0.9, 0.1, 0.3, -0.2 } }
  local j = m:body { "j", mass = 3, inertia = inertia, at = { 1.1, 0.4, -0.3 }, orientation = { 0.7, -0.3, 0.5, 0.4 } }
  return m, i, j, p
end

local function marker(body, p, at, axis)
  return body:marker {
    at = { p(at[1]), p(at[2]), p(at[3]) },
    axis = { p(axis[1]), p(axis[2]), p(axis[3]) },
    x_axis = { 0.3, 1, -0.2 },
  }
end
local si, sj, hi, hj = { 0.2, -0.1, 0.3 }, { -0.3, 0.2, 0.1 }, { 0.1, 0.3, 0.9 }, { -0.2, 0.1, 1.1 }

local function jointed(kind)
  local m, i, j, p = two_bodies()
  m[kind](m, { "element", marker(i, p, si, hi), marker(j, p, sj, hj) })
  return m
end

local models = {
  Distance = function()
    local m, i, j, p = two_bodies()
    m:distance { "element", i:point { p(0.2), p(-0.1), p(0.3) }, j:point { p(-0.3), p(0.2), p(0.1) }, length = p(0.8) }
    return m
  end,
  Spherical = function() return jointed "spherical" end,
  Revolute = function() return jointed "revolute" end,
  Universal = function() return jointed "universal" end,
  Translational = function() return jointed "translational" end,
  Constant = function()
    local m, i, _, p = two_bodies()
    local force = { p(3), p(-2), p(5) }
    m:force { "element", on = i:point { p(0.2), p(-0.1), p(0.3) }, force = force }
    return m
  end,
  -- "Vertical spring-damper to a planar terrain": the thesis prints no formula.
  Tire = function()
    local m, i, _, p = two_bodies()
    local k, c, l0 = p(200), p(8), p(0.4)
    m:force { "element", on = i:point { p(0.2), p(-0.1), p(0.3) }, law = function(s)
      return 0, 0, k * (l0 - s.z) - c * s.vz
    end }
    return m
  end,
  TSDA = function()
    local m, i, j, p = two_bodies()
    m:spring { "element", i:point { p(0.2), p(-0.1), p(0.3) }, j:point { p(-0.3), p(0.2), p(0.1) }, stiffness = p(20),
      damping = p(2), free_length = p(0.7), force = p(1.5) }
    return m
  end,
  RSDA = function()
    local m, i, j, p = two_bodies()
    local hinge = m:revolute { "hinge", marker(i, p, si, hi), marker(j, p, sj, hj) }
    m:torsion_spring { "element", on = hinge, stiffness = p(20), damping = p(2), free_angle = p(0.3), torque = p(1.5) }
    return m
  end,
  Body = function()
    local m, _, _, p = two_bodies()
    m:body { "element", mass = p(2), inertia = { p(0.9), p(1.1), p(1.3), p(0.05), p(-0.04), p(0.03) },
      center_of_mass = { p(0.2), p(-0.1), p(0.15) }, at = { 0.3, -0.2, 0.5 }, orientation = { 0.9, 0.1, 0.3, -0.2 } }
    return m
  end,
}

-- Sums of absolute differences (and of absolute values) by family, over the joint's elements; the largest of all poses.
local function families(name)
  local m = models[name]()
  local worst, size = {}, {}
  for seed = 1, 20 do
    local sum, values = {}, {}
    for _, row in ipairs(m:check_elements(seed)) do
      -- A torsion spring acts on its joint's own angle, to which it is linear in the rates; the angle's constraint
      -- carries it to the bodies.
      local belongs = row.element == "element" or (name == "RSDA" and row.type:find "^turn")
      if belongs and not row.type:find "normalization" then
        sum[row.family] = (sum[row.family] or 0) + row.difference
        values[row.family] = (values[row.family] or 0) + row.size
      end
    end
    for family, value in pairs(sum) do
      worst[family] = math.max(worst[family] or 0, value)
      size[family] = math.max(size[family] or 0, values[family])
    end
  end
  return worst, size
end

local constraint_families = {
  { "Phi_q", "jacobian" },
  { "(Phi_q g)_q", "jacobian_rate" },
  { "((Phi_q g)_q g)_q", "jacobian_acceleration" },
  { "(Phi_q^T z)_q", "stiffness" },
  { "parameters", "phi_data", "phi_rate_data", "phi_acceleration_data", "residual_data" },
}
local force_families = {
  { "Q_q", "stiffness" }, { "Q_v", "damping" }, { "Q_b", "residual_data" }, { "(Q_v g)_q", "damping_by_q" },
  { "(Q_v g)_v", "damping_by_v" },
}
local mass_families = { { "(M g)_q", "stiffness" }, { "((M g)_q g)_q", "stiffness_by_q" }, { "M_b", "residual_data" } }

-- Printed differences, by row and family.
local tables = {
  { title = "Tables 6.3 to 6.5: constraints", families = constraint_families, rows = {
    { "Distance", "Distance", 1.75e-09, 1.21e-07, 2.42e-06, 4.51e-09, 3.41e-06 },
    { "Spherical", "Spherical", 9.77e-11, 7.67e-09, 0.0, 7.36e-10, 8.74e-08 },
    { "Revolute", "Revolute", 9.77e-11, 7.67e-09, 1.80e-07, 2.55e-09, 8.74e-08 },
    { "Universal", "Universal", 2.08e-10, 6.45e-09, 7.86e-08, 2.27e-09, 1.23e-07 },
    { "Translational", "Translational", 2.30e-10, 1.77e-08, 3.66e-07, 6.67e-09, 6.30e-07 },
  } },
  { title = "Tables 6.6 and 6.7: forces", families = force_families, rows = {
    { "Constant", "Constant", 2.34e-09, 0.00, 2.00e-06, 0.00, 0.00 },
    { "Tire", "Tire", 9.10e-09, 8.85e-09, 1.00e-08, 2.34e-08, 0.00 },
    { "TSDA", "TSDA", 2.81e-08, 3.63e-08, 2.74e-06, 8.95e-07, 0.00 },
    { "RSDA", "RSDA", 5.69e-10, 1.22e-10, 1.15e-05, 2.08e-09, 0.00 },
    { "Coriolis", "Body", 9.95e-09, 9.62e-09, 1.58e-08, 8.28e-08, 6.05e-08 },
  } },
  { title = "Table 6.8: mass matrix", families = mass_families, rows = {
    { "Mass", "Body", 8.95e-09, 1.37e-07, 6.56e-09 },
  } },
}

local output = {}
for _, printed in ipairs(tables) do
  print(printed.title)
  local head = ("%-14s"):format ""
  for _, family in ipairs(printed.families) do head = head .. ("%24s"):format(family[1]) end
  print(head)
  for _, row in ipairs(printed.rows) do
    local worst, size = families(row[2])
    local line = ("%-14s"):format(row[1])
    for k, family in ipairs(printed.families) do
      local own, entries = 0, 0
      for n = 2, #family do
        own, entries = math.max(own, worst[family[n]] or 0), math.max(entries, size[family[n]] or 0)
      end
      line = line .. ("   %10.2e (%8.2e)"):format(own, row[k + 2])
      output[#output + 1] = { row = row[1], family = family[1], difference = own, printed = row[k + 2], size = entries }
    end
    print(line)
  end
  print()
end
print "ours against complex step (in brackets: printed, against central differences)"

if options.json ~= "" then mbs.write_json(options.json, { derivatives = output }) end
