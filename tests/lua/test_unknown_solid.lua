-- m:unknown_solid: starts at what it is given, is a solid for any numbers of its parameters, and a fit finds the inertia
-- of a swinging body with it.
local mbs = require "perilune"

local function near(a, b, tolerance, what)
  if math.abs(a - b) <= tolerance * math.max(1, math.abs(b)) then return end
  error(("%s is %.15g, expected %.15g"):format(what, a, b), 2)
end

-- Moments of three axes of a box of 0.2 x 0.1 x 0.3 m and 3 kg, with products as if it were turned.
local start = { 0.031, 0.034, 0.014, 0.002, -0.004, 0.003 }

local function spatial() return mbs.model { "top", gravity = { 0, 0, -9.81 } } end

do
  local m = spatial()
  local solid = m:unknown_solid { "arm", mass = 3, center_of_mass = { 0.1, 0.02, -0.05 }, inertia = start }
  for k = 1, 6 do near(solid.inertia[k].value, start[k], 1e-14, "entry " .. k) end
  near(solid.mass.value, 3, 0, "mass")
  near(solid.center_of_mass[2].value, 0.02, 0, "y")
  -- Any numbers: second moments along any direction are not negative, and so is the triangle of moments.
  math.randomseed(3)
  for _ = 1, 50 do
    for k, p in ipairs(solid.parameters) do
      if k > 4 then p.value = k < 8 and math.random() or 2 * math.random() - 1 end
    end
    local J = {}
    for k = 1, 6 do J[k] = solid.inertia[k].value end
    local half = (J[1] + J[2] + J[3]) / 2
    for _ = 1, 20 do
      local x, y, z = 2 * math.random() - 1, 2 * math.random() - 1, 2 * math.random() - 1
      local moment = J[1] * x^2 + J[2] * y^2 + J[3] * z^2 + 2 * (J[4] * x * y + J[5] * x * z + J[6] * y * z)
      local second = half * (x^2 + y^2 + z^2) - moment
      assert(second >= -1e-12, "second moment " .. second)
    end
  end
end

do -- a body thrown into a swing about a ball joint away from its centre of mass
  local centre = { 0.1, 0.02, -0.05 }
  local function swing(inertia_of)
    local m, solid = spatial()
    if type(inertia_of) == "function" then
      solid = inertia_of(m)
    else
      solid = { mass = 3, center_of_mass = centre, inertia = start }
    end
    local body = m:body { "body", inertia_of = solid, at = { 0, 0, 0 }, angular_velocity = { 3, -2, 4 } }
    m:spherical { m:ground { at = { 0, 0, 0 } }, body }
    return m, solid, body
  end
  local m, _, body = swing()
  local run = m:simulate { t = 1 }
  local t, data = {}, {}
  for k = 1, 40 do t[k] = 0.025 * k end
  for _, axis in ipairs { "x", "y", "z" } do data[axis] = run:values(body["omega_" .. axis], t) end
  data.t = t
  local solid
  m, solid, body = swing(function(model)
    return model:unknown_solid { "arm", mass = 3, center_of_mass = centre, inertia = { 0.02, 0.02, 0.02 } }
  end)
  -- Mass and centre of mass are known; the motion alone tells no scale of mass.
  local fit = m:fit { data = data, over = { table.unpack(solid.parameters, 5) },
    signals = { { "x", body.omega_x }, { "y", body.omega_y }, { "z", body.omega_z } } }
  assert(#fit.lost == 0, fit.lost[1])
  for k = 1, 6 do near(solid.inertia[k].value, start[k], 1e-6, "fitted entry " .. k) end
end
