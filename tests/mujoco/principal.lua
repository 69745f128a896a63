-- The text of a random model with the inertia of each body given about its principal axes, to all digits: MuJoCo finds the
-- axes of composed bodies, and those of products of inertia, to some 1e-7 only, and the motion with them.
local mbs = require "perilune"
local inertias = require "perilune.files.inertias"

return function(text, file)
  local m = mbs.read(file)
  local plain = text:gsub("<inertial[^\n]*\n", ""):gsub("<geom [^\n]*/>\n", ""):gsub('inertiafromgeom="true"', "")
  return (plain:gsub('(<body name="(b%d+)"[^\n]*>\n)', function(tag, name)
    local body = m:object(name)
    if body.kind ~= "body" then return nil end  -- part of another one
    local J, at = body.inertia, body.center_of_mass
    local moments, R = inertias.principal(J)
    return tag .. ("<inertial" .. (' pos="%.17g %.17g %.17g" mass="%.17g" diaginertia="%.17g %.17g %.17g"' ..
      ' xyaxes="%.17g %.17g %.17g %.17g %.17g %.17g"/>\n')):format(at[1], at[2], at[3], body.mass, moments[1], moments[2],
      moments[3], R[1][1], R[2][1], R[3][1], R[1][2], R[2][2], R[3][2])
  end))
end
