-- mbs.mesh: mass, centre and inertia of parts in STL and OBJ against closed forms, wherever the part is and however it is
-- turned; cavities, parts that touch, scale, and what one surface is in three formats.
local mbs = require "perilune"

local folder = os.tmpname()
os.remove(folder)
mbs.make_folder(folder)
local made = 0

local function near(a, b, tolerance, what)
  if math.abs(a - b) <= tolerance then return end
  error(("%s is %.17g, expected %.17g"):format(what, a, b), 2)
end

local function write(ending, bytes)
  made = made + 1
  local name = folder .. "/" .. made .. ending
  local file = assert(io.open(name, "wb"))
  file:write(bytes)
  file:close()
  return name
end

-- Surfaces are { points = list of {x, y, z}, faces = list of lists of indices }.
local function obj(surface)
  local lines = {}
  for _, p in ipairs(surface.points) do lines[#lines + 1] = ("v %.17g %.17g %.17g"):format(p[1], p[2], p[3]) end
  for _, face in ipairs(surface.faces) do lines[#lines + 1] = "f " .. table.concat(face, " ") end
  return write(".obj", table.concat(lines, "\n"))
end

local function each_triangle(surface, use)
  for _, face in ipairs(surface.faces) do
    for k = 3, #face do use(surface.points[face[1]], surface.points[face[k - 1]], surface.points[face[k]]) end
  end
end

local function binary_stl(surface, header)
  local parts, count = {}, 0
  each_triangle(surface, function(a, b, c)
    count = count + 1
    parts[count] = string.pack("<fff fff fff fff I2", 0, 0, 0, a[1], a[2], a[3], b[1], b[2], b[3], c[1], c[2], c[3], 0)
  end)
  return write(".STL", (header or ""):sub(1, 80) .. ("\0"):rep(80 - #(header or "")) .. string.pack("<I4", count) ..
    table.concat(parts))
end

local function text_stl(surface)
  local lines = { "solid part of a test" }
  each_triangle(surface, function(...)
    lines[#lines + 1] = "  facet normal 0 0 0\r\n    outer loop"
    for _, p in ipairs { ... } do lines[#lines + 1] = ("      vertex %.9e %+.9e %.9e"):format(p[1], p[2], p[3]) end
    lines[#lines + 1] = "    endloop\n  endfacet"
  end)
  lines[#lines + 1] = "endsolid"
  return write(".stl", table.concat(lines, "\n"))
end

-- A cuboid with its lowest corner at (x, y, z), against the clock as seen from outside.
local function cuboid(x, y, z, a, b, c)
  local points = {}
  for k = 0, 7 do
    points[#points + 1] = { x + (k & 1) * a, y + (k >> 1 & 1) * b, z + (k >> 2 & 1) * c }
  end
  return { points = points, faces = { { 1, 3, 4, 2 }, { 5, 6, 8, 7 }, { 1, 2, 6, 5 }, { 3, 7, 8, 4 }, { 1, 5, 7, 3 },
                                      { 2, 4, 8, 6 } } }
end

local function inwards(surface)
  local faces = {}
  for k, face in ipairs(surface.faces) do
    faces[k] = {}
    for i = #face, 1, -1 do table.insert(faces[k], face[i]) end
  end
  return { points = surface.points, faces = faces }
end

local function together(...)
  local all = { points = {}, faces = {} }
  for _, surface in ipairs { ... } do
    local before = #all.points
    table.move(surface.points, 1, #surface.points, before + 1, all.points)
    for _, face in ipairs(surface.faces) do
      local moved = {}
      for k, v in ipairs(face) do moved[k] = v + before end
      table.insert(all.faces, moved)
    end
  end
  return all
end

-- A = rotation about the axis (1, 2, 3) / sqrt(14) by the angle, with its Euler parameters.
local function turn(angle)
  local n, c, s = { 1 / 14 ^ 0.5, 2 / 14 ^ 0.5, 3 / 14 ^ 0.5 }, math.cos(angle), math.sin(angle)
  local A = {}
  for i = 1, 3 do
    A[i] = {}
    for j = 1, 3 do A[i][j] = (1 - c) * n[i] * n[j] + (i == j and c or 0) end
  end
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    A[j][i], A[i][j] = A[j][i] + s * n[k], A[i][j] - s * n[k]
  end
  local h = math.sin(angle / 2)
  return A, { math.cos(angle / 2), n[1] * h, n[2] * h, n[3] * h }
end

local function moved(surface, A, at)
  local points = {}
  for k, p in ipairs(surface.points) do
    points[k] = {}
    for i = 1, 3 do points[k][i] = at[i] + A[i][1] * p[1] + A[i][2] * p[2] + A[i][3] * p[3] end
  end
  return { points = points, faces = surface.faces }
end

local function tensor(J) return { { J[1], J[4], J[5] }, { J[4], J[2], J[6] }, { J[5], J[6], J[3] } } end

-- A J A^T as Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
local function turned(A, J)
  local T, list = tensor(J), {}
  for _, pair in ipairs { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } } do
    local sum = 0
    for i = 1, 3 do
      for j = 1, 3 do sum = sum + A[pair[1]][i] * T[i][j] * A[pair[2]][j] end
    end
    list[#list + 1] = sum
  end
  return list
end

local function check(solid, mass, center, inertia, tolerance, what)
  near(solid.mass, mass, tolerance * mass, what .. ": mass")
  local size = (inertia[1] + inertia[2] + inertia[3]) / mass
  for k = 1, 3 do near(solid.center_of_mass[k], center[k], tolerance * (size ^ 0.5 + math.abs(center[k])), what .. ": centre") end
  for k = 1, 6 do near(solid.inertia[k], inertia[k], tolerance * mass * size, what .. ": inertia " .. k) end
end

-- Of the cuboid (0, 0, 0) to (a, b, c).
local function of_cuboid(a, b, c, mass)
  return { a / 2, b / 2, c / 2 },
    { mass / 12 * (b ^ 2 + c ^ 2), mass / 12 * (a ^ 2 + c ^ 2), mass / 12 * (a ^ 2 + b ^ 2), 0, 0, 0 }
end

-- Second moments per mass about the centre, as inertia.
local function inertia_of(mass, xx, yy, zz, xy, xz, yz)
  return { mass * (yy + zz), mass * (xx + zz), mass * (xx + yy), -mass * xy, -mass * xz, -mass * yz }
end

do -- the same cuboid in each format, and as mbs.box
  local surface = cuboid(1, -2, 0.5, 0.25, 0.5, 2)
  local _, J = of_cuboid(0.25, 0.5, 2, 7800 / 4)
  for _, name in ipairs { obj(surface), text_stl(surface), binary_stl(surface), binary_stl(surface, "solid by some programs") } do
    local part = mbs.mesh { name, density = 7800 }
    check(part, 7800 / 4, { 1.125, -1.75, 1.5 }, J, 1e-15, name)
    assert(part.triangles == 12)
    near(part.volume, 0.25, 1e-16, "volume")
    near(part.area, 2 * (0.25 * 0.5 + 0.25 * 2 + 0.5 * 2), 1e-15, "area")
    for k, lowest in ipairs { 1, -2, 0.5 } do near(part.lowest[k], lowest, 0, "lowest") end
    for k, highest in ipairs { 1.25, -1.5, 2.5 } do near(part.highest[k], highest, 0, "highest") end
    local box = mbs.box { mass = 3, size = { 0.25, 0.5, 2 }, at = { 1.125, -1.75, 1.5 } }
    check(mbs.mesh { name, mass = 3 }, 3, box.center_of_mass, box.inertia, 1e-15, name)
  end
end

-- Parts with their closed forms in their own axes.
local a, b, c = 0.6, 0.4, 0.2
local parts = {}
do -- a corner cut off a cuboid: a^3 b c / 60 and a^2 b^2 c / 120 about the right angles
  local V = a * b * c / 6
  local function own(x) return x ^ 2 * (1 / 10 - 1 / 16) end
  local function mixed(x, y) return x * y * (1 / 20 - 1 / 16) end
  parts.tetrahedron = {
    { points = { { 0, 0, 0 }, { a, 0, 0 }, { 0, b, 0 }, { 0, 0, c } },
      faces = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } } },
    V, { a / 4, b / 4, c / 4 }, inertia_of(V, own(a), own(b), own(c), mixed(a, b), mixed(a, c), mixed(b, c)) }
end
do -- a prism over the triangle (0, 0), (a, 0), (0, b), of the length c
  local V = a * b * c / 2
  parts.prism = {
    { points = { { 0, 0, 0 }, { a, 0, 0 }, { 0, b, 0 }, { 0, 0, c }, { a, 0, c }, { 0, b, c } },
      faces = { { 1, 3, 2 }, { 4, 5, 6 }, { 1, 2, 5, 4 }, { 2, 3, 6, 5 }, { 3, 1, 4, 6 } } },
    V, { a / 3, b / 3, c / 2 }, inertia_of(V, a ^ 2 / 18, b ^ 2 / 18, c ^ 2 / 12, -a * b / 36, 0, 0) }
end
do -- a prism over an L, whose face is not convex: its fan has a triangle that is turned over
  local points, rim = {}, { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } }
  for z = 0, 1 do
    for _, p in ipairs(rim) do points[#points + 1] = { p[1], p[2], z } end
  end
  -- The fans begin at (2, 1), from where the upper arm is not seen.
  local faces = { { 3, 2, 1, 6, 5, 4 }, { 9, 10, 11, 12, 7, 8 } }
  for k = 1, 6 do faces[#faces + 1] = { k, k % 6 + 1, k % 6 + 7, k + 6 } end
  -- Squares 1 x 1 at (0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (0.5, 2.5).
  local x, y = 0.75, 1.25
  local xx = 1 / 12 + (3 * 0.25 ^ 2 + 0.75 ^ 2) / 4
  local yy = 1 / 12 + (2 * 0.75 ^ 2 + 0.25 ^ 2 + 1.25 ^ 2) / 4
  local xy = (0.25 * 0.75 - 0.75 * 0.75 - 0.25 * 0.25 - 0.25 * 1.25) / 4
  parts.angle = { { points = points, faces = faces }, 4, { x, y, 0.5 }, inertia_of(4, xx, yy, 1 / 12, xy, 0, 0) }
end
do -- a cuboid with a cavity off its middle
  local _, whole = of_cuboid(4, 3, 2, 24)
  local _, hole = of_cuboid(1, 1, 0.5, 0.5)
  local V, s = 23.5, { 2, 1.5, 1 }
  local d, center = { 1.5 - 2, 1.5 - 1.5, 0.75 - 1 }, {}
  for k = 1, 3 do center[k] = (24 * s[k] - 0.5 * (s[k] + d[k])) / V end
  -- About the middle of the whole; then from there to the common centre.
  local J = {}
  for k = 1, 3 do
    local i, j = k % 3 + 1, (k + 1) % 3 + 1
    J[k] = whole[k] - hole[k] - 0.5 * (d[i] ^ 2 + d[j] ^ 2) - V * ((center[i] - s[i]) ^ 2 + (center[j] - s[j]) ^ 2)
  end
  for k, pair in ipairs { { 1, 2 }, { 1, 3 }, { 2, 3 } } do
    local i, j = pair[1], pair[2]
    J[3 + k] = 0.5 * d[i] * d[j] + V * (center[i] - s[i]) * (center[j] - s[j])
  end
  parts.cavity = { together(cuboid(0, 0, 0, 4, 3, 2), inwards(cuboid(1, 1, 0.5, 1, 1, 0.5))), V, center, J }
  -- A pebble in the cavity, and a body beside: three shells, one of them inside two.
  local pebble = cuboid(1.25, 1.25, 0.625, 0.5, 0.5, 0.25)
  near(mbs.mesh { obj(together(parts.cavity[1], pebble, cuboid(9, 0, 0, 1, 1, 1))), density = 1 }.mass,
    23.5 + 0.0625 + 1, 1e-14, "with a pebble")
end

for name, part in pairs(parts) do
  local surface, mass, center, inertia = table.unpack(part)
  check(mbs.mesh { obj(surface), density = 1 }, mass, center, inertia, 4e-15, name)
  local A, orientation = turn(0.7)
  -- Turned and moved in the file, and by at and orientation.
  local at = { 0.3, -7, 20 }
  local there = {}
  for i = 1, 3 do there[i] = at[i] + A[i][1] * center[1] + A[i][2] * center[2] + A[i][3] * center[3] end
  local J = turned(A, inertia)
  check(mbs.mesh { obj(moved(surface, A, at)), density = 1 }, mass, there, J, 5e-13, name .. " moved in its file")
  check(mbs.mesh { obj(surface), density = 1, at = at, orientation = orientation }, mass, there, J, 4e-15, name .. " placed")
  -- Binary files have seven digits.
  check(mbs.mesh { binary_stl(moved(surface, A, { 1, 2, 3 })), density = 1 }, mass,
    { there[1] + 0.7, there[2] + 9, there[3] - 17 }, J, 4e-5, name .. " as STL")
end

do -- far away, with coordinates that doubles have exactly, no digit is lost
  local far = 2.0 ^ 22
  local part = mbs.mesh { obj(cuboid(far, -far, 3 * far, 0.25, 0.5, 2)), density = 8 }
  local _, J = of_cuboid(0.25, 0.5, 2, 2)
  check(part, 2, { far + 0.125, -far + 0.25, 3 * far + 1 }, J, 1e-15, "far")
end

do -- parts may touch: at an edge, at a face whose triangles are in both, beside a cavity
  local cases = { { cuboid(1, 1, 0, 1, 1, 1), 2 }, { cuboid(1, 0, 0, 1, 1, 1), 2 }, { cuboid(0.25, 0.25, 1, 0.5, 0.5, 1), 1.25 } }
  for k, case in ipairs(cases) do
    near(mbs.mesh { binary_stl(together(cuboid(0, 0, 0, 1, 1, 1), case[1])), density = 1 }.mass, case[2], 1e-15, "touching " .. k)
  end
end

do -- many cavities; and one of them that is turned, wherever it stands in the file
  for turned_one = 0, 27, 9 do
    local cells, count = {}, 0
    for x = 1, 5, 2 do
      for y = 1, 5, 2 do
        for z = 1, 5, 2 do
          count = count + 1
          local cell = cuboid(x, y, z, 1, 1, 1)
          cells[count] = count == turned_one and cell or inwards(cell)
        end
      end
    end
    table.insert(cells, turned_one % 28 + 1, cuboid(0, 0, 0, 7, 7, 7))
    local ok, part = pcall(mbs.mesh, { binary_stl(together(table.unpack(cells))), density = 1 })
    assert(ok == (turned_one == 0), part)
    if ok then
      local J = 7 ^ 3 * 7 ^ 2 / 6 - 27 / 6 - 2 * 18 * 2 ^ 2  -- two thirds of the cells lie 2 m off a plane through the middle
      check(part, 7 ^ 3 - 27, { 3.5, 3.5, 3.5 }, { J, J, J, 0, 0, 0 }, 1e-14, "a lattice of cavities")
    else
      assert(part:find("lies inside another one and would count twice", 1, true), part)
    end
  end
end

do -- triangles without area, of two points and of three in a line, close a surface
  local name = obj {
    points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.5, 0, 0 } },
    faces = { { 1, 3, 5 }, { 5, 3, 2 }, { 1, 2, 4 }, { 1, 5, 2 }, { 1, 4, 3 }, { 2, 3, 4 }, { 2, 2, 3 }, { 4, 4, 4 } } }
  local part = mbs.mesh { name, density = 6 }
  near(part.mass, 1, 1e-15, "with triangles without area")
  assert(part.triangles == 8)
end

do -- vertices by /, from the last one backwards, on several lines, among what is for pictures
  local name = write(".obj", [[
# a tetrahedron
mtllib part.mtl
o part
v 0 0 0 1.0
v 1 0 0 0.5 0.5 0.5
v 0 1 0
v 0 0 1
vt 0 0
vn 0 0 1
g side
usemtl steel
s off
f 1/1/1 -2/1/1 2/1/1
f 1//1 2//1 4//1
f 1/1 4/1 \
  3/1
f -3 -2 -1 # the slope
l 1 2
]])
  near(mbs.mesh { name, density = 6 }.mass, 1, 1e-15, "an OBJ file of all kinds")
end

do -- the scale, as a number and as a parameter with its powers
  local name = binary_stl(cuboid(0, 0, 0, 200, 100, 50))
  local part = mbs.mesh { name, scale = 0.001, density = 1000 }
  local _, J = of_cuboid(0.2, 0.1, 0.05, 1)
  check(part, 1, { 0.1, 0.05, 0.025 }, J, 1e-15, "in mm")
  near(part.volume, 0.001, 1e-18, "volume")
  near(part.highest[1], 0.2, 1e-16, "highest")
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local s, density = m:param { "s", 0.001 }, m:param { "density", 1000 }
  local grown = mbs.mesh { name, scale = s, density = density }
  s.value, density.value = 0.002, 500
  near(grown.mass.value, 4, 1e-14, "mass")
  near(grown.center_of_mass[2].value, 0.1, 1e-15, "centre")
  for k = 1, 3 do near(grown.inertia[k].value, 16 * J[k], 1e-14, "inertia") end
  -- As a body that moves: its mass is what it takes to lift it.
  local body = m:body { "part", inertia_of = grown }
  near(body.mass.value, 4, 1e-14, "mass of the body")
  local weight = m:objective { "weight", terminal = grown.mass * 9.81 }
  near(m:gradient { weight, t = 0.01, over = { s } }.by_name.s, 3 * 4 / 0.002 * 9.81, 1e-8, "derivative by the scale")
end

do -- a body in the plane has the moment about z
  local m = mbs.model { gravity = { 0, -9.81 } }
  local plate = m:body { "plate", inertia_of = mbs.mesh { obj(cuboid(0, 0, 0, 0.4, 0.2, 0.01)), mass = 3 } }
  near(plate.inertia[3] or plate.inertia, 3 / 12 * (0.4 ^ 2 + 0.2 ^ 2), 1e-16, "moment in the plane")
end

do -- an assembly of a mesh and a shape
  local both = mbs.assembly { mbs.mesh { obj(cuboid(0, 0, 0, 1, 1, 1)), density = 1 }, mbs.box { mass = 1, size = { 1, 1, 1 }, at = { 1.5, 0.5, 0.5 } } }
  local _, J = of_cuboid(2, 1, 1, 2)
  check(both, 2, { 1, 0.5, 0.5 }, J, 1e-15, "assembly")
end

for k = 1, made do
  for _, ending in ipairs { ".obj", ".stl", ".STL" } do os.remove(folder .. "/" .. k .. ending) end
end
os.remove(folder)
