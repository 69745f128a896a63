-- Drawings of lines, arrows and short formulas as SVG, in one look: thin dark lines, one accent colour, a second one
-- where two things must be told apart, on a white card, so that they are read in light and dark themes alike.
-- Coordinates are of the drawing, y upwards; `scale` is pixels per unit and `origin` where (0, 0) is, from the lower
-- left corner.
local drawing = {}
drawing.__index = drawing

local pens = {
  line = 'stroke="#2c333c" stroke-width="1.4"',
  thin = 'stroke="#8a949f" stroke-width="1"',
  dashed = 'stroke="#8a949f" stroke-width="1" stroke-dasharray="4 4"',
  bold = 'stroke="#2c333c" stroke-width="2.4"',
  accent = 'stroke="#d55e00" stroke-width="2"',
  accent_dashed = 'stroke="#d55e00" stroke-width="1.4" stroke-dasharray="5 4"',
  second = 'stroke="#0072b2" stroke-width="2"',
  second_dashed = 'stroke="#0072b2" stroke-width="1.4" stroke-dasharray="5 4"',
}
local colours = { line = "#2c333c", thin = "#6b7683", dashed = "#6b7683", bold = "#2c333c", accent = "#d55e00",
                  accent_dashed = "#d55e00", second = "#0072b2", second_dashed = "#0072b2" }
local fills = { none = "none", white = "#fff", pale = "#eef1f4", accent = "#fbe6d8", second = "#dcebf5",
                dark = "#2c333c" }

local function pen(name) return assert(pens[name or "line"], name) end
local function number(x)
  local text = ("%.2f"):format(x):gsub("0+$", ""):gsub("%.$", "")
  return text == "-0" and "0" or text
end

function drawing.new(size)
  return setmetatable({ width = size.width, height = size.height, scale = size.scale or 1,
                        origin = size.origin or { 0, 0 }, parts = {} }, drawing)
end

--- A drawing in which all of these points { x, y } have room, at one scale for both directions.
function drawing.around(points, size)
  local least, most, margin = { math.huge, math.huge }, { -math.huge, -math.huge }, size.margin or 40
  for _, point in ipairs(points) do
    for k = 1, 2 do
      least[k], most[k] = math.min(least[k], point[k]), math.max(most[k], point[k])
    end
  end
  local wide, high = most[1] - least[1], most[2] - least[2]
  local scale = math.min((size.width - 2 * margin) / wide, ((size.height or 480) - 2 * margin) / high)
  local height = math.ceil(scale * high + 2 * margin)
  local left = (size.width - scale * wide) / 2 - scale * least[1]
  return drawing.new { width = size.width, height = height, scale = scale,
                       origin = { left, margin - scale * least[2] } }
end

--- Places { x, y } from a list of abscissas and one of ordinates.
function drawing.points(x, y)
  local list = {}
  for k in ipairs(x) do list[k] = { x[k], y[k] } end
  return list
end

function drawing:place(x, y)
  return self.origin[1] + self.scale * x, self.height - self.origin[2] - self.scale * y
end

function drawing:add(text, ...) self.parts[#self.parts + 1] = text:format(...) end

--- A line through points { x, y }; closed and filled where asked for.
function drawing:path(points, which, fill, closed)
  local words = {}
  for k, point in ipairs(points) do
    local x, y = self:place(point[1], point[2])
    words[k] = (k == 1 and "M" or "L") .. number(x) .. " " .. number(y)
  end
  self:add('<path d="%s%s" fill="%s" stroke-linejoin="round" stroke-linecap="round" %s/>', table.concat(words),
           closed and "Z" or "", fills[fill or "none"], pen(which))
end

function drawing:line(x1, y1, x2, y2, which) self:path({ { x1, y1 }, { x2, y2 } }, which) end

--- The curve y = f(x) from one x to another.
function drawing:curve(f, from, to, which, points)
  local list, count = {}, points or 60
  for k = 0, count do
    local x = from + (to - from) * k / count
    list[k + 1] = { x, f(x) }
  end
  self:path(list, which)
end

--- A filled head at (x, y), which points along (dx, dy) of the drawing.
function drawing:head(x, y, dx, dy, which)
  local length = math.sqrt(dx * dx + dy * dy)
  local ux, uy = dx / length, -dy / length
  local px, py = self:place(x, y)
  local function corner(along, aside)
    return number(px - along * ux - aside * uy), number(py - along * uy + aside * ux)
  end
  local ax, ay = corner(9, 3.4)
  local bx, by = corner(9, -3.4)
  local colour = colours[which or "line"]
  self:add('<path d="M%s %sL%s %sL%s %sZ" fill="%s"/>', number(px), number(py), ax, ay, bx, by, colour)
end

function drawing:arrow(x1, y1, x2, y2, which)
  self:line(x1, y1, x2, y2, which)
  self:head(x2, y2, x2 - x1, y2 - y1, which)
end

--- An arc about (x, y) from one angle to another (radians), with a head at its end where asked for.
function drawing:arc(x, y, radius, from, to, which, has_head)
  local points = {}
  for k = 0, 24 do
    local angle = from + (to - from) * k / 24
    points[k + 1] = { x + radius * math.cos(angle), y + radius * math.sin(angle) }
  end
  self:path(points, which)
  local last, before = points[25], points[22]
  if has_head then self:head(last[1], last[2], last[1] - before[1], last[2] - before[2], which) end
end

--- A circle whose radius is in units of the drawing; a dot has the same size in all drawings.
function drawing:circle(x, y, radius, which, fill)
  local px, py = self:place(x, y)
  self:add('<circle cx="%s" cy="%s" r="%s" fill="%s" %s/>', number(px), number(py), number(radius * self.scale),
           fills[fill or "none"], pen(which))
end
function drawing:dot(x, y, which, fill)
  local px, py = self:place(x, y)
  self:add('<circle cx="%s" cy="%s" r="4" fill="%s" %s/>', number(px), number(py), fills[fill or "white"], pen(which))
end

--- Text with indices and powers: "q_n", "Phi_{q}^T". `align` is start, middle or end. Lines end before it, except
--- where it stands inside of a box. A name (`is_name`) is shown as it is, with its underscores.
function drawing:text(x, y, text, options)
  options = options or {}
  local px, py = self:place(x, y)
  text = text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")
  local function shifted(shift)
    return function(what)
      return ('<tspan dy="%d" font-size="75%%">%s</tspan><tspan dy="%d">&#8203;</tspan>'):format(shift, what, -shift)
    end
  end
  if not options.is_name then
    text = text:gsub("_{(.-)}", shifted(4)):gsub("_(%w)", shifted(4))
    text = text:gsub("%^{(.-)}", shifted(-5)):gsub("%^([%w*+-])", shifted(-5))
  end
  self:add('<text%s x="%s" y="%s" text-anchor="%s" fill="%s"%s%s>%s</text>', options.is_inside and "" or ' class="h"',
           number(px), number(py + 4), options.align or "middle", colours[options.pen or "line"],
           options.size and (' font-size="%d"'):format(options.size) or "",
           options.bold and ' font-weight="bold"' or "", text)
end

--- How long a round length is, in the lower left corner.
function drawing:scale_bar(unit)
  local length = 10 ^ math.floor(math.log(self.width / 4 / self.scale, 10))
  for _, factor in ipairs { 5, 2 } do
    if factor * length * self.scale < self.width / 4 then
      length = factor * length
      break
    end
  end
  local x, y = (14 - self.origin[1]) / self.scale, (14 - self.origin[2]) / self.scale
  local tick = 3 / self.scale
  self:line(x, y, x + length, y, "thin")
  self:line(x, y - tick, x, y + tick, "thin")
  self:line(x + length, y - tick, x + length, y + tick, "thin")
  self:text(x + length + 6 / self.scale, y, ("%g %s"):format(length, unit or "m"), { align = "start", pen = "thin" })
end

--- A triangle on ground under a hinge at (x, y).
function drawing:hinge(x, y)
  local size = 1 / self.scale
  self:path({ { x, y }, { x - 8 * size, y - 14 * size }, { x + 8 * size, y - 14 * size } }, "line", "white", true)
  self:ground(x - 15 * size, y - 14 * size, x + 15 * size, y - 14 * size)
  self:dot(x, y)
end

--- A box about (x, y) with lines of text; sizes in units of the drawing.
function drawing:box(x, y, width, height, lines, which, fill)
  self:path({ { x - width / 2, y - height / 2 }, { x + width / 2, y - height / 2 }, { x + width / 2, y + height / 2 },
              { x - width / 2, y + height / 2 } }, which, fill or "white", true)
  if type(lines) == "string" then lines = { lines } end
  local step = 16 / self.scale
  for k, line in ipairs(lines) do
    self:text(x, y + step * ((#lines + 1) / 2 - k), line,
              { pen = which, bold = k == 1 and #lines > 1, is_inside = true })
  end
end

--- Hatched ground along a line, on its right-hand side.
function drawing:ground(x1, y1, x2, y2)
  self:line(x1, y1, x2, y2, "line")
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  local ux, uy, size = (x2 - x1) / length, (y2 - y1) / length, 7 / self.scale
  for k = 0, math.floor(length / size + 1e-9) - 1 do
    local along = (k + 1) * size
    local x, y = x1 + along * ux, y1 + along * uy
    self:line(x, y, x + size * (uy - ux), y + size * (-ux - uy), "thin")
  end
end

--- The axes of a frame at (x, y), turned by an angle, with names at their ends.
function drawing:frame(x, y, angle, length, names, which)
  for k = 0, 1 do
    local a = angle + k * math.pi / 2
    local ex, ey = math.cos(a), math.sin(a)
    self:arrow(x, y, x + length * ex, y + length * ey, which)
    if names and names[k + 1] then
      local beyond = length + 11 / self.scale
      self:text(x + beyond * ex, y + beyond * ey, names[k + 1], { pen = which })
    end
  end
end

function drawing:write(file, title)
  local out <close> = assert(io.open(file, "w"))
  local head = [[
<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%d" height="%d" viewBox="0 0 %d %d" ]]
    .. [[font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13">
<title>%s</title>
<style>.h{paint-order:stroke;stroke:#fff;stroke-width:4px}</style>
<rect width="%d" height="%d" rx="6" fill="#fff"/>
]]
  local width, height = self.width, self.height
  out:write(head:format(width, height, width, height, title, width, height))
  out:write(table.concat(self.parts, "\n"), "\n</svg>\n")
end

return drawing
