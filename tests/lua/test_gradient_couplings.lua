-- One mechanism of nearly everything (joints at places and along axes of parameters, a gear, a rack, a driver by a law
-- with parameters, tabulated springs, a stop, a bushing, a state, a controller): every element against complex step, and
-- the gradients of both discrete methods against differences of whole simulations.
local mbs = require "perilune"
local check = require "check"

local function mechanism(kind)
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local p, q, r, L = m:param { "p", 0.7 }, m:param { "q", 0.3 }, m:param { "r", 1.2 }, m:param { "L", 0.4 }
  local a = m[kind](m, { "a", inertia_of = mbs.box { density = 300, size = { L, 0.1, q }, at = { L / 2, 0, 0 } } })
  local b = m[kind](m, { "b", inertia_of = mbs.cylinder { density = 500, radius = q / 3, length = r, at = { 0, L / 3, 0 } },
                         at = { L, 0.1, 0.3 } })
  local d = m:body { "d", mass = 2, inertia = { q, 0.2, 0.3 }, at = { 0, 0, 1 } }
  local turn = m:revolute { "turn", b, m.ground, at = { L, 0, 0.3 * q }, axis = { 0.1, q, 1 } }
  local sleeve = m:cylindrical { "sleeve", m.ground, a, at = { q, 0, 0 }, axis = { 1, p, 0 } }
  local slide = m:translational { "slide", d, m.ground, at = { 0, 0, 1 }, axis = { 0, p, 1 } }
  m:gear { turn, sleeve, ratio = -p }
  m:rack_and_pinion { turn, slide, radius = q }
  m:driver { "drive", sleeve.displacement, law = function(s) return q * math.sin(p * s.t * 3) + 0.1 * r * s.t^2 end }
  m:spring { m:ground { at = { 0, 1, q } }, b:point { 0.1, 0.1, L },
             spring_curve = mbs.spline { x = { -1, 0, 1, 2 }, y = { -20 * p, 0, 15 * r, 40 } },
             damper_curve = mbs.spline { x = { -3, 0, 3 }, y = { -5 * q, 0, 6 } } }
  m:bump_stop { on = sleeve, upper = 0.05 * q, stiffness = 100 * p, damping = 3 * r, width = 0.3 * q }
  m:bushing { m.ground:marker { at = { q, 0, 0 } }, d:marker { at = { 0, 0, 0.1 }, axis = { q, 0, 1 } },
              stiffness = { 10 * p, 20, 20 * q, 1, 2, p }, damping = { 1, q, 2, 0.1, p, 0.1 } }
  local z = m:state { "z", at = q, rate = function(s) return p * b.x - s.value * r + turn.omega end }
  local control = m:pid { "control", error = function(s) return q - sleeve.displacement end, kp = 10 * p, ki = r, kd = q,
                          filter = 0.1 * r }
  m:torque { on = a, torque = function(s) return control.output, z.value, 0 end }
  local running = b.x^2 + 0.1 * z.value + 1e-5 * m:signal "drive.force"^2 + 0.01 * m:signal "drive.power" + 0.01 * turn.torque_x
  local cost = m:objective { integral = running, terminal = sleeve.angle + 3 * slide.displacement + control.integral }
  return m, cost
end

for _, kind in ipairs { "body", "natural_body" } do
  local m, cost = mechanism(kind)
  assert(m:check_elements().worst < 1e-9)
  for _, how in ipairs { { mbs.penalty { alpha = 1e6 }, mbs.dormand_prince {} },
                         { mbs.index1 { alpha = 10, beta = 10 }, mbs.rk4 { step = 2e-3 } },
                         { mbs.index1 { alpha = 10, beta = 10 }, mbs.trapezoidal { step = 5e-3 } } } do
    local settings = { cost, t = 0.3, formulation = how[1], integrator = how[2],
                       method = mbs.finite_difference { step = 1e-3, richardson = 3 } }
    local difference = m:gradient(settings)
    for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
      settings.method = method
      local exact = m:gradient(settings)
      for k, g in ipairs(difference.gradient) do
        check.near(exact.gradient[k], g, 3e-7, ("%s, %s, %s, parameter %d"):format(kind, how[1], how[2], k))
      end
    end
  end
end

print "gradient of couplings: ok"
