-- What the integrators do: observed orders on a smooth constrained mechanism, steps on a stiff suspension, energy over
-- 10,000 periods of pendulums.
--
--   perilune scripts/integrator_study.lua [--json FILE] [--only orders|stiff|energy] [--markdown FILE] [--quick 1]
--
-- The pictures are written to the folder `pictures` beside the Markdown file. `--quick 1` leaves out what takes long;
-- the rest is the same.
local mbs = require "perilune"
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path

local options = mbs.options { json = "", only = "", markdown = "", quick = 0 }

if options.markdown ~= "" then
  assert(options.markdown:find "%.md$", "--markdown: the name of the file must end in .md")
  mbs.make_folder((options.markdown:match "^.*/" or "") .. "pictures")
end

local lines = {}
local report = { quick = options.quick ~= 0 }

function report.say(text)
  print(text)
  lines[#lines + 1] = text
end

-- A table in Markdown: the headings, and one list per row.
function report.table(headings, rows)
  report.say ""
  report.say("| " .. table.concat(headings, " | ") .. " |")
  report.say("|" .. ("---|"):rep(#headings))
  for _, row in ipairs(rows) do report.say("| " .. table.concat(row, " | ") .. " |") end
  report.say ""
end

-- A picture in the folder of pictures beside the Markdown file: what mbs.chart takes.
function report.picture(name, chart)
  if options.markdown == "" then return end
  local file = "pictures/" .. options.markdown:match "([^/]*)%.md$" .. "_" .. name .. ".svg"
  chart[1] = (options.markdown:match "^.*/" or "") .. file
  mbs.chart(chart)
  lines[#lines + 1] = ("![%s](%s)"):format(chart.title, file)
  lines[#lines + 1] = ""
end

local results = {}
for _, study in ipairs { "orders", "stiff", "energy" } do
  if options.only == "" or options.only == study then
    for name, rows in pairs(require("integrator_study." .. study)(report)) do results[name] = rows end
  end
end

if options.markdown ~= "" then
  local file = assert(io.open(options.markdown, "w"))
  assert(file:write("# What the integrators do\n\n",
             "Written by `perilune scripts/integrator_study.lua --markdown docs/reference/integrator_study.md`.\n\n",
             table.concat(lines, "\n"), "\n"))
  assert(file:close())
end
if options.json ~= "" then mbs.write_json(options.json, results) end
