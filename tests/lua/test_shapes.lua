-- What bodies and the ground look like: solids and meshes in pages, in pictures for ParaView, and of files of other
-- programs.
local mbs = require "perilune"
local json = require "json"
local check = require "check"
local decoded = require "base64"
local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir -p '" .. folder .. "/geometry'"))

local function write(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
  return folder .. "/" .. name
end

-- The corners of a surface of a page, and its triangles.
local function unpacked(surface)
  local corners, triangles = {}, {}
  for k, share in ipairs(decoded(surface.corners, "<I2")) do
    local i = (k - 1) % 3 + 1
    if i == 1 then corners[#corners + 1] = {} end
    corners[#corners][i] = surface.lowest[i] + (surface.highest[i] - surface.lowest[i]) * share / 65535
  end
  for k, corner in ipairs(decoded(surface.triangles, surface.wide and "<I4" or "<I2")) do
    if k % 3 == 1 then triangles[#triangles + 1] = {} end
    table.insert(triangles[#triangles], corner)
  end
  return corners, triangles
end

local function page_of(m)
  local run = m:simulate { t = 0.01 }
  run:view(folder .. "/page.html")
  local file <close> = assert(io.open(folder .. "/page.html"))
  local data = file:read "a":match '<script type="application/json" id="data">(.-)</script>'
  return data and json.decode(data), run
end

local wedge = "v 0 0 0\nv 60 0 0\nv 0 40 0\nv 0 0 20\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
local closed, open = write("wedge.obj", wedge), write("open.obj", (wedge:gsub("f 2 3 4\n", "")))

-- An open surface is for pictures alone, and a closed one without mass as well.
check.fails("open", mbs.mesh, { open, scale = 0.001, density = 1 })
local picture = mbs.mesh { open, scale = 0.001 }
assert(picture.mass == nil and picture.inertia == nil and picture.volume == nil and picture.triangles == 3)
check.near(picture.highest[1], 0.06, 1e-15)
assert(mbs.box { size = { 1, 2, 3 } }.mass == nil)

-- An ellipsoid is a ball stretched along its axes: by the integral over slices across x, pi b c (1 - x^2 / a^2).
do
  local a, b, c, n = 0.3, 0.2, 0.5, 2000
  local solid = mbs.ellipsoid { density = 800, semi_axes = { a, b, c }, at = { 1, 0, 0 } }
  local mass, Jxx, second = 0, 0, 0
  for k = 1, n do
    local x = a * ((k - 0.5) / n * 2 - 1)
    local share = 1 - x ^ 2 / a ^ 2
    local slice = 800 * math.pi * b * c * share * 2 * a / n
    mass, second = mass + slice, second + slice * x ^ 2
    Jxx = Jxx + slice * (b ^ 2 + c ^ 2) * share / 4
  end
  check.near(solid.mass, mass, 1e-4)
  check.near(solid.inertia[1], Jxx, 1e-5)
  check.near(solid.inertia[2] - solid.inertia[3], mass * (c ^ 2 - b ^ 2) / 5, 1e-4)
  check.near((solid.inertia[2] + solid.inertia[3] - solid.inertia[1]) / 2, second, 1e-5)
  check.near(solid.center_of_mass[1], 1, 1e-15)
end

-- Two bodies that show the same part share its surface; places, turns and parameters are where they belong.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local L = m:param { "L", 0.3, unit = "m" }
  local part = mbs.mesh { closed, scale = 0.001, density = 7850 }
  m:body { "a", inertia_of = part, at = { 0, 0, 1 } }
  m:body { "b", mass = 1, inertia = { 1, 1, 1 }, shape = { part, mbs.box { size = { L, 0.1, 0.2 }, at = { 0, L, 0 } } } }
  -- A right angle about z takes x to y; mirrored along the file's y axis.
  m:body { "c", mass = 1, inertia = { 1, 1, 1 }, shape = mbs.mesh { closed, scale = 0.001, stretch = { 1, -2, 1 },
    at = { 1, 2, 3 }, orientation = { 1, 0, 0, 1 } } }
  m:body { "plain", inertia_of = part, shape = mbs.sphere { radius = 0.2 }, at = { 1, 0, 0 } }
  m:ground { at = { 0.5, 0, 0 }, shape = mbs.cylinder { radius = 0.1, length = 1, axis = "z", at = { 0, 0, 0.5 } } }
  local data, run = page_of(m)
  if data then
    assert(#data.surfaces == 2)
    local frames = data.runs[1].frames
    local a, b, c, plain, ground = frames[1], frames[2], frames[3], frames[4], frames[5]
    assert(#a.shapes == 1 and a.shapes[1].kind == "surface" and a.shapes[1].surface == 0)
    assert(#b.shapes == 2 and b.shapes[1].surface == 0 and b.shapes[2].kind == "box")
    check.near(b.shapes[2].size[1], 0.3, 1e-15)
    check.near(b.shapes[2].at[2], 0.3, 1e-15)
    check.near(c.shapes[1].size[2], -0.002, 1e-18)
    for k, x in ipairs { 1, 2, 3 } do check.near(c.shapes[1].at[k], x, 1e-15) end
    for k, x in ipairs { 0, -1, 0, 1, 0, 0, 0, 0, 1 } do check.near(c.shapes[1].axes[k], x, 1e-15) end
    assert(#plain.shapes == 1 and plain.shapes[1].kind == "sphere")
    assert(ground.kind == "ground" and ground.shapes[1].kind == "cylinder")
    for k, x in ipairs { 0.5, 0, 0.5 } do check.near(ground.shapes[1].at[k], x, 1e-15) end
    local corners, triangles = unpacked(data.surfaces[1])
    local expected = { { 0, 0, 0 }, { 60, 0, 0 }, { 0, 40, 0 }, { 0, 0, 20 } }
    for k, corner in ipairs(expected) do
      for i = 1, 3 do check.near(corners[k][i], corner[i], 60 / 65535) end
    end
    for k, triangle in ipairs { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } } do
      for i = 1, 3 do assert(triangles[k][i] == triangle[i]) end
    end
  end
  -- For ParaView: the corners of c in space. x = 1 - (-2 y), y = 2 + x, z = 3 + z of the file in mm.
  run:vtk(folder .. "/motion.pvd")
  local list <close> = assert(io.open(folder .. "/motion.pvd"))
  local first = list:read "a":match 'file="(.-)"'
  local file <close> = assert(io.open(folder .. "/" .. first))
  local text = file:read "a"
  for _, corner in ipairs { "1 2 3", "1 2.06 3", "1.08 2 3", "1 2 3.02" } do
    assert(text:find("\n" .. corner:gsub("%.", "%%.") .. "\n"), corner .. " is missing")
  end
  m:sketch { folder .. "/sketch.svg" }
end

-- A finer surface is made coarser: a ball of 45,000 triangles keeps its size to a hundredth.
do
  local lines, n = {}, 150
  for i = 0, n do
    for k = 0, n - 1 do
      local polar, turn = math.pi * i / n, 2 * math.pi * k / n
      lines[#lines + 1] = ("v %.9g %.9g %.9g"):format(math.sin(polar) * math.cos(turn), math.sin(polar) * math.sin(turn),
        math.cos(polar))
    end
  end
  for i = 0, n - 1 do
    for k = 0, n - 1 do
      local a, b = i * n + k + 1, i * n + (k + 1) % n + 1
      lines[#lines + 1] = ("f %d %d %d\nf %d %d %d"):format(a, a + n, b, b, a + n, b + n)
    end
  end
  local ball = mbs.mesh { write("ball.obj", table.concat(lines, "\n") .. "\n"), scale = 1 }
  assert(ball.triangles == 2 * n * n)
  local m = mbs.model { gravity = { 0, 0, 0 } }
  m:body { "ball", mass = 1, inertia = { 1, 1, 1 }, shape = ball }
  local data = page_of(m)
  if data then
    local corners, triangles = unpacked(data.surfaces[1])
    assert(#triangles <= 30000 and #triangles > 10000, #triangles)
    for _, triangle in ipairs(triangles) do
      for i = 1, 3 do assert(corners[triangle[i] + 1]) end
    end
    for _, p in ipairs(corners) do check.near(math.sqrt(p[1] ^ 2 + p[2] ^ 2 + p[3] ^ 2), 1, 0.01) end
  end
end

-- URDF: visuals, or where a link has none its collisions; what cannot be shown is said, and the motion is read all the same.
do
  write("geometry/wedge.obj", wedge)
  local file = write("robot.urdf", [[<robot name="r">
    <link name="base"> <visual> <origin xyz="0 0 0.1"/> <geometry> <cylinder radius="0.2" length="0.2"/> </geometry> </visual> </link>
    <joint name="j" type="revolute"> <parent link="base"/> <child link="arm"/> <axis xyz="0 0 1"/> </joint>
    <link name="arm"> <inertial> <mass value="1"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial>
      <visual> <origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
        <geometry> <mesh filename="package://r/geometry/wedge.obj" scale="0.001 0.001 0.002"/> </geometry> </visual>
      <visual> <geometry> <mesh filename="package://r/geometry/lost.stl"/> </geometry> </visual>
      <collision> <geometry> <sphere radius="5"/> </geometry> </collision> </link>
    <joint name="k" type="revolute"> <parent link="arm"/> <child link="hand"/> <axis xyz="0 1 0"/> </joint>
    <link name="hand"> <inertial> <mass value="1"/> <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial>
      <collision> <geometry> <box size="0.1 0.2 0.3"/> </geometry> </collision> </link>
  </robot>]])
  local m = mbs.read { file, parameters = { "hand.collision.box.size.x" } }
  local data = page_of(m)
  if data then
    local frames = data.runs[1].frames
    local arm, hand, ground = frames[1], frames[2], frames[3]
    assert(arm.name == "arm" and #arm.shapes == 1 and arm.shapes[1].kind == "surface")
    for k, x in ipairs { 0.001, 0.001, 0.002 } do check.near(arm.shapes[1].size[k], x, 1e-18) end
    for k, x in ipairs { 1, 2, 3 } do check.near(arm.shapes[1].at[k], x, 1e-15) end
    check.near(arm.shapes[1].axes[4], 1, 1e-15)
    assert(#hand.shapes == 1 and hand.shapes[1].kind == "box")
    assert(ground.kind == "ground" and #ground.shapes == 1)
    check.near(ground.shapes[1].at[3], 0.1, 1e-15)
  end
end

-- MJCF: meshes are seen, the shapes for contact behind them are not, unless there is nothing else.
do
  local file = write("robot.xml", [[<mujoco> <compiler meshdir="geometry" angle="radian"/> <asset>
      <mesh name="w" file="wedge.obj" scale="0.001 0.001 0.001"/> <mesh name="lost" file="lost.stl"/> </asset> <worldbody>
    <geom type="box" size="1 1 0.1" pos="0 0 -0.1"/> <geom type="plane" size="1 1 1"/>
    <body name="a"> <freejoint/> <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom type="mesh" mesh="w" pos="0.1 0 0"/> <geom type="mesh" mesh="lost"/> <geom type="sphere" size="0.3" group="3"/> </body>
    <body name="b" pos="1 0 0"> <freejoint/> <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom type="sphere" size="0.3" group="3"/> </body> </worldbody> </mujoco>]])
  local m = mbs.read(file)
  local data = page_of(m)
  if data then
    local frames = data.runs[1].frames
    assert(#frames[1].shapes == 1 and frames[1].shapes[1].kind == "surface")
    check.near(frames[1].shapes[1].at[1], 0.1, 1e-15)
    assert(#frames[2].shapes == 1 and frames[2].shapes[1].kind == "sphere")
    assert(frames[3].kind == "ground" and #frames[3].shapes == 1 and frames[3].shapes[1].kind == "box")
  end
end

os.execute("rm -r '" .. folder .. "'")
