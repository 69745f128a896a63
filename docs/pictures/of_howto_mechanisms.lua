-- The pictures of how-to pages about mechanisms and their parts.
local mbs = require "perilune"
local drawing = require "drawing"
local curves = require "curves"

-- The cam with its roller in the valve's lowest and highest place.
local function cam_and_roller(file, v)
  local profile, radius, list = {}, 0.018, {}
  for k = 0, 180 do
    local angle = 2 * math.pi * k / 180
    local r = (0.03 + v.lift * v.bump(angle)).value
    profile[k + 1] = { angle, r }
  end
  local d = drawing.new { width = 640, height = 360, scale = 2600, origin = { 0, 130 } }
  for k, turn in ipairs { -math.pi / 2, math.pi / 2 } do
    local x = k == 1 and 0.07 or 0.175
    for i, point in ipairs(profile) do
      local a = point[1] - turn -- what is at pi of the cam points up, or down
      list[i] = { x + point[2] * math.cos(a), point[2] * math.sin(a) }
    end
    d:path(list, "line", "pale", true)
    d:line(x - 0.005, 0, x + 0.005, 0, "thin")
    d:line(x, -0.005, x, 0.005, "thin")
    local lift = k == 2 and v.lift.value or 0
    local y = 0.03 + lift + radius
    d:circle(x, y, radius, "accent", "white")
    d:line(x, y, x, y + 0.028, "line")
    d:dot(x, y, "accent")
    d:text(x, -0.045, k == 1 and "closed" or ("open by %.0f mm"):format(1000 * lift))
    if k == 1 then d:line(x, y, x + 0.11, y, "dashed") end
  end
  d:write(file, "cam and roller")
end

local function cam_force(file, v)
  local list = {}
  for _, case in ipairs { { "100 rad/s", v.run, 100 }, { "350 rad/s", v.fast, 350 } } do
    local times = curves.evenly(0, case[2].t, 200)
    local angles = {}
    for k, t in ipairs(times) do angles[k] = case[3] * t end
    list[#list + 1] = { case[1], x = angles, y = case[2]:values(v.cam.normal_force, times) }
  end
  mbs.chart { file, title = "what presses the roller on the cam", x_label = "angle of the shaft [rad]",
              y_label = "normal force [N]", curves = list }
end

-- The stone on the field from the side: it turns about y alone, as its semi-axes lie along those of the field.
local function stones(file, v)
  local d = drawing.around({ { -0.1, -0.05 }, { 1.4, 0.58 } }, { width = 680, margin = 20 })
  local ground = {}
  for k, x in ipairs(curves.evenly(-0.1, 1.4, 60)) do ground[k] = { x, v.field(x, 0).value } end
  for k = 1, 5 do
    local t = (k - 1) * 0.12
    local x, z = v.run:at("stone.x", t), v.run:at("stone.z", t)
    local turn = -2 * math.atan(v.run:at("stone.e2", t), v.run:at("stone.e0", t))
    local shape = {}
    for i, a in ipairs(curves.evenly(0, 2 * math.pi, 60)) do
      local along, up = 0.3 * math.cos(a), 0.15 * math.sin(a)
      shape[i] = { x + along * math.cos(turn) - up * math.sin(turn), z + along * math.sin(turn) + up * math.cos(turn) }
    end
    d:path(shape, k == 5 and "accent" or "thin", "none", true)
    d:line(x, z, x + 0.3 * math.cos(turn), z + 0.3 * math.sin(turn), k == 5 and "accent" or "thin")
  end
  d:path(ground, "bold")
  d:scale_bar()
  d:write(file, "a stone on a field")
end

-- The Geneva drive where its pin enters a slot, on the way, and in the middle.
local function geneva(file, v)
  local d = drawing.new { width = 720, height = 220, scale = 930, origin = { 0, 120 } }
  for k, t in ipairs { 0.125, 0.2, 0.25 } do
    local x = 0.085 + (k - 1) * 0.252
    local turn, wheel = v.run:at("crank.angle", t), v.run:at("wheel.angle", t)
    local hub = x + v.d
    local outline = {}
    for slot = 0, 3 do -- around the wheel: out along one wall of a slot and in along the other
      local a = wheel + math.pi / 4 + slot * math.pi / 2
      for _, corner in ipairs { { 1, -1 }, { 0, -1 }, { 0, 1 }, { 1, 1 } } do
        local along = v.r - v.length + corner[1] * v.length
        local beside = corner[2] * (v.pin + v.play)
        outline[#outline + 1] = { hub + along * math.cos(a) - beside * math.sin(a),
                                  along * math.sin(a) + beside * math.cos(a) }
      end
    end
    d:path(outline, "line", "pale", true)
    d:circle(x, 0, v.r, "dashed")
    local px, py = x + v.r * math.cos(turn), v.r * math.sin(turn)
    d:line(x, 0, px, py, "accent")
    d:circle(px, py, v.pin, "accent", "white")
    d:dot(x, 0)
    d:dot(hub, 0)
    d:text(x + 0.05, -0.1, ("%.3f s"):format(t))
  end
  d:write(file, "a Geneva drive")
end

-- The truss at points of its path, from the top downwards.
local function truss(file, v)
  local d = drawing.around({ { -1.05, -0.42 }, { 1.05, 0.36 } }, { width = 640, margin = 30 })
  local heights, limit = v.path:values(v.top.y), {}
  for _, point in ipairs(v.path.special) do limit[#limit + 1] = point.equilibrium:at(v.top.y) end
  local function pose(y, pen, text)
    d:path({ { -1, 0 }, { 0, y }, { 1, 0 } }, pen)
    d:dot(0, y, pen)
    d:text(0, y + (y > 0.2 and 0.06 or y > -0.2 and y < 0 and 0.06 or -0.07), text, { pen = pen })
  end
  pose(heights[1], "line", "no load")
  pose(limit[1], "accent", "9.95 N: it jumps")
  pose(limit[2], "dashed", "-9.95 N: held")
  pose(heights[#heights], "second", "20 N")
  d:hinge(-1, 0)
  d:hinge(1, 0)
  d:write(file, "von Mises' truss")
end

-- The column under growing loads.
local function column(file, v)
  local d = drawing.around({ { -0.1, -0.1 }, { 1.1, 1 } }, { width = 640, height = 420 })
  local wanted, next_one = { 0.5, 0.98, 1.05, 1.2, 1.5 }, 1
  for _, point in ipairs(v.elastica) do
    if wanted[next_one] and point.value >= (wanted[next_one] - 1e-3) * v.euler then
      local line = {}
      for k, node in ipairs(v.arm.nodes) do line[k] = { point.equilibrium:at(node.x), point.equilibrium:at(node.y) } end
      d:path(line, next_one < 3 and "line" or "accent")
      local tip = line[#line]
      d:text(tip[1] + 0.015, tip[2] + (next_one == 1 and -0.04 or 0.02), ("%.2f"):format(point.value / v.euler),
             { align = "start", pen = next_one < 3 and "line" or "accent" })
      next_one = next_one + 1
    end
  end
  d:ground(0, 0.12, 0, -0.12)
  d:arrow(1.28, 0, 1.12, 0)
  d:text(1.2, 0.05, "N")
  d:scale_bar()
  d:write(file, "a column that buckles")
end

-- The parallelogram in one line, and the two ways on.
local function branches(file)
  local d = drawing.new { width = 720, height = 220, scale = 56, origin = { 30, 80 } }
  local function pose(x, a, b, pen)
    local pa, pb = { x + math.cos(a), math.sin(a) }, { x + 2 + math.cos(b), math.sin(b) }
    d:path({ { x, 0 }, pa, pb, { x + 2, 0 } }, pen)
    d:dot(pa[1], pa[2], pen)
    d:dot(pb[1], pb[2], pen)
    d:hinge(x, 0)
    d:hinge(x + 2, 0)
  end
  pose(0, 0, 0, "line")
  d:text(1.5, 0.4, "in one line")
  pose(4.3, 0.7, 0.7, "accent")
  d:text(5.6, 1.3, "parallel", { pen = "accent" })
  local a = 0.7 -- the crossed pose: the bar b has to be two long
  local best, least = 0, math.huge
  for k = -3000, -200 do
    local b = k / 1000
    local off = math.abs((2 + math.cos(b) - math.cos(a)) ^ 2 + (math.sin(b) - math.sin(a)) ^ 2 - 4)
    if off < least then best, least = b, off end
  end
  pose(8.7, a, best, "second")
  d:text(10.2, 1.3, "crossed", { pen = "second" })
  d:write(file, "two ways on from a singular position")
end

-- The door with two hinges and what each of them holds.
local function door(file)
  local d = drawing.new { width = 420, height = 300, scale = 110, origin = { 110, 40 } }
  d:ground(0, 2.15, 0, -0.15)
  d:path({ { 0.12, -0.1 }, { 1.1, -0.1 }, { 1.1, 2.1 }, { 0.12, 2.1 } }, "line", "pale", true)
  for k, y in ipairs { 0.1, 1.9 } do
    local pen = k == 1 and "line" or "accent"
    d:path({ { 0.02, y - 0.1 }, { 0.1, y - 0.1 }, { 0.1, y + 0.1 }, { 0.02, y + 0.1 } }, pen, "white", true)
    d:text(1.3, y, k == 1 and "lower: holds 5 of 6" or "upper: 5 that follow", { align = "start", pen = pen })
  end
  d:line(0.06, -0.3, 0.06, 2.3, "dashed")
  d:write(file, "a door on two hinges")
end

local function swing(file, v)
  local d = drawing.around({ { -1.1, -1.1 }, { 3.1, 1.1 } }, { width = 640, margin = 24 })
  local times = curves.evenly(0, 1.2595, 4)
  d:circle(0, 0, 1, "dashed")
  d:circle(2, 0, 1, "dashed")
  for k, t in ipairs(times) do
    local px, py, qx, qy = v.run:at("P.x", t), v.run:at("P.y", t), v.run:at("Q.x", t), v.run:at("Q.y", t)
    local pen = k == #times and "accent" or "thin"
    d:path({ { 0, 0 }, { px, py }, { qx, qy }, { 2, 0 } }, pen)
    d:dot(px, py, pen)
    d:dot(qx, qy, pen)
  end
  d:hinge(0, 0)
  d:hinge(2, 0)
  d:write(file, "a swing on its way to a singular position")
end

-- The sleigh: where it is, and the path of its edge.
local function sleigh(file, v)
  local times = curves.evenly(0, 2, 200)
  local x, y, angle = v.run:values("sled.x", times), v.run:values("sled.y", times), v.run:values("sled.angle", times)
  local centre, edge = drawing.points(x, y), {}
  for k in ipairs(x) do edge[k] = { x[k] - 0.4 * math.cos(angle[k]), y[k] - 0.4 * math.sin(angle[k]) } end
  local all = table.move(edge, 1, #edge, #centre + 1, table.move(centre, 1, #centre, 1, {}))
  local d = drawing.around(all, { width = 640, height = 420 })
  d:path(centre, "dashed")
  d:path(edge, "accent")
  for k = 1, 201, 40 do
    d:line(edge[k][1], edge[k][2], centre[k][1], centre[k][2], "bold")
    d:dot(centre[k][1], centre[k][2])
  end
  d:text(centre[1][1], centre[1][2] - 0.07, "start")
  d:scale_bar()
  d:write(file, "the path of a sleigh")
end

local function turntable(file, v)
  local times = curves.evenly(0, v.turns, 240)
  local path = drawing.points(v.run:values("ball.x", times), v.run:values("ball.y", times))
  local d = drawing.around({ { -0.7, -0.7 }, { 0.7, 0.7 } }, { width = 640, height = 380, margin = 20 })
  d:circle(0, 0, 0.68, "line", "pale")
  d:circle(0, 0, 0.02, "line", "white")
  d:arc(0, 0, 0.62, 2.2, 2.8, "line", true)
  d:path(path, "accent")
  d:circle(path[1][1], path[1][2], v.r, "accent", "white")
  local n = 70
  d:head(path[n][1], path[n][2], path[n][1] - path[n - 2][1], path[n][2] - path[n - 2][2], "accent")
  d:scale_bar()
  d:write(file, "a ball on a turntable, from above")
end

-- The fall to the rope, and the swing on it.
local function rope(file, v)
  local times = v.run:times()
  local x, y = v.run:values "P.x", v.run:values "P.y"
  local path = drawing.points(x, y)
  local d = drawing.around({ { -1.05, -1.05 }, { 1.05, 0.1 } }, { width = 640, margin = 24 })
  d:arc(0, 0, 1, -math.pi, 0, "dashed")
  local change
  for k = 2, #times do
    if times[k] == times[k - 1] then change = change or k end
  end
  d:path(table.move(path, 1, change - 1, 1, {}), "second")
  d:path(table.move(path, change, #path, 1, {}), "accent")
  for _, k in ipairs { 1, change, #path } do
    d:line(0, 0, path[k][1], path[k][2], k == 1 and "dashed" or "thin")
    d:dot(path[k][1], path[k][2])
  end
  d:hinge(0, 0)
  d:text(path[1][1] + 0.03, path[1][2] - 0.2, "falls", { align = "start", pen = "second" })
  d:text(path[change][1] + 0.03, path[change][2] - 0.04, "impact", { align = "start" })
  d:text(0.3, -0.9, "swings", { pen = "accent" })
  d:write(file, "a rope that becomes taut")
end

-- The throw as it was and the best one.
local function throws(file, v)
  local list, ends = {}, {}
  for k, angle in ipairs { 0.6, v.angle.value } do
    v.angle.value = angle
    local run = v.m:simulate { t = 10, stop = function() return v.ball.y end }
    local times = curves.evenly(0, run.t, 60)
    list[k] = drawing.points(run:values("ball.x", times), run:values("ball.y", times))
    ends[k] = ("%.1f degrees, %.2f m"):format(math.deg(angle), run:at("ball.x", run.t))
  end
  local d = drawing.around({ { 0, 0 }, { 13, 4 } }, { width = 680, margin = 30 })
  d:ground(-0.4, 0, 12.9, 0)
  for k, pen in ipairs { "second", "accent" } do
    d:path(list[k], pen)
    d:dot(list[k][61][1], 0, pen)
  end
  d:text(5.4, 2.2, ends[1], { pen = "second" })
  d:text(8.3, 3.7, ends[2], { pen = "accent", align = "start" })
  d:dot(0, 1.5)
  d:write(file, "two throws")
end

-- A disc on top of another one, until it leaves.
local function rolls_off(file, v)
  local d = drawing.around({ { -0.55, 0 }, { 1.0, 0.75 } }, { width = 640, margin = 24 })
  d:arc(0, 0, v.R, -0.15, math.pi + 0.15, "bold")
  for k, t in ipairs(curves.evenly(0, v.run.t, 4)) do
    local x, y, angle = v.run:at("disc.x", t), v.run:at("disc.y", t), v.run:at("disc.angle", t)
    local pen = k == 5 and "accent" or "thin"
    d:circle(x, y, v.r, pen, "none")
    d:line(x, y, x - v.r * math.sin(angle), y + v.r * math.cos(angle), pen)
    if k == 5 then
      d:line(0, 0, x, y, "dashed")
      d:text(x + 0.13, y + 0.06, "leaves", { pen = pen, align = "start" })
    end
  end
  d:line(0, 0, 0, v.R, "dashed")
  d:scale_bar()
  d:write(file, "a disc that rolls off")
end

-- The return map of the bouncer: v' = 0.5 + 0.8 v, from bounce to bounce.
local function return_map(file, v)
  local x, y, speed = {}, {}, 0.6
  local top = 3.2
  for _ = 1, 12 do
    v.v.value = speed
    local run = v.m:simulate { t = 5, phases = v.bounce }
    local next_speed = 0.5 - 0.8 * run:at("P.vy", run.t)
    x[#x + 1], y[#y + 1] = speed, #y == 0 and 0 or speed
    x[#x + 1], y[#y + 1] = speed, next_speed
    speed = next_speed
  end
  mbs.chart { file, title = "from one start to the next", x_label = "v [m/s]",
              y_label = "v after a bounce [m/s]", curves = {
    { "bounces", x = x, y = y }, { "return map", x = { 0, top }, y = { 0.5, 0.5 + 0.8 * top } },
    { "the same again", x = { 0, top }, y = { 0, top } } } }
end

return {
  { "howto/beams", "rubber_pendulum", after = 5, draw = function(file, v)
    v.p:sketch { file, run = v.swing, times = { 0, 0.15, 0.3, 0.45 } }
  end },
  { "howto/beams", "rubber_moment", after = 5, draw = function(file, v)
    local worst = v.swing:envelope(v.bar, "moment")
    mbs.chart { file, title = "moment along the pendulum, over a second", x_label = "share of the length",
                y_label = "moment [N m]", curves = { { "least", x = worst.share, y = worst.least },
                                                     { "most", x = worst.share, y = worst.most } } }
  end },
  { "howto/cams", "cam_and_roller", after = 1, draw = cam_and_roller },
  { "howto/cams", "cam_force", after = 3, draw = cam_force },
  { "howto/changing_models", "crane_with_load", after = 3, draw = function(file, v) v.m:sketch { file } end },
  { "howto/coming_from", "pendulum_side_by_side", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.25, 0.5, 0.75, 1 } }
  end },
  { "howto/contact", "stones_roll", after = 3, draw = stones },
  { "howto/contact", "geneva_drive", after = 5, draw = geneva },
  { "howto/contact", "geneva_turns", after = 5, draw = function(file, v)
    curves.over_time(file, "half a turn of the crank", "[rad]",
                     { { "crank", v.run, "crank.angle" }, { "wheel", v.run, "wheel.angle" } }, 0, 0.5)
  end },
  { "howto/export", "arm_drawn", after = 3, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.3, 0.6 } }
  end },
  { "howto/json", "chain_from_json", after = 2, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0, 0.2, 0.4, 0.6 } }
  end },
  { "howto/massless", "shafts_with_cross", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0 }, view = { 0.3, -1, 0.6 } }
  end },
  { "howto/mbsvt", "crank_assembled", after = 2, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0 } }
  end },
  { "howto/model_files", "four_bar_from_file", after = 2, draw = function(file, v)
    v.m:sketch { file, run = v.m:simulate {}, times = { 0, 0.15, 0.3, 0.45, 0.6 }, view = { 0, -1, 0 } }
  end },
  { "howto/moving_end", "throw_and_best", after = 5, draw = throws },
  { "howto/moving_supports", "shaking_table", after = 1, draw = function(file, v)
    v.m:sketch { file, run = v.run, times = { 0.6, 0.75, 0.9, 1.05 } }
  end },
  { "howto/moving_supports", "shaking_table_sway", after = 1, draw = function(file, v)
    v.run:svg(file, "table.x", "hinge.angle")
  end },
  { "howto/phases", "rope_taut", after = 1, draw = rope },
  { "howto/phases", "ball_rebounds", after = 4, draw = function(file, v)
    curves.over_time(file, "height over a rebound", "ball.y [m]", { { "ball", v.bounced, "ball.y" } }, 0, v.bounced.t)
  end },
  { "howto/phases", "bouncer_returns", after = 5, draw = return_map },
  { "howto/signals", "strut_arm", after = 1, draw = function(file, v) v.m:sketch { file } end },
  { "howto/signals", "strut_toe", after = 2, draw = function(file, v) v.run:svg(file, "toe", "rise") end },
  { "howto/singular_positions", "door_hinges", draw = door },
  { "howto/singular_positions", "parallelogram_branches", draw = branches },
  { "howto/singular_positions", "swing_crosses", after = 4, draw = swing },
  { "howto/snap_through", "truss_poses", after = 1, draw = truss },
  { "howto/snap_through", "truss_path", after = 2, draw = function(file, v)
    mbs.chart { file, x_label = "deflection [m]", y_label = "load [N]", curves = {
      { "path", x = v.path:values(0.3 - v.top.y), y = v.path:values(v.P) } } }
  end },
  { "howto/snap_through", "column_buckles", after = 4, draw = column },
  { "howto/velocities", "sleigh_path", after = 1, draw = sleigh },
  { "howto/velocities", "ball_on_turntable", after = 3, draw = turntable },
  { "howto/velocities", "disc_rolls_off", after = 4, draw = rolls_off },
}
