-- Runs scripts/wishbone_car.lua as a user would, over a fifth of a second and with three evaluations of the search. No
-- number of the source can be reproduced, as its geometry is not printed: what is held here are its symmetry, counts,
-- the agreement of steps, of the two discrete methods and of differences, and limits that the search keeps.
local json = dofile((arg[0]:match "^(.*)/" or ".") .. "/../lua/json.lua")
local script, program = arg[1], arg[-1]
local file = os.tmpname()
local pipe = assert(io.popen(("%q %q --time 0.2 --evaluations 3 --json %q 2>&1"):format(program, script, file)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local stream = assert(io.open(file))
local found = json.decode(stream:read "a")
stream:close()
os.remove(file)
local function check(condition, what) if not condition then error(what .. "\n" .. text, 2) end end
local function near(what, value, expected, tolerance)
  check(math.abs(value - expected) <= tolerance, ("%s is %.12g, expected %.12g within %g"):format(what, value, expected, tolerance))
end

-- 32 nodes of beams with six coordinates, five bodies with seven. Constraints: a ball at each end of 16 beams (96), 8
-- welds, 4 roads, 4 ties, 3 guides, 5 norms of Euler parameters.
near("coordinates", found.counts.coordinates, 32 * 6 + 5 * 7, 0)
near("constraints", found.counts.constraints, 16 * 6 + 8 + 4 + 4 + 3 + 5, 0)
near("half the step", found.half_step / found.objective, 1, 1e-3)

-- Adjoint, direct, differences. The derivatives by what mirrors each other are the same, but for the sign of Y.
local adjoint, direct = found.gradient[1].value, found.gradient[2].value
check(#adjoint == 60 and found.gradient[2].relative_difference < 1e-7, "direct and adjoint differ")
for i, value in ipairs(adjoint) do near("derivative " .. i, direct[i], value, 1e-9 * math.abs(value) + 1e-14) end
for _, each in ipairs(found.differences) do
  near("derivative by " .. each.name, each.differences, each.adjoint, 1e-5 * math.abs(each.adjoint) + 1e-10 / each.range)
end
for node = 1, 8 do
  for axis = 1, 3 do
    local mirror = node <= 4 and node + 12 or node + 4
    local one, other = adjoint[3 * (node - 1) + axis], adjoint[3 * (mirror - 1) + axis]
    near(("mirror of node %d, %d"):format(node, axis), axis == 2 and -other or other, one, 1e-6 * math.abs(one) + 1e-13)
  end
end
for first = 49, 57, 4 do
  near("mirror of " .. first, adjoint[first + 3], adjoint[first], 1e-7 * math.abs(adjoint[first]))
  near("mirror of " .. first + 1, adjoint[first + 2], adjoint[first + 1], 1e-7 * math.abs(adjoint[first + 1]))
end
check(found.optimization.final < found.optimization.initial and found.excess <= 1e-6, "the search does not gain, or breaks limits")
check(found.lopsided < 1e-3, "the search lost the symmetry")
