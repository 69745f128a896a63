local check = require "exercise"

local q = { 0.31, -0.22, 0.73, 1.12, 0.43, -0.52 }
local v = { 0.4, 1.1, -1.7, 0.3, -0.6, 2.3 }

local function constraints(L1, L2, c)
  return { q[1] - L1 / 2 * c.cos1, q[2] - L1 / 2 * c.sin1,
           q[1] + L1 / 2 * c.cos1 - q[4] + L2 / 2 * c.cos2, q[2] + L1 / 2 * c.sin1 - q[5] + L2 / 2 * c.sin2 }
end

-- `sign` -1 makes the derivative of the cosine the sine.
local function jacobian(L1, L2, c, sign)
  sign = sign or 1
  return { { 1, 0, sign * L1 / 2 * c.sin1, 0, 0, 0 },
           { 0, 1, -L1 / 2 * c.cos1, 0, 0, 0 },
           { 1, 0, -sign * L1 / 2 * c.sin1, -1, 0, -sign * L2 / 2 * c.sin2 },
           { 0, 1, L1 / 2 * c.cos1, 0, -1, L2 / 2 * c.cos2 } }
end

local function gamma(L1, L2, c)
  local a, b = L1 / 2 * v[3] ^ 2, L2 / 2 * v[6] ^ 2
  return { -a * c.cos1, -a * c.sin1, a * c.cos1 + b * c.cos2, a * c.sin1 + b * c.sin2 }
end

return {
  title = "Constraints and their Jacobian",
  topic = "constraints",
  level = 1,
  given = function(random) return { length1 = random(0.5, 1.5), length2 = random(0.5, 1.5) } end,
  checks = function(given)
    local L1, L2 = given.length1, given.length2
    local c = { cos1 = math.cos(q[3]), sin1 = math.sin(q[3]), cos2 = math.cos(q[6]), sin2 = math.sin(q[6]) }
    local in_degrees = { cos1 = math.cos(math.rad(q[3])), sin1 = math.sin(math.rad(q[3])),
                         cos2 = math.cos(math.rad(q[6])), sin2 = math.sin(math.rad(q[6])) }
    local swapped = { cos1 = c.sin1, sin1 = c.cos1, cos2 = c.sin2, sin2 = c.cos2 }
    return {
      check.near { "constraints", name = "the constraints", points = 2, call = "constraints", arguments = { q },
                   unit = "m", rtol = 1e-9, expected = constraints(L1, L2, c),
                   mistakes = { { constraints(2 * L1, 2 * L2, c), "the ends are half a length from the centre" },
                                { constraints(L1, L2, in_degrees), "the angles are in radians already" },
                                { constraints(L1, L2, swapped), "sine and cosine are exchanged" } } },
      check.near { "jacobian", name = "the Jacobian", points = 4, call = "jacobian", arguments = { q },
                   rtol = 1e-9, expected = jacobian(L1, L2, c),
                   mistakes = { { jacobian(L1, L2, c, -1), "the derivative of the cosine is minus the sine" },
                                { jacobian(2 * L1, 2 * L2, c), "the ends are half a length from the centre" } },
                   hint = "row i, column k is the derivative of constraint i by coordinate k" },
      check.near { "gamma", name = "the right-hand side of the accelerations", points = 3, call = "gamma",
                   arguments = { q, v }, rtol = 1e-9, expected = gamma(L1, L2, c),
                   hint = "differentiate the constraints twice by time and move what has no q'' to the right" },
      check.near { "freedoms", name = "the degrees of freedom", answer = "freedoms", rtol = 0, expected = 2,
                   mistakes = { { 6, "these are the coordinates" }, { 4, "these are the constraints" } } },
      check.avoids { "by_hand", name = "by hand", of = "mbs.model" },
    }
  end,
}
