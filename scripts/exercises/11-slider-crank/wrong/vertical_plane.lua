-- fails: motor
-- says: the plane is horizontal
local mbs = require "perilune"
local given = require "given"
local r, l, e = given.crank, given.rod, given.offset
local M, m_rod = given.slider_mass, given.rod_mass

local function turned(phi) -- x and the centre of the rod with their derivatives, and those of beta
  local sin, cos = math.sin(phi), math.cos(phi)
  local sb = (e - r * sin) / l
  local cb = math.sqrt(1 - sb ^ 2)
  local b1 = -r * cos / (l * cb)
  local b2 = (r * sin + l * sb * b1 ^ 2) / (l * cb)
  local function along(part) -- of the way from A to B
    return r * cos + part * l * cb, -r * sin - part * l * sb * b1, -r * cos - part * l * (cb * b1 ^ 2 + sb * b2)
  end
  return { along(1) }, { along(1 / 2) }, { 0, r * cos / 2, -r * sin / 2 }, b1, b2
end

local function position(phi) return (turned(phi)) end

local function torque(phi)
  local x, xc, yc, b1, b2 = turned(phi)
  return given.omega ^ 2 * (M * x[2] * x[3] + m_rod * (xc[2] * xc[3] + yc[2] * yc[3]) + m_rod * l ^ 2 / 12 * b1 * b2)
end

local function mechanism(inertia, omega)
  local m = mbs.model { "slider-crank", gravity = { 0, -9.81 } }
  local px, py = r * math.cos(given.angle), r * math.sin(given.angle)
  local x = position(given.angle)[1]
  local crank = m:body { "crank", mass = 1, inertia = inertia, at = { 0, 0 }, angle = given.angle }
  local rod = m:body { "rod", mass = m_rod, inertia = m_rod * l ^ 2 / 12, at = { (px + x) / 2, (py + e) / 2 },
                       angle = math.atan(e - py, x - px) }
  local slider = m:body { "slider", mass = M, inertia = 1, at = { x, e } }
  local hinge = m:revolute { "O", m.ground, crank, at = { 0, 0 } }
  m:revolute { "A", crank, rod, at = { px, py } }
  m:revolute { "B", rod, slider, at = { x, e } }
  m:translational { "guide", m.ground, slider, at = { x, e }, axis = "x" }
  if omega then m:driver { "motor", hinge.angle, law = function(s) return omega * s.t end } end
  return m, crank
end

local function turn(inertia, omega)
  local m = mechanism(inertia, omega)
  return m:kinematics { t = 2 * math.pi / omega, points = 401 }
end

local function peak(run)
  local largest = 0
  for _, force in ipairs(run:values "motor.force") do largest = math.max(largest, math.abs(force)) end
  return largest
end

local J, w = given.inertia, given.omega
local run = turn(J, w)
local work, fastest, speed = 0, 0, 0
local torques = run:values "motor.force"
for i = 1, 400 do work = work + torques[i] * 2 * math.pi / 400 end
for i = 1, 31416 do
  local phi = i * 1e-4
  local now = math.abs(position(phi)[2])
  if now > speed then fastest, speed = phi, now end
end

local function j(phi)
  local x, xc, yc, b1 = turned(phi)
  return M * x[2] ^ 2 + m_rod * (xc[2] ^ 2 + yc[2] ^ 2) + m_rod * l ^ 2 / 12 * b1 ^ 2
end

local function slowest(inertia)
  local most = 0
  for i = 1, 62832 do most = math.max(most, j(i * 1e-4)) end
  return w * math.sqrt((inertia + j(given.angle)) / (inertia + most))
end

return {
  position = position,
  torque = torque,
  run = run,
  fastest = fastest,
  work = work,
  factors = { peak(turn(J, 2 * w)) / peak(run), peak(turn(10 * J, w)) / peak(run) },
  slowest = { slowest(J), slowest(10 * J) },
}
