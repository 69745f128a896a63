-- The pictures of the theory of bodies, joints, contacts, friction, forms of the equations, starts and events.
local mbs = require "perilune"
local drawing = require "drawing"
local curves = require "curves"

-- A closed line through points that bulge from a centre.
local function blob(d, x, y, radii)
  local list = {}
  for k = 0, 71 do
    local a, r = 2 * math.pi * k / 72, radii[1]
    for n = 2, #radii do r = r + radii[n] * math.cos((n - 1) * a + n) end
    list[k + 1] = { x + 1.35 * r * math.cos(a), y + r * math.sin(a) }
  end
  d:path(list, "line", "pale", true)
end

local function body_frame(file)
  local d = drawing.new { width = 620, height = 290, scale = 100, origin = { 60, 50 } }
  local turn = 0.42
  local rx, ry, sx, sy = 2.7, 0.8, 1.15, 0.45
  local cx, cy = rx + sx * math.cos(turn) - sy * math.sin(turn), ry + sx * math.sin(turn) + sy * math.cos(turn)
  blob(d, 3.4, 1.25, { 0.92, 0.05, 0.06 })
  d:frame(0, 0, 0, 0.8, { "x", "y" })
  d:frame(rx, ry, turn, 0.7, nil, "accent")
  d:text(rx + 0.7 * math.cos(turn), ry + 0.7 * math.sin(turn) - 0.16, "A", { pen = "accent" })
  d:arrow(0, 0, rx, ry, "second")
  d:text(1.35, 0.53, "r", { pen = "second" })
  d:arrow(rx, ry, cx, cy, "second")
  d:text((rx + cx) / 2 - 0.14, (ry + cy) / 2 + 0.12, "A s", { pen = "second" })
  d:arrow(0, 0, cx, cy, "thin")
  d:text(1.2, 0.82, "c = r + A s", { pen = "thin" })
  d:arrow(cx, cy, cx, cy - 0.75)
  d:text(cx + 0.12, cy - 0.6, "m g", { align = "start" })
  d:dot(cx, cy, "line", "dark")
  d:dot(rx, ry, "accent")
  d:write(file, "the frame of a body")
end

local function elementary(file)
  local d = drawing.new { width = 760, height = 190, scale = 100, origin = { 0, 60 } }
  local function part(x, y, text)
    blob(d, x, y, { 0.24, 0.02, 0.02 })
    d:text(x, y - 0.12, text, { is_inside = true, pen = "thin" })
  end
  -- coincidence
  part(0.55, 0.3, "a")
  part(1.2, 0.55, "b")
  d:dot(0.88, 0.43, "accent", "accent")
  d:text(0.9, -0.35, "coincidence: r_b - r_a = 0")
  -- dot-1
  part(2.35, 0.25, "a")
  part(3.15, 0.45, "b")
  d:arrow(2.35, 0.35, 2.35, 0.95, "accent")
  d:text(2.22, 0.8, "f_a", { pen = "accent" })
  d:arrow(3.15, 0.55, 3.75, 0.55, "second")
  d:text(3.62, 0.7, "g_b", { pen = "second" })
  d:text(2.85, -0.35, "dot-1: f_a . g_b = 0")
  -- dot-2
  part(4.35, 0.2, "a")
  part(5.35, 0.5, "b")
  d:arrow(4.35, 0.3, 5.35, 0.6, "second")
  d:arrow(4.35, 0.3, 4.17, 0.9, "accent")
  d:text(4.33, 0.88, "f_a", { pen = "accent", align = "start" })
  d:text(4.8, 0.72, "r_b - r_a", { pen = "second" })
  d:text(4.8, -0.35, "dot-2: f_a . (r_b - r_a) = 0")
  -- distance
  part(6.2, 0.2, "a")
  part(7.15, 0.55, "b")
  d:line(6.2, 0.32, 7.15, 0.67, "accent")
  d:dot(6.2, 0.32, "accent")
  d:dot(7.15, 0.67, "accent")
  d:text(6.62, 0.66, "L", { pen = "accent" })
  d:text(6.75, -0.35, "distance")
  d:write(file, "four elementary constraints")
end

-- A wheel with a crown, seen along its way: it leans by an angle.
local function wheel(file)
  local d = drawing.new { width = 560, height = 300, scale = 110, origin = { 240, 40 } }
  local lean, crown, reach = 0.35, 0.22, 1.45 -- reach is r - c
  local hx, hy = 0.75, crown + reach * math.cos(lean)
  local ex, ey = hx - reach * math.sin(lean), crown
  local ax, ay = math.cos(lean), -math.sin(lean) -- the axis u
  d:ground(-1.7, 0, 2.6, 0)
  local other = { hx + (hx - ex), hy + (hy - ey) }
  for side = -1, 1, 2 do
    d:line(ex + side * crown * ax, ey + side * crown * ay, 0.55 * other[1] + 0.45 * ex + side * crown * ax,
           0.55 * other[2] + 0.45 * ey + side * crown * ay, "thin")
  end
  d:circle(ex, ey, crown, "line", "none")
  d:line(ex, ey, hx, hy, "dashed")
  d:text((ex + hx) / 2 - 0.17, (ey + hy) / 2 + 0.12, "r - c", { pen = "thin", align = "end" })
  d:arrow(hx, hy, hx + 0.85 * ax, hy + 0.85 * ay, "accent")
  d:text(hx + 1.0 * ax, hy + 1.0 * ay, "u", { pen = "accent" })
  d:arrow(hx, hy, ex, 0, "second")
  d:text((ex + hx) / 2 + 0.2, hy / 2 - 0.1, "s", { pen = "second" })
  d:arrow(ex, 0, ex, 0.85, "accent")
  d:text(ex - 0.14, 0.8, "n", { pen = "accent" })
  d:arrow(ex, 0, ex + 0.9, 0, "accent")
  d:text(ex + 0.85, 0.15, "t_2", { pen = "accent" })
  d:dot(hx, hy)
  d:text(hx + 0.1, hy + 0.14, "r_b", { align = "start" })
  d:text(ex + crown + 0.05, 0.16, "c", { align = "start" })
  d:dot(ex, 0, "second")
  d:write(file, "a wheel that leans")
end

local function gap(file)
  local d = drawing.new { width = 720, height = 250, scale = 100, origin = { 0, 60 } }
  local function height(x) return 0.12 * math.sin(1.6 * x) end
  for k, lift in ipairs { 0.35, -0.12 } do
    local left = 0.2 + (k - 1) * 3.6
    local points = {}
    for i, x in ipairs(curves.evenly(0, 3, 40)) do points[i] = { left + x, height(x) } end
    d:path(points, "bold")
    local x = 1.5
    local slope = 0.12 * 1.6 * math.cos(1.6 * x)
    local long = math.sqrt(1 + slope * slope)
    local nx, ny = -slope / long, 1 / long
    local tx, ty = left + x, height(x)
    local px, py = tx + nx * (0.6 + lift), ty + ny * (0.6 + lift)
    d:circle(px, py, 0.6, "line")
    d:line(px, py, px - 0.6 * nx, py - 0.6 * ny, "dashed")
    d:text(px + 0.12, py - 0.26, "R")
    d:dot(px, py)
    d:text(px - 0.16, py, "p")
    if k == 1 then
      d:arrow(px - 0.6 * nx, py - 0.6 * ny, tx, ty, "accent")
      d:arrow(tx, ty, px - 0.6 * nx, py - 0.6 * ny, "accent")
      d:text(tx + 0.12, ty + 0.17, "g > 0", { pen = "accent", align = "start" })
    else
      d:arrow(tx, ty, tx + 1.0 * nx, ty + 1.0 * ny, "accent")
      d:text(tx + 1.0 * nx - 0.16, ty + 1.0 * ny, "F", { pen = "accent" })
      d:arrow(tx, ty, tx - 0.85 * ny, ty + 0.85 * nx, "second")
      d:text(tx - 0.85, ty + 0.3, "-c v_t", { pen = "second" })
      d:arrow(px, py, px + 0.85 * ny, py - 0.85 * nx)
      d:text(px + 0.9, py - 0.12, "v")
      d:text(tx + 0.2, ty - 0.26, "d = -g > 0", { align = "start" })
    end
  end
  d:write(file, "the gap of a contact")
end

-- One impact of a sphere of the page by three laws: the force over the depth.
local function impact_loops(file)
  local list = {}
  for _, law in ipairs {
    { "hertz", mbs.hertz { stiffness = 1e6 } },
    { "hunt_crossley", mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.4 } },
    { "kelvin_voigt", mbs.kelvin_voigt { stiffness = 5e4, damping = 60 } },
  } do
    local m = mbs.model { law[1], gravity = { 0, -9.81 } }
    local ball = m:point { "ball", at = { 0, 1e-6 }, velocity = { 0, -1 }, mass = 1 }
    local floor = m:contact { "floor", m.ground, ball, normal = law[2] }
    local run = m:simulate { t = 0.03 }
    local times = curves.evenly(0, 0.03, 600)
    local depth, force = run:values(-floor.gap, times), run:values(floor.normal_force, times)
    local x, y = {}, {}
    for k in ipairs(depth) do
      if depth[k] >= 0 and (k == 1 or force[k] > 0 or depth[k] > depth[k - 1]) then
        x[#x + 1], y[#y + 1] = 1000 * depth[k], force[k]
      end
    end
    list[#list + 1] = { law[1], x = x, y = y }
  end
  mbs.chart { file, title = "an impact with 1 m/s: force over depth", x_label = "depth [mm]",
              y_label = "normal force [N]", curves = list }
end

local function bearing(file)
  local d = drawing.new { width = 640, height = 270, scale = 100, origin = { 320, 135 } }
  d:path({ { -2.4, -0.18 }, { 2.4, -0.18 }, { 2.4, 0.18 }, { -2.4, 0.18 } }, "line", "pale", true)
  for side = -1, 1, 2 do
    d:ground(side * 1.2, side * 0.22, side * -1.2, side * 0.22)
  end
  d:line(-2.9, 0, 2.9, 0, "dashed")
  d:arrow(2.5, 0, 3.0, 0)
  d:text(2.9, 0.16, "u")
  d:arrow(-1.2, -0.95, -1.2, -0.24, "accent")
  d:text(-1.2, -1.1, "end 1", { pen = "accent" })
  d:arrow(1.2, 0.95, 1.2, 0.24, "accent")
  d:text(1.2, 1.1, "end 2", { pen = "accent" })
  d:arrow(-1.9, 0, -1.9, 0.85, "second")
  d:text(-1.78, 0.8, "F", { pen = "second", align = "start" })
  d:dot(-1.9, 0)
  d:text(-1.9, -0.34, "place of b")
  d:arc(0, 0, 0.6, -0.6, 0.9, "second", true)
  d:text(0.62, 0.5, "T_m", { pen = "second", align = "start" })
  d:dot(0, 0)
  d:line(-1.2, -0.55, 1.2, -0.55, "thin")
  d:text(0, -0.68, "L", { pen = "thin" })
  d:line(-1.9, 1.05, 0, 1.05, "thin")
  d:text(-0.95, 1.17, "offset", { pen = "thin" })
  d:write(file, "the loads of a bearing")
end

-- The curve Phi = 0 that steps drift from, and the projection of a step onto it.
local function projection(file)
  local d = drawing.new { width = 680, height = 270, scale = 100, origin = { 30, 10 } }
  local function curve(x) return 0.35 + 1.9 * math.exp(-((x - 3.1) / 2.3) ^ 2) end
  d:curve(curve, 0, 6.2, "bold")
  d:text(5.3, 0.42, "Phi(q, t) = 0", { align = "end" })
  local before
  for k = 0, 3 do
    local x, off = 0.4 + 0.6 * k, 0.025 * k * k
    local point = { x - 0.6 * off, curve(x) + off }
    if before then d:line(before[1], before[2], point[1], point[2], "accent_dashed") end
    d:dot(point[1], point[2], "accent")
    before = point
  end
  d:text(0.1, 1.95, "without projection", { pen = "accent", align = "start" })
  d:text(0.1, 1.75, "it drifts", { pen = "accent", align = "start" })
  local x0 = 3.6
  local slope = (curve(x0 + 1e-4) - curve(x0 - 1e-4)) / 2e-4
  d:dot(x0, curve(x0), "second")
  local qx, qy = x0 + 1.1, curve(x0) + 1.1 * slope + 0.12
  d:arrow(x0, curve(x0), qx, qy, "second")
  d:text(qx + 0.1, qy + 0.08, "q*", { pen = "second", align = "start" })
  local nearest, least = qx, math.huge
  for k = 0, 2000 do
    local x = 3.6 + 0.001 * k
    local off2 = (x - qx) ^ 2 + (curve(x) - qy) ^ 2
    if off2 < least then nearest, least = x, off2 end
  end
  d:arrow(qx, qy, nearest, curve(nearest), "second")
  d:dot(nearest, curve(nearest), "second", "white")
  d:text(qx + 0.12, (qy + curve(nearest)) / 2 - 0.06, "M^{-1} Phi_q^T mu", { pen = "second", align = "start" })
  d:text(nearest - 0.1, curve(nearest) - 0.12, "q", { pen = "second", align = "end" })
  d:write(file, "drift and projection")
end

local function assembly_and_rest(file)
  local d = drawing.new { width = 740, height = 200, scale = 100, origin = { 0, 25 } }
  d:arc(1.7, -0.2, 1.5, 0.35, 2.8, "bold")
  d:text(0.55, 0.2, "Phi(q, t) = 0", { align = "start" })
  local a = 0.9
  local dx, dy = 1.7 + 2.1 * math.cos(a), -0.2 + 2.1 * math.sin(a)
  local qx, qy = 1.7 + 1.5 * math.cos(a), -0.2 + 1.5 * math.sin(a)
  d:arrow(dx, dy, qx, qy, "accent")
  d:dot(dx, dy, "accent")
  d:text(dx + 0.1, dy, "q_d, as declared", { pen = "accent", align = "start" })
  d:dot(qx, qy)
  d:text(qx - 0.12, qy - 0.16, "q, nearest", { align = "end" })
  local function energy(x) return 0.55 + 0.5 * math.cos(2.4 * (x - 5.2)) + 0.1 * (x - 5.2) end
  d:curve(energy, 3.9, 7.0, "bold")
  local function derivative(x) return -1.2 * math.sin(2.4 * (x - 5.2)) + 0.1 end
  local function still(x)
    for _ = 1, 60 do x = x - derivative(x) / (-2.88 * math.cos(2.4 * (x - 5.2))) end
    return x
  end
  local hill, well = still(5.2), still(6.5)
  d:circle(hill, energy(hill) + 0.1, 0.1, "accent", "white")
  d:text(hill, energy(hill) + 0.34, "unstable", { pen = "accent" })
  d:circle(well, energy(well) + 0.1, 0.1, "second", "second")
  d:text(well, energy(well) - 0.2, "stable", { pen = "second" })
  local from = hill + 0.45
  d:circle(from, energy(from) + 0.11, 0.1, "line", "white")
  d:arrow(from + 0.14, energy(from + 0.14) + 0.14, from + 0.48, energy(from + 0.48) + 0.16)
  d:text(from + 0.2, energy(from) + 0.3, "downhill", { align = "start" })
  d:write(file, "assembly and equilibrium")
end

-- A switch over a step, the step that is made again, and the held number of a digital controller.
local function switch_and_ticks(file)
  local d = drawing.new { width = 740, height = 250, scale = 100, origin = { 30, 120 } }
  local function s(x) return -0.75 + 0.42 * x + 0.1 * math.sin(2.2 * x) end
  local zero = 1.7
  for _ = 1, 50 do zero = zero - s(zero) / (0.42 + 0.22 * math.cos(2.2 * zero)) end
  d:arrow(0, 0, 3.3, 0, "thin")
  d:text(3.3, -0.15, "t", { pen = "thin" })
  d:curve(s, 0.2, zero, "accent")
  d:curve(s, zero, 3.0, "accent_dashed")
  for _, x in ipairs { 0.9, zero, 2.7 } do
    d:line(x, -0.08, x, 0.08)
    if x ~= zero then d:line(x, 0, x, s(x), "dashed") end
    d:dot(x, s(x), "accent", x == zero and "white" or "accent")
  end
  d:text(0.9, 0.22, "t_k")
  d:text(zero - 0.04, 0.24, "t_e")
  d:text(2.7, -0.22, "first end")
  d:text(2.5, 0.75, "s(t, q, v)", { pen = "accent", align = "end" })
  d:arrow(2.7, -0.5, zero + 0.02, -0.5)
  d:text((2.7 + zero) / 2, -0.68, "made again, shorter")
  d:text(0.5, -0.85, "s < 0")
  local x0 = 4.1
  d:arrow(x0, -0.8, x0 + 2.9, -0.8, "thin")
  d:text(x0 + 2.85, -0.95, "t", { pen = "thin" })
  local function signal(x) return 0.95 - 1.5 * math.exp(-0.9 * x) end
  d:curve(function(x) return signal(x - x0) end, x0, x0 + 2.8, "dashed")
  for k = 0, 5 do
    local x = x0 + 0.45 * k
    d:line(x, signal(x - x0), x + 0.45, signal(x - x0), "second")
    if k > 0 then d:line(x, signal(x - x0 - 0.45), x, signal(x - x0), "second_dashed") end
    d:dot(x, signal(x - x0), "second", "white")
    d:line(x, -0.86, x, -0.74)
  end
  d:text(x0 + 0.45, -0.98, "t_1")
  d:text(x0 + 0.9, -0.98, "t_2")
  d:text(x0 + 2.2, 0.4, "z(t), held", { pen = "second" })
  d:write(file, "a switch and ticks")
end

return {
  { "theory/bodies_and_joints", "body_frame", draw = body_frame },
  { "theory/bodies_and_joints", "elementary_constraints", draw = elementary },
  { "theory/bodies_and_joints", "wheel_leans", draw = wheel },
  { "theory/contact", "contact_gap", draw = gap },
  { "theory/contact", "impact_loops", after = 1, draw = impact_loops },
  { "theory/friction", "bearing_loads", draw = bearing },
  { "theory/formulations", "drift_and_projection", draw = projection },
  { "theory/rest", "assembly_and_rest", draw = assembly_and_rest },
  { "theory/events", "switch_and_ticks", draw = switch_and_ticks },
}
