-- What tests of loops in joint coordinates share, in space and in the plane.
local check = require "check"
local mbs = require "perilune"

local joints, tight = mbs.joint_coordinates {}, mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local loop_checks = {}

-- Gradients of the first signal at the end and of the integral of the last one, by all discrete methods, differences and
-- another form.
function loop_checks.gradients(name, m, parameters, signals)
  local objectives = { m:objective { "end", terminal = m:signal(signals[1]) }, m:objective { "load", integral = m:signal(signals[#signals]) } }
  local gradients = {}
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 5 }, mbs.finite_difference {} } do
    gradients[#gradients + 1] = m:gradient { objectives, over = parameters, t = 0.15, formulation = joints,
                                             integrator = mbs.rk4 { step = 0.004 }, method = method }
  end
  local function exact(form)
    return m:gradient { objectives, over = parameters, t = 0.15, formulation = form, integrator = tight }
  end
  local a, b = exact(joints), exact(mbs.maggi {})
  for k = 1, #objectives do
    for i = 1, #parameters do
      local direct = gradients[1][k].gradient[i]
      local size = 1 + math.abs(direct)
      check.near(gradients[2][k].gradient[i], direct, 1e-10 * size, name .. ": adjoint")
      check.equal(gradients[3][k].gradient[i], gradients[2][k].gradient[i], name .. ": checkpoints")
      check.near(gradients[4][k].gradient[i], direct, 1e-5 * size, name .. ": differences")
      check.near(a[k].gradient[i], b[k].gradient[i], 1e-7 * size, name .. ": gradient by maggi")
    end
  end
end

-- The derivative of what redundant constraints leave alone, by all discrete methods and differences.
function loop_checks.redundant_gradient(m, cost, mass)
  local found = {}
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 3 }, mbs.finite_difference {} } do
    found[#found + 1] = m:gradient { cost, over = mass, t = 0.4, formulation = joints, integrator = mbs.rk4 { step = 0.004 },
                                     method = method }.gradient[1]
  end
  local size = math.abs(found[1])
  check.equal(size > 1e-3, true, "a derivative")
  check.near(found[2], found[1], 1e-11 * size, "redundant: adjoint")
  check.equal(found[3], found[2], "redundant: checkpoints")
  check.near(found[4], found[1], 1e-7 * size, "redundant: differences")
end

-- A mechanism that is driven farther than it reaches ends with a sentence, the same as by Maggi's form. `make`: makes it.
function loop_checks.driven_too_far(make)
  local function ending(form)
    local ok, why = pcall(function()
      return make():simulate { t = 3, formulation = form, integrator = mbs.rk4 { step = 0.005 } }
    end)
    check.equal(ok, false, "driven too far")
    return tostring(why)
  end
  local why = ending(joints)
  check.equal(why:find("no positions satisfy the constraints", 1, true) ~= nil, true, why)
  check.equal(why, ending(mbs.maggi {}), "driven too far")
end

return loop_checks
