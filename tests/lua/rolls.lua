-- What the tests of rolling share: forms and integrators, and what a pose says of what touches.
local mbs = require "perilune"
local check = require "check"
local rolls = {}

function rolls.forms()
  return { mbs.index1 {}, mbs.index1 { alpha = 5, beta = 5 }, mbs.index1 { project = true }, mbs.index2 {},
           mbs.index3 {}, mbs.stabilized_index1 {}, mbs.penalty {}, mbs.augmented_lagrangian {},
           mbs.augmented_lagrangian { index = 3 }, mbs.maggi {}, mbs.coordinate_partitioning {} }
end

--- Calls judge(run, what) for every form with every integrator that goes with it; returns how many did.
function rolls.for_all(m, options, judge)
  local count = 0
  local tight = { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 }
  local integrators = { mbs.rk4 { step = 0.01 }, mbs.trapezoidal { step = 0.002 }, mbs.sdirk4 { step = 0.005 },
                        mbs.radau { step = 0.02 }, mbs.generalized_alpha { step = 0.001 }, mbs.bdf { step = 0.002 },
                        mbs.rosenbrock { step = 0.01 }, mbs.dormand_prince(tight), mbs.radau(tight) }
  for _, form in ipairs(rolls.forms()) do
    for _, integrator in ipairs(integrators) do
      options.formulation, options.integrator = form, integrator
      local done, run = pcall(m.simulate, m, options)
      if done then
        count = count + 1
        judge(run, tostring(form) .. ", " .. tostring(integrator))
      else
        assert(tostring(run):find "needs", run)  -- forms and integrators that do not go together
      end
    end
  end
  return count
end

function rolls.has(found, real, imaginary, tolerance, what)
  assert(real == real and imaginary == imaginary, what)
  local distance = math.huge
  for _, value in ipairs(found.eigenvalues) do
    local far = math.max(math.abs(value.real - real), math.abs(math.abs(value.imaginary) - imaginary))
    distance = math.min(distance, far)
  end
  assert(distance < tolerance, ("%s: %.12g +- %.12g i is no eigenvalue, the nearest is %.2g away\n%s"):format(
    what, real, imaginary, distance, tostring(found)))
end

function rolls.no_warnings(run, what)
  check.equal(#run.warnings, 0, (what or "") .. table.concat(run.warnings, "\n"))
end

rolls.precise = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
function rolls.precisely(m, options)
  options.integrator, options.formulation = options.integrator or rolls.precise, options.formulation or mbs.maggi {}
  return m:simulate(options)
end

--- The matrix of rotation of a body at a time, and the angular velocity in space.
function rolls.pose(run, name, t)
  local function at(what) return run:at(name .. "." .. what, t) end
  local e0, e1, e2, e3 = at "e0", at "e1", at "e2", at "e3"
  local A = { { e0^2 + e1^2 - e2^2 - e3^2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
              { 2 * (e1 * e2 + e0 * e3), e0^2 - e1^2 + e2^2 - e3^2, 2 * (e2 * e3 - e0 * e1) },
              { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0^2 - e1^2 - e2^2 + e3^2 } }
  local w, turn = { at "omega_x", at "omega_y", at "omega_z" }, {}
  for i = 1, 3 do turn[i] = A[i][1] * w[1] + A[i][2] * w[2] + A[i][3] * w[3] end
  return A, turn, { at "x", at "y", at "z" }, { at "vx", at "vy", at "vz" }
end

--- The velocity of the point of a body that touches, from its pose and the place of contact.
function rolls.slip_of(run, body, contact, t)
  local _, w, r, v = rolls.pose(run, body, t)
  local s = {}
  for i, axis in ipairs { "x", "y", "z" } do s[i] = run:at(contact .. "." .. axis, t) - r[i] end
  return { v[1] + w[2] * s[3] - w[3] * s[2], v[2] + w[3] * s[1] - w[1] * s[3], v[3] + w[1] * s[2] - w[2] * s[1] }
end

return rolls
