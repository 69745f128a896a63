local check = require "exercise"

local function polynomial(given, v)
  local arm = given.trail - given.centre
  return { given.inertia + given.mass * arm ^ 2, given.mass * v * arm + given.damping, given.stiffness * given.trail ^ 2,
           given.stiffness * given.trail * v }
end

-- The real root, by bisection (of three, if all are).
local function real_root(given, v)
  local a = polynomial(given, v)
  local function p(s) return ((a[1] * s + a[2]) * s + a[3]) * s + a[4] end
  local low, high = -1e4, 1e4
  for _ = 1, 100 do
    local middle = (low + high) / 2
    if p(middle) < 0 then low = middle else high = middle end
  end
  return (low + high) / 2
end

-- The largest real part of the three roots: the two others are those of a quadratic.
local function growth(given, v)
  local a, root = polynomial(given, v), real_root(given, v)
  local half = (a[2] / a[1] + root) / 2 -- s^2 + 2 half s + rest
  local rest = a[3] / a[1] + root * 2 * half
  local others = half ^ 2 > rest and -half + math.sqrt(half ^ 2 - rest) or -half
  return math.max(root, others)
end

local function changed(given, values) return setmetatable(values, { __index = given }) end

return {
  title = "Linearization and a stability speed",
  topic = "stability",
  level = 3,
  given = function(random)
    return { mass = random(7, 9), inertia = random(0.26, 0.34), centre = random(0.08, 0.11), trail = random(0.14, 0.17),
             stiffness = random(2000, 5000), damping = random(3, 4) }
  end,
  checks = function(given)
    local M, J, l, b, d = given.mass, given.inertia, given.centre, given.trail, given.damping
    local speed = d * b / (J - M * l * (b - l))
    local inertia = J + M * (b - l) ^ 2
    local omega = math.sqrt(given.stiffness * b ^ 2 / inertia)
    local v = 2.3
    local a = polynomial(given, v)
    local function growths(other) return { growth(other, 1), growth(other, 3), growth(other, 9) } end
    local right, back = growths(given), growth(given, -1)
    return {
      check.near { "polynomial", name = "the polynomial, by hand", points = 4, call = "polynomial", arguments = { v },
                   unit = "SI",
                   rtol = 1e-6, expected = a,
                   mistakes = { { { a[4], a[3], a[2], a[1] }, "in reverse order: a3 first" },
                                { { a[1] / a[1], a[2] / a[1], a[3] / a[1], a[4] / a[1] },
                                  "the common factor is another one: a1 = k b^2 is asked for" },
                                { { a[1], a[2], a[3], a[4] / v },
                                  "v is missing in a0: the wheel has to go forward to steer" },
                                { { a[1], a[2] - d, a[3], a[4] }, "the damper is missing in a2" },
                                { { a[1], a[2], a[3], -a[4] }, "the sign of a0: is it y' = b theta' + v theta?" } },
                   hint = "a3 is a moment of inertia, a2 has two parts, a0 is a1 v / b" },
      check.residual { "coefficients", name = "and all its coefficients", points = 2, call = "polynomial",
                       arguments = { v },
                       below = 1e-6,
                       residual = function(value)
                         if type(value) ~= "table" or #value ~= 4 then return "polynomial: should be a list of four" end
                         local off = {}
                         for i = 1, 4 do
                           if not math.type(value[i]) then return "polynomial: has items that are no numbers" end
                           off[i] = value[i] / a[i] - 1
                         end
                         if math.abs(off[1] - (J / a[1] - 1)) < 1e-6 then
                           return "polynomial: a3 has J about the centre only; the mass moves, too"
                         end
                         if math.abs(off[1] - ((J + M * l ^ 2) / a[1] - 1)) < 1e-6 then
                           return "polynomial: a3 is not the inertia about the pivot: the fork turns about where it "
                                    .. "does not slide"
                         end
                         if math.abs(off[2] - ((M * v * (b - l) - d) / a[2] - 1)) < 1e-6 then
                           return "polynomial: the damper has the wrong sign in a2"
                         end
                         if math.abs(off[2] - (d / a[2] - 1)) < 1e-6 then
                           return "polynomial: a2 has a part with v: the mass follows the steering wheel"
                         end
                         return off
                       end },
      check.near { "speed", name = "the stability speed", points = 3, answer = "speed", unit = "m/s", rtol = 2e-3,
                   expected = speed,
                   mistakes = { { d * b / J, "M l (b - l) is missing: the mass of the fork helps" },
                                { d * b / (J + M * l * (b - l)), "a sign in the denominator J - M l (b - l)" },
                                { d / (J - M * l * (b - l)), "a factor b is missing: check the units" },
                                { 3.6 * speed, "this is in km/h; m/s are expected" },
                                { speed * given.stiffness, "k cancels on both sides" } },
                   hint = "a2 a1 = a3 a0, solved for v" },
      check.near { "frequency", name = "the frequency of the shimmy", points = 2, answer = "frequency", unit = "Hz",
                   rtol = 2e-3, expected = omega / (2 * math.pi),
                   mistakes = { { omega, "this is omega in rad/s; Hz are expected" },
                                { math.sqrt(given.stiffness / M) / (2 * math.pi),
                                  "the fork turns rather than shifts: omega^2 = a1 / a3" },
                                { math.sqrt(given.stiffness * b ^ 2 / J) / (2 * math.pi), "a3 is more than J" } } },
      check.near { "growth", name = "growth, by the engine", points = 4, answer = "growth", unit = "1/s", rtol = 1e-3,
                   expected = right,
                   mistakes = function()
                     return { { { real_root(given, 1), real_root(given, 3), real_root(given, 9) },
                                "this is the real mode alone; two others oscillate" },
                              { growths(changed(given, { damping = 0 })), "the damper is missing" },
                              { growths(changed(given, { damping = -d })), "the damper drives: its torque is -d omega" },
                              { growths(changed(given, { trail = 2 * l - b })),
                                "the wheel is before the centre of mass: its place on the fork is { l - b, 0 }" },
                              { { growth(given, -1), growth(given, -3), growth(given, -9) },
                                "the pivot is pushed backwards" },
                              { growths(changed(given, { trail = b + l })),
                                "the trail b counts from the pivot: the wheel's place on the fork is { l - b, 0 }" } }
                   end,
                   hint = "the largest of mode.real over all modes, the real ones included" },
      check.near { "stiffer", name = "a spring four times stiffer", points = 3, answer = "stiffer", rtol = 5e-3,
                   expected = { 1, 2 },
                   mistakes = { { { 2, 2 }, "measure the speed: where is the largest real part zero?" },
                                { { 4, 2 }, "measure the speed: where is the largest real part zero?" },
                                { { 4, 4 }, "measure the speed: where is the largest real part zero?" },
                                { { 1, 4 }, "omega^2 is four times larger" },
                                { { 1, 1 }, "the speed is right, but not the frequency: omega^2 = a1 / a3" } } },
      check.near { "backward", name = "backwards", points = 2, answer = "backward", unit = "1/s", rtol = 1e-3,
                   expected = back,
                   mistakes = { { growth(given, 1), "this is forward" },
                                { growth(changed(given, { damping = 0 }), -1), "the damper is missing" } },
                   hint = "a0 < 0: one s is real and positive" },
      check.near { "safe_trail", name = "a trail for all speeds", points = 2, answer = "safe_trail", unit = "m",
                   rtol = 1e-3,
                   expected = l + J / (M * l),
                   mistakes = { { J / (M * l),
                                  "this is b - l; the trail is b" }, { l, "the trail must be longer than that" },
                                { math.sqrt(J / M), "this is the radius of inertia; it is l (b - l) that counts" } },
                   hint = "where does the stability speed become infinite?" },
      check.uses { "linearize", name = "by linearization", of = "model:linearize", at_least = 4 },
    }
  end,
}
