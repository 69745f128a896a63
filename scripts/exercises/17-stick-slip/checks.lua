local check = require "exercise"

local g = 9.81

local function artanh(x) return math.log((1 + x) / (1 - x)) / 2 end

-- Stick and slip between ideal coefficients: half the change of the stretch, time of a slide, period, way of a slide.
local function cycle(given)
  local A = (given.static - given.dynamic) * given.mass * g / given.stiffness
  local omega = math.sqrt(given.stiffness / given.mass)
  local slide = 2 / omega * (math.pi - math.atan(A * omega / given.speed))
  local period = 2 * A / given.speed + slide
  return A, slide, period, given.speed * period
end

-- What is wrong with the places of the block where it sticks: before the first jump, after one, and after two.
local function mismoved(x, jump)
  local size = math.max(math.abs(x[1]), math.abs(x[2]), math.abs(x[3]))
  if math.abs(x[1]) < 0.02 * jump and math.abs(x[2] - jump) < 0.04 * jump and math.abs(x[3] - 2 * jump) < 0.04 * jump then
    return 0
  end
  if size < 1e-3 * jump then return "pulled: nothing pulls the block" end
  if math.abs(x[1]) > 0.02 * jump then
    return "pulled: the block moves where it should stick yet: is there friction, static and dynamic, on the level?"
  end
  if math.abs(x[2] - x[1]) < 0.02 * jump then return "pulled: the block sticks for too long: mus, k, V?" end
  return "pulled: the jumps are others: m, mus, muk, k, V?"
end

return {
  title = "Creep, stick and slip",
  topic = "friction",
  level = 2,
  given = function(random)
    return { mass = random(1.2, 1.8), angle = random(0.1, 0.2), coefficient = random(0.3, 0.4),
             regularization = random(0.5, 2) * 1e-3, stiffness = random(40, 60), speed = random(0.02, 0.03),
             static = random(0.45, 0.55), dynamic = random(0.28, 0.34) }
  end,
  checks = function(given)
    local m, a, mu, vs = given.mass, given.angle, given.coefficient, given.regularization
    local creep = vs * artanh(math.tan(a) / mu)
    local needed = 1e-3 / 3600 / artanh(math.tan(a) / mu)
    local N, held = m * g, m * g * math.sin(a) / 1e5
    local A, slide, period, jump = cycle(given)
    local omega = math.sqrt(given.stiffness / m)
    local high, low = given.static * N, (2 * given.dynamic - given.static) * N
    -- In the middle of the first three times that it sticks, and after half of the first stretching.
    local first = high / given.stiffness / given.speed
    local times = { first / 2, first + slide + A / given.speed, first + slide + period + A / given.speed }
    local down = { 2, 5, 10 }
    return {
      check.near { "creep", name = "the creep", points = 2, answer = "creep", unit = "m/s", rtol = 1e-4, expected = creep,
                   mistakes = { { 0, "a law without a jump has no force without slip" },
                                { vs * math.tan(a) / mu, "this holds for small loads; tanh turns round to artanh" },
                                { vs * artanh(math.sin(a) / mu), "the normal force is m g cos a, not m g" },
                                { vs * artanh(math.sin(math.rad(a)) / math.cos(math.rad(a)) / mu),
                                  "the angle is in radians already" },
                                { vs * math.atan(math.tan(a) / mu), "artanh, not atan" },
                                { vs * math.tan(a) / math.sqrt(mu ^ 2 - math.tan(a) ^ 2),
                                  "this is the creep of mbs.coulomb; here it is coulomb_tanh" } } },
      check.near { "hour", name = "in an hour", answer = "hour", unit = "m", rtol = 1e-3, expected = 3600 * creep,
                   mistakes = { { 60 * creep, "this is a minute" } } },
      check.near { "slope", name = "a block on a slope", points = 2, run = "slope", signals = { "block.x" }, times = down,
                   rtol = 2e-3, expected = { { 2 * creep, 5 * creep, 10 * creep } },
                   mistakes = { { { { held, held, held } }, "this is static_friction, of question 4" },
                                { { { -2 * creep, -5 * creep, -10 * creep } },
                                  "x points down the slope: gravity { g sin a, -g cos a }" },
                                { { { 0, 0, 0 } }, "nothing pulls it down the slope" } },
                   hint = "friction = mbs.coulomb_tanh { coefficient = mu, regularization = vs }, and mbs.radau {}" },
      check.near { "regularization", name = "what 1 mm in an hour asks for", answer = "regularization", unit = "m/s",
                   rtol = 1e-3, expected = needed,
                   mistakes = { { 1000 * needed, "this is 1 m in an hour" }, { 60 * needed, "this is 1 mm in a minute" },
                                { 1e-3 / 3600, "this is the creep itself; vs differs by artanh(tan a / mu)" } } },
      check.near { "steps", name = "and its price", points = 2, answer = "steps", unit = "1/s", rtol = 2e-3,
                   expected = mu * g * math.cos(a) / needed / 2.785,
                   mistakes = { { mu * g * math.cos(a) / vs / 2.785,
                                  "this is with the given vs; take the one of question 3" },
                                { mu * g / needed / 2.785, "the normal force is m g cos a" },
                                { mu * g * math.cos(a) / needed, "the limit of stability 2.785 is missing" },
                                { m * mu * g * math.cos(a) / needed / 2.785, "divide the damper by the mass" },
                                { 2.785 / (mu * g * math.cos(a) / needed),
                                  "this is the step; its reciprocal is asked for" } } },
      check.near { "held", name = "bristles hold it", answer = "held", unit = "m", rtol = 1e-2, expected = held,
                   mistakes = { { m * g * math.cos(a) / 1e5,
                                  "along the slope it is m g sin a" }, { m * g / 1e5, "along the slope it is m g sin a" },
                                { 0, "bristles bend before they hold" } } },
      check.near { "forces", name = "the forces of the spring", points = 3, answer = "forces", unit = "N", rtol = 1.5e-2,
                   expected = { high, low },
                   mistakes = { { { high, given.dynamic * N }, "at muk N the block is fastest: it does not stop there" },
                                { { high, 0 }, "the spring does not go slack: where is the block at rest again?" },
                                { { high, -low }, "the sign of the lowest: muk N is in the middle of both" },
                                { { given.static * m, (2 * given.dynamic - given.static) * m }, "g is missing: N = m g" },
                                { { low, high }, "the highest first" } },
                   hint = "an undamped swing goes to both sides of its middle muk N alike" },
      check.near { "mean", name = "its mean", points = 2, answer = "mean", unit = "N", rtol = 1e-2,
                   expected = given.dynamic * N,
                   mistakes = { { high, "this is the highest force" },
                                { (high + given.dynamic * N) / 2, "the force does not go between mus N and muk N" } } },
      check.near { "period", name = "the period", points = 2, answer = "period", unit = "s", rtol = 1e-2,
                   expected = period,
                   mistakes = { { 2 * A / given.speed, "the slide takes time, too: more than half of a free swing" },
                                { A / given.speed, "the stretch grows by 2 A from the lowest to the highest force" },
                                { A / given.speed + slide,
                                  "the stretch grows by 2 A from the lowest to the highest force" },
                                { 2 * math.pi / omega, "this is the free swing; the spring has to be stretched again" },
                                { slide, "this is the slide alone" } } },
      check.near { "jump", name = "the jump", answer = "jump", unit = "m", rtol = 1e-2, expected = jump,
                   mistakes = { { 2 * A, "during the slide the spring's end moves on" },
                                { A, "twice that, and the spring's end moves on" },
                                { 1000 * jump, "this is in mm" } },
                   hint = "the mean speed of the block is V" },
      check.residual { "pulled", name = "stick and slip, by the engine", points = 3, run = "pulled",
                       signals = { "block.x" }, times = times, below = 0,
                       residual = function(value) return mismoved(value[1], jump) end,
                       hint = "law = function(s) return k * (V * s.t - s.x), 0 end; level: a = 0" },
    }
  end,
}
