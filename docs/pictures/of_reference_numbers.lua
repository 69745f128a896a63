-- The pictures at the top of the reference's pages on laws, motions, methods and results. Those that come of runs have
-- `is_of_run`: their last digits may differ elsewhere.
local mbs = require "perilune"
local drawing = require "drawing"
local curves = require "curves"

local function of_models(file)
  local d = drawing.new { width = 760, height = 190 }
  local entries = { { 95, { "parameters", "L = 1 m, 0.5 to 2" } }, { 285, { "expressions", "L / 2, L^2, sin(t)" } },
                    { 475, { "parts", "bodies, joints, forces" } }, { 665, { "signals", "P.x, hinge.angle" } } }
  for k, entry in ipairs(entries) do
    d:box(entry[1], 120, 154, 56, entry[2], k == 1 and "accent" or "line", k == 1 and "white" or "pale")
    if k > 1 then d:arrow(entries[k - 1][1] + 77, 120, entry[1] - 77, 120) end
  end
  d:path({ { 665, 92 }, { 665, 45 }, { 95, 45 } }, "accent")
  d:arrow(95, 45, 95, 92, "accent")
  d:text(380, 30, "gradients of objectives of signals, by parameters", { pen = "accent" })
  d:text(380, 168, "m:param, m:body, m:revolute, ... : all of one model m")
  d:write(file, "what a model holds")
end

local function of_control(file)
  local d = drawing.new { width = 760, height = 210 }
  d:text(40, 150, "set point")
  d:arrow(70, 150, 108, 150)
  d:circle(122, 150, 14, "line", "white")
  d:text(122, 150, "-", { is_inside = true })
  d:arrow(136, 150, 190, 150)
  d:text(163, 164, "error")
  d:box(250, 150, 120, 50, { "m:pid", "gains, limits" }, "accent", "white")
  d:arrow(310, 150, 370, 150)
  d:text(340, 164, "wish")
  d:box(430, 150, 120, 50, { "mbs.saturate", "what a motor can" }, "line", "pale")
  d:arrow(490, 150, 545, 150)
  d:text(517, 164, "force")
  d:box(610, 150, 130, 50, { "mechanism", "M a + ... = Q" }, "line", "pale")
  d:arrow(675, 150, 735, 150)
  d:text(708, 164, "angle")
  d:path({ { 710, 150 }, { 710, 50 }, { 490, 50 } })
  d:head(490, 50, -1, 0)
  d:box(430, 50, 120, 50, { "m:filter", "sensor, lag" }, "line", "pale")
  d:line(370, 50, 122, 50)
  d:arrow(122, 50, 122, 136)
  d:text(245, 64, "what is measured")
  d:write(file, "a loop of control")
end

local function numbers(list)
  for k, value in ipairs(list) do list[k] = type(value) == "number" and value or value.value end
  return list
end

local function of_laws(file)
  local x, y = { 0, 1, 2, 3, 4, 5 }, { 0, 0.9, 0.55, 0.7, 1.6, 1.5 }
  local smooth, straight = mbs.spline { x = x, y = y }, mbs.piecewise_linear { x = x, y = y }
  local at, of_spline, of_lines, of_step = curves.evenly(0, 5, 150), {}, {}, {}
  for k, value in ipairs(at) do
    of_spline[k], of_lines[k], of_step[k] = smooth(value), straight(value), mbs.smoothstep(value, 1, 4)
  end
  mbs.chart { file, title = "laws", x_label = "what they read", y_label = "what they give",
              curves = { { "spline", x = at, y = numbers(of_spline) },
                         { "piecewise_linear", x = at, y = numbers(of_lines) },
                         { "smoothstep from 1 to 4", x = at, y = numbers(of_step) } } }
end

local function of_analysis(file)
  local d = drawing.new { width = 780, height = 326 }
  d:box(80, 181, 110, 56, { "model", "and its state" }, "line", "pale")
  local rows = { { "simulate, phase", "motion over time" }, { "kinematics", "motion that drivers give" },
                 { "equilibrium", "rest; equilibrium path under load" }, { "linearize", "modes, stability" },
                 { "mobility", "freedoms, redundant joints" } }
  for k, row in ipairs(rows) do
    local y = 297 - 58 * (k - 1)
    d:arrow(135, 181, 195, y)
    d:box(300, y, 210, 46, row, "line", "white")
    if k <= 3 then d:arrow(405, y, 465, 247 - 8 * k) end
  end
  d:box(530, 231, 130, 56, { "objective", "a number of a run" }, "accent", "white")
  d:arrow(595, 231, 630, 231, "accent")
  d:box(692, 231, 124, 56, { "gradient", "hessian" }, "accent", "white")
  d:path({ { 692, 203 }, { 692, 130 } }, "accent")
  d:head(692, 130, 0, -1, "accent")
  d:box(640, 102, 210, 56, { "optimize, fit, pareto", "better parameters" }, "accent", "white")
  d:path({ { 640, 74 }, { 640, 20 }, { 80, 20 } }, "accent")
  d:arrow(80, 20, 80, 153, "accent")
  d:write(file, "analyses and what they give")
end

-- A pendulum four times, with what each form of the equations makes of its circle.
local function of_formulations(file)
  local d = drawing.new { width = 760, height = 240 }
  for k, form in ipairs {
    { "penalty", "a stiff spring pulls", "it back" },
    { "index1, index3, ...", "a multiplier is the", "force of the rod" },
    { "projection", "what drifts is moved", "back" }, { "joint_coordinates", "only the angle is", "unknown" },
  } do
    local x, y, radius, angle = 95 + 190 * (k - 1), 200, 88, -0.95
    local px, py = x + radius * math.cos(angle), y + radius * math.sin(angle)
    d:arc(x, y, radius, -2.5, -0.6, "dashed")
    local ux, uy = math.cos(angle), math.sin(angle)
    if k == 1 then
      local points = { { x, y } }
      for i = 1, 12 do
        local along, aside = radius * 1.1 * (i + 1) / 15, i % 2 == 0 and 5 or -5
        points[i + 1] = { x + along * ux - aside * uy, y + along * uy + aside * ux }
      end
      px, py = x + 1.1 * radius * ux, y + 1.1 * radius * uy
      points[#points + 1] = { px, py }
      d:path(points, "accent")
    elseif k == 2 then
      d:line(x, y, px, py, "bold")
      d:arrow(px, py, px - 40 * ux, py - 40 * uy, "accent")
      d:text(px - 30 * ux + 12, py - 30 * uy + 10, "lambda", { pen = "accent", align = "start" })
    elseif k == 3 then
      d:line(x, y, px, py, "bold")
      d:dot(x + 1.28 * radius * ux, y + 1.28 * radius * uy, "dashed")
      d:arrow(x + 1.24 * radius * ux, y + 1.24 * radius * uy, px + 6 * ux, py + 6 * uy, "accent")
    else
      d:line(x, y, px, py, "bold")
      d:line(x, y, x, y - 60, "dashed")
      d:arc(x, y, 48, -math.pi / 2, angle, "accent", true)
      d:text(x + 21, y - 60, "theta", { pen = "accent", align = "middle" })
    end
    d:dot(x, y)
    d:circle(px, py, 7, "line", "pale")
    d:text(x, 70, form[1], { bold = true, is_name = true })
    d:text(x, 48, form[2])
    d:text(x, 32, form[3])
  end
  d:write(file, "forms of the equations of motion")
end

local function of_integrators(file)
  local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
  local hinge, P = m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 }
  m:distance { hinge, P }
  local function value(integrator) return m:simulate { t = 1, integrator = integrator }:at("P.x", 1) end
  local exact, list = value(mbs.radau { step = 1 / 4096 }), {}
  for _, name in ipairs { "trapezoidal", "rk4", "sdirk4", "radau" } do
    local steps, errors = {}, {}
    for k = 4, 8 do
      steps[#steps + 1] = 2 ^ k
      errors[#errors + 1] = math.max(math.abs(value(mbs[name] { step = 2 ^ -k }) - exact), 1e-13)
    end
    list[#list + 1] = { name, x = steps, y = errors }
  end
  mbs.chart { file, title = "a pendulum after 1 s", x_label = "steps", y_label = "error of P.x [m]", log_x = true,
              log_y = true, curves = list }
end

-- Three ways to a gradient, each as the runs that it takes.
local function of_methods(file)
  local d = drawing.new { width = 760, height = 230 }
  local function run(y, x1, x2, which) d:arrow(x1, y, x2, y, which) end
  d:text(130, 210, "finite_difference", { bold = true, is_name = true })
  for k = 0, 3 do
    run(170 - 20 * k, 45, 215, k == 0 and "line" or "accent")
    if k > 0 then d:text(36, 170 - 20 * k, ("p_%d + h"):format(k), { align = "end", size = 10, pen = "accent" }) end
  end
  d:text(130, 66, "the run once more")
  d:text(130, 50, "for each parameter")
  d:text(385, 210, "direct", { bold = true })
  run(170, 300, 470)
  for k = 1, 3 do
    d:path({ { 300, 170 - 20 * k }, { 470, 170 - 20 * k } }, "second")
    d:head(470, 170 - 20 * k, 1, 0, "second")
    for i = 1, 4 do d:line(300 + 34 * i, 170 - 20 * k + 20, 300 + 34 * i, 170 - 20 * k, "dashed") end
  end
  d:text(385, 66, "with the run, linear equations")
  d:text(385, 50, "for each parameter")
  d:text(640, 210, "adjoint", { bold = true })
  run(170, 555, 725)
  for i = 0, 4 do d:line(555 + 34 * i, 170, 555 + 34 * i, 130, "dashed") end
  run(130, 725, 555, "accent")
  d:text(640, 114, "objective", { pen = "accent" })
  d:text(640, 66, "one sweep back for each objective,")
  d:text(640, 50, "however many parameters")
  d:text(380, 18, "an optimizer (lbfgsb, slsqp, mma, ...) asks for the gradient at each of its steps")
  d:write(file, "ways to a gradient")
end

local function double_pendulum()
  local m = mbs.model { "double pendulum", gravity = { 0, -9.81 } }
  local hinge, P = m:ground { at = { 0, 0 } }, m:point { "P", at = { 1, 0 }, mass = 1 }
  local Q = m:point { "Q", at = { 1.6, 0.5 }, mass = 1 }
  m:bar { hinge, P, mass = 0.5 }
  m:bar { P, Q, mass = 0.5 }
  return m, P, Q
end

local function of_results(file)
  local m, _, Q = double_pendulum()
  m:simulate { t = 2 }:svg(file, "P.y", "Q.y", { "speed of Q", (Q.vx ^ 2 + Q.vy ^ 2) ^ 0.5, unit = "m/s" })
end

local function of_pictures(file)
  local m = double_pendulum()
  m:sketch { file, run = m:simulate { t = 1 }, times = { 0, 0.2, 0.4, 0.6 } }
end

-- The parameters of the rows of real sweeps.
local function of_experiments(file)
  local m = mbs.model { "throw" }
  local a, b = m:param { "a", 0.5, min = 0, max = 1 }, m:param { "b", 0.5, min = 0, max = 1 }
  local P = m:point { "P", at = { a, b }, mass = 1 }
  local where = m:objective { "where", terminal = P.x }
  local d = drawing.new { width = 760, height = 260 }
  for k, design in ipairs {
    { "mbs.grid { 4, 4 }", mbs.grid { 4, 4 } }, { "mbs.random", mbs.random { points = 16 } },
    { "mbs.latin_hypercube", mbs.latin_hypercube { points = 16 } },
  } do
    local left, bottom, size = 60 + 245 * (k - 1), 50, 160
    for i = 0, k == 3 and 15 or 0 do -- each line has one point
      d:line(left + size * i / 15, bottom, left + size * i / 15, bottom + size, "thin")
      d:line(left, bottom + size * i / 15, left + size, bottom + size * i / 15, "thin")
    end
    local right, top = left + size, bottom + size
    d:path({ { left, bottom }, { right, bottom }, { right, top }, { left, top } }, "line", "none", true)
    for _, row in ipairs(mbs.sweep { where, over = { a, b }, design = design[2], t = 0.01 }) do
      d:dot(left + size * row.parameters.a, bottom + size * row.parameters.b, "accent", "accent")
    end
    d:text(left + size / 2, bottom + size + 22, design[1], { bold = true, is_name = true })
    d:text(left + size / 2, bottom - 20, "parameter a")
    d:text(left - 14, bottom + size / 2, "b")
  end
  d:write(file, "designs of sixteen points")
end

local iltis = require "perilune.iltis"
local function of_vehicles(file)
  local car = iltis.build {}
  car.model:sketch { file, run = car.model:equilibrium {}, times = { 0 }, view = { 1, -1.4, 0.7 } }
end
local function of_iltis(file)
  local car = iltis.build {}
  car.model:sketch { file, run = car.model:equilibrium {}, times = { 0 }, view = { 1, 0, 0.05 } }
end

return {
  { "reference/models", "reference_models", draw = of_models },
  { "reference/control", "reference_control", draw = of_control },
  { "reference/laws", "reference_laws", draw = of_laws },
  { "reference/analysis", "reference_analysis", draw = of_analysis },
  { "reference/formulations", "reference_formulations", draw = of_formulations },
  { "reference/methods", "reference_methods", draw = of_methods },
  { "reference/experiments", "reference_experiments", draw = of_experiments },
  { "reference/integrators", "reference_integrators", is_of_run = true, draw = of_integrators },
  { "reference/results", "reference_results", is_of_run = true, draw = of_results },
  { "reference/pictures", "reference_pictures", is_of_run = true, draw = of_pictures },
  { "reference/vehicles", "reference_vehicles", is_of_run = true, draw = of_vehicles },
  { "gallery/iltis", "iltis_front", is_of_run = true, draw = of_iltis },
}
