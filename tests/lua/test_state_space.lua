-- x' = A x + B u: closed forms, first-order states, what the eigenvalues of A are, gains from it, and what is refused.
local mbs = require "perilune"
local check = require "check"

local g = 9.81

--- A pole of the length l with a mass at its end on a cart with friction c and a motor force u.
local function cart_pole(options)
  options = options or {}
  local M, mass, l, c = 2, 0.5, 0.6, 0.3
  local m = mbs.model { "cart and pole", gravity = { 0, -g } }
  local r = { model = m, u = m:param { "u", 0, unit = "N" }, M = M, mass = mass, l = l, c = c }
  r.cart = m:body { "cart", mass = M, inertia = 1, velocity = { options.speed or 0, 0 } }
  r.rail = m:translational { "rail", m.ground, r.cart, at = { 0, 0 }, axis = "x" }
  r.bob = m:point { "bob", at = { options.lean or 0, math.sqrt(l ^ 2 - (options.lean or 0) ^ 2) }, mass = mass,
                    velocity = { options.speed or 0, 0 } }
  m:distance { "rod", r.cart, r.bob, length = l }
  m:force { "drive", on = r.cart, law = function(s) return 3 * r.u - c * s.vx, 0 end }
  return r
end

local function compare(found, expected, tolerance, what)
  check.equal(#found, #expected, what)
  for i, row in ipairs(expected) do
    check.equal(#found[i], #row, what)
    for j, value in ipairs(row) do check.near(found[i][j], value, tolerance, ("%s[%d][%d]"):format(what, i, j)) end
  end
end

-- M x'' = -m g w / l - c x' + 3 u with the lean w = xb - xc, whose rod pushes the cart; w'' = g w / l - x''.
do
  local r = cart_pole()
  local lean, turn = r.bob.x - r.cart.x, r.bob.vx - r.cart.vx
  local found = r.model:state_space { states = { r.cart.x, lean, r.cart.vx, turn }, inputs = { r.u } }
  local p = r.mass * g / (r.l * r.M)
  compare(found.A, { { 0, 0, 1, 0 }, { 0, 0, 0, 1 }, { 0, -p, -r.c / r.M, 0 }, { 0, g / r.l + p, r.c / r.M, 0 } },
          1e-12, "A")
  compare(found.B, { { 0 }, { 0 }, { 3 / r.M }, { -3 / r.M } }, 1e-12, "B")
  check.equal(found.inputs[1], "u")
  check.equal(#found.states, 4)
  -- The same in other words: velocities first, the lean as an angle to the left.
  local other = r.model:state_space { states = { r.cart.vx, -turn / r.l, r.cart.x, -lean / r.l }, inputs = r.u }
  compare(other.A, { { -r.c / r.M, 0, 0, p * r.l }, { -r.c / r.M / r.l, 0, 0, g / r.l + p }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 } },
          1e-12, "A, in other states")
  compare(other.B, { { 3 / r.M }, { 3 / r.M / r.l }, { 0 }, { 0 } }, 1e-12, "B, in other states")

  -- With the gains of the regulator the mechanism itself has the eigenvalues that it promises.
  local regulator = mbs.lqr { A = found.A, B = found.B, Q = { 10, 100, 1, 1 }, R = { 0.1 } }
  local K = regulator.gain[1]
  r.model:force { "feedback", on = r.cart, law = function()
    return -3 * (K[1] * r.cart.x + K[2] * lean + K[3] * r.cart.vx + K[4] * turn), 0
  end }
  local closed = r.model:linearize {}
  assert(closed.stable)
  for _, promised in ipairs(regulator.eigenvalues) do
    local least = math.huge
    for _, value in ipairs(closed.eigenvalues) do
      least = math.min(least, math.abs(value.real - promised.real) + math.abs(value.imaginary - promised.imaginary))
    end
    check.near(least, 0, 1e-10)
  end
end

-- First-order states are states, too: a motor with the time constant T, which follows the voltage u.
do
  local T, k, mass = 0.05, 4, 1.5
  local m = mbs.model { "motor", gravity = { 0, 0 } }
  local u, w = m:param { "u", 0 }, m:param { "w", 0, unit = "N" }
  local P = m:point { "P", at = { 0, 0 }, mass = mass }
  m:point_on_line { "rail", m.ground, P, axis = "x" }
  local motor = m:state { "motor", unit = "N", rate = function(s) return (k * u - s.value) / T end }
  m:force { "push", on = P, law = function() return motor.value + w, 0 end }
  local found = m:state_space { states = { P.x, P.vx, motor.value }, inputs = { u, w } }
  compare(found.A, { { 0, 1, 0 }, { 0, 0, 1 / mass }, { 0, 0, -1 / T } }, 1e-12, "A")
  compare(found.B, { { 0, 0 }, { 0, 1 / mass }, { k / T, 0 } }, 1e-12, "B")
end

-- About an equilibrium that has to be found: a mass on a spring whose force is cubic.
do
  local k, mass = 200, 2
  local m = mbs.model { "cubic", gravity = { 0, -g } }
  local u = m:param { "u", 0, unit = "N" }
  local P = m:point { "P", at = { 0, -0.1 }, mass = mass }
  m:point_on_line { "rail", m.ground, P, axis = "y" }
  m:force { "spring", on = P, law = function() return 0, -k * P.y ^ 3 + u end }
  check.fails("m:equilibrium {}", function() m:state_space { states = { P.y, P.vy }, inputs = u } end)
  local found = m:state_space { states = { P.y, P.vy }, inputs = u, from = m:equilibrium {} }
  local y = -(mass * g / k) ^ (1 / 3)
  compare(found.A, { { 0, 1 }, { -3 * k * y ^ 2 / mass, 0 } }, 1e-7, "A")
  compare(found.B, { { 0 }, { 1 / mass } }, 1e-12, "B")
end

-- Constraints on velocities leave more positions than velocities.
do
  local m = mbs.model { "sleigh", gravity = { 0, 0 } }
  local u = m:param { "u", 0, unit = "N m" }
  local sleigh = m:body { "sleigh", mass = 3, inertia = 0.7 }
  m:constraint { "edge", velocity = function(s)
    return -math.sin(sleigh.angle(s)) * sleigh.vx(s) + math.cos(sleigh.angle(s)) * sleigh.vy(s)
  end }
  m:torque { "rudder", on = sleigh, torque = u }
  local found = m:state_space { states = { sleigh.x, sleigh.y, sleigh.angle, sleigh.vx, sleigh.omega }, inputs = u }
  compare(found.A, { { 0, 0, 0, 1, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 } },
          1e-12, "A")
  compare(found.B, { { 0 }, { 0 }, { 0 }, { 0 }, { 1 / 0.7 } }, 1e-12, "B")
end

-- Sentences.
do
  local r = cart_pole()
  local m, x, w, v, t = r.model, r.cart.x, r.bob.x, r.cart.vx, r.bob.vx
  local idle = m:param { "idle", 1 }
  local function fails(sentence, fields)
    fields.inputs = fields.inputs or r.u
    check.fails(sentence, function() m:state_space(fields) end)
  end
  fails("have 4 (2 of positions, 2 of velocities) numbers, but 3 states are given", { states = { x, w, v } })
  fails("'cart.vx', '2 * cart.vx' say the same", { states = { x, w, v, 2 * v } })
  fails("'bob.y'", { states = { x, r.bob.y, v, t } })
  fails("states[2] must be an expression of signals", { states = { x, 3, v, t } })
  fails("states is missing", {})
  fails("not accelerations or reactions", { states = { x, w, v, r.cart.ax } })
  check.equal(m:state_space { states = { x, w, v, t }, inputs = { idle } }.B[3][1], 0)
  local longer = mbs.model { "pendulum", gravity = { 0, -g } }
  local l = longer:param { "l", 0.5, unit = "m", min = 0.1 }
  local P = longer:point { "P", at = { 0, -0.5 }, mass = 1 }
  longer:distance { "rod", longer:ground { at = { 0, 0 } }, P, length = l }
  check.fails("input 'l' moves the constraint of", function()
    longer:state_space { states = { P.x, P.vx }, inputs = l }
  end)
  check.fails("the state moves", function()
    local moving = cart_pole { speed = 1 }
    moving.model:state_space { states = { moving.cart.x, moving.bob.x, moving.cart.vx, moving.bob.vx }, inputs = moving.u }
  end)
  check.fails("is not in balance", function()
    local leaning = cart_pole { lean = 0.1 }
    leaning.model:state_space { states = { leaning.cart.x, leaning.bob.x, leaning.cart.vx, leaning.bob.vx },
                                inputs = leaning.u }
  end)
end

-- Gains of lqr close the loop that they were found for, whatever unit the input has: all is in SI units.
for unit, size in pairs { N = 1, kN = 1e3, mN = 1e-3 } do
  local m = mbs.model { gravity = { 0, 0 } }
  local u, k1, k2 = m:param { "u", 0, unit = unit }, m:param { "k1", 0 }, m:param { "k2", 0 }
  local P = m:point { "P", at = { 0.1, 0 }, mass = 2 }
  m:constraint { law = P.y }
  m:force { on = P, law = function(s) return u - k1 * s.x - k2 * s.vx, 0 end }
  local found = m:state_space { states = { P.x, P.vx }, inputs = u }
  check.near(found.B[2][1], 1 / 2, 1e-12, "B by " .. unit .. " of " .. size)
  local regulator = mbs.lqr { A = found.A, B = found.B, Q = { 100, 1 }, R = { 1 } }
  k1.value, k2.value = regulator.gain[1][1], regulator.gain[1][2]
  check.near(m:linearize {}.eigenvalues[1].real, regulator.eigenvalues[1].real, 1e-9, "closed loop in " .. unit)
end
