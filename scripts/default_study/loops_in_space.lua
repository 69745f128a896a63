-- Mechanisms of spatial bodies with loops, for the study of the default formulation. As mechanisms.lua has it.
local mbs = require "perilune"

local g = 9.81
local list = {}
local function add(name, kind, make) list[#list + 1] = { name = name, kind = kind, make = make } end

local function model(name, gravity) return mbs.model { name, gravity = gravity or { 0, 0, -g } } end

-- A slender rod of 1 kg per default from one place to another; its axis is x of its frame.
local function rod(m, name, from, to, mass, motion)
  local d, at = {}, {}
  for i = 1, 3 do d[i], at[i] = to[i] - from[i], (from[i] + to[i]) / 2 end
  local length = math.sqrt(d[1]^2 + d[2]^2 + d[3]^2)
  mass = mass or 1
  local J = mass * length^2 / 12
  local e = { length + d[1], 0, -d[3], d[2] } -- half the turn from x to d
  if e[1] < 1e-9 * length then e = { 0, 0, 1, 0 } end
  local norm = math.sqrt(e[1]^2 + e[3]^2 + e[4]^2)
  for i = 1, 4 do e[i] = e[i] / norm end
  local fields = { name, mass = mass, inertia = { J / 50, J, J }, at = at, orientation = e }
  for key, value in pairs(motion or {}) do fields[key] = value end
  local body = m:body(fields)
  return body, body:point { -length / 2, 0, 0 }, body:point { length / 2, 0, 0 }
end

-- A crank about x, a rod between balls, a rocker about y: the rod may turn about itself. Without a driver it falls.
local function rssr(t, speed)
  return function()
    local m = model("RSSR", { 2, 3, -g })
    local crank = rod(m, "crank", { 0, 0, 0 }, { 0, 0, 0.2 }, 0.5)
    local link = rod(m, "link", { 0, 0, 0.2 }, { 0.5, 0.3, 0.5 })
    local rocker = rod(m, "rocker", { 0.5, 0.3, 0 }, { 0.5, 0.3, 0.5 }, 1)
    local main = m:revolute { "main", m.ground, crank, at = { 0, 0, 0 }, axis = "x" }
    m:spherical { "first", crank, link, at = { 0, 0, 0.2 } }
    m:spherical { "second", link, rocker, at = { 0.5, 0.3, 0.5 } }
    m:revolute { "rocking", rocker, m.ground, at = { 0.5, 0.3, 0 }, axis = "y" }
    if speed then
      m:driver { "motor", main.angle, law = function(s) return speed * s.t + 0.1 * math.sin(3 * s.t) end }
      return { model = m, t = t, reference = "rocker.x", size = 0.5 }
    end
    return { model = m, t = t, energy = 2 * g * 0.4 }
  end
end
add("crank and rocker in space", "loop", rssr(5))
add("crank and rocker in space over 30 s", "long", rssr(30))
add("crank and rocker in space, driven", "driver", rssr(3, 4))

add("spatial slider-crank, driven", "driver", function()
  local m = model "driven slider-crank"
  local crank = m:body { "crank", mass = 1.2, inertia = { 0.02, 0.01, 0.015 }, at = { 0, 0.1, 0.16 } }
  local link = m:body { "rod", mass = 0.5, inertia = { 0.004, 0.005, 0.006 }, at = { 0.1, 0.05, 0.1 } }
  local slider = m:body { "slider", mass = 2, inertia = { 0.01, 0.01, 0.01 }, at = { 0.2, 0, 0 } }
  local main = m:revolute { "main", m.ground, crank, at = { 0, 0.1, 0.12 }, axis = "x" }
  m:spherical { "ball", crank, link, at = { 0, 0.1, 0.2 } }
  m:universal { "cross", link, slider, at = { 0.2, 0, 0 }, axis = { 0.1, 0.2, 0 }, axis_b = "z" }
  m:translational { "guide", m.ground, slider, at = { 0.2, 0, 0 }, axis = "x" }
  m:driver { "motor", main.angle, law = function(s) return 6 * s.t + 0.2 * math.sin(5 * s.t) end }
  return { model = m, t = 3, kinematics = "slider.x", size = 0.2 }
end)

-- A closed chain of rods in one plane on hinges, whose last joint, a point on a line, says nothing twice.
local function ring_in_plane(nodes, spin, t, energy)
  return function()
    local m = model "plane in space"
    local before = m.ground
    for i = 1, #nodes - 1 do
      local body = rod(m, "rod" .. i, nodes[i], nodes[i + 1])
      m:revolute { "h" .. i, before, body, at = nodes[i], axis = "y" }
      before = body
    end
    m:point_on_line { "last", before:point { 0.5 * spin, 0, 0 },
                      m.ground:marker { at = nodes[#nodes], axis = "y" } }
    return { model = m, t = t, energy = energy }
  end
end
add("four-bar of hinges in space", "loop", ring_in_plane({ { 0, 0, 0 }, { 0, 0, 1 }, { 2, 0, 2 }, { 2.5, 0, 0 } },
                                                         math.sqrt(4.25), 5, 3 * g))
add("five-bar of hinges in space", "loop",
    ring_in_plane({ { 0, 0, 0 }, { -0.5, 0, 1 }, { 1, 0, 2 }, { 2, 0, 1 }, { 1.5, 0, 0 } }, math.sqrt(1.25), 5, 4 * g))

-- As above: it comes through the positions in which all its rods lie on one line.
add("parallelogram in space at 5 m/s", "singular", function()
  local m = model "parallelogram in space"
  local moves = { angular_velocity = { 0, 5, 0 }, velocity = { 2.5, 0, 0 } }
  local a, b = rod(m, "a", { 0, 0, 0 }, { 0, 0, 1 }, 1, moves), rod(m, "b", { 2, 0, 0 }, { 2, 0, 1 }, 1, moves)
  local c = rod(m, "c", { 0, 0, 1 }, { 2, 0, 1 }, 1, { velocity = { 5, 0, 0 } })
  m:revolute { "ga", m.ground, a, at = { 0, 0, 0 }, axis = "y" }
  m:revolute { "gb", m.ground, b, at = { 2, 0, 0 }, axis = "y" }
  m:revolute { "ac", a, c, at = { 0, 0, 1 }, axis = "y" }
  m:point_on_line { "bc", c:point { 1, 0, 0 }, b:marker { at = { 0.5, 0, 0 }, axis = "y" } }
  return { model = m, t = 3, energy = 25 }
end)

-- Windows of posts and beams on hinges in space, of whose constraints most follow from others.
for _, n in ipairs { 1, 2, 4 } do
  add(("ladder of %d windows, hinges in space"):format(n), "singular", function()
    local m = model "ladder in space"
    local before
    for i = 0, n do
      local post = rod(m, "post" .. i, { i, 0, 0 }, { i, 0, 1 }, 1, { velocity = { 0.5, 0, 0 }, angular_velocity = { 0, 1, 0 } })
      m:revolute { "foot" .. i, m.ground, post, at = { i, 0, 0 }, axis = "y" }
      if before then
        local beam = rod(m, "beam" .. i, { i - 1, 0, 1 }, { i, 0, 1 }, 1, { velocity = { 1, 0, 0 } })
        m:revolute { "left" .. i, before, beam, at = { i - 1, 0, 1 }, axis = "y" }
        m:revolute { "right" .. i, beam, post, at = { i, 0, 1 }, axis = "y" }
      end
      before = post
    end
    return { model = m, t = 5, energy = (2 * n + 1) * g }
  end)
end

-- Four hinges whose axes are askew: of sides 1 and 0.5 that are turned by 30 and asin(0.25) degrees it moves.
add("Bennett's linkage", "redundant", function()
  local m = model("Bennett", { 0, 0.5, -g })
  local A, B = 1, 0.5
  local alpha, beta = math.rad(30), math.asin(0.25)
  -- From the closed chain of Denavit and Hartenberg: tan(theta / 2) tan(phi / 2) is what the twists say.
  local theta = 1.2
  local k = math.sin((alpha + beta) / 2) / math.sin((beta - alpha) / 2)
  local phi = 2 * math.atan(k / math.tan(theta / 2))
  local frame = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } -- columns x, y, z
  local function turned(v, w, angle) -- v and w in their plane
    local c, s, p, q = math.cos(angle), math.sin(angle), {}, {}
    for i = 1, 3 do p[i], q[i] = c * v[i] + s * w[i], c * w[i] - s * v[i] end
    return p, q
  end
  local at, places, axes = { 0, 0, 0 }, {}, {}
  for i, side in ipairs { A, B, A, B } do
    places[i], axes[i] = { at[1], at[2], at[3] }, frame[3]
    frame[1], frame[2] = turned(frame[1], frame[2], (i % 2 == 1 and theta or phi) * (i > 2 and -1 or 1))
    for j = 1, 3 do at[j] = at[j] + side * frame[1][j] end
    frame[2], frame[3] = turned(frame[2], frame[3], i % 2 == 1 and alpha or beta)
  end
  local bodies = {}
  for i = 1, 3 do bodies[i] = rod(m, "rod" .. i, places[i], places[i + 1]) end
  m:revolute { "h1", m.ground, bodies[1], at = places[1], axis = axes[1] }
  m:revolute { "h2", bodies[1], bodies[2], at = places[2], axis = axes[2] }
  m:revolute { "h3", bodies[2], bodies[3], at = places[3], axis = axes[3] }
  m:revolute { "h4", bodies[3], m.ground, at = places[4], axis = axes[4] }
  return { model = m, t = 3, energy = 3 * g * 0.5 }
end)

-- Six legs that may get longer, with springs and dampers, below a platform of 20 kg.
local function stewart(damping, t)
  return function()
    local m = model "Stewart"
    local top = m:body { "top", mass = 20, inertia = { 1, 1, 2 }, at = { 0, 0, 1 }, velocity = { 0.3, 0.2, 0 },
                         angular_velocity = { 0.5, 0, 1 } }
    for i = 0, 5 do
      local down, up = math.rad(60 * i + (i % 2 == 0 and 20 or -20)), math.rad(60 * i + (i % 2 == 0 and -20 or 20))
      local foot = { math.cos(down), math.sin(down), 0 }
      local head = { 0.6 * math.cos(up), 0.6 * math.sin(up), 1 }
      local middle, axis = {}, {}
      for j = 1, 3 do middle[j], axis[j] = (foot[j] + head[j]) / 2, head[j] - foot[j] end
      local lower, upper = rod(m, "lower" .. i, foot, middle), rod(m, "upper" .. i, middle, head)
      m:universal { "cross" .. i, m.ground, lower, at = foot, axis = { -foot[2], foot[1], 0 },
                    axis_b = { foot[1] * axis[3], foot[2] * axis[3], -foot[1] * axis[1] - foot[2] * axis[2] } }
      local slide = m:translational { "slide" .. i, lower, upper, at = middle, axis = axis }
      m:spherical { "ball" .. i, upper, top, at = head }
      m:spring { lower:point { 0, 0, 0 }, upper:point { 0, 0, 0 }, stiffness = 4000, free_length = 0.6, damping = damping }
    end
    if damping > 0 then return { model = m, t = t, reference = "top.x", size = 0.1 } end
    return { model = m, t = t, energy = 20 * g * 0.1 }
  end
end
add("Stewart's platform on springs", "loop", stewart(0, 1))
add("Stewart's platform on dampers", "stiff", stewart(400, 1))

-- A ring of bodies on ball joints that floats.
add("ring of 6 bodies that floats", "loop", function()
  local m = model("ring", { 0, 0, 0 })
  local bodies, function_at = {}, function(i) return { math.cos(math.rad(60 * i)), math.sin(math.rad(60 * i)), 0.1 * (-1)^i } end
  for i = 1, 6 do
    bodies[i] = rod(m, "rod" .. i, function_at(i), function_at(i + 1), 1,
                    i == 1 and { velocity = { 1, 2, 1 }, angular_velocity = { 1, 1, 2 } } or nil)
  end
  for i = 1, 6 do m:spherical { "ball" .. i, bodies[i], bodies[i % 6 + 1], at = function_at(i + 1) } end
  return { model = m, t = 3, energy = 2 }
end)

-- A wheel carrier between two wishbones, held by a track rod, on a stiff strut.
add("double wishbone on a stiff strut", "stiff", function()
  local m = model "wishbone"
  local lower = m:body { "lower", mass = 6, inertia = { 0.2, 0.1, 0.25 }, at = { 0, 0.5, 0.2 } }
  local upper = m:body { "upper", mass = 4, inertia = { 0.1, 0.05, 0.12 }, at = { 0, 0.55, 0.5 } }
  local carrier = m:body { "carrier", mass = 30, inertia = { 0.8, 1, 0.8 }, at = { 0, 0.8, 0.35 } }
  m:revolute { "lower mount", m.ground, lower, at = { 0, 0.3, 0.22 }, axis = { 1, 0, 0.02 } }
  m:revolute { "upper mount", m.ground, upper, at = { 0, 0.4, 0.52 }, axis = { 1, 0.05, 0 } }
  m:spherical { "lower ball", lower, carrier, at = { 0, 0.75, 0.18 } }
  m:spherical { "upper ball", upper, carrier, at = { -0.02, 0.7, 0.5 } }
  m:distance { "track rod", m.ground:point { 0.15, 0.35, 0.25 }, carrier:point { 0.12, -0.07, -0.1 } }
  m:spring { m.ground:point { 0, 0.4, 0.9 }, lower:point { 0, 0.05, 0.02 }, stiffness = 4e5, free_length = 0.7,
             damping = 4e3 }
  return { model = m, t = 1, reference = "carrier.z", size = 0.1 }
end)

add("crank and rocker that hits a stop", "contact", function()
  local case = rssr(3)()
  local m = case.model
  m:contact { m.ground:marker { at = { 0.35, 0, 0 }, axis = "x" }, m["rocker"]:point { 0.25, 0, 0 },
              normal = mbs.hertz { stiffness = 1e6 } }
  return case
end)

-- Of the size of a watch, and of a bridge.
for _, length in ipairs { 1e-3, 1e3 } do
  add(("four-bar of hinges in space, %g m"):format(length), "scale", function()
    local case = ring_in_plane({ { 0, 0, 0 }, { 0, 0, length }, { 2 * length, 0, 2 * length }, { 2.5 * length, 0, 0 } },
                               math.sqrt(4.25) * length, 5 * math.sqrt(length / g), 3 * g * length)()
    case.length = length
    return case
  end)
end

-- A gear between two cranks that a rod joins as well.
add("geared cranks and a rod", "loop", function()
  local m = model "geared"
  local a = rod(m, "a", { 0, 0, 0 }, { 0, 0.3, 0.3 })
  local b = rod(m, "b", { 1, 0, 0 }, { 1, 0.4, 0.2 })
  local c = rod(m, "c", { 2, 0, 0 }, { 2, 0.3, -0.3 })
  local ha = m:revolute { "ha", m.ground, a, at = { 0, 0, 0 }, axis = "x" }
  local hb = m:revolute { "hb", m.ground, b, at = { 1, 0, 0 }, axis = { 1, 0.3, 0 } }
  m:revolute { "hc", m.ground, c, at = { 2, 0, 0 }, axis = { 1, 0, 0.2 } }
  m:gear { "gear", ha, hb, ratio = -2 }
  m:distance { "rod", b:point { 0.2, 0, 0 }, c:point { 0.2, 0, 0 } }
  return { model = m, t = 4, energy = 3 * g * 0.2 }
end)

return list
