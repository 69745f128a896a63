-- The bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), hands off, as a multibody model: two wheels that roll,
-- a frame with its rider, a fork. Nothing here is linearized by hand. Its eigenvalues beside straight running, the two
-- speeds between which it is stable by itself with their derivatives, a run, and how far it leans after a push.
--
-- The numbers of the design and the eigenvalues are printed in the source. --json FILE: gradients.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { json = "" }

-- Lengths in m, masses in kg, moments of inertia in kg m^2; heights above the ground. The source has z down.
local design = {
  { "w", 1.02, "wheelbase" }, { "c", 0.08, "trail" }, { "tilt", math.pi / 10, "of the steer axis, backwards" },
  { "rR", 0.3, "rear wheel" }, { "mR", 2 }, { "IRxx", 0.0603 }, { "IRyy", 0.12 },
  { "xB", 0.3, "frame and rider" }, { "zB", 0.9 }, { "mB", 85 }, { "IBxx", 9.2 }, { "IBxz", 2.4 }, { "IByy", 11 },
  { "IBzz", 2.8 },
  { "xH", 0.9, "fork and handlebar" }, { "zH", 0.7 }, { "mH", 4 }, { "IHxx", 0.05892 }, { "IHxz", -0.00756 },
  { "IHyy", 0.06 }, { "IHzz", 0.00708 },
  { "rF", 0.35, "front wheel" }, { "mF", 3 }, { "IFxx", 0.1405 }, { "IFyy", 0.28 },
}

local m = mbs.model { "bicycle", gravity = { 0, 0, -9.81 } }
local of, numbers = {}, {}
for k, number in ipairs(design) do
  of[number[1]] = m:param { number[1], number[2] }
  numbers[k] = of[number[1]]
end
local speed, push = m:param { "speed", 4.6, unit = "m/s" }, m:param { "push", 0, unit = "N" }
local lean_rate = m:param { "lean_rate", 0, unit = "rad/s" }

-- It runs along x, and leans about the line on the ground.
local function body(name, x, z, mass, xx, yy, zz, xz, spin)
  return m:body { name, at = { x, 0, z }, mass = mass, inertia = { xx, yy, zz, 0, -xz, 0 },
                  velocity = { speed, -lean_rate * z, 0 }, angular_velocity = { lean_rate, spin, 0 } }
end
local rear = body("rear", 0, of.rR, of.mR, of.IRxx, of.IRyy, of.IRxx, 0, speed / of.rR)
local frame = body("frame", of.xB, of.zB, of.mB, of.IBxx, of.IByy, of.IBzz, of.IBxz, 0)
local fork = body("fork", of.xH, of.zH, of.mH, of.IHxx, of.IHyy, of.IHzz, of.IHxz, 0)
local front = body("front", of.w, of.rF, of.mF, of.IFxx, of.IFyy, of.IFxx, 0, speed / of.rF)
m:revolute { "rear_hub", frame, rear, at = { 0, 0, of.rR }, axis = "y" }
m:revolute { "front_hub", fork, front, at = { of.w, 0, of.rF }, axis = "y" }
-- The steer axis meets the ground in front of the front wheel's contact, by the trail.
local steer = m:revolute { "steer", frame, fork, at = { of.w + of.c - of.zH * math.tan(of.tilt), 0, of.zH },
                           axis = { -math.sin(of.tilt), 0, math.cos(of.tilt) } }

--- A thin wheel with the axis y of its body touches the ground with its lowest point, which does not slip.
local function roll(name, wheel, radius)
  local function parts(s)
    local e0, e1, e2, e3 = wheel.e0(s), wheel.e1(s), wheel.e2(s), wheel.e3(s)
    local A = { { e0^2 + e1^2 - e2^2 - e3^2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
                { 2 * (e1 * e2 + e0 * e3), e0^2 - e1^2 + e2^2 - e3^2, 2 * (e2 * e3 - e0 * e1) },
                { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 } }
    local n = { A[1][2], A[2][2], A[3][2] }
    local upright = (n[1]^2 + n[2]^2)^0.5
    local down = { radius * n[1] * n[3] / upright, radius * n[2] * n[3] / upright, -radius * upright }
    local w, turn = { wheel.omega_x(s), wheel.omega_y(s), wheel.omega_z(s) }, {}
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
roll("rear_tire", rear, of.rR)
roll("front_tire", front, of.rF)
-- A push from the side, for about a third of a second.
m:force { "side_push", on = frame, law = function(s) return 0, -push * math.exp(-((s.t - 0.3) / 0.1)^2), 0 end }

-- The sine of the lean, positive to the right, and its rate.
local lean = 2 * (frame.e2 * frame.e3 + frame.e0 * frame.e1)
local lean_changes = (frame.e0^2 - frame.e1^2 - frame.e2^2 + frame.e3^2) * frame.omega_x
  - 2 * (frame.e1 * frame.e3 - frame.e0 * frame.e2) * frame.omega_z

print "1. Eigenvalues beside straight running, 1/s"
print(("%-34s %20s %20s"):format("", "here", "printed"))
local printed = {
  { 0, { 3.131643247906558 }, { -3.131643247906558 }, { 5.530943717653935 }, { -5.530943717653935 } },
  { 2, { 2.682345175127456, 1.680662965906760 }, { -3.071586456415142 }, { -8.673879848317371 } },
  { 4, { 0.413253315211240, 3.079108186032053 }, { -1.429444273613260 }, { -12.158614265764431 } },
  { 5, { -0.775341882195844, 4.464867713788225 }, { -0.322866429004087 }, { -14.078389692798238 } },
  { 6, { -1.526444865841423, 5.876730605987088 }, { -0.004066900769704 }, { -16.08537123098027 } },
  { 8, { -2.693486835810957, 8.460379713969331 }, { 0.143278797657129 }, { -20.27940894394563 } },
}
for _, row in ipairs(printed) do
  speed.value = row[1]
  local small = m:linearize { steady = row[1] > 0 }
  for k = 2, #row do
    local real, imaginary = row[k][1], row[k][2] or 0
    local best, distance
    for _, mode in ipairs(small.modes) do
      local far = math.abs(mode.real - real) + math.abs(mode.imaginary - imaginary)
      if not distance or far < distance then best, distance = mode, far end
    end
    print(("at %g m/s, real %23s %20.12f %20.12f"):format(row[1], "", best.real, real))
    if imaginary ~= 0 then print(("at %g m/s, imaginary %18s %20.12f %20.12f"):format(row[1], "", best.imaginary, imaginary)) end
  end
end

-- The speed at which the real part of a mode is zero, by Newton's method with its derivative by the speed.
local kinds = {
  weave = { from = 4, to = 4.292382536341099, is = function(mode) return mode.imaginary > 1 end },
  capsize = { from = 5.8, to = 6.024262015388369,
              is = function(mode) return mode.simple and mode.imaginary == 0 and math.abs(mode.real) < 1 end },
}
local function mode_at(v, kind, over)
  speed.value = v
  for _, mode in ipairs(m:linearize { steady = true, over = over }.modes) do
    if kind.is(mode) then return mode end
  end
end
local function critical_speed(kind, start)
  local v = start
  for _ = 1, 20 do
    local mode = mode_at(v, kind, { speed })
    -- An eigenvalue that is zero to rounding can not be told from those of what only rolls off.
    if not mode then return v ~= kind.from and v or error("there is no such mode at " .. v) end
    local change = -mode.real / mode.derivative.speed.real
    v = v + change
    if math.abs(change) < 1e-6 then return v end -- what is left is of the order of its square
  end
  error "Newton's method did not converge"
end

print "\n2. Between two speeds it is stable by itself, m/s"
local rows, names = {}, {}
for k, p in ipairs(numbers) do names[k] = p.name end
local gradients = {}
for _, name in ipairs { "weave", "capsize" } do
  local kind = kinds[name]
  local v = critical_speed(kind, kind.from)
  print(("%-34s %20.12f %20.12f"):format(name, v, kind.to))
  -- Not at the speed itself, where a real eigenvalue hides among those of what only rolls off, but close to both sides.
  local slopes, over, gradient = {}, { speed, table.unpack(numbers) }, {}
  for _, side in ipairs { -1e-6, 1e-6 } do
    local derivative = mode_at(v + side, kind, over).derivative
    for k, p in ipairs(over) do slopes[k] = (slopes[k] or 0) + derivative[p.name].real / 2 end
  end
  for k = 1, #numbers do gradient[k] = -slopes[k + 1] / slopes[1] end
  local differences = {}
  for k, p in ipairs(numbers) do
    local value, h, steps = p.value, 2e-3 * math.abs(p.value), {}
    for i = 1, 3 do
      p.value = value + h
      local above = critical_speed(kind, v)
      p.value = value - h
      steps[i] = (above - critical_speed(kind, v)) / (2 * h)
      h = h / 2
    end
    p.value = value
    local first, second = steps[2] + (steps[2] - steps[1]) / 3, steps[3] + (steps[3] - steps[2]) / 3
    differences[k] = second + (second - first) / 15
  end
  gradients[name] = { v = v, here = gradient, differences = differences }
end
print(("\n%-34s %20s %20s"):format("derivatives", "exact", "differences"))
for _, name in ipairs { "weave", "capsize" } do
  local found = gradients[name]
  local worst, size = 0, 0
  for k, p in ipairs(numbers) do
    print(("d %s / d %-22s %20.10f %20.10f"):format(name, p.name, found.here[k], found.differences[k]))
    worst = math.max(worst, math.abs(found.here[k] - found.differences[k]))
    size = math.max(size, math.abs(found.here[k]))
  end
  table.insert(rows, { method = "eigenvalue", quantity = name, value = found.here, parameters = names,
                       objective = found.v, relative_difference = 0 })
  table.insert(rows, { method = "differences", quantity = name, value = found.differences, parameters = names,
                       objective = found.v, relative_difference = worst / size })
end

print "\n3. A run at 4.6 m/s that begins with a lean rate of 0.1 rad/s"
speed.value, lean_rate.value = 4.6, 0.1
local run = m:simulate { t = 40, formulation = mbs.maggi {},
                         integrator = mbs.dormand_prince { relative_tolerance = 1e-10, absolute_tolerance = 1e-12 } }
local heading_x, heading_y = frame.e0^2 + frame.e1^2 - frame.e2^2 - frame.e3^2,
  2 * (frame.e1 * frame.e2 + frame.e0 * frame.e3)
local function state(t)
  return math.deg(math.asin(run:at(lean, t))), math.deg(run:at(steer.angle, t)),
         math.deg(math.atan(run:at(heading_y, t), run:at(heading_x, t))),
         math.sqrt(run:at(rear.vx, t)^2 + run:at(rear.vy, t)^2)
end
print(("%8s %15s %15s %17s %13s"):format("t, s", "lean, degrees", "steer, degrees", "heading, degrees", "speed, m/s"))
for _, t in ipairs { 0, 0.5, 1, 2, 4, 8, 16, 40 } do print(("%8g %15.8f %15.8f %17.8f %13.8f"):format(t, state(t))) end
local energy = run:values "energy.total"
local lost, kinetic = 0, run:at("energy.kinetic", 0)
for _, value in ipairs(energy) do lost = math.max(lost, math.abs(value - energy[1])) end
print(("largest change of the energy, of %.3f J in motion: %.1e J"):format(kinetic, lost))

print "\n4. Largest lean after a push from the side with 30 N, at 4.6 m/s"
lean_rate.value, push.value = 0, 30
local largest = m:objective { "largest lean", terminal = function(s) return math.asin(lean(s)) end }
local settings = { t = 5, formulation = mbs.index1 { project = true }, integrator = mbs.rk4 { step = 5e-3 },
                   stop = function(s) return lean_changes(s) end }
settings.objectives = largest
local began = os.clock()
run = m:simulate(settings)
local forward = os.clock() - began
print(("%.9f degrees at %.6f s: %s"):format(math.deg(run.objectives["largest lean"]), run.t, run.reason))
local adjoint = m:gradient { largest, over = numbers, method = mbs.adjoint {} }
local direct = m:gradient { largest, over = numbers, method = mbs.direct {} }
local differences = { gradient = {}, parameters = adjoint.parameters, value = adjoint.value }
began = os.clock()
for k, p in ipairs(numbers) do
  local value, h, steps = p.value, 2e-3 * math.abs(p.value), {}
  for i = 1, 2 do
    p.value = value + h
    local above = m:simulate(settings).objectives["largest lean"]
    p.value = value - h
    steps[i] = (above - m:simulate(settings).objectives["largest lean"]) / (2 * h)
    h = h / 2
  end
  p.value = value
  differences.gradient[k] = steps[2] + (steps[2] - steps[1]) / 3
end
differences.seconds = os.clock() - began
print(("%-34s %16s %16s %16s"):format("d largest lean, rad, by", "adjoint", "direct", "differences"))
for k, number in ipairs(design) do
  print(("%-6s %-27s %16.10f %16.10f %16.10f"):format(number[1], number[3] or "", adjoint.gradient[k],
                                                     direct.gradient[k], differences.gradient[k]))
end
local first
for _, row in ipairs { { "adjoint", adjoint }, { "direct", direct }, { "differences", differences } } do
  local entry = results.row(row[1], row[2], forward, first)
  first = first or entry
  entry.quantity = "largest lean"
  table.insert(rows, entry)
  print(("%-12s relative difference %8.1e, %6.1f forward runs"):format(row[1], entry.relative_difference, entry.forward_runs))
end
results.write(options.json, rows, {})
