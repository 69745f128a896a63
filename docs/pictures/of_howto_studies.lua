-- The pictures of how-to pages about laws, controllers, gradients, optimizations and fits.
local mbs = require "perilune"
local drawing = require "drawing"
local curves = require "curves"
local evenly = curves.evenly

-- The derivative by central differences of runs against the exact one, over the step of the difference.
local function differences(file, v)
  local m, L = v.m, v.L01.value
  local exact = m:gradient({ v.cost, over = { v.L01 } }).gradient[1]
  local steps, errors = {}, {}
  for k = 2, 26 do
    local h = 10 ^ (-k / 2)
    local side = {}
    for _, sign in ipairs { -1, 1 } do
      v.L01.value = L + sign * h
      side[sign] = m:simulate({ objectives = v.cost }).objectives.mixed
    end
    steps[#steps + 1], errors[#errors + 1] = h, math.abs((side[1] - side[-1]) / (2 * h) / exact - 1)
  end
  v.L01.value = L
  mbs.chart { file, title = "differences of whole simulations against the exact derivative",
              x_label = "step of the difference [m]", y_label = "relative difference", log_x = true,
              log_y = true, curves = {
    { "differences", x = steps, y = errors },
    { "h^2", x = { 1e-4, 1e-1 }, y = { errors[1] * 1e-5, errors[1] * 10 }, guide = true } } }
end

-- The ball's way as first guessed, the farthest with the least energy, and the best under the ceiling.
local function capped_throw(file, v)
  local d = drawing.around({ { 0, 0 }, { 8, 1.9 } }, { width = 700, margin = 36 })
  d:ground(-0.2, 0, 8.1, 0)
  d:line(0, 1, 8.1, 1, "dashed")
  d:text(8.1, 1.12, "ceiling", { pen = "thin", align = "end" })
  local first, second = v.best.parameters, v.capped.parameters
  for _, case in ipairs { { 3, 3, "thin", "start" }, { first.vx, first.vy, "second", "the first optimum" },
                          { second.vx, second.vy, "accent", "under the ceiling" } } do
    v.vx.value, v.vy.value = case[1], case[2]
    local run, times = v.m:simulate { t = 1 }, evenly(0, 1, 60)
    local path = {}
    for k, point in ipairs(drawing.points(run:values("ball.x", times), run:values("ball.y", times))) do
      if point[2] > -0.02 then path[#path + 1] = point end
    end
    d:path(path, case[3])
    local middle = path[#path // 2]
    d:text(middle[1], middle[2] + (case[3] == "second" and 0.2 or -0.16), case[4], { pen = case[3] })
  end
  d:write(file, "throws under limits")
end

-- The cost over the speed, with the place where the slope vanishes and the two minima.
local function well(file, v)
  local speeds, costs = evenly(-1.6, 1.6, 64), {}
  for k, speed in ipairs(speeds) do
    v.v.value = speed
    costs[k] = v.m:simulate({ t = 1, objectives = v.well }).objectives.well
  end
  mbs.chart { file, title = "a cost with two minima, and a slope of zero between them", x_label = "v [m/s]",
              y_label = "well", curves = { { "cost", x = speeds, y = costs }, { "lbfgsb stays", x = { 0 }, y = { 1 } },
                         { "trust_region ends", x = { math.abs(v.best.parameters.v) }, y = { v.best.final } } } }
end

-- Four laws on the page's slope: the last of the slide, and the creep.
local function creeping(file, v)
  local times, list = evenly(0.1, 1, 180), {}
  for _, law in ipairs(v.laws) do
    if law[1] == "coulomb_tanh" or law[1] == "brown_mcphee" or law[1] == "viscous" or law[1] == "lugre" then
      local m = v.block(law[1], law[2])
      local speed = m:simulate({ t = 1, integrator = mbs.radau {} }):values("b.vx", times)
      for k, x in ipairs(speed) do speed[k] = math.max(math.abs(x), 1e-8) end -- a logarithm has no zero
      list[#list + 1] = { law[1], x = times, y = speed }
    end
  end
  mbs.chart { file, title = "a block comes to rest on a slope, or creeps", x_label = "t [s]", y_label = "speed [m/s]",
              log_y = true, curves = list }
end

-- The measured ratios, read from the table of the page: a bar for each program that is in it.
local function ratios(file)
  local page = package.searchpath("drawing", package.path):gsub("pictures/drawing.lua$", "howto/benchmarks.md")
  local programs = { { "MuJoCo", "accent", "accent" }, { "Simbody", "second", "second" }, { "CVODES", "line", "pale" } }
  local rows, high = {}, 0
  for line in io.lines(page) do
    local problem, rest = line:match "^| ([%w-]+[%w -]*) | [%d.e-]+ m? ?| (.*)"
    if problem then
      local cells, row = {}, { name = problem }
      for cell in rest:gmatch "([^|]*)|" do cells[#cells + 1] = cell end
      for i, program in ipairs(programs) do
        local ratio = (cells[i + 2] or ""):match "ratio ([%d.]+)"
        if ratio then row[#row + 1] = { program, tonumber(ratio) } end
      end
      if #row > 0 then
        rows[#rows + 1] = row
        row.high = 14 * #row + 14
        high = high + row.high
      end
    end
  end
  local d = drawing.new { width = 760, height = 60 + high, scale = 1, origin = { 180, 40 } }
  local function place(ratio) return 60 + 140 * math.log(ratio, 10) end
  for _, ratio in ipairs { 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500 } do
    d:line(place(ratio), 0, place(ratio), high, ratio == 1 and "line" or "dashed")
    d:text(place(ratio), -14, ("%g"):format(ratio), { pen = "thin" })
  end
  local top = high
  for _, row in ipairs(rows) do
    d:text(-14, top - row.high / 2, row.name, { align = "end" })
    for k, bar in ipairs(row) do
      local name, pen, fill, ratio = bar[1][1], bar[1][2], bar[1][3], bar[2]
      local a, c, middle = place(1), place(ratio), top - 14 * k
      d:path({ { a, middle - 5 }, { c, middle - 5 }, { c, middle + 5 }, { a, middle + 5 } }, pen, fill, true)
      d:text(math.max(a, c) + 8, middle, ("%s %g"):format(name, ratio), { pen = pen, align = "start" })
    end
    top = top - row.high
  end
  d:text(place(0.5) - 20, high + 10, "time of the other program over that of Perilune",
         { align = "start", pen = "thin" })
  d:write(file, "times of other programs over those of Perilune")
end

return {
  { "howto/benchmarks", "benchmark_ratios", draw = ratios },
  { "howto/control", "lift_rises", after = 1, draw = function(file, v) v.run:svg(file, "cabin.y", "ctl.output") end },
  { "howto/control", "lift_ticks", after = 2, draw = function(file, v)
    local list = {}
    for _, period in ipairs { 0.005, 0.05 } do
      list[#list + 1] = { ("every %g ms"):format(1000 * period), (v.lift(period)):simulate { t = 3 }, "cabin.y" }
    end
    curves.over_time(file, "the lift with a quick and with a slow computer", "cabin.y [m]", list, 0, 3)
  end },
  { "howto/control", "pole_balances", after = 4, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.2, 0.5, 1, 2 } }
  end },
  { "howto/experiments", "mount_front", after = 6, draw = function(file, v) v.front:chart(file) end },
  { "howto/fitting", "fit_carriage", after = 1, draw = function(file, v) v.fit:chart(file) end },
  { "howto/fitting", "fit_of_outliers", after = 6, draw = function(file, v)
    local times, list = evenly(0.14, 2.9, 200), {}
    for _, loss in ipairs { "squares", "cauchy" } do
      local m, p, b = v.carriage { M = 2 }
      m:fit { data = v.spoilt, signals = { { "x", b.x } }, loss = loss, over = { p.k, p.c, p.x0, p.v0 } }
      list[#list + 1] = { loss, x = times, y = m:simulate({ t = 3 }):values(b.x, times) }
    end
    list[#list + 1] = { "measured", x = v.spoilt.t, y = v.spoilt.x }
    mbs.chart { file, title = "a carriage with six bad measurements", x_label = "t [s]", y_label = "x [m]",
                curves = list }
  end },
  { "howto/fitting", "fit_without_damper", after = 7, draw = function(file, v) v.fit:chart(file) end },
  { "howto/force_law", "friction_law", after = 3, draw = function(file, v)
    local speeds, force = evenly(-0.005, 0.005, 80), {}
    for k, speed in ipairs(speeds) do
      local x = speed / 1e-3
      force[k] = -v.mu.value * 5 * 9.81 * (math.exp(x) - math.exp(-x)) / (math.exp(x) + math.exp(-x))
    end
    mbs.chart { file, title = "dry friction, smooth within 1 mm/s", x_label = "s.vx [m/s]", y_label = "force [N]",
                curves = { { "friction", x = speeds, y = force } } }
  end },
  { "howto/force_law", "rubber_table", after = 5, draw = function(file, v)
    local x, y = evenly(-0.12, 0.22, 68), {}
    for k, stretch in ipairs(x) do y[k] = v.rubber(stretch) end
    mbs.chart { file, title = "a measured characteristic", x_label = "deflection [m]", y_label = "force [N]", curves = {
      { "spline", x = x, y = y }, { "straight lines", x = { -0.1, 0, 0.1, 0.2 }, y = { -60, 0, 20, 100 } } } }
  end },
  { "howto/formulation", "drift_of_forms", after = 2, draw = function(file, v)
    local times, list = evenly(0.02, 2, 100), {}
    local forms = { { "index1, nothing else", mbs.index1 {} }, { "index1, stabilized", v.forms[2] },
                    { "maggi", v.forms[4] }, { "index1, projected", mbs.index1 { project = true } } }
    for k, form in ipairs(forms) do
      local run = v.m:simulate { t = 2, formulation = form[2], integrator = mbs.rk4 { step = 1e-2 } }
      local drift = run:values("constraint.drift", times)
      for i, x in ipairs(drift) do drift[i] = math.max(x, 1e-17) end
      list[k] = { form[1], x = times, y = drift }
    end
    mbs.chart { file, title = "how far the joint is open", x_label = "t [s]", y_label = "drift [m]", log_y = true,
                curves = list }
  end },
  { "howto/formulation", "order_by_halving", after = 3, draw = function(file, v)
    local steps, errors, exact = {}, {}, v.speed(1e-3)
    for k = 0, 4 do
      steps[k + 1] = 0.04 / 2 ^ k
      errors[k + 1] = math.abs(v.speed(steps[k + 1]) - exact)
    end
    mbs.chart { file, title = "error of the speed after 2 s", x_label = "step [s]", y_label = "error [m/s]",
                log_x = true, log_y = true, curves = { { "rk4", x = steps, y = errors },
      { "slope 4", x = { 0.003, 0.03 }, y = { errors[1] * 1e-5, errors[1] / 10 }, guide = true } } }
  end },
  { "howto/friction", "block_creeps", after = 1, draw = creeping },
  { "howto/gradient", "gradient_differences", after = 2, draw = differences },
  { "howto/limits", "throw_under_limits", after = 2, draw = capped_throw },
  { "howto/optimizers", "double_well", after = 1, draw = well },
}
