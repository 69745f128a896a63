-- The pictures of the theory of expressions, integrators, sensitivities and optimization.
local mbs = require "perilune"
local drawing = require "drawing"

-- A row of steps, with what goes through them forward and backward.
local function chain(file)
  local d = drawing.new { width = 760, height = 260 }
  local function x(k) return 90 + 135 * k end
  for k, name in ipairs { "x_0(rho)", "x_1", "x_2", "...", "x_N" } do
    local at = x(k - 1)
    if name == "..." then
      d:text(at, 130, "...")
    else
      d:box(at, 130, 66, 36, name, "line", "pale")
    end
    if k > 1 then
      d:arrow(x(k - 2) + 33, 130, at - 33, 130)
      if name ~= "..." then d:text((x(k - 2) + at) / 2, 144, ("F_%s"):format(name:sub(3))) end
    end
  end
  d:arrow(x(4) + 33, 130, x(4) + 72, 130)
  d:text(x(4) + 86, 130, "psi")
  d:arrow(x(0), 205, x(4), 205, "second")
  d:text(x(2), 221, "mbs.direct: dx_k / drho, one for each parameter", { pen = "second" })
  for k = 1, 4 do
    if k ~= 3 then d:line(x(k), 148, x(k), 205, "second_dashed") end
  end
  d:arrow(x(4), 55, x(0), 55, "accent")
  d:text(x(2), 36, "mbs.adjoint: mu_k, one for each objective", { pen = "accent" })
  for k = 1, 4 do
    if k ~= 3 then
      d:line(x(k), 112, x(k), 55, "accent_dashed")
      local index = k == 4 and "N" or k
      d:text(x(k) + 8, 80, ("-mu_%s^T F_{%s,rho}"):format(index, index), { pen = "accent", align = "start" })
    end
  end
  d:write(file, "sensitivities forward and backward")
end

-- Motion forward and adjoint backward; the same in intervals.
local function intervals(file)
  local d = drawing.new { width = 740, height = 300 }
  local left, right, count = 60, 680, 4
  d:arrow(left, 240, right, 240)
  d:text(left - 12, 240, "0", { align = "end" })
  d:text(right + 12, 240, "T", { align = "start" })
  d:text((left + right) / 2, 256, "motion: q, v, a, lambda")
  d:arrow(right, 195, left, 195, "accent")
  d:text((left + right) / 2, 180, "adjoint: mu, from its conditions at the end", { pen = "accent" })
  d:line(20, 150, 720, 150, "dashed")
  local wide = (right - left) / count
  for j = 0, count do
    local x = left + j * wide
    d:line(x, 118, x, 128)
    d:text(x, 138, j == count and "T" or ("t_%d"):format(j))
    if j < count then
      d:arrow(x + wide - 8, 100, x + 8, 100, "accent")
      d:text(x + wide / 2, 116, j == 1 and "v(t) + Y(t) s" or "v + Y s", { pen = "accent" })
      if j > 0 then d:arrow(x + 16, 62, x - 16, 62, "second") end
      d:text(x + wide / 2, 62, ("s_%d"):format(j + 1), { pen = "second" })
    end
  end
  d:text((left + right) / 2, 82, "each interval apart, 2 d + 1 solutions, while the motion goes on", { pen = "thin" })
  d:text((left + right) / 2, 32, "at the end of the motion: s from one interval to the next, and the gradient",
         { pen = "second" })
  d:write(file, "adjoints in one sweep and in intervals")
end

-- The expression of the page's law as a graph and as a tape.
local function tape(file)
  local d = drawing.new { width = 740, height = 270 }
  local nodes = { k = { 60, 50, "k" }, x = { 190, 50, "P.x" }, cube = { 190, 130, "( )^3" },
                  times = { 125, 190, "*" }, minus = { 125, 245, "-" } }
  for _, edge in ipairs { { "k", "times" }, { "x", "cube" }, { "cube", "times" }, { "times", "minus" } } do
    local a, b = nodes[edge[1]], nodes[edge[2]]
    local length = math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2)
    local ux, uy = (b[1] - a[1]) / length, (b[2] - a[2]) / length
    d:arrow(a[1] + 20 * ux, a[2] + 20 * uy, b[1] - 17 * ux, b[2] - 17 * uy)
  end
  for _, name in ipairs { "k", "x", "cube", "times", "minus" } do
    local node = nodes[name]
    local is_leaf = name == "k" or name == "x"
    d:circle(node[1], node[2], 17, is_leaf and "second" or "line", is_leaf and "white" or "pale")
    d:text(node[1], node[2], node[3], { is_inside = true, pen = is_leaf and "second" or "line" })
  end
  for k, row in ipairs { { "u_1 = k", "" }, { "u_2 = P.x", "" }, { "u_3 = u_2^3", "3 u_2^2" },
                         { "u_4 = u_1 * u_3", "u_3, u_1" }, { "u_5 = -u_4", "-1" } } do
    local y = 225 - 40 * k + 10
    d:box(400, y, 150, 30, row[1], "line", "pale")
    if row[2] ~= "" then d:text(500, y, "slope " .. row[2], { align = "start", pen = "thin" }) end
  end
  d:text(400, 235, "tape", { bold = true })
  d:arrow(305, 200, 305, 20, "second")
  d:text(295, 20, "values, forward", { pen = "second", align = "end" })
  d:arrow(640, 20, 640, 200, "accent")
  d:text(640, 215, "reverse", { pen = "accent" })
  d:write(file, "an expression and its tape")
end

-- The nodes of a plan: two explicit stages and a projection, and a group of implicit ones.
local function plans(file)
  local d = drawing.new { width = 740, height = 250 }
  local function time_axis(left, right, text)
    d:arrow(left, 40, right + 20, 40, "thin")
    for _, x in ipairs { left + 20, right - 20 } do d:line(x, 35, x, 45) end
    d:text(left + 20, 24, "t_n")
    d:text(right - 20, 24, "t_n + h")
    d:text((left + right) / 2, 232, text, { bold = true })
  end
  local function node(x, y, text, pen) d:box(x, y, 62, 30, text, pen, pen and "white" or "pale") end
  time_axis(30, 340, "points, then a projection")
  node(60, 80, "0")
  node(185, 110, "1", "accent")
  node(185, 160, "2", "accent")
  node(310, 190, "3", "second")
  d:arrow(91, 84, 154, 106, "line")
  d:arrow(91, 88, 154, 152, "line")
  d:arrow(185, 125, 185, 145, "line")
  d:arrow(216, 165, 279, 186, "line")
  d:arrow(216, 115, 300, 175, "line")
  d:text(110, 125, "w h^k", { align = "end" })
  d:text(310, 214, "projection", { pen = "second", align = "end" })
  d:text(185, 86, "point", { pen = "accent" })
  time_axis(390, 700, "one implicit group")
  node(420, 80, "0")
  d:path({ { 500, 95 }, { 712, 95 }, { 712, 215 }, { 500, 215 } }, "dashed", "none", true)
  node(548, 130, "1", "accent")
  node(606, 180, "2", "accent")
  node(664, 130, "3", "accent")
  d:line(579, 130, 633, 130, "accent_dashed")
  d:line(565, 145, 590, 165, "accent_dashed")
  d:line(622, 165, 647, 145, "accent_dashed")
  d:arrow(451, 84, 500, 110)
  d:text(606, 146, "h A_{ij} a_j", { pen = "accent" })
  d:write(file, "plans of two steps")
end

-- Level lines of a cost with a bound and a limit; the gradient is balanced where they hold.
local function conditions(file)
  local d = drawing.new { width = 640, height = 320, scale = 100, origin = { 60, 40 } }
  local cx, cy = 3.5, 1.6
  for k = 1, 4 do
    local list = {}
    for i = 0, 72 do
      local a = 2 * math.pi * i / 72
      local u, v = 0.42 * k * math.cos(a), 0.25 * k * math.sin(a)
      list[#list + 1] = { cx + u * 0.9 - v * 0.4, cy + u * 0.4 + v * 0.9 }
    end
    d:path(list, "dashed", "none", true)
  end
  d:dot(cx, cy, "line", "white")
  d:text(cx + 0.1, cy + 0.14, "least without limits", { align = "start" })
  d:line(0.2, 0, 5.6, 0, "line")
  d:ground(0.2, 0, 5.6, 0)
  d:text(0.25, -0.22, "lower bound", { align = "start" })
  d:line(1.2, 2.7, 2.9, 0, "bold")
  d:text(1.15, 2.55, "c(x) = upper", { align = "end" })
  d:text(0.9, 1.0, "allowed", { pen = "thin" })
  -- On the limit line: the point where the level line touches it.
  local best, least
  local function cost(x, y)
    local u, v = (x - cx) * 0.9 + (y - cy) * 0.4, -(x - cx) * 0.4 + (y - cy) * 0.9
    return (u / 0.42) ^ 2 + (v / 0.25) ^ 2
  end
  for k = 0, 4000 do
    local y = 2.7 * k / 4000
    local value = cost(2.9 - 1.7 * y / 2.7, y)
    if not least or value < least then best, least = y, value end
  end
  local x, y = 2.9 - 1.7 * best / 2.7, best
  local h = 1e-4
  local gx, gy = (cost(x + h, y) - cost(x - h, y)) / (2 * h), (cost(x, y + h) - cost(x, y - h)) / (2 * h)
  local long = math.sqrt(gx * gx + gy * gy)
  d:arrow(x, y, x + 0.8 * gx / long, y + 0.8 * gy / long, "second")
  d:text(x + 0.95 * gx / long, y + 0.95 * gy / long, "g", { pen = "second" })
  d:arrow(x, y, x - 0.8 * gx / long, y - 0.8 * gy / long, "accent")
  d:text(x - 0.9 * gx / long, y - 0.9 * gy / long - 0.12, "J^T lambda", { pen = "accent", align = "start" })
  d:dot(x, y, "accent", "accent")
  d:write(file, "a minimum under a limit")
end

-- Forward over reverse: four quantities of each step, two forward and two backward.
local function four_sweeps(file)
  local d = drawing.new { width = 700, height = 250 }
  local rows = {
    { 205, "x_k", "the motion", "line", 1 }, { 150, "dx_k", "along r", "second", 1 },
    { 95, "mu_k", "the adjoint", "accent", -1 }, { 40, "dmu_k", "its derivative along r", "accent", -1 },
  }
  for i, row in ipairs(rows) do
    local y = row[1]
    for k = 0, 3 do
      local name = row[2]:gsub("k", tostring(k + 1))
      d:box(230 + 90 * k, y, 56, 30, name, row[4], i == 1 and "pale" or "white")
    end
    for k = 0, 2 do
      local a, b = 230 + 90 * k + 28, 230 + 90 * (k + 1) - 28
      if row[5] > 0 then d:arrow(a, y, b, y, row[4]) else d:arrow(b, y, a, y, row[4]) end
    end
    d:text(180, y, row[3], { pen = row[4], align = "end" })
    d:text(545, y, row[5] > 0 and "forward" or "backward", { pen = row[4], align = "start" })
  end
  d:arrow(230 + 270, 135, 230 + 270, 110, "second")
  for k = 0, 3 do
    d:line(230 + 90 * k, 190, 230 + 90 * k, 165, "dashed")
    d:line(230 + 90 * k, 80, 230 + 90 * k, 55, "dashed")
  end
  d:text(545, 67, "mu^T F_{xx} dx", { align = "start", pen = "thin" })
  d:write(file, "forward over reverse")
end

local function numbers(file)
  local d = drawing.new { width = 740, height = 230 }
  d:box(110, 180, 180, 50, { "source", "equations, data, results" }, "line", "pale")
  d:box(110, 50, 180, 50, { "another program", "the source's equations" }, "line", "pale")
  d:box(390, 180, 150, 50, { "printed", "with its digits" }, "second", "white")
  d:box(390, 50, 150, 50, { "recomputed", "to more digits" }, "second", "white")
  d:box(390, 115, 150, 50, { "ours", "where there is none" }, "accent", "white")
  d:box(640, 115, 160, 60, { "Perilune's result", "is compared" }, "line", "pale")
  d:arrow(200, 180, 315, 180, "second")
  d:arrow(110, 155, 110, 75)
  d:arrow(200, 50, 315, 50, "second")
  d:arrow(465, 180, 560, 135, "second")
  d:arrow(465, 50, 560, 95, "second")
  d:arrow(465, 115, 560, 115, "accent")
  d:text(512, 128, "data", { pen = "accent" })
  d:write(file, "where published numbers come from")
end

return {
  { "theory/discrete_sensitivities", "chain_of_steps", draw = chain },
  { "theory/continuous_sensitivities", "adjoint_intervals", draw = intervals },
  { "theory/expressions", "expression_tape", draw = tape },
  { "theory/steps", "step_plans", draw = plans },
  { "theory/optimization", "minimum_under_limit", draw = conditions },
  { "theory/second_order", "forward_over_reverse", draw = four_sweeps },
  { "theory/published_numbers", "origins_of_numbers", draw = numbers },
  { "theory/integrators", "orders_by_halving", after = 2, draw = function(file, v)
    local list = {}
    for _, name in ipairs { "rk4", "trapezoidal", "sdirk4", "generalized_alpha" } do
      local exact, steps, errors = v.value(mbs.radau, 5e-4), {}, {}
      for k = 0, 4 do
        steps[k + 1] = 0.02 / 2 ^ k
        errors[k + 1] = math.abs(v.value(mbs[name], steps[k + 1]) - exact)
      end
      list[#list + 1] = { name, x = steps, y = errors }
    end
    mbs.chart { file, title = "error of the objective of a pendulum", x_label = "step [s]", y_label = "error",
                log_x = true, log_y = true, curves = list }
  end },
}
