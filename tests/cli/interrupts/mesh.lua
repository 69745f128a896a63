-- A file of two million vertices and as many triangles.
local mbs = require "perilune"
local name = os.tmpname()
os.remove(name)
local file = assert(io.open(name .. ".obj", "w"))
file:write(("v 1 2 3\n"):rep(999999), ("v 1 2 4\n"):rep(999999), "v 1 0 0\nv 0 1 0\n", ("f -1 -2 1\n"):rep(2000000))
file:close()
print "ready"
pcall(mbs.mesh, { name .. ".obj", density = 1 })
os.remove(name .. ".obj")
