-- Columns of beams along the load that buckles them: Euler's loads and his elastica.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local check = require "check"
local elastica = require "elastica"
local paths = require "paths"
local special, stabilities = paths.special, paths.stabilities

-- Euler's four loads, pi^2 E I / (K L)^2: bifurcations of straight columns, of fourth order in the element for slender
-- beams with the strain along the line and for those with shear (that of the fixed and pinned column by tan u = u). The
-- column is so thin that neither its shear nor how much it shortens count.
local E, thickness = 2e11, 1e-3
local A, I = thickness^2, thickness^4 / 12
local function column(kind, n, foot, head)
  local m = mbs.model { "column", gravity = { 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local arm = m:beam { "arm", kind = kind, from = { 0, 0 }, to = { 1, 0 }, elements = n, young = E, density = 7800,
                       area = A, second_moment = I, axial = kind == "slender" and "green" or nil,
                       poisson = kind == "shear" and 0.3 or nil, shear_factor = kind == "shear" and 5 / 6 or nil }
  local function hold(node, body, at, how)
    if kind == "shear" then
      m[how == "fixed" and "weld" or "revolute"](m, { body, node, at = at })
    elseif how == "fixed" then
      m:clamp { node, body }
    else
      m:coincidence { node, body == m.ground and m:ground { at = at } or body }
    end
  end
  hold(arm.first, m.ground, { 0, 0 }, foot)
  if head == "free" then
    m:force { on = arm.last, law = function() return -P, 0 end }
    return m, P, arm
  end
  local plate = m:body { "plate", at = { 1, 0 }, mass = 1, inertia = 1 }
  m:translational { m.ground, plate, at = { 1, 0 }, axis = { 1, 0 } }
  hold(arm.last, plate, { 1, 0 }, head)
  m:force { on = plate, law = function() return -P, 0 end }
  return m, P, arm
end
local euler = math.pi^2 * E * I
for _, ends in ipairs { { "fixed", "free", 1 / 4 }, { "pinned", "pinned", 1 },
                        { "fixed", "pinned", (4.493409457909064 / math.pi)^2 }, { "fixed", "fixed", 4 } } do
  local foot, head, share = table.unpack(ends)
  for kind, coarse in pairs { slender = 8e-3, shear = 5e-2 } do
    local errors = {}
    for _, n in ipairs { 4, 8 } do
      local m, P = column(kind, n, foot, head)
      local path = m:equilibrium_path { over = P, to = 1.3 * share * euler }
      local kinds, loads = special(path)
      check.equal(kinds, "bifurcation", kind .. foot .. head)
      check.equal(stabilities(path), "stable unstable")
      check.equal(path.complete, true)
      errors[#errors + 1] = loads[1] / (share * euler) - 1
    end
    local ratio = errors[1] / errors[2]
    assert(math.abs(errors[1]) < coarse and ratio > 13 and ratio < 18.5,
           ("%s, %s, %s: %g %g"):format(kind, foot, head, errors[1], ratio))
  end
end
-- One element of a slender column between pins: 12 E I / L^2, as in textbooks of finite elements. Straight on, the path
-- passes the second and third load, 4 and 9 times the first.
do
  local m, P = column("slender", 1, "pinned", "pinned")
  local _, loads = special(m:equilibrium_path { over = P, to = 15 * E * I })
  check.near(loads[1] / (12 * E * I), 1, 1e-5)
  m, P = column("slender", 12, "pinned", "pinned")
  local path = m:equilibrium_path { over = P, to = 10 * euler }
  local kinds, all = special(path)
  check.equal(kinds, "bifurcation bifurcation bifurcation")
  for mode = 1, 3 do check.near(all[mode] / (mode^2 * euler), 1, 1e-3) end
end

-- A round column in space, whose branches leave in all directions at once.
do
  local m = mbs.model { "column", gravity = { 0, 0, 0 } }
  local P = m:param { "P", 0, unit = "N" }
  local arm = m:beam { "arm", kind = "shear", from = { 0, 0, 0 }, to = { 1, 0, 0 }, elements = 4, young = E,
                       density = 7800, section = mbs.round_section { diameter = 2e-3 } }
  m:weld { m.ground, arm.first, at = { 0, 0, 0 } }
  m:force { on = arm.last, law = function() return -P, 0, 0 end }
  local load = math.pi^2 / 4 * E * math.pi * 2e-3^4 / 64
  local kinds, loads = special(m:equilibrium_path { over = P, to = 1.2 * load })
  check.equal(kinds, "bifurcation")
  check.near(loads[1] / load, 1, 5e-4)
end

-- Beyond the load, with a small force aside, the column follows Euler's elastica (elastica.lua).
do
  for kind, tolerance in pairs { slender = 8e-4, shear = 1e-5 } do
    local m, P, arm = column(kind, 16, "fixed", "free")
    m:force { on = arm.last, law = function() return 0, 1e-7 * euler end }
    local path = m:equilibrium_path { over = P, to = 0.6 * euler }
    check.equal(special(path), "")
    check.equal(stabilities(path), "stable")
    local angles = kind == "shear" and path:values(arm.last.angle)
    local sx, sy = kind == "slender" and path:values(arm.last.slope_x), kind == "slender" and path:values(arm.last.slope_y)
    local xs, ys, bent = path:values(arm.last.x), path:values(arm.last.y), 0
    for i, point in ipairs(path) do
      local angle = angles and angles[i] or math.atan(sy[i], sx[i])
      if angle > 0.5 then
        local modulus = math.sin(angle / 2)
        local K, second = elastica.elliptic(modulus)
        check.near(point.value / (K^2 * E * I), 1, tolerance, "load")
        check.near(xs[i], 2 * second / K - 1, tolerance, "x")
        check.near(ys[i], 2 * modulus / K, tolerance, "y")
        bent = angle
      end
    end
    assert(bent > 2, bent)
  end
end
