-- The benchmark's bicycle as a multibody model, for tests: four bodies, two wheels that roll, hands off. Its printed
-- axes have z down; here y and z are turned over.
local mbs = require "perilune"
local formula = require "bicycle_formula"
local bicycle = {}

--- Thin wheels with the axis y of their body touch the plane z = 0 with their lowest point, which does not slip.
function bicycle.roll(m, name, wheel, radius)
  local function parts(s)
    local e0, e1, e2, e3 = wheel.e0(s), wheel.e1(s), wheel.e2(s), wheel.e3(s)
    -- The columns of the matrix of rotation, its axis the second one.
    local A = { { e0^2 + e1^2 - e2^2 - e3^2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
                { 2 * (e1 * e2 + e0 * e3), e0^2 - e1^2 + e2^2 - e3^2, 2 * (e2 * e3 - e0 * e1) },
                { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 } }
    local n = { A[1][2], A[2][2], A[3][2] }
    local upright = (n[1]^2 + n[2]^2)^0.5
    local down = { radius * n[1] * n[3] / upright, radius * n[2] * n[3] / upright, -radius * upright }
    local w = { wheel.omega_x(s), wheel.omega_y(s), wheel.omega_z(s) }
    local turn = {}
    for i = 1, 3 do turn[i] = A[i][1] * w[1] + A[i][2] * w[2] + A[i][3] * w[3] end
    return down, turn
  end
  m:constraint { name .. "_touch", law = function(s)
    local down = parts(s)
    return wheel.z(s) + down[3]
  end }
  m:constraint { name .. "_x", velocity = function(s)
    local down, turn = parts(s)
    return wheel.vx(s) + turn[2] * down[3] - turn[3] * down[2]
  end }
  m:constraint { name .. "_y", velocity = function(s)
    local down, turn = parts(s)
    return wheel.vy(s) + turn[3] * down[1] - turn[1] * down[3]
  end }
end

local order = { "v", "w", "c", "tilt", "g", "rR", "mR", "IRxx", "IRyy", "xB", "zB", "mB", "IBxx", "IBxz", "IByy", "IBzz",
                "xH", "zH", "mH", "IHxx", "IHxz", "IHyy", "IHzz", "rF", "mF", "IFxx", "IFyy" }

--- The model, a list of its parameters, and these by name; `values` in place of the benchmark's.
function bicycle.model(values)
  local m = mbs.model { "bicycle", gravity = { 0, 0, -9.81 } }
  local of, over = {}, {}
  for _, name in ipairs(order) do
    of[name] = m:param { name, values[name] or formula.values[name] }
    over[#over + 1] = of[name]
  end
  m:set_gravity { 0, 0, -of.g }
  local function body(name, x, z, mass, xx, yy, zz, xz, spin)
    return m:body { name, at = { x, 0, z }, mass = mass, inertia = { xx, yy, zz, 0, -xz, 0 },
                    velocity = { of.v, 0, 0 }, angular_velocity = { 0, spin, 0 } }
  end
  local rear = body("rear", 0, of.rR, of.mR, of.IRxx, of.IRyy, of.IRxx, 0, of.v / of.rR)
  local frame = body("frame", of.xB, of.zB, of.mB, of.IBxx, of.IByy, of.IBzz, of.IBxz, 0)
  local fork = body("fork", of.xH, of.zH, of.mH, of.IHxx, of.IHyy, of.IHzz, of.IHxz, 0)
  local front = body("front", of.w, of.rF, of.mF, of.IFxx, of.IFyy, of.IFxx, 0, of.v / of.rF)
  m:revolute { "rear_hub", frame, rear, at = { 0, 0, of.rR }, axis = "y" }
  m:revolute { "front_hub", fork, front, at = { of.w, 0, of.rF }, axis = "y" }
  -- The steer axis leans back and meets the ground in front of the front contact.
  m:revolute { "steer", frame, fork, at = { of.w + of.c - of.zH * math.tan(of.tilt), 0, of.zH },
               axis = { -math.sin(of.tilt), 0, math.cos(of.tilt) } }
  bicycle.roll(m, "rear_tire", rear, of.rR)
  bicycle.roll(m, "front_tire", front, of.rF)
  return m, over, of
end

return bicycle
