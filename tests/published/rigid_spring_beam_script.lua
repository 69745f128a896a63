-- Runs scripts/rigid_spring_beam.lua as a user would, beside a program of its own: the equations of the source for this
-- assembly, with the angle of the rod, the end of the beam and both slopes as coordinates, by the midpoint rule.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --json %q"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local stream = assert(io.open(file))
local found = json.decode(stream:read "a")
stream:close()
os.remove(file)

local function near(what, value, expected, tolerance)
  if not (math.abs(value - expected) <= tolerance) then
    error(("%s is %.12g, expected %.12g within %g\n%s"):format(what, value, expected, tolerance, text))
  end
end

-- Solves a x = b; a and b are overwritten.
local function solve(a, b)
  local n = #b
  for k = 1, n do
    local pivot = k
    for i = k + 1, n do if math.abs(a[i][k]) > math.abs(a[pivot][k]) then pivot = i end end
    a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
    for i = k + 1, n do
      local factor = a[i][k] / a[k][k]
      for j = k, n do a[i][j] = a[i][j] - factor * a[k][j] end
      b[i] = b[i] - factor * b[k]
    end
  end
  for k = n, 1, -1 do
    for j = k + 1, n do b[k] = b[k] - a[k][j] * b[j] end
    b[k] = b[k] / a[k][k]
  end
  return b
end

--- The objective, how far B goes, and its ordinate at the steps, with D at (x, y).
local function independent(x, y, step)
  local dx, dy = 1.3 - x, 0.2 - y
  local l = math.sqrt(dx * dx + dy * dy)
  local E, area, second, free = 7e10, 1e-4, 1e-8 / 12, math.sqrt(0.3 ^ 2 + 0.2 ^ 2)
  local inertia = 1.6 * (1 / 12 + 0.01 ^ 2 / 16 + 1 / 4)
  local M = { { 156, 22 * l, 54, -13 * l }, { 22 * l, 4 * l^2, 13 * l, -3 * l^2 }, { 54, 13 * l, 156, -22 * l },
              { -13 * l, -3 * l^2, -22 * l, 4 * l^2 } }
  local along = { { 6 / 5, l / 10, -6 / 5, l / 10 }, { l / 10, 2 * l^2 / 15, -l / 10, -l^2 / 30 },
                  { -6 / 5, -l / 10, 6 / 5, -l / 10 }, { l / 10, -l^2 / 30, -l / 10, 2 * l^2 / 15 } }
  local bending = { { 12, 6 * l, -12, 6 * l }, { 6 * l, 4 * l^2, -6 * l, 2 * l^2 }, { -12, -6 * l, 12, -6 * l },
                    { 6 * l, 2 * l^2, -6 * l, 4 * l^2 } }
  -- The angle, then the slope at D, C and the slope at C, x and y of each.
  local mass = {}
  for i = 1, 7 do mass[i] = { 0, 0, 0, 0, 0, 0, 0 } end
  mass[1][1] = inertia
  for i = 2, 4 do for j = 2, 4 do for axis = 0, 1 do
    mass[2 * i - 2 + axis][2 * j - 2 + axis] = 3700 * area * l / 420 * M[i][j]
  end end end
  local function forces(z)
    local stretch = math.sqrt((z[4] - x) ^ 2 + (z[5] - y) ^ 2) / l - 1
    local q = { { x, z[2], z[4], z[6] }, { y, z[3], z[5], z[7] } }
    local f = { 0, 0, 0, 0, 0, 0, 0 }
    for i = 2, 4 do for axis = 0, 1 do
      local sum = 0
      for j = 1, 4 do
        sum = sum + (E * area / l * stretch * along[i][j] + E * second / l ^ 3 * bending[i][j]) * q[axis + 1][j]
      end
      f[2 * i - 2 + axis] = -sum
    end end
    local bx, by = math.cos(z[1]), math.sin(z[1])
    local ux, uy = z[4] - bx, z[5] - by
    local pull = 100 * (1 - free / math.sqrt(ux * ux + uy * uy))
    f[1] = pull * (uy * bx - ux * by)
    f[4], f[5] = f[4] - pull * ux, f[5] - pull * uy
    return f
  end
  local z = { 0, dx / l, dy / l, 1.3, 0.2, dx / l, dy / l }
  local v = { 0, 5 * dy / l, -5 * dx / l, 5 * dy, -5 * dx, 5 * dy / l, -5 * dx / l }
  local sum, farthest, ordinates = 0, 0, {}
  for n = 1, math.floor(1 / step + 0.5) do
    local u, half = table.move(v, 1, 7, 1, {}), {} -- the velocity over the step
    for iteration = 1, 30 do
      for i = 1, 7 do half[i] = z[i] + step / 2 * u[i] end
      local f, residual, matrix = forces(half), {}, {}
      for i = 1, 7 do
        residual[i] = step / 2 * f[i]
        for j = 1, 7 do residual[i] = residual[i] - mass[i][j] * (u[j] - v[j]) end
        matrix[i] = table.move(mass[i], 1, 7, 1, {})
      end
      for j = 1, 7 do
        local kept, h = half[j], 1e-7
        half[j] = kept + h
        local more = forces(half)
        half[j] = kept
        for i = 1, 7 do matrix[i][j] = matrix[i][j] - step ^ 2 / 4 * (more[i] - f[i]) / h end
      end
      local correction, size = solve(matrix, residual), 0
      for i = 1, 7 do u[i], size = u[i] + correction[i], math.max(size, math.abs(correction[i])) end
      if size < 1e-9 then break end
      assert(iteration < 30, "no convergence")
    end
    local angle = z[1] + step / 2 * u[1]
    sum = sum + step * ((math.cos(angle) - 1) ^ 2 + math.sin(angle) ^ 2)
    for i = 1, 7 do z[i], v[i] = z[i] + step * u[i], 2 * u[i] - v[i] end
    ordinates[n] = math.sin(z[1])
    farthest = math.max(farthest, 2 * math.abs(math.sin(z[1] / 2)))
  end
  return sum, farthest, ordinates
end

-- The start: the two programs differ in how they step the rod, which leaves a part in 1e6 of the objective.
local value, farthest, ordinates = independent(2, -0.3, 0.001)
near("objective", found.objective / value, 1, 1e-5)
near("B's way", found.motion.farthest, farthest, 1e-5)
local times = 0
for t, y in text:match "^1%..-\n(.-)\nB goes":gmatch "\n +(%d%.%d) +%d%.%d+ +%d%.%d+ +(%d%.%d+)" do
  near("y of B at " .. t, tonumber(y), ordinates[math.floor(1000 * t + 0.5)], 1e-5)
  times = times + 1
end
assert(times == 5, text)
for _, point in ipairs { found.scan[1], found.scan[#found.scan] } do
  near("objective at " .. point.x, point.objective / independent(point.x, -0.3, 0.001), 1, 1e-5)
end

-- Gradients of both steps.
local rows = {}
for _, row in ipairs(found.gradient) do
  assert(#row.value == 2 and row.parameters[1] == "X_D" and row.parameters[2] == "Y_D", row.method)
  assert(row.forward_runs > 0, row.method)
  if row.method == "discrete direct" then assert(row.relative_difference < 1e-9, row.relative_difference) end
  if row.method:find "extrapolated" then assert(row.relative_difference < 1e-7, row.relative_difference) end
  rows[row.method] = (rows[row.method] or 0) + 1
end
local function difference(h) return (independent(2 + h, -0.3, 0.001) - independent(2 - h, -0.3, 0.001)) / (2 * h) end
local function difference_y(h) return (independent(2, -0.3 + h, 0.001) - independent(2, -0.3 - h, 0.001)) / (2 * h) end
for k, slope in ipairs { difference, difference_y } do
  local wide, narrow = slope(5e-5), slope(2.5e-5)
  near("gradient, " .. k, found.gradient[1].value[k] / (narrow + (narrow - wide) / 3), 1, 1e-3)
end
for _, name in ipairs { "discrete adjoint", "discrete direct", "differences, extrapolated",
                        "differences, forward, 1 percent" } do
  assert(rows[name] == 2, name)
end

-- The optimum: without a slope, away from all bounds, the same for both steps within 0.1 mm, and by small differences.
local first, second, small, large = table.unpack(found.optimizations)
for _, best in ipairs { first, second, small } do
  assert(best.final < best.initial and best.length > 0.01, best.name)
  assert(math.abs(best.parameters.X_D) < 10 and math.abs(best.parameters.Y_D) < 10, best.name)
  for _, slope in ipairs(best.slope) do near("slope at the optimum, " .. best.name, slope, 0, 1e-6) end
  near("X_D", best.parameters.X_D, first.parameters.X_D, 1e-4)
  near("Y_D", best.parameters.Y_D, first.parameters.Y_D, 1e-4)
  near("objective at the optimum", best.final / first.final, 1, 1e-3)
end
assert(#found.optimizations == 4 and large.final < large.initial, large.name)

-- It is one of the other program's, too: lower than 3 mm beside it.
local X, Y = first.parameters.X_D, first.parameters.Y_D
local least, way = independent(X, Y, 0.001)
near("objective at the optimum", first.final / least, 1, 1e-5)
near("B's way at the optimum", found.motion.farthest_after, way, 1e-5)
for _, beside in ipairs { { 3e-3, 0 }, { -3e-3, 0 }, { 0, 3e-3 }, { 0, -3e-3 } } do
  assert(independent(X + beside[1], Y + beside[2], 0.001) > least, beside[1] .. " " .. beside[2])
end
