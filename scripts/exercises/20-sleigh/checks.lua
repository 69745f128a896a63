local check = require "exercise"

local times = { 0, 0.5, 1, 2, 4, 8, 12 }

-- The closed form: v = V tanh(s (t - t1)), w = V sqrt(m / I) / cosh(s (t - t1)), theta by arcsin(v / V).
local function solved(given)
  local m, a = given.mass, given.ahead
  local I = given.inertia + m * a ^ 2
  local V = math.sqrt(given.speed ^ 2 + I / m * given.spin ^ 2)
  local s = a * V * m / I
  local share = given.speed / V
  local still = math.log((1 + share) / (1 - share)) / 2 / s
  local gain = math.sqrt(I / m) / a
  local function at(t)
    local e = math.exp(s * (t - still))
    local v = V * (e - 1 / e) / (e + 1 / e)
    return v, V * math.sqrt(m / I) * 2 / (e + 1 / e), gain * (math.asin(math.min(1, v / V)) + math.asin(share))
  end
  return { I = I, V = V, s = s, still = still, gain = gain, turned = gain * (math.pi / 2 + math.asin(share)), at = at }
end

local function over_time(solution)
  local lists = { {}, {}, {} }
  for i, t in ipairs(times) do lists[1][i], lists[2][i], lists[3][i] = solution.at(t) end
  return lists
end

-- What is wrong with edge.speed, sled.omega and sled.angle at the times.
local function mismoved(value, given, exact)
  local function fits(lists, sign)
    for k = 1, 3 do
      for i = 1, #times do
        local size = k == 3 and exact.turned or exact.V
        local expected = k == 1 and lists[k][i] or sign * lists[k][i]
        if not (math.abs(value[k][i] - expected) <= 2e-3 * size) then return false end
      end
    end
    return true
  end
  local lists = over_time(exact)
  if fits(lists, 1) then return 0 end
  if fits(lists, -1) then return "run: it turns clockwise" end
  if fits(over_time(solved(setmetatable({ inertia = exact.I }, { __index = given }))), 1) then
    return "run: J is about C, which is the reference point of the sled: m a^2 comes of itself"
  end
  local v, w = value[1][1], value[2][1]
  if math.abs(w) < 1e-9 then return "run: it does not turn at first: angular_velocity = w0" end
  if v > 0 then return "run: it starts forward" end
  if value[1][#times] < 0 then
    return "run: it goes backwards for ever; is the edge behind C, at sled:point { -a, 0 }?"
  end
  if math.abs(w - given.spin) > 2e-3 * given.spin or math.abs(v + given.speed) > 2e-3 * given.speed then
    return "run: v or w is another one at t = 0: where C does not move with { -v0, a w0 }, assembly changes the "
             .. "velocities"
  end
  return "run: it begins as it should, but goes on otherwise: m, J, a?"
end

return {
  title = "A sleigh: constraints on velocities",
  topic = "nonholonomic",
  level = 3,
  given = function(random)
    return { mass = random(2.5, 4), inertia = random(0.3, 0.6), ahead = random(0.2, 0.3), speed = random(1, 1.6),
             spin = random(0.4, 0.9) }
  end,
  checks = function(given)
    local m, J, a, v0, w0 = given.mass, given.inertia, given.ahead, given.speed, given.spin
    local exact = solved(given)
    local I, V = exact.I, exact.V
    local right = m * 1.3 ^ 2 / 2 + I * 0.7 ^ 2 / 2
    local force = J / I * m * -v0 * w0
    return {
      check.near { "counts", name = "degrees of freedom", points = 2, answer = "counts", rtol = 0, expected = { 3, 2 },
                   mistakes = { { { 2, 2 }, "the edge forbids no place: can one park a car beside another one?" },
                                { { 3, 3 }, "across the edge there is no velocity" },
                                { { 2, 3 }, "positions first" } } },
      check.near { "energy", name = "the energy", points = 2, call = "energy", arguments = { 1.3, 0.7 }, unit = "J",
                   rtol = 1e-6, expected = right,
                   mistakes = { { m * 1.3 ^ 2 / 2 + J * 0.7 ^ 2 / 2, "C is not E: it moves across with a w" },
                                { m * 1.3 ^ 2 / 2 + (I + m * a ^ 2) * 0.7 ^ 2 / 2, "J is about C: m a^2 counts once" },
                                { m * 1.3 ^ 2 / 2, "it turns, too" } } },
      check.near { "final", name = "the end of the motion", points = 3, answer = "final", rtol = 2e-4,
                   expected = { V, 0 },
                   mistakes = { { { v0, 0 }, "the energy of the turning has to go somewhere, too" },
                                { { -v0, 0 }, "backwards: then v' = a w^2 would be negative at some time" },
                                { { -V, 0 }, "backwards: then v' = a w^2 would be negative at some time" },
                                { { 0, V * math.sqrt(m / I) },
                                  "there it stands still for an instant; but then v' is not zero" },
                                { { 0, 0 }, "where would its energy be?" },
                                { { math.sqrt(v0 ^ 2 + J / m * w0 ^ 2), 0 }, "I, not J: C moves across the edge" } } },
      check.near { "still", name = "when it stands still", points = 3, answer = "still", unit = "s", rtol = 2e-3,
                   expected = exact.still,
                   mistakes = { { exact.still * exact.s, "this is s t; divide by s" },
                                { exact.still * I / J, "I = J + m a^2 in s, not J" },
                                { exact.still * J / I, "I = J + m a^2 in s, not J" },
                                { -exact.still, "the sign: it begins with v = -v0" } } },
      check.near { "turned", name = "by which angle it turns", points = 3, answer = "turned", unit = "rad", rtol = 2e-3,
                   expected = exact.turned,
                   mistakes = { { math.pi,
                                  "half a turn, so that forward is where it went before? The plot says something else" },
                                { exact.turned / 2, "this is the angle up to the instant of rest, or from there" },
                                { exact.gain * math.pi / 2,
                                  "this is the angle up to the instant of rest, or from there" },
                                { exact.turned * a, "divide by a" } },
                   hint = "theta = sqrt(I / m) / a arcsin(v / V); or the last value of sled.angle" },
      check.near { "limit", name = "and its limit", points = 2, answer = "limit", unit = "rad", rtol = 1e-4,
                   expected = exact.gain * math.pi,
                   mistakes = { { 0, "try it, with w0 ten times and a hundred times smaller" },
                                { exact.turned, "this is with w0; put v0 / V = 1" },
                                { math.pi, "sqrt(I / m) / a is not 1" },
                                { exact.turned / 10, "it is not in proportion to w0: try it" } } },
      check.residual { "motion", name = "the motion", points = 3, run = "run",
                       signals = { "edge.speed", "sled.omega", "sled.angle" }, times = times, below = 0,
                       residual = function(value) return mismoved(value, given, exact) end,
                       hint = "the velocity of C is { -v0, a w0 }, and the edge is at sled:point { -a, 0 }" },
      check.invariant { "conserved", name = "without losses", run = "run", signals = { "energy.total" }, times = times,
                        rtol = 1e-5, scale = m * v0 ^ 2 / 2 },
      check.near { "force", name = "the lateral force", points = 2, answer = "force", unit = "N", rtol = 2e-3,
                   expected = force,
                   mistakes = { { m * -v0 * w0, "w' is not zero: a w' belongs to it" },
                                { -m * a ^ 2 * m / I * -v0 * w0, "v w belongs to it: the edge turns" } },
                   hint = "m (a w' + v w) with I w' = -m a v w" },
      check.near { "decay", name = "how straight motion is held", points = 2, answer = "decay", unit = "1/s", rtol = 2e-3,
                   expected = m * a * V / I,
                   mistakes = { { -m * a * V / I, "exp(-d t) with a positive d, or it would not die out" },
                                { m * a * V / J, "I = J + m a^2, not J" },
                                { m * a / I, "the speed belongs to it" } },
                   hint = "I w' = -m a v w with v = V" },
    }
  end,
}
