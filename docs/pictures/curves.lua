-- Charts of signals over time, and numbers for them.
local mbs = require "perilune"
local curves = {}

--- From one number to another in `count` equal steps.
function curves.evenly(from, to, count)
  local list = {}
  for k = 0, count do list[k + 1] = from + (to - from) * k / count end
  return list
end

--- One chart of several runs: `of` is a list of { name, run, signal }.
function curves.over_time(file, title, label, of, from, to, count)
  local times, list = curves.evenly(from, to, count or 300), {}
  for k, curve in ipairs(of) do list[k] = { curve[1], x = times, y = curve[2]:values(curve[3], times) } end
  mbs.chart { file, title = title, x_label = "t [s]", y_label = label, curves = list }
end

return curves
