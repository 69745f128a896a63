local check = require "exercise"

-- A unit vector of four, and rates orthogonal to it.
local p = { 0.1, 0.5, -0.7, 0.5 }
local v = { 0.8, -0.3, 0.2, 0.42 }
local q = { 0.3, -1.2, 0.7 }

local function rotation(sign, factor)
  local e0, e1, e2, e3 = p[1], p[2], p[3], p[4]
  local s, f = sign or 1, factor or 2
  return { { 1 - f * (e2 ^ 2 + e3 ^ 2), f * (e1 * e2 - s * e0 * e3), f * (e1 * e3 + s * e0 * e2) },
           { f * (e1 * e2 + s * e0 * e3), 1 - f * (e1 ^ 2 + e3 ^ 2), f * (e2 * e3 - s * e0 * e1) },
           { f * (e1 * e3 - s * e0 * e2), f * (e2 * e3 + s * e0 * e1), 1 - f * (e1 ^ 2 + e2 ^ 2) } }
end

local function omega(side, cross)
  local c = cross or 1
  return { 2 * (p[1] * v[2] - v[1] * p[2] + side * c * (p[3] * v[4] - p[4] * v[3])),
           2 * (p[1] * v[3] - v[1] * p[3] + side * c * (p[4] * v[2] - p[2] * v[4])),
           2 * (p[1] * v[4] - v[1] * p[4] + side * c * (p[2] * v[3] - p[3] * v[2])) }
end

local function acceleration(given, w)
  local I1, I2, I3 = given.inertia1, given.inertia2, given.inertia3
  return { (I2 - I3) / I1 * w[2] * w[3], (I3 - I1) / I2 * w[3] * w[1], (I1 - I2) / I3 * w[1] * w[2] }
end

-- Angular velocities at the times, which are multiples of 0.5 s, by Runge and Kutta's method.
local function tumbling(given, w, times)
  local h, t, k, out = 5e-4, 0, 1, { {}, {}, {} }
  local function moved(f, step) return { w[1] + step * f[1], w[2] + step * f[2], w[3] + step * f[3] } end
  while k <= #times do
    if math.abs(t - times[k]) < h / 2 then
      for i = 1, 3 do out[i][k] = w[i] end
      k = k + 1
    end
    local a = acceleration(given, w)
    local b = acceleration(given, moved(a, h / 2))
    local c = acceleration(given, moved(b, h / 2))
    local d = acceleration(given, moved(c, h))
    w = moved({ (a[1] + 2 * b[1] + 2 * c[1] + d[1]) / 6, (a[2] + 2 * b[2] + 2 * c[2] + d[2]) / 6,
                (a[3] + 2 * b[3] + 2 * c[3] + d[3]) / 6 }, h)
    t = t + h
  end
  return out
end

-- From reversal to reversal: 2 K(k) / n, of Jacobi's solution of Euler's equations, by the arithmetic-geometric mean.
local function interval(given, d)
  local I1, I2, I3, w = given.inertia1, given.inertia2, given.inertia3, given.rate
  local twice_energy, momentum = I1 * d ^ 2 + I2 * w ^ 2, I1 ^ 2 * d ^ 2 + I2 ^ 2 * w ^ 2 -- the latter squared
  local part = (I2 - I1) * (twice_energy * I3 - momentum)
  local a, b = 1, d * math.sqrt((I3 - I1) * I1 * (I2 - I1) / part) -- b = sqrt(1 - k^2)
  for _ = 1, 60 do a, b = (a + b) / 2, math.sqrt(a * b) end
  return math.pi / a / math.sqrt(part / (I1 * I2 * I3))
end

local times = { 0, 1, 2.5, 4, 6, 8 }

return {
  title = "Euler parameters and the tumbling wing nut",
  topic = "rotations",
  level = 3,
  given = function(random)
    return { inertia1 = random(0.8, 1.2), inertia2 = random(1.7, 2), inertia3 = random(2.3, 2.5), rate = random(4, 8),
             disturbance = random(1, 3) * 1e-2 }
  end,
  checks = function(given)
    local I1, I2, I3, w = given.inertia1, given.inertia2, given.inertia3, given.rate
    local length = math.sqrt(p[1] ^ 2 + p[2] ^ 2 + p[3] ^ 2 + p[4] ^ 2)
    assert(math.abs(length - 1) < 1e-12)
    local s = w * math.sqrt((I3 - I2) * (I2 - I1) / (I1 * I3))
    local first, second = interval(given, given.disturbance), interval(given, given.disturbance / 10)
    local decade = 2 * math.log(10) / s
    local exponent = math.log(given.disturbance, 10) - (3600 - first) / decade
    local right = acceleration(given, q)
    return {
      check.near { "rotation", name = "the rotation matrix", points = 2, call = "rotation", arguments = { p },
                   rtol = 1e-9,
                   expected = rotation(),
                   mistakes = { { rotation(-1), "this one takes vectors from space to the body: it is transposed" },
                                { rotation(1, 1),
                                  "the products lack their factor 2: the lengths of the rows are not 1" } } },
      check.near { "angular_velocity", name = "the angular velocity", points = 3, call = "angular_velocity",
                   arguments = { p, v }, unit = "rad/s", rtol = 1e-9, expected = omega(-1),
                   mistakes = { { omega(1),
                                  "this is in the axes of space: in the body's axes e x e' has the other sign" },
                                { omega(1, 0), "the cross product of e and e' is missing" },
                                { omega(-1, 1 / 2), "e x e' has the factor 2, too" } },
                   hint = "try it with a body that turns about z alone: e0 = cos(a / 2), e3 = sin(a / 2)" },
      check.near { "after_turn", name = "one turn", points = 2, answer = "after_turn", rtol = 1e-3,
                   expected = { -1, 0, 0, 0 },
                   mistakes = { { { 1, 0, 0, 0 }, "the body looks as before, but put a = 2 pi into cos(a / 2)" },
                                { { 0, 0, 0, 1 }, "this is half a turn: the angle is halved once, a = 2 pi" } } },
      check.near { "turns", name = "and all of them", answer = "turns", rtol = 1e-6, expected = 2,
                   mistakes = { { 1, "after one turn the signs of p are others" },
                                { 4, "cos(a / 2) has the period 4 pi, which is how many turns?" } } },
      check.near { "acceleration", name = "Euler's equations", points = 2, call = "acceleration", arguments = { q },
                   unit = "rad/s^2", rtol = 1e-9, expected = right,
                   mistakes = { { { I1 * right[1], I2 * right[2], I3 * right[3] },
                                  "these are torques: divide by the moments of inertia" },
                                { { right[1], -right[2], right[3] },
                                  "the second one: cyclically it is (I3 - I1) w3 w1" } } },
      check.near { "stable", name = "which axes are stable", points = 2, answer = "stable", rtol = 0,
                   expected = { 1, 0, 1 },
                   mistakes = { { { 1, 1, 1 }, "look at nut.omega_y in your run" },
                                { { 0, 0, 1 }, "without losses of energy spin about x is an oscillation, too: look at "
                                          .. "the sign of s^2" } } },
      check.near { "growth", name = "the rate of growth", points = 2, answer = "growth", unit = "1/s", rtol = 1e-3,
                   expected = s,
                   mistakes = { { s / w, "it grows with the rate of the spin, which is missing" },
                                { s * w, "the rate of the spin is in it once: s^2 has its square" },
                                { s * math.sqrt(I1 * I3) / I2,
                                  "it is I1 and I3 that the two accelerations are divided by" },
                                { s * math.sqrt(I1 * I3),
                                  "the moments of inertia I1 and I3, by which one divides, are missing" } },
                   hint = "w1'' = s^2 w1, from the first and the third of Euler's equations with w2 = w" },
      check.near { "motion", name = "the motion of the nut", points = 2, run = "run",
                   signals = { "nut.omega_x", "nut.omega_y", "nut.omega_z" }, times = times, rtol = 1e-3,
                   expected = function() return tumbling(given, { given.disturbance, w, 0 }, times) end,
                   mistakes = function()
                     return { { tumbling(given, { 0, w, given.disturbance }, times),
                                "the disturbance is about x: { d, w, 0 }" },
                              { tumbling(given, { given.disturbance, 0, w }, times), "it spins about y: { d, w, 0 }" },
                              { tumbling(given, { 0, w, 0 }, times), "the disturbance is missing" },
                              { tumbling(given, { 0, 0, 0 }, times),
                                "it does not turn at all: { d, w, 0 } is its angular_velocity" },
                              { tumbling(given, { math.rad(given.disturbance), math.rad(w), 0 }, times),
                                "the rates are in rad/s already" } }
                   end },
      check.invariant { "energy", name = "energy is conserved", run = "run", signals = { "energy.total" }, times = times,
                        rtol = 1e-6, scale = I2 * w ^ 2 / 2 },
      check.near { "intervals", name = "from reversal to reversal", points = 3, answer = "intervals", unit = "s",
                   rtol = 1e-3,
                   expected = { first, second },
                   mistakes = { { { first, 10 * first },
                                  "ten times the care is not ten times the time: measure the second, too" },
                                { { first, first }, "measure it with d / 10" },
                                { { first, interval(given, given.disturbance * 10) },
                                  "this is with 10 d; d / 10 is asked for" },
                                { { first / 2, second / 2 },
                                  "this is the first reversal, half of the way from one to the next" } },
                   hint = "twice the time of the first reversal, which m:simulate { stop = nut.omega_y } finds" },
      check.near { "per_decade", name = "what a power of ten buys", points = 2, answer = "per_decade", unit = "s",
                   rtol = 1e-2,
                   expected = decade,
                   mistakes = { { decade / 2,
                                  "it takes as long again: after the reversal the disturbance first shrinks" },
                                { 2 / s, "this is a factor e; a power of ten is asked for" },
                                { 1 / s, "this is a factor e; a power of ten is asked for" },
                                { 20 / s, "exp(s t) is 10: a logarithm is missing" } },
                   hint = "intervals[2] - intervals[1]" },
      check.near { "exponent", name = "an hour of rest", points = 2, answer = "exponent", rtol = 1e-2,
                   expected = exponent,
                   mistakes = { { -exponent, "the sign: d must be small, so that its exponent is negative" },
                                { math.log(10) * exponent, "this is the natural logarithm; log10 is asked for" },
                                { exponent / 60, "an hour has 3600 s" } },
                   hint = "the hour less the first interval, divided by what a power of ten buys" },
    }
  end,
}
