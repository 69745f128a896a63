-- Rotations and poses whose numbers may be expressions of parameters or signals. A rotation is a unit quaternion
-- { w, x, y, z }, which is what m:body calls Euler parameters; a pose is { pos = { x, y, z }, quat = rotation }.
local rotations = {}

rotations.identity = { 1, 0, 0, 0 }

--- The number that an expression has at the present parameters, in SI units.
function rotations.value(x)
  return type(x) == "number" and x or x.in_si
end

function rotations.is_zero(x)
  return type(x) == "number" and x == 0
end

function rotations.add(a, b)
  return { a[1] + b[1], a[2] + b[2], a[3] + b[3] }
end

function rotations.scaled(a, factor)
  return { factor * a[1], factor * a[2], factor * a[3] }
end

function rotations.subtract(a, b)
  return { a[1] - b[1], a[2] - b[2], a[3] - b[3] }
end

function rotations.dot(a, b)
  return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

function rotations.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- Of vectors and quaternions; nil where all numbers vanish.
function rotations.normalized(list)
  local sum, largest = 0, 0
  for _, x in ipairs(list) do
    sum = sum + x * x
    largest = math.max(largest, math.abs(rotations.value(x)))
  end
  if largest < 1e-14 then return nil end
  local length, out = math.sqrt(sum), {}
  for k, x in ipairs(list) do out[k] = x / length end
  return out
end

--- First q, then p, both in space: p q.
function rotations.product(p, q)
  return {
    p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4],
    p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2],
    p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1],
  }
end

function rotations.inverse(q)
  return { q[1], -q[2], -q[3], -q[4] }
end

--- The components in space of a vector v that turns with q.
function rotations.rotate(q, v)
  local axis = { q[2], q[3], q[4] }
  local t = rotations.scaled(rotations.cross(axis, v), 2)
  return rotations.add(rotations.add(v, rotations.scaled(t, q[1])), rotations.cross(axis, t))
end

--- About a unit vector, right-handed (rad).
function rotations.about(axis, angle)
  local s = math.sin(angle / 2)
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

--- Of the unit vectors x, y, z of a right-handed frame (the columns of its matrix), by the largest component.
function rotations.of_axes(x, y, z)
  local value = rotations.value
  local squares = {  -- four times the squares of w, x, y, z
    1 + x[1] + y[2] + z[3], 1 + x[1] - y[2] - z[3], 1 - x[1] + y[2] - z[3], 1 - x[1] - y[2] + z[3],
  }
  local largest = 1
  for k = 2, 4 do
    if value(squares[k]) > value(squares[largest]) then largest = k end
  end
  local products = {
    { squares[1], y[3] - z[2], z[1] - x[3], x[2] - y[1] },
    { y[3] - z[2], squares[2], x[2] + y[1], z[1] + x[3] },
    { z[1] - x[3], x[2] + y[1], squares[3], y[3] + z[2] },
    { x[2] - y[1], z[1] + x[3], y[3] + z[2], squares[4] },
  }
  local row, out = products[largest], {}
  for k = 1, 4 do out[k] = row[k] / (2 * math.sqrt(squares[largest])) end
  return out
end

--- A turn that brings z to the unit vector, for what has no other direction of its own: the shortest one, or for vectors
--- that point down half a turn about x and then the shortest one. So it follows the vector wherever that points.
function rotations.of_z_axis(z)
  if rotations.value(z[3]) < 0 then return rotations.normalized { -z[2], 1 - z[3], 0, z[1] } end
  return rotations.normalized { 1 + z[3], -z[2], z[1], 0 }
end

--- The shortest turn that brings z to the unit vector, about x where that is -z; nil where numbers that it depends on
--- are expressions there: no other direction follows them.
function rotations.shortest_to(z)
  if rotations.value(z[3]) < -1 + 1e-14 then
    local follows = type(z[1]) ~= "number" or type(z[2]) ~= "number" or type(z[3]) ~= "number"
    return not follows and { 0, 1, 0, 0 } or nil
  end
  if rotations.value(z[3]) > -0.5 then return rotations.normalized { 1 + z[3], -z[2], z[1], 0 } end
  -- Near -z, 1 + z[3] has few digits, and is (z[1]^2 + z[2]^2) / (1 - z[3]).
  local across = z[1] * z[1] + z[2] * z[2]
  return rotations.normalized { across / (1 - z[3]), -z[2], z[1], 0 }
end

--- The pose b, given in the frame a, in the frame in which a is given.
function rotations.compose(a, b)
  return { pos = rotations.add(a.pos, rotations.rotate(a.quat, b.pos)), quat = rotations.product(a.quat, b.quat) }
end

--- The pose b in the frame a, both given in the same frame.
function rotations.relative(a, b)
  local back = rotations.inverse(a.quat)
  return { pos = rotations.rotate(back, rotations.subtract(b.pos, a.pos)), quat = rotations.product(back, b.quat) }
end

rotations.origin = { pos = { 0, 0, 0 }, quat = rotations.identity }

--- J turned by q: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz, of both.
function rotations.turned_inertia(q, J)
  local rows = { { J[1], J[4], J[5] }, { J[4], J[2], J[6] }, { J[5], J[6], J[3] } }
  local columns = {}
  for k = 1, 3 do columns[k] = rotations.rotate(q, rows[k]) end  -- A J, as J is symmetric
  local out = {}
  for k = 1, 3 do out[k] = rotations.rotate(q, { columns[1][k], columns[2][k], columns[3][k] }) end
  return { out[1][1], out[2][2], out[3][3], out[1][2], out[1][3], out[2][3] }
end

return rotations
