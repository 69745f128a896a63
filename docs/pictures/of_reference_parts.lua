-- The pictures at the top of the reference's pages on the parts of a mechanism.
local drawing = require "drawing"

local function spring(d, x1, x2, y, which)
  local points, count = { { x1, y }, { x1 + 12, y } }, 8
  for k = 1, count do
    points[#points + 1] = { x1 + 12 + (x2 - x1 - 24) * (k - 0.5) / count, y + (k % 2 == 1 and 8 or -8) }
  end
  points[#points + 1] = { x2 - 12, y }
  points[#points + 1] = { x2, y }
  d:path(points, which or "accent")
end

local function rectangle(d, x, y, width, height, which, fill, turn)
  local c, s, points = math.cos(turn or 0), math.sin(turn or 0), {}
  for k, corner in ipairs { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } do
    local a, b = corner[1] * width / 2, corner[2] * height / 2
    points[k] = { x + c * a - s * b, y + s * a + c * b }
  end
  d:path(points, which, fill, true)
end

local function ellipse(d, x, y, a, b, which, fill, from, to)
  local points = {}
  for k = 0, 48 do
    local angle = (from or 0) + ((to or 2 * math.pi) - (from or 0)) * k / 48
    points[k + 1] = { x + a * math.cos(angle), y + b * math.sin(angle) }
  end
  d:path(points, which, fill, not from)
end

local function both_ways(d, x1, y1, x2, y2, which)
  d:arrow((x1 + x2) / 2, (y1 + y2) / 2, x1, y1, which)
  d:arrow((x1 + x2) / 2, (y1 + y2) / 2, x2, y2, which)
end

-- A plane seen obliquely, about (x, y).
local function plane(d, x, y)
  d:path({ { x - 62, y - 18 }, { x + 38, y - 18 }, { x + 62, y + 18 }, { x - 38, y + 18 } }, "thin", "pale", true)
end

-- A small picture for each joint about (x, y), with what it leaves free in colour.
local joints = {
  { "distance", "all but the length", function(d, x, y)
    d:line(x - 45, y - 10, x + 35, y + 12, "dashed")
    d:dot(x - 45, y - 10)
    d:dot(x + 35, y + 12, "accent")
    d:arc(x - 45, y - 10, 83, 0.42, 0.62, "accent", true)
    d:arc(x - 45, y - 10, 83, 0.12, -0.1, "accent", true)
  end },
  { "revolute", "one turn", function(d, x, y)
    d:path({ { x - 30, y - 12 }, { x + 45, y + 20 } }, "bold")
    d:hinge(x - 30, y - 12)
    d:arc(x - 30, y - 12, 62, 0.02, 0.3, "accent", true)
    d:arc(x - 30, y - 12, 62, 0.52, 0.8, "accent", true)
  end },
  { "translational", "one slide", function(d, x, y)
    d:line(x - 65, y - 13, x + 65, y - 13, "thin")
    d:line(x - 65, y + 13, x + 65, y + 13, "thin")
    rectangle(d, x, y, 50, 22, "line", "pale")
    both_ways(d, x - 55, y + 24, x + 55, y + 24, "accent")
  end },
  { "cylindrical", "one slide, one turn", function(d, x, y)
    rectangle(d, x, y, 130, 10, "line", "white")
    rectangle(d, x, y, 44, 26, "line", "pale")
    both_ways(d, x - 55, y + 26, x + 25, y + 26, "accent")
    ellipse(d, x + 50, y, 7, 17, "accent", "none", -2.2, 2.2)
    d:head(x + 46, y + 14, -1, 0.3, "accent")
  end },
  { "screw", "a turn that slides", function(d, x, y)
    rectangle(d, x, y, 130, 12, "line", "white")
    for k = -6, 6 do d:line(x + 10 * k - 2, y - 6, x + 10 * k + 3, y + 6, "thin") end
    rectangle(d, x, y, 34, 28, "line", "pale")
    d:arrow(x - 15, y + 26, x + 45, y + 26, "accent")
    ellipse(d, x + 50, y, 7, 17, "accent", "none", -2.2, 2.2)
    d:head(x + 46, y + 14, -1, 0.3, "accent")
  end },
  { "spherical", "three turns", function(d, x, y)
    d:arc(x, y, 21, 0.75 * math.pi, 2.05 * math.pi, "bold")
    d:line(x - 62, y - 20, x - 19, y - 8, "bold")
    d:path({ { x, y }, { x + 52, y + 30 } }, "bold")
    d:circle(x, y, 15, "accent", "accent")
    d:arc(x, y, 48, 0.72, 1.1, "accent", true)
    d:arc(x, y, 48, 0.34, -0.04, "accent", true)
  end },
  { "universal", "two turns", function(d, x, y)
    d:path({ { x - 62, y }, { x - 30, y }, { x - 30, y + 20 }, { x, y + 20 } }, "bold")
    d:path({ { x - 30, y }, { x - 30, y - 20 }, { x, y - 20 } }, "bold")
    d:line(x, y - 24, x, y + 24, "accent")
    d:line(x - 18, y - 6, x + 18, y + 6, "accent")
    d:path({ { x - 18, y - 6 }, { x + 10, y - 16 }, { x + 30, y + 6 }, { x + 18, y + 6 } }, "line")
    d:line(x + 30, y + 3, x + 62, y + 16, "bold")
  end },
  { "constant_velocity", "two turns, same rate", function(d, x, y)
    d:line(x - 62, y - 8, x, y - 8, "bold")
    d:line(x, y - 8, x + 54, y + 20, "bold")
    d:circle(x, y - 8, 13, "accent", "white")
    ellipse(d, x - 40, y - 8, 6, 15, "accent", "none", -2.2, 2.2)
    d:head(x - 44, y + 5, -1, 0.3, "accent")
    ellipse(d, x + 36, y + 10, 6, 15, "accent", "none", -1.8, 2.6)
    d:head(x + 30, y + 18, -1, -0.3, "accent")
  end },
  { "weld", "nothing", function(d, x, y)
    rectangle(d, x - 28, y, 56, 26, "line", "pale")
    rectangle(d, x + 28, y, 56, 26, "line", "white")
    for k = -2, 2 do d:line(x - 4, y + 5 * k - 4, x + 4, y + 5 * k + 4, "bold") end
  end },
  { "planar", "two slides, one turn", function(d, x, y)
    plane(d, x, y)
    d:path({ { x - 26, y - 6 }, { x + 4, y - 6 }, { x + 14, y + 8 }, { x - 16, y + 8 } }, "line", "white", true)
    d:arrow(x + 12, y, x + 46, y, "accent")
    d:arrow(x + 2, y + 8, x + 12, y + 25, "accent")
    ellipse(d, x - 28, y, 14, 11, "accent", "none", 1.6, 4.4)
    d:head(x - 32, y - 11, 1, -0.3, "accent")
  end },
  { "point_on_line", "one slide, all turns", function(d, x, y)
    d:line(x - 60, y - 18, x + 60, y + 18, "line")
    both_ways(d, x - 32, y + 2, x + 20, y + 18, "accent")
    d:dot(x, y, "accent", "accent")
  end },
  { "point_on_plane", "two slides, all turns", function(d, x, y)
    plane(d, x, y)
    d:arrow(x, y, x + 38, y, "accent")
    d:arrow(x, y, x + 17, y + 26, "accent")
    d:dot(x, y, "accent", "accent")
  end },
}

local function of_joints(file)
  local d = drawing.new { width = 760, height = 420 }
  for k, joint in ipairs(joints) do
    local column, line = (k - 1) % 4, (k - 1) // 4
    local x, y = 100 + 187 * column, 420 - 62 - 138 * line
    joint[3](d, x, y)
    d:text(x, y - 48, joint[1], { bold = true, is_name = true })
    d:text(x, y - 65, joint[2], { pen = "accent" })
  end
  d:write(file, "joints and what they leave free")
end

local function of_bodies(file)
  local d = drawing.new { width = 760, height = 250 }
  d:frame(40, 45, 0, 46, { "x", "y" })
  d:text(40, 24, "ground")
  ellipse(d, 190, 140, 98, 62, "line", "pale")
  d:frame(150, 118, 0.35, 46, { "x'", "y'" }, "second")
  d:arrow(40, 45, 147, 115, "dashed")
  d:text(82, 92, "r", { pen = "dashed" })
  d:circle(215, 158, 6, "line", "white")
  d:line(209, 158, 221, 158)
  d:line(215, 152, 215, 164)
  d:text(215, 180, "centre of mass")
  d:dot(264, 130, "accent")
  d:text(250, 113, "marker", { pen = "accent" })
  d:text(190, 38, "body", { bold = true, is_name = true })
  d:text(190, 20, "its frame lies where it is put")
  d:path({ { 385, 90 }, { 500, 190 } }, "bold")
  d:dot(385, 90)
  d:dot(500, 190)
  d:text(385, 68, "point A")
  d:text(500, 210, "point B")
  d:text(445, 38, "bar", { bold = true, is_name = true })
  d:text(445, 20, "mass along a line")
  d:ground(575, 190, 575, 90)
  for k = 0, 3 do
    local x = 575 + 40 * k
    local function sag(z) return 140 - 0.0022 * (z - 575) ^ 2 end
    d:curve(sag, x, x + 40, "bold", 12)
    d:dot(x + 40, sag(x + 40), "second")
  end
  d:line(575, 140, 745, 140, "dashed")
  d:text(655, 155, "as it was", { pen = "dashed" })
  d:text(655, 38, "beam", { bold = true, is_name = true })
  d:text(655, 20, "elements that bend")
  d:write(file, "bodies, bars and beams")
end

local function of_solids(file)
  local d = drawing.new { width = 760, height = 190 }
  local function box(x, y, w, h, e)
    d:path({ { x, y }, { x + w, y }, { x + w, y + h }, { x, y + h } }, "line", "pale", true)
    local right, top, behind, above = x + w, y + h, x + w + e, y + h + e / 2
    d:path({ { x, top }, { x + e, above }, { behind, above }, { right, top } }, "line", "white", true)
    d:path({ { right, y }, { behind, y + e / 2 }, { behind, above }, { right, top } }, "line", "white", true)
  end
  box(35, 75, 70, 45, 26)
  d:path({ { 180, 75 }, { 180, 130 } })
  d:path({ { 240, 75 }, { 240, 130 } })
  ellipse(d, 210, 75, 30, 9, "line", "none", math.pi, 2 * math.pi)
  ellipse(d, 210, 130, 30, 9, "line", "pale")
  d:circle(330, 105, 38, "line", "pale")
  ellipse(d, 330, 105, 38, 11, "thin", "none")
  d:path({ { 415, 75 }, { 490, 135 } }, "bold")
  d:dot(415, 75)
  d:dot(490, 135)
  box(560, 75, 60, 34, 20)
  d:path({ { 640, 102 }, { 685, 102 } }, "bold")
  d:circle(708, 102, 23, "line", "pale")
  d:dot(655, 102, "accent", "accent")
  d:line(655, 102, 655, 145, "accent_dashed")
  d:text(655, 156, "centre of all", { pen = "accent" })
  for k, name in ipairs { "box", "cylinder", "sphere", "rod", "assembly" } do
    d:text(({ 80, 210, 330, 452, 645 })[k], 45, name, { bold = true, is_name = true })
  end
  d:text(380, 18, "mass, centre of mass and inertia follow from size and density or mass")
  d:write(file, "solids")
end

-- A wheel with teeth, as straight strokes between two circles.
local function toothed(d, x, y, radius, teeth, first)
  local points = {}
  for k = 0, 4 * teeth - 1 do
    local r = radius + (k % 4 < 2 and 4 or -4)
    local angle = (first or 0) + 2 * math.pi * (k - 0.5) / (4 * teeth)
    points[k + 1] = { x + r * math.cos(angle), y + r * math.sin(angle) }
  end
  d:path(points, "line", "pale", true)
  d:dot(x, y)
end

local function of_couplings(file)
  local d = drawing.new { width = 760, height = 210 }
  toothed(d, 62, 120, 30, 12, 0)
  toothed(d, 140, 120, 48, 19, math.pi - math.pi / 38)
  d:arc(62, 120, 44, 2.3, 1.2, "accent", true)
  d:arc(140, 120, 62, 0.9, 1.9, "accent", true)
  toothed(d, 290, 132, 34, 12, -math.pi / 2)
  local rack = {}
  for k = 0, 9 do
    local x = 290 - 9 * 4.45 * 2 + k * 17.8
    for _, step in ipairs { { -4.4, 94 }, { -2.2, 102 }, { 2.2, 102 }, { 4.4, 94 } } do
      rack[#rack + 1] = { x + step[1] - 4, step[2] }
    end
  end
  rack[#rack + 1] = { rack[#rack][1], 80 }
  rack[#rack + 1] = { rack[1][1], 80 }
  d:path(rack, "line", "pale", true)
  d:arc(290, 132, 48, 2.3, 1.2, "accent", true)
  d:arrow(310, 68, 260, 68, "accent")
  for _, pulley in ipairs { { 445, 22 }, { 550, 36 } } do
    d:circle(pulley[1], 120, pulley[2], "line", "pale")
    d:dot(pulley[1], 120)
  end
  local lean = math.asin((36 - 22) / 105)
  for _, side in ipairs { 1, -1 } do
    local s, c = -math.sin(lean), math.cos(lean) * side
    d:line(445 + 22 * s, 120 + 22 * c, 550 + 36 * s, 120 + 36 * c, "bold")
  end
  d:arc(445, 120, 32, 2.6, 1.6, "accent", true)
  d:arc(550, 120, 48, 0.5, -0.3, "accent", true)
  rectangle(d, 680, 120, 70, 22, "line", "pale", 0.5)
  d:line(668, 101, 712, 125, "bold")
  d:arrow(690, 113, 735, 138, "accent")
  d:line(690, 113, 672, 146, "second_dashed")
  d:text(655, 158, "not aside", { pen = "second" })
  for _, name in ipairs { { 105, "gear", "opposite turns" }, { 290, "rack_and_pinion", "a turn, a slide" },
                          { 500, "belt", "turns alike" }, { 680, "knife_edge", "speed along it alone" } } do
    d:text(name[1], 38, name[2], { bold = true, is_name = true })
    d:text(name[1], 20, name[3], { pen = "accent" })
  end
  d:write(file, "couplings")
end

local function of_forces(file)
  local d = drawing.new { width = 760, height = 200 }
  d:line(40, 100, 40, 140)
  d:line(150, 100, 150, 140)
  spring(d, 40, 150, 136)
  d:line(40, 104, 85, 104)
  d:path({ { 110, 114 }, { 78, 114 }, { 78, 94 }, { 110, 94 } }, "line")
  d:line(95, 97, 95, 111, "bold")
  d:line(95, 104, 150, 104)
  d:dot(40, 120)
  d:dot(150, 120)
  local coil = {}
  for k = 0, 80 do
    local a = 5 * math.pi * k / 80
    coil[k + 1] = { 280 + (6 + 1.5 * a) * math.cos(a), 125 + (6 + 1.5 * a) * math.sin(a) }
  end
  d:path(coil, "accent")
  d:path({ { 280, 125 }, { 350, 155 } }, "bold")
  d:line(coil[81][1], coil[81][2], 225, 125)
  d:ground(225, 150, 225, 100)
  d:dot(280, 125)
  d:line(420, 90, 420, 160, "bold")
  d:path({ { 420, 108 }, { 446, 114 }, { 446, 136 }, { 420, 142 } }, "accent", "accent", true)
  rectangle(d, 506, 125, 50, 44, "line", "pale")
  d:arrow(480, 125, 450, 125, "line")
  d:circle(645, 125, 42, "line", "pale")
  d:circle(645, 125, 36, "line", "white")
  d:circle(645, 125, 13, "line", "pale")
  for k = 0, 3 do
    local a = k * math.pi / 2
    local points = {}
    for i = 0, 6 do
      local r, aside = 13 + 23 * i / 6, (i == 0 or i == 6) and 0 or (i % 2 == 1 and 5 or -5)
      points[i + 1] = { 645 + r * math.cos(a) - aside * math.sin(a), 125 + r * math.sin(a) + aside * math.cos(a) }
    end
    d:path(points, "accent")
  end
  for _, name in ipairs { { 95, "spring", "with a damper, between points" }, { 280, "torsion_spring", "about a hinge" },
                          { 465, "bump_stop", "past a clearance" }, { 645, "bushing", "along and about all axes" } } do
    d:text(name[1], 50, name[2], { bold = true, is_name = true })
    d:text(name[1], 32, name[3], { pen = "accent" })
  end
  d:write(file, "forces between parts")
end

local function of_contact(file)
  local d = drawing.new { width = 760, height = 220 }
  for _, x in ipairs { 30, 215, 590 } do d:ground(x, 80, x + 130, 80) end
  d:circle(95, 117, 40, "line", "pale")
  d:arrow(95, 77, 95, 150, "accent")
  d:text(102, 158, "N", { pen = "accent", align = "start" })
  d:arrow(95, 77, 52, 77, "second")
  d:text(44, 94, "F", { pen = "second" })
  rectangle(d, 280, 115.5, 84, 54, "line", "pale", 0.22)
  local cx, cy = 280 - 42 * math.cos(0.22) + 27 * math.sin(0.22), 115.5 - 42 * math.sin(0.22) - 27 * math.cos(0.22)
  d:arrow(cx, cy, cx, cy + 52, "accent")
  d:dot(cx, cy, "accent")
  d:dot(cx + 84 * math.cos(0.22), cy + 84 * math.sin(0.22), "accent")
  local profile = {}
  for k = 0, 60 do
    local a = 2 * math.pi * k / 60
    local r = 27 + 16 * math.exp(-4 * (1 - math.cos(a - math.pi / 2)))
    profile[k + 1] = { 465 + r * math.cos(a), 108 + r * math.sin(a) }
  end
  d:path(profile, "line", "pale", true)
  d:dot(465, 108)
  d:arc(465, 108, 42, 0.3, -0.6, "accent", true)
  d:circle(465, 163, 12, "line", "white")
  d:line(465, 163, 465, 205, "bold")
  both_ways(d, 490, 155, 490, 200, "accent")
  d:circle(655, 121, 41, "line", "pale")
  for k = 0, 2 do
    local a = 0.3 + k * math.pi / 3
    d:line(655 - 41 * math.cos(a), 121 - 41 * math.sin(a), 655 + 41 * math.cos(a), 121 + 41 * math.sin(a), "thin")
  end
  d:arrow(655, 121, 728, 121, "accent")
  d:arc(655, 121, 53, 2.2, 1.2, "accent", true)
  d:dot(655, 121)
  for _, name in ipairs { { 95, "contact", "a sphere, with friction" }, { 280, "contact", "points of a box" },
                          { 465, "cam", "a roller on a profile" }, { 655, "rolling", "no slip below" } } do
    d:text(name[1], 45, name[2], { bold = true, is_name = true })
    d:text(name[1], 27, name[3], { pen = "accent" })
  end
  d:write(file, "what touches")
end

return {
  { "reference/joints", "reference_joints", draw = of_joints },
  { "reference/bodies", "reference_bodies", draw = of_bodies },
  { "reference/solids", "reference_solids", draw = of_solids },
  { "reference/couplings", "reference_couplings", draw = of_couplings },
  { "reference/forces", "reference_forces", draw = of_forces },
  { "reference/contact", "reference_contact", draw = of_contact },
}
