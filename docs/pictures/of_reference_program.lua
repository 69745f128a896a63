-- The pictures of pages that are lists or indices: of the reference on the program and files, of the documentation, of
-- the source, and of the studies, which are drawn from the rows of their pages.
local drawing = require "drawing"
local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."

-- A row of boxes, { title, text, ... } each, with arrows between them.
local function boxes(file, title, list, options)
  local d = drawing.new { width = 760, height = options.height or 120 }
  local count = #list
  local step, middle = 760 / count, d.height / 2
  local width = step - 36
  for k, lines in ipairs(list) do
    local x = step * (k - 0.5)
    local is_strong = options.strong == k
    d:box(x, middle, width, d.height - 44, lines, is_strong and "accent" or "line", is_strong and "white" or "pale")
    if k < count then d:arrow(x + width / 2, middle, x + step - width / 2, middle) end
  end
  d:write(file, title)
end

local function of_reference(file)
  local d = drawing.new { width = 760, height = 250 }
  local columns = {
    { "describe",
      { "models, words", "bodies, solids, vehicles", "joints, couplings", "forces, contact", "control, laws" } },
    { "compute", { "analysis", "formulations", "integrators", "methods", "experiments" } },
    { "look and pass on", { "results", "pictures", "exchange", "files", "session" } },
  }
  for k, column in ipairs(columns) do
    local x = 130 + 250 * (k - 1)
    d:text(x, 228, column[1], { bold = true, pen = "accent" })
    for i, name in ipairs(column[2]) do d:box(x, 228 - 40 * i, 190, 30, name, "line", "pale") end
    if k < 3 then d:arrow(x + 100, 108, x + 150, 108, "accent") end
  end
  d:write(file, "families of the reference")
end

local function of_session(file)
  local d = drawing.new { width = 760, height = 200 }
  d:box(380, 100, 700, 164, "", "line", "pale")
  for k, line in ipairs { { "> m = mbs.model { \"swing\", gravity = { 0, -9.81 } }", "" },
                          { "> help \"spring\"", "fields, units, equations, an example" },
                          { "> apropos \"gear\"", "every topic that speaks of it" },
                          { "> m:si[Tab]", "m:simulate" },
                          { "> run = m:simulate { t = 2 }; run:plot \"P.y\"", "a curve in the terminal" } } do
    local y = 180 - 27 * k
    d:text(50, y, line[1], { align = "start", is_name = true, is_inside = true, bold = true })
    d:text(700, y, line[2], { align = "end", is_name = true, is_inside = true, pen = "accent" })
  end
  d:write(file, "the interactive mode")
end

local function of_files(file)
  boxes(file, "options of a script", {
    { "on the command line", "perilune swing.lua", "--t 5 --out results" },
    { "mbs.options", "{ t = 2, out = \".\" }", "defaults, and their types" },
    { "in the script", "options.t is 5", "options.out is \"results\"" },
    { "make a folder", "results/", "with what the run writes" },
  }, { strong = 2, height = 130 })
end

local function of_exchange(file)
  local d = drawing.new { width = 760, height = 270 }
  d:box(380, 135, 130, 70, { "Perilune", "a model, a run" }, "accent", "white")
  for k, entry in ipairs { { "MJCF, URDF, FreeCAD", "mbs.read" }, { "CSV: measurements", "mbs.read_csv" },
                           { ".mat, JSON: numbers", "read_mat, read_json" } } do
    local y = 215 - 80 * (k - 1)
    d:box(110, y, 180, 46, { entry[1], "" }, "line", "pale")
    d:text(110, y - 8, entry[2], { is_name = true, is_inside = true, pen = "accent" })
    d:arrow(200, y, 315, 147 - 12 * (k - 1))
  end
  for k, entry in ipairs { { "FMI unit (.fmu)", "m:export" }, { "MATLAB, Octave (.mat)", "write_mat, run:mat" },
                           { "CSV, JSON, gnuplot", "run:csv, run:json, ..." } } do
    local y = 215 - 80 * (k - 1)
    d:box(650, y, 180, 46, { entry[1], "" }, "line", "pale")
    d:text(650, y - 8, entry[2], { is_name = true, is_inside = true, pen = "accent" })
    d:arrow(445, 147 - 12 * (k - 1), 560, y)
  end
  d:write(file, "files in and out")
end

local function of_words(file)
  local d = drawing.new { width = 760, height = 190 }
  for k, row in ipairs { { "hinge, pin joint, pivot", "m:revolute" }, { "dashpot, shock absorber", "m:spring" },
                         { "natural frequency", "m:linearize" },
                         { "DAE index, Lagrange multiplier", "mbs.index1, ..." } } do
    local y = 190 + 12 - 42 * k
    d:box(180, y, 250, 30, row[1], "line", "pale")
    d:arrow(305, y, 475, y, "accent")
    d:box(580, y, 210, 30, "", "accent", "white")
    d:text(580, y, row[2], { bold = true, is_name = true, is_inside = true, pen = "accent" })
    if k == 1 then d:text(390, y + 13, "help", { pen = "accent" }) end
  end
  d:write(file, "words and what they lead to")
end

local function of_docs(file)
  boxes(file, "ways through the documentation", {
    { "tutorial", "learn, in order:", "ten short pages" }, { "how-to", "do one thing:", "a page each" },
    { "reference", "look up fields,", "units, signals" }, { "theory", "understand:", "equations, sources" },
    { "gallery", "see mechanisms", "that move" },
  }, { strong = 1, height = 124 })
end

local function of_theory(file)
  local d = drawing.new { width = 760, height = 190 }
  local list = { { "expressions", "laws as tapes" }, { "bodies, joints", "M, Q, Phi" },
                 { "formulations", "a at a state" },
                 { "integrators", "steps of time" }, { "sensitivities", "d psi / d rho" },
                 { "optimization", "better rho" } }
  for k, lines in ipairs(list) do
    local x = 68 + 125 * (k - 1)
    d:box(x, 110, 108, 50, lines, k == 5 and "accent" or "line", k == 5 and "white" or "pale")
    if k < #list then d:arrow(x + 54, 110, x + 71, 110) end
  end
  for k, entry in ipairs { { 193, "contact, friction" }, { 380, "rest, events" }, { 568, "second order" } } do
    d:text(entry[1], 160, entry[2], { pen = "dashed" })
    d:line(entry[1], 150, entry[1], k == 2 and 120 or 136, "dashed")
  end
  d:path({ { 693, 85 }, { 693, 40 }, { 68, 40 } }, "accent")
  d:arrow(68, 40, 68, 85, "accent")
  d:text(380, 24, "the optimizer changes the parameters rho", { pen = "accent" })
  d:write(file, "the theory in the order of a computation")
end

local function of_architecture(file)
  local d = drawing.new { width = 760, height = 330 }
  d:text(195, 308, "engine: C++, no Lua", { bold = true })
  d:text(565, 308, "lua: the executable around it", { bold = true })
  local function stack(x, rooms, which)
    for k, room in ipairs(rooms) do
      local y = 275 - 34 * (k - 1)
      d:box(x, y, 290, 26, room, which, "pale")
    end
    d:arrow(x + 160, 275 - 34 * (#rooms - 1), x + 160, 275, "accent")
  end
  stack(195, { "expr, model, ranks", "linalg, system", "formulation, integrator", "analysis, format, mesh",
               "simulation", "sensitivity, optimize", "output, exchange" })
  stack(565, { "words, base, schema", "values, laws", "objects", "runs, studies", "exchange", "session" })
  d:arrow(420, 207, 364, 207, "accent")
  d:text(380, 20, "arrows: who includes whom", { pen = "accent" })
  d:write(file, "rooms of the source")
end

local function of_status(file)
  local d = drawing.new { width = 760, height = 150 }
  for k, entry in ipairs { { "works", "what tests hold", "accent" }, { "half done", "with its limits", "second" },
                           { "not begun", "asked for, absent", "line" }, { "next", "what comes first", "line" } } do
    local x = 95 + 190 * (k - 1)
    d:box(x, 85, 150, 56, { entry[1], entry[2] }, entry[3], k == 3 and "white" or "pale")
  end
  d:path({ { 665, 57 }, { 665, 40 }, { 95, 40 } }, "accent")
  d:arrow(95, 40, 95, 57, "accent")
  d:text(380, 22, "what is done and tested moves up", { pen = "accent" })
  d:write(file, "parts of the status")
end

local function of_parts(file)
  local d = drawing.new { width = 760, height = 150 }
  for k, entry in ipairs { { "models", "bodies to files" }, { "equations", "forms, steps, events" },
                           { "derivatives", "first and second" }, { "studies", "optima, fits, sweeps" },
                           { "environment", "session to course" } } do
    local x = 80 + 150 * (k - 1)
    d:box(x, 85, 134, 56, entry, "accent", "pale")
    if k > 1 then d:arrow(x - 83, 85, x - 67, 85, "accent") end
  end
  d:text(380, 22, "each with its tests, and with what it does not do yet", { pen = "accent" })
  d:write(file, "parts of the program")
end

local function of_limits(file)
  local d = drawing.new { width = 760, height = 170 }
  d:box(120, 85, 180, 56, { "what is not right", "within its tolerance" }, "accent", "pale")
  for k, entry in ipairs { { "refused by a sentence", "line" }, { "warned of", "second" },
                           { "silent: told on this page", "accent" } } do
    local y = 185 - 50 * k
    d:box(560, y, 260, 36, entry[1], entry[2], k == 3 and "pale" or "white")
    d:arrow(211, 85, 429, y, entry[2])
  end
  d:write(file, "where limits are told")
end

-- Dots on a logarithmic axis from 10^from to 10^to, a line for each entry { name, numbers }.
local function scattered(file, title, label, rows, from, to, every)
  local d = drawing.new { width = 760, height = 70 + 26 * #rows }
  local left, right = 250, 730
  local function x(value) return left + (right - left) * (math.log(value, 10) - from) / (to - from) end
  for power = from, to, every do
    d:line(x(10.0 ^ power), 42, x(10.0 ^ power), d.height - 14, "thin")
    d:text(x(10.0 ^ power), 30, ("10^{%d}"):format(power), { size = 11 })
  end
  d:text((left + right) / 2, 11, label)
  for k, row in ipairs(rows) do
    local y = d.height - 4 - 26 * k
    d:text(left - 14, y, row[1], { align = "end" })
    local is_drawn = {}
    for _, value in ipairs(row[2]) do
      -- Of dots that would lie upon each other one is drawn.
      local place = math.floor(x(math.max(value, 10.0 ^ from)) / 4 + 0.5) * 4
      if not is_drawn[place] then
        d:add('<circle cx="%d" cy="%d" r="3" fill="#d55e00" fill-opacity="0.55"/>', place, d.height - y)
        is_drawn[place] = true
      end
    end
  end
  d:write(file, title)
end

-- The cells of the rows of tables of a page.
local function cells_of(name)
  local rows = {}
  for line in io.lines(here .. "/../reference/" .. name .. ".md") do
    local cells = {}
    for cell in line:gmatch "|([^|]*)" do cells[#cells + 1] = cell:match "^%s*(.-)%s*$" end
    if #cells > 3 then rows[#rows + 1] = cells end
  end
  return rows
end

local function of_matrix(file)
  local order, costs = {}, {}
  for _, cells in ipairs(cells_of "sensitivity_matrix") do
    local method, cost = cells[3], tonumber(cells[6])
    if cost then
      if not costs[method] then
        costs[method] = {}
        order[#order + 1] = { method, costs[method] }
      end
      table.insert(costs[method], cost)
    end
  end
  scattered(file, "cost of gradients", "cost of a gradient of four parameters, in runs forward", order, 0, 2, 1)
end

local function of_default(file)
  local rows = cells_of "default_study"
  local list = {}
  for column = 2, #rows[1] - 1 do -- behind the last bar is nothing
    local errors = {}
    for k = 2, #rows do
      local value = tonumber((rows[k][column] or ""):match "^%**(%d+e[-+]%d+)")
      if value then errors[#errors + 1] = value end
    end
    list[#list + 1] = { rows[1][column], errors }
  end
  scattered(file, "errors of the forms", "error relative to the energy; dots: mechanisms; zeros are at the left", list,
            -16, 2, 2)
end

return {
  { "reference/README", "reference_README", draw = of_reference },
  { "reference/session", "reference_session", draw = of_session },
  { "reference/files", "reference_files", draw = of_files },
  { "reference/exchange", "reference_exchange", draw = of_exchange },
  { "reference/words", "reference_words", draw = of_words },
  { "reference/sensitivity_matrix", "gradient_costs", draw = of_matrix },
  { "reference/default_study", "errors_of_forms", draw = of_default },
  { "README", "ways_through", draw = of_docs },
  { "theory/README", "order_of_theory", draw = of_theory },
  { "architecture", "rooms_of_source", draw = of_architecture },
  { "status", "parts_of_status", draw = of_status },
  { "parts", "parts_of_program", draw = of_parts },
  { "known_limits", "where_limits_are_told", draw = of_limits },
}
