-- The pictures of the theory of single parts: beam elements, tires, bristles.
local drawing = require "drawing"

-- An element of a beam with shear: an arc between two nodes, and the axes in the middle.
local function beam_element(file)
  local d = drawing.new { width = 640, height = 260, scale = 100, origin = { 60, 30 } }
  local ax, ay, bx, by = 0.4, 0.5, 4.6, 1.1
  local from, to = 0.62, -0.42 -- the directions of the axes at both nodes
  local points = {}
  for k = 0, 60 do -- a cubic with these slopes
    local s = k / 60
    local h1, h2 = s * (1 - s) ^ 2, -s * s * (1 - s)
    local w = s * s * (3 - 2 * s)
    local length = 4.4
    points[k + 1] = { ax + w * (bx - ax) + length * (h1 * math.cos(from) + h2 * math.cos(to)),
                      ay + w * (by - ay) + length * (h1 * math.sin(from) + h2 * math.sin(to)) }
  end
  for _, side in ipairs { -0.11, 0.11 } do
    local edge = {}
    for k, point in ipairs(points) do
      local before, behind = points[math.max(1, k - 1)], points[math.min(#points, k + 1)]
      local dx, dy = behind[1] - before[1], behind[2] - before[2]
      local long = math.sqrt(dx * dx + dy * dy)
      edge[k] = { point[1] - side * dy / long, point[2] + side * dx / long }
    end
    d:path(edge, "thin")
  end
  d:path(points, "line")
  d:arrow(ax, ay, bx, by, "dashed")
  d:text(2.6, 0.62, "r_b - r_a", { pen = "thin" })
  local middle = points[31]
  for _, frame in ipairs { { ax, ay, from, "A_a", "second" }, { bx, by, to, "A_b", "second" },
                           { middle[1], middle[2], (from + to) / 2, "A_m", "accent" } } do
    d:frame(frame[1], frame[2], frame[3], 0.62, nil, frame[5])
    d:dot(frame[1], frame[2], frame[5])
    d:text(frame[1] - 0.5 * math.sin(frame[3]) - 0.22, frame[2] + 0.5 * math.cos(frame[3]) + 0.08, frame[4],
           { pen = frame[5] })
  end
  d:write(file, "an element of a beam with shear")
end

-- A tire from the side and from above.
local function tire(file)
  local d = drawing.new { width = 740, height = 300, scale = 100, origin = { 0, 60 } }
  local x, radius, depth = 1.7, 1.05, 0.12
  d:ground(0.3, 0, 3.2, 0)
  d:circle(x, radius - depth, radius, "line", "none")
  d:dot(x, radius - depth)
  d:arrow(x, radius - depth, x + 1.0, radius - depth, "line")
  d:text(x + 0.8, radius - depth + 0.16, "v")
  d:arc(x, radius - depth, 0.55, 2.4, 1.0, "line", true)
  d:arrow(x, 0, x, 0.62, "accent")
  d:text(x - 0.14, 0.52, "N", { pen = "accent" })
  d:arrow(x, -depth, x - 0.5, -depth, "second")
  d:text(x - 0.72, -depth - 0.05, "v_{low}", { pen = "second" })
  d:text(x + 0.3, -0.3, "d = r_0 - r", { pen = "thin", align = "start" })
  d:line(x, radius - depth, x - 0.742, radius - depth + 0.742, "thin")
  d:text(x - 0.4, radius - depth + 0.58, "r_0", { pen = "thin" })
  local cx, cy, turn = 5.2, 0.95, 0.25
  local c, s = math.cos(turn), math.sin(turn)
  local function at(u, w) return cx + u * c - w * s, cy + u * s + w * c end
  local corners = {}
  for k, p in ipairs { { -0.8, -0.28 }, { 0.8, -0.28 }, { 0.8, 0.28 }, { -0.8, 0.28 } } do
    corners[k] = { at(p[1], p[2]) }
  end
  d:path(corners, "line", "pale", true)
  local function along(u, w, pen, name, beyond)
    local px, py = at(u, w)
    d:arrow(cx, cy, px, py, pen)
    local tx, ty = at(u * beyond, w * beyond)
    d:text(tx, ty, name, { pen = pen })
  end
  along(1.5, 0, "thin", "x", 1.08)
  along(0, 0.85, "thin", "y", 1.15)
  along(1.25, 0.6, "line", "v", 1.1)
  along(0, -0.8, "accent", "F_y", 1.2)
  along(1.0, 0, "accent", "", 1)
  local fx, fy = at(0.95, -0.17)
  d:text(fx, fy, "F_x", { pen = "accent" })
  local angle = math.atan(0.6, 1.25)
  d:arc(cx, cy, 0.95, turn, turn + angle, "second")
  local lx, ly = at(1.02 * math.cos(angle / 2) + 0.06, 1.02 * math.sin(angle / 2))
  d:text(lx + 0.05, ly, "alpha", { pen = "second", align = "start" })
  d:text(x, -0.5, "from the side")
  d:text(cx, -0.5, "from above")
  d:write(file, "a tire")
end

-- Bristles of a law with a state: bent by z, stretched to their limit where they slide.
local function bristles(file)
  local d = drawing.new { width = 760, height = 220, scale = 100, origin = { 0, 60 } }
  for k, bend in ipairs { 0, 0.22, 0.42 } do
    local left = 0.2 + (k - 1) * 2.5
    d:ground(left, 0, left + 1.8, 0)
    local near, far = left + 0.2 + bend, left + 1.5 + bend -- the ends of what slides
    d:path({ { near, 0.6 }, { far, 0.6 }, { far, 1.05 }, { near, 1.05 } }, "line", "pale", true)
    for i = 0, 3 do
      local foot = left + 0.35 + 0.33 * i
      local points = {}
      for j = 0, 12 do
        local h = j / 12
        points[j + 1] = { foot + bend * h * h, 0.6 * h }
      end
      d:path(points, "accent")
      if k == 3 then d:dot(foot, 0, "accent") end
    end
    if bend > 0 then
      d:line(left + 0.35, 0.6, left + 0.35, 0.3, "dashed")
      d:line(left + 0.35, 0.5, left + 0.35 + bend, 0.5, "accent")
      d:text(left + 0.29, 0.46, k == 2 and "z" or "z_m", { align = "end", pen = "accent" })
      d:arrow(far, 0.82, far + 0.32, 0.82, "second")
      d:text(far + 0.3, 0.98, k == 2 and "T" or "v", { pen = "second" })
    end
    d:text(left + 0.9, -0.28, ({ "unbent", "holds: sigma_0 z = T", "slides: p = g, z' = 0" })[k])
  end
  d:write(file, "bristles")
end

return {
  { "theory/bodies_and_joints", "beam_element", draw = beam_element },
  { "theory/contact", "tire_slips", draw = tire },
  { "theory/friction", "bristles_bend", draw = bristles },
}
