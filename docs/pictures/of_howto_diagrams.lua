-- The pictures of how-to pages on what surrounds a model: editors, programs, courses, processors.
local mbs = require "perilune"
local drawing = require "drawing"

local function editor(file)
  local d = drawing.new { width = 720, height = 230 }
  d:box(90, 115, 150, 40, "perilune init")
  for k, row in ipairs {
    { "pendulum.lua", "you" }, { ".luarc.json", "Lua language server" }, { ".perilune/meta", "fields, types, units" },
    { ".luacheckrc", "luacheck" },
  } do
    local y = 230 - 20 - 50 * (k - 0.6)
    d:arrow(165, 115, 235, y)
    d:box(320, y, 170, 32, row[1], "line", "pale")
    if k ~= 3 then d:arrow(405, y, 475, y, "accent") end
    d:box(570, y, 190, 32, row[2], "accent", "white")
  end
  d:arrow(405, 230 - 20 - 50 * 2.4, 475, 230 - 20 - 50 * 2.4, "accent")
  d:write(file, "what perilune init makes, and for whom")
end

local function embedding(file)
  local d = drawing.new { width = 720, height = 250 }
  d:box(105, 205, 170, 56, { "swing.lua", "describes the model" }, "line", "pale")
  d:box(360, 205, 190, 56, { "perilune::lua", "module for an interpreter" }, "accent", "white")
  d:box(360, 55, 190, 56, { "perilune::perilune", "engine, without Lua" }, "accent", "white")
  d:box(615, 130, 170, 56, { "your program", "C++" }, "line", "pale")
  d:arrow(190, 205, 265, 205)
  d:text(228, 220, "run")
  d:arrow(360, 177, 360, 83, "accent")
  d:text(368, 130, "makes models", { align = "start", pen = "accent" })
  d:arrow(455, 205, 555, 158)
  d:text(520, 195, "an Experiment", { align = "start" })
  d:arrow(555, 102, 455, 55)
  d:text(520, 65, "gradient, optimize", { align = "start" })
  d:write(file, "a script inside of a C++ program")
end

local function course(file)
  local d = drawing.new { width = 760, height = 250 }
  local function step(x, y, lines, which, fill) d:box(x, y, 170, 60, lines, which, fill) end
  d:text(110, 232, "lecturer", { bold = true })
  d:text(380, 232, "student", { bold = true, pen = "accent" })
  d:text(650, 232, "lecturer", { bold = true })
  step(110, 170, { "exercise pack", "statement, starter,", "checks.sealed" }, "line", "pale")
  step(380, 170, { "exercise start", "numbers by the name" }, "accent", "white")
  step(380, 60, { "exercise check", "as often as wanted" }, "accent", "white")
  step(650, 60, { "exercise grade", "class/NAME/solution.lua" }, "line", "pale")
  step(650, 170, { "grades.csv", "points, reasons, similar" }, "line", "white")
  d:arrow(195, 170, 295, 170)
  d:arrow(360, 140, 360, 90, "accent")
  d:arrow(400, 90, 400, 140, "accent")
  d:arrow(465, 60, 565, 60)
  d:arrow(650, 90, 650, 140)
  d:text(245, 186, "hand out")
  d:text(515, 76, "hand in")
  d:write(file, "the way of an exercise")
end

local function unit(file)
  local d = drawing.new { width = 760, height = 220 }
  d:box(110, 110, 180, 100, { "another program", "controllers, drives,", "hydraulics, steps" }, "line", "pale")
  d:box(480, 110, 320, 190, { "" }, "accent", "white")
  d:text(480, 188, "crank.fmu", { bold = true, pen = "accent" })
  d:box(480, 140, 270, 56, { "model exchange", "x' = f(x, u, p), events, derivatives" }, "line", "pale")
  d:box(480, 62, 270, 56, { "co-simulation", "from step to step by itself" }, "line", "pale")
  d:arrow(200, 140, 320, 140)
  d:text(260, 155, "inputs")
  d:arrow(320, 80, 200, 80, "accent")
  d:text(260, 60, "outputs", { pen = "accent" })
  d:text(695, 140, "the host", { align = "middle" })
  d:text(695, 122, "integrates", { align = "middle" })
  d:text(695, 62, "the unit does", { align = "middle" })
  d:write(file, "a mechanism as a unit in another program")
end

-- The page's formula T(N) = start + J max(c / N, 30e-6) + c, as speed-ups.
local function speed_ups(file)
  local list = {}
  for _, case in ipairs { { 1000, 0.015, "1,000 of 15 ms" }, { 100000, 0.015, "100,000 of 15 ms" },
                          { 1000, 10, "1,000 of 10 s" }, { 100000, 10, "100,000 of 10 s" } } do
    local jobs, cost = case[1], case[2]
    local x, y = {}, {}
    for k = 0, 40 do
      local n = 10 ^ (3 * k / 40)
      x[#x + 1], y[#y + 1] = n, jobs * cost / (0.34 + jobs * math.max(cost / n, 30e-6) + cost)
    end
    list[#list + 1] = { case[3], x = x, y = y }
  end
  mbs.chart { file, title = "how many times as fast as one process", x_label = "processes", y_label = "speed-up",
              log_x = true, log_y = true, curves = list }
end

return {
  { "howto/fmi", "unit_in_host", draw = unit },
  { "howto/editor", "editor_files", draw = editor },
  { "howto/embedding", "embedded_engine", draw = embedding },
  { "howto/teaching", "way_of_an_exercise", draw = course },
  { "howto/many_cores", "processes_speed_up", draw = speed_ups },
}
