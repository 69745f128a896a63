-- Steps against stiffness: a suspension on bushings, at rest before it is driven over a bump.
local mbs = require "perilune"
local mechanisms = require "mechanisms"

local tolerance = 1e-6
local index1, index3 = { "index1", mbs.index1 {} }, { "index3", mbs.index3 {} }

-- Adaptive steps could pass over the bump while the car is at rest before it: none is longer than a third of it.
local function adaptive(make, fields, accuracy)
  fields.relative_tolerance, fields.absolute_tolerance = accuracy or tolerance, (accuracy or tolerance) / 10
  fields.max_step = 0.02
  return make(fields)
end

-- Name, integrator, formulation.
local methods = {
  { "bdf", adaptive(mbs.bdf, {}), index3 },
  { "bdf", adaptive(mbs.bdf, {}), index1 },
  { "bdf, max_order 2", adaptive(mbs.bdf, { max_order = 2 }), index3 },
  { "bdf, max_order 2", adaptive(mbs.bdf, { max_order = 2 }), index1 },
  { "radau 5", adaptive(mbs.radau, {}), index3 },
  { "radau 5", adaptive(mbs.radau, {}), index1 },
  { "radau 3", adaptive(mbs.radau, { order = 3 }), index1 },
  { "rosenbrock 4", adaptive(mbs.rosenbrock, {}), index1 },
  { "dormand_prince", adaptive(mbs.dormand_prince, {}), index1 },
}
local references = { explicit = adaptive(mbs.dormand_prince, {}, 1e-11), implicit = adaptive(mbs.radau, {}, 1e-10) }

local function sample(case, rest, formulation, integrator)
  local times, list = {}, {}
  for i = 1, 60 do times[i] = case.t * i / 60 end
  local run = case.model:simulate { from = rest, t = case.t, formulation = formulation, integrator = integrator }
  for _, name in ipairs(case.coordinates) do
    for _, value in ipairs(run:values(name, times)) do list[#list + 1] = value end
  end
  return list, run
end

local function largest_difference(a, b)
  local worst = 0
  for i = 1, #a do worst = math.max(worst, math.abs(a[i] - b[i])) end
  return worst
end

local function study(stiffnesses, damping_ratio)
  local rows = {}
  for _, stiffness in ipairs(stiffnesses) do
    local case = mechanisms.suspension(stiffness, damping_ratio)
    local rest = case.model:equilibrium {}
    local explicit = sample(case, rest, mbs.index1 {}, references.explicit)
    local implicit = sample(case, rest, mbs.index1 {}, references.implicit)
    for _, method in ipairs(methods) do
      local name, integrator, formulation = table.unpack(method)
      local motion, run = sample(case, rest, formulation[2], integrator)
      rows[#rows + 1] = { integrator = name, formulation = formulation[1], damping_ratio = damping_ratio,
                          stiffness = stiffness, steps = run.steps, rejected = run.rejected,
                          newton_iterations = run.newton_iterations, factorizations = run.factorizations,
                          error = largest_difference(motion, name == "dormand_prince" and implicit or explicit),
                          reference_error = largest_difference(implicit, explicit) }
    end
  end
  return rows
end

local function rows_of(rows, method)
  local list = {}
  for _, row in ipairs(rows) do
    if row.integrator == method[1] and row.formulation == method[3][1] then list[#list + 1] = row end
  end
  return list
end

local function column(rows, field, format)
  local texts = {}
  for i, row in ipairs(rows) do texts[i] = format:format(row[field]) end
  return table.concat(texts, " ")
end

-- The longest run over that with the softest springs, and the power of the stiffness with which the steps grow at last.
local function ratio_and_growth(rows)
  local most = 0
  for _, row in ipairs(rows) do most = math.max(most, row.steps) end
  local last, before = rows[#rows], rows[#rows - 1]
  return most / rows[1].steps, math.log(last.steps / before.steps) / math.log(last.stiffness / before.stiffness)
end

local function print_study(report, rows)
  local lines = {}
  for i, method in ipairs(methods) do
    local own = rows_of(rows, method)
    local ratio, growth = ratio_and_growth(own)
    lines[i] = { method[1], method[3][1], column(own, "steps", "%d"), ("%.1f"):format(ratio), ("%.2f"):format(growth),
                 column(own, "rejected", "%d"), column(own, "newton_iterations", "%d"),
                 column(own, "factorizations", "%d"), column(own, "error", "%.0e") }
  end
  report.table({ "integrator", "formulation", "steps", "most / softest", "growth", "rejected", "Newton iterations",
                 "factorizations", "error" }, lines)
end

local function draw(report, rows, name, title)
  local curves = { { "slope 1/2", guide = true, x = { 1e6, 1e7 }, y = { 8e3, 8e3 * math.sqrt(10) } } }
  for _, method in ipairs(methods) do
    if method[1] == "radau 3" then goto next end  -- as radau 5, and there are eight colours
    local curve = { method[1] .. ", " .. method[3][1], x = {}, y = {} }
    for i, row in ipairs(rows_of(rows, method)) do curve.x[i], curve.y[i] = row.stiffness, row.steps end
    curves[#curves + 1] = curve
    ::next::
  end
  report.picture(name, { title = title, x_label = "stiffness of the bushings [N/m]", y_label = "steps", log_x = true,
                         log_y = true, curves = curves })
end

return function(report)
  local say = report.say
  local stiffnesses = report.quick and { 1e4, 1e6, 1e7 } or { 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 }
  say "## Stiff springs\n"
  say "A double-wishbone quarter car, whose arms sit on bushings of 1e4 to 1e9 N/m, is driven over a bump of 5 cm from"
  say "rest: 1.5 s, tolerance 1e-6 relative, 1e-7 m absolute. Errors are the largest of positions (m, rad) at 60"
  say "instants against dormand_prince at 1e-11 with the same stiffness (for itself: radau 5 at 1e-10). \"most /"
  say "softest\" is the longest run over that with the softest bushings; \"growth\" is the power of the stiffness with"
  say "which the steps grow from the last but one to the last. The numbers in a cell belong to the stiffnesses in"
  say "order.\n"
  local all = {}
  for _, damping in ipairs { 0.1, 0 } do
    local rows = study(stiffnesses, damping)
    say(damping > 0 and ("Bushings with %g of the critical damping, as rubber has:"):format(damping) or
        "Bushings without any damping:")
    print_study(report, rows)
    draw(report, rows, damping > 0 and "stiff" or "stiff_undamped",
         "Steps against stiffness, bushings " .. (damping > 0 and "of damping ratio 0.1" or "without damping"))
    table.move(rows, 1, #rows, #all + 1, all)
  end
  say "With damped bushings the steps of bdf and radau do not depend on the stiffness. Without damping radau's still do"
  say "not, nor bdf's with max_order = 2. Higher orders of bdf are not A-stable: they excite what swings undamped at"
  say "omega < 1.94 / h (order 3), omega < 4.71 / h (order 4) or 0.71 / h < omega < 9.39 / h (order 5), and then have"
  say "to follow it. index3 knows an end of that, from where on the bushings are as good as joints; index1, where"
  say "errors of velocities count too, does not. At 1e5 N/m and below the arms swing slowly enough to be followed,"
  say "which takes steps of its own."
  say ""
  say "The steps of Rosenbrock methods shrink: their number grows with about the third root of the stiffness, damped or"
  say "not (order reduction). That of dormand_prince grows with the square root: explicit methods follow every"
  say "oscillation.\n"
  return { stiff = all }
end
