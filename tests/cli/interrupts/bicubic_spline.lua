-- Heights on a grid of 800 x 800.
local mbs = require "perilune"
local x, z = {}, {}
for i = 1, 800 do
  x[i], z[i] = i, {}
  for j = 1, 800 do z[i][j] = math.sin(0.1 * i) * math.cos(0.07 * j) end
end
print "ready"
mbs.bicubic_spline { x = x, y = x, z = z }
