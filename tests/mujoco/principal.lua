-- The text of a random model with the inertia of each body given about its principal axes, to all digits: MuJoCo finds the
-- axes of composed bodies, and those of products of inertia, to some 1e-7 only, and the motion with them.
local mbs = require "perilune"

-- Jacobi's rotations: the principal moments of a symmetric matrix, and the axes as columns of a rotation.
local function principal_axes(A)
  local R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  for _ = 1, 30 do
    for _, pair in ipairs { { 1, 2 }, { 1, 3 }, { 2, 3 } } do
      local p, q = pair[1], pair[2]
      if A[p][q] ~= 0 then
        local theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
        local t = (theta >= 0 and 1 or -1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
        local c = 1 / math.sqrt(t * t + 1)
        local s = t * c
        for k = 1, 3 do A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q] end
        for k = 1, 3 do A[p][k], A[q][k] = c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k] end
        for k = 1, 3 do R[k][p], R[k][q] = c * R[k][p] - s * R[k][q], s * R[k][p] + c * R[k][q] end
      end
    end
  end
  return { A[1][1], A[2][2], A[3][3] }, R
end

return function(text, file)
  local m = mbs.read(file)
  local plain = text:gsub("<inertial[^\n]*\n", ""):gsub("<geom [^\n]*/>\n", ""):gsub('inertiafromgeom="true"', "")
  return (plain:gsub('(<body name="(b%d+)"[^\n]*>\n)', function(tag, name)
    local body = m:object(name)
    if body.kind ~= "body" then return nil end  -- part of another one
    local J, at = body.inertia, body.center_of_mass
    local moments, R = principal_axes { { J[1], J[4], J[5] }, { J[4], J[2], J[6] }, { J[5], J[6], J[3] } }
    return tag .. ("<inertial" .. (' pos="%.17g %.17g %.17g" mass="%.17g" diaginertia="%.17g %.17g %.17g"' ..
      ' xyaxes="%.17g %.17g %.17g %.17g %.17g %.17g"/>\n')):format(at[1], at[2], at[3], body.mass, moments[1], moments[2],
      moments[3], R[1][1], R[2][1], R[3][1], R[1][2], R[2][2], R[3][2])
  end))
end
