-- The pictures of the tutorial.
local mbs = require "perilune"
local drawing = require "drawing"

local curves = require "curves"
local numbers = curves.evenly

-- Both ends of the rocker's swing, where crank and coupler are in line, with the triangles of the page.
local function extremes(file, v)
  local times, angle = v.run:times(), v.run:values "rocker.angle"
  local ends = { 1, 1 }
  for k in ipairs(angle) do
    if angle[k] < angle[ends[1]] then ends[1] = k end
    if angle[k] > angle[ends[2]] then ends[2] = k end
  end
  local d = drawing.around({ { -0.3, -0.3 }, { 1.1, 0.8 } }, { width = 640, margin = 30 })
  d:line(0, 0, 1, 0, "dashed")
  d:circle(0, 0, 0.3, "dashed")
  d:arc(1, 0, v.rocker_length, angle[ends[1]], angle[ends[2]], "dashed")
  for k, pen in ipairs { "second", "accent" } do
    local t = times[ends[k]]
    local turn = v.run:at("crank.angle", t)
    local x, y = 0.3 * math.cos(turn), 0.3 * math.sin(turn)
    local px, py = 1 + v.rocker_length * math.cos(angle[ends[k]]), v.rocker_length * math.sin(angle[ends[k]])
    d:line(0, 0, x, y, pen)
    d:line(x, y, px, py, pen)
    d:line(px, py, 1, 0, pen)
    d:dot(x, y, pen)
    d:dot(px, py, pen)
    d:text(px + (k == 1 and 0.02 or -0.02), py + 0.05, ("%.1f degrees"):format(math.deg(angle[ends[k]])),
           { pen = pen, align = k == 1 and "middle" or "end" })
  end
  d:text(0.72, 0.48, "sqrt(0.85) + 0.3", { pen = "second", align = "start" })
  d:text(0.18, 0.24, "sqrt(0.85) - 0.3", { pen = "accent", align = "end" })
  d:text(1.02, 0.36, "sqrt(0.5)", { align = "start" })
  d:text(0.6, -0.05, "1")
  d:hinge(0, 0)
  d:hinge(1, 0)
  d:write(file, "both ends of the rocker's swing")
end

-- The centre of mass of the top, from above.
local function top_path(file, v)
  local times = numbers(0, 1.5, 400)
  local path = drawing.points(v.run:values("top.com_x", times), v.run:values("top.com_y", times))
  local d = drawing.around({ { -0.026, -0.026 }, { 0.026, 0.026 } }, { width = 640, height = 400 })
  local radius = 0.06 * math.sin(v.tilt)
  d:circle(0, 0, radius, "dashed")
  d:path(path, "accent")
  d:dot(0, 0)
  d:text(0, -0.003, "tip", { pen = "thin" })
  d:dot(path[1][1], path[1][2], "accent")
  d:text(path[1][1] - 0.002, path[1][2] - 0.002, "start", { pen = "accent", align = "end" })
  d:scale_bar()
  d:write(file, "the path of the top's centre of mass")
end

-- A mode's shape: the machine at rest, dashed, and moved by the shape, with its mounts.
local function modes(file, v)
  local d = drawing.new { width = 720, height = 250, scale = 150, origin = { 0, 44 } }
  local rest = v.rest
  local x, y, angle = rest:at "machine.x", rest:at "machine.y", rest:at "machine.angle"
  local corners = { { -0.5, -0.4 }, { 0.4, -0.4 }, { 0.4, 0.3 }, { -0.5, 0.3 } }
  for k, mode in ipairs(v.small.modes) do
    local middle = 0.8 + (k - 1) * 1.6
    local function placed(size)
      local dx, dy, turn = mode.shape["machine.x"], mode.shape["machine.y"], mode.shape["machine.angle"]
      local function real(z) return type(z) == "number" and z or z.re or z[1] end
      local a, list = angle + size * real(turn), {}
      for i, c in ipairs(corners) do
        list[i] = { middle + x + size * real(dx) + c[1] * math.cos(a) - c[2] * math.sin(a),
                    y + size * real(dy) + c[1] * math.sin(a) + c[2] * math.cos(a) }
      end
      return list
    end
    d:path(placed(0), "dashed", "none", true)
    for _, side in ipairs { 1, -1 } do d:path(placed(0.13 * side), side == 1 and "accent" or "thin", "none", true) end
    local bottom = placed(0.13)
    for i, mount in ipairs { -0.45, 0.45 } do
      d:ground(middle + mount - 0.12, -0.12, middle + mount + 0.12, -0.12)
      d:line(middle + mount, -0.12, bottom[i][1], bottom[i][2], "line")
      d:dot(middle + mount, -0.12)
      d:dot(bottom[i][1], bottom[i][2])
    end
    d:text(middle, 1.1, ("mode %d: %.2f Hz"):format(k, mode.frequency), { bold = true })
  end
  d:write(file, "modes of the machine on its mounts")
end

return {
  { "tutorial/01_double_pendulum", "double_pendulum_falls", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.15, 0.3, 0.45, 0.6, 0.75 } }
  end },
  { "tutorial/01_double_pendulum", "double_pendulum_angles", after = 1, draw = function(file, v)
    v.run:svg(file, "upper.angle", "lower.angle")
  end },
  { "tutorial/02_four_bar", "four_bar_extremes", after = 4, draw = extremes },
  { "tutorial/02_four_bar", "four_bar_turn", after = 1, draw = function(file, v)
    v.run:svg(file, "rocker.angle", "motor.force")
  end },
  { "tutorial/03_parameters", "pendulum_period", after = 2, draw = function(file, v)
    local lengths, periods, formula = numbers(0.2, 3, 14), {}, {}
    for k, length in ipairs(lengths) do
      v.L.value = length
      periods[k] = v.period()
    end
    local fine = numbers(0.2, 3, 60)
    for k, length in ipairs(fine) do formula[k] = 2 * math.pi * math.sqrt(2 * length / (3 * 9.81)) end
    mbs.chart { file, title = "period over the length, within its bounds", x_label = "L [m]",
                y_label = "period [s]", curves = {
      { "by formula", x = fine, y = formula }, { "linearized", x = lengths, y = periods } } }
  end },
  { "tutorial/04_forces", "bungee_jump", after = 1, draw = function(file, v)
    v.run:svg(file, "jumper.y", "rope.force")
  end },
  { "tutorial/05_space", "top_nods", after = 2, draw = top_path },
  { "tutorial/05_space", "top_stands", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.5, 1 }, view = { 1, 0, 0.3 } }
  end },
  { "tutorial/06_rest", "machine_modes", after = 3, draw = modes },
  { "tutorial/06_rest", "machine_blow", after = 5, draw = function(file, v)
    v.run:svg(file, "machine.x", "machine.angle")
  end },
  { "tutorial/07_gradients", "five_bar_falls", after = 2, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.1, 0.2, 0.3 } }
  end },
  { "tutorial/07_gradients", "five_bar_slope", after = 3, draw = function(file, v)
    local L, cost, slope = v.L01.value, v.run.objectives.distance, v.result.gradient[1]
    local lengths, costs = numbers(L - 0.12, L + 0.24, 24), {}
    for k, length in ipairs(lengths) do
      v.L01.value = length
      costs[k] = v.m:simulate({ objectives = v.cost }).objectives.distance
    end
    v.L01.value = L
    mbs.chart { file, title = "the cost over one free length, and its derivative", x_label = "L01 [m]",
                y_label = "cost [m^2 s]", curves = {
      { "cost", x = lengths, y = costs },
      { "slope d/dL01", x = { L - 0.1, L + 0.16 }, y = { cost - 0.1 * slope, cost + 0.16 * slope } } } }
  end },
  { "tutorial/08_optimization", "five_bar_search", after = 2, draw = function(file, v) v.best:convergence(file) end },
  { "tutorial/08_optimization", "five_bar_before_after", after = 4, draw = function(file, v)
    curves.over_time(file, "height of P2", "P2.y [m]",
                     { { "before", v.before, "P2.y" }, { "after", v.after, "P2.y" } }, 0, 5)
  end },
  { "tutorial/09_control", "crane_moves", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 1, 2, 3, 4 } }
  end },
  { "tutorial/09_control", "crane_tuned", after = 2, draw = function(file, v)
    curves.over_time(file, "where the load is", "load.x [m]",
                     { { "first guess", v.run, "load.x" }, { "tuned", v.tuned, "load.x" } }, 0, 15)
  end },
  { "tutorial/10_suspension", "trailing_arm", after = 6, draw = function(file, v)
    v.m:sketch { file, run = v.after, times = { 1.9 } }
  end },
  { "tutorial/10_suspension", "trailing_arm_cleat", after = 6, draw = function(file, v)
    curves.over_time(file, "the jerk of the cleat, lengthwise", "chassis.ax [m/s^2]",
                     { { "before", v.before, "chassis.ax" }, { "after", v.after, "chassis.ax" } }, 1.95, 2.6)
  end },
}
