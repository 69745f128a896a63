-- Geoms of meshes in MJCF weigh what their surfaces enclose. tests/mujoco has the same files, and compares with MuJoCo.
local mbs = require "perilune"
local check = require "check"
local models = arg[0]:gsub("[^/]*$", "") .. "../mujoco/models/"
local path = os.tmpname()

local function read(text, fields) return check.read(path, text, fields) end

-- A tetrahedron with right angles at its first corner, scaled along each axis, mirrored, placed, turned; its scale as a
-- parameter.
do
  local text = [[<mujoco> <compiler meshdir="%s/" angle="radian"/> <asset> <mesh file="wedge.obj" scale="2 -1 4"/> </asset>
    <worldbody> <body name="a"> <freejoint/>
      <geom type="mesh" mesh="wedge" pos="1 2 3" euler="0 0 %.17g" density="%g"/> </body> </worldbody> </mujoco>]]
  -- In the file's axes, scaled: the corner, and the edges along x, y, z.
  local corner, edges = { 0.5, -0.5, -1 }, { 1.5, -0.5, 1.5 }
  local mass = 1000 * 1.5 * 0.5 * 1.5 / 6
  local at, E = {}, {}
  for k = 1, 3 do
    at[k] = corner[k] + edges[k] / 4
    E[k] = {}
    for j = 1, 3 do E[k][j] = mass * edges[k] * edges[j] * ((k == j and 1 / 10 or 1 / 20) - 1 / 16) end
  end
  local folder = (models:find "^/" and "" or os.getenv "PWD" .. "/") .. models .. "meshes"
  local m = read(text:format(folder, math.pi / 2, 1000), { parameters = { "mesh.wedge.scale.z" } })
  local a = m:object "a"
  local function value(x) return type(x) == "number" and x or x.value end
  -- Turned by a right angle about z: x becomes y, y becomes -x.
  check.near(value(a.mass), mass, 1e-11)
  for k, expected in ipairs { 1 - at[2], 2 + at[1], 3 + at[3] } do check.near(value(a.center_of_mass[k]), expected, 1e-14) end
  local J = { E[1][1] + E[3][3], E[2][2] + E[3][3], E[1][1] + E[2][2], E[1][2], E[2][3], -E[1][3] }
  for k = 1, 6 do check.near(value(a.inertia[k]), J[k], 1e-11) end
  m:object "mesh.wedge.scale.z".value = 8
  check.near(value(a.mass), 2 * mass, 1e-11)
  check.near(value(a.inertia[3]), 2 * J[3], 1e-11)
  check.near(value(a.inertia[1]), 2 * (E[1][1] + 4 * E[3][3]), 1e-11)
end

local meshed = '<mujoco> <asset> %s </asset> <worldbody> <body> <joint/> <geom type="mesh" mesh="x"/> </body> </worldbody> </mujoco>'
local body = '<mujoco> <worldbody> <body name="a">\n%s</body> </worldbody> </mujoco>'
for _, case in ipairs {
  { body:format '<joint/> <geom type="mesh"/>', "the attribute mesh is missing" },
  { body:format '<joint/> <geom type="box" mesh="x"/>', "the mass of a box that is fitted to a mesh is not computed" },
  { meshed:format '<mesh name="x" file="none.stl" refpos="0 0 1"/>', ":1: <mesh>: refpos is not read; move and turn the geom" },
  { meshed:format '<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>', ":1: <mesh>: only meshes with a file are read" },
  { meshed:format '<mesh name="x" file="none.stl"/>', ":1: cannot read '" .. path:match "^.*/" .. "none.stl': No such file" },
} do
  check.fails(case[2], read, case[1])
end

os.remove(path)
