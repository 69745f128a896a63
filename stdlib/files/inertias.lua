-- Moments of inertia as files have them: rounded to a few digits, those of flat parts belong to no body.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"

local inertias = {}

--- Jacobi's rotations: the principal moments of J (numbers Jxx, Jyy, Jzz, Jxy, Jxz, Jyz), and their axes, the columns of
--- a rotation.
function inertias.principal(J)
  local A = { { J[1], J[4], J[5] }, { J[4], J[2], J[6] }, { J[5], J[6], J[3] } }
  local R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  for _ = 1, 12 do
    for p = 1, 2 do
      for q = p + 1, 3 do
        if A[p][q] ~= 0 then
          local theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
          local t = (theta >= 0 and 1 or -1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
          local c = 1 / math.sqrt(t * t + 1)
          local s = t * c
          for k = 1, 3 do A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q] end
          for k = 1, 3 do A[p][k], A[q][k] = c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k] end
          for k = 1, 3 do R[k][p], R[k][q] = c * R[k][p] - s * R[k][q], s * R[k][p] + c * R[k][q] end
        end
      end
    end
  end
  return { A[1][1], A[2][2], A[3][3] }, R
end

-- Of the largest moment, that rounding to two digits and more may add to it.
local rounding = 0.01

--- J (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz; expressions, too), or what is done where one principal moment exceeds the sum of the
--- two others, if all are numbers: with balances_inertia in c, the mean of the three for each of them, as MuJoCo does.
--- Else, within rounding, the nearest that a body can have, by a third of the excess less for the largest and more for
--- the others; beyond it, the file is wrong. `whose`: "of link "a"", for messages.
function inertias.possible(c, element, J, whose)
  local values = {}
  for k = 1, 6 do values[k] = rotations.value(J[k]) end
  local moments, R = inertias.principal(values)
  local largest = 1
  for k = 2, 3 do
    if moments[k] > moments[largest] then largest = k end
  end
  local trace = moments[1] + moments[2] + moments[3]
  local excess = 2 * moments[largest] - trace
  local least = c.balances_inertia and -1e-12 or -rounding
  if math.min(moments[1], moments[2], moments[3]) < least * moments[largest] or excess <= 1e-12 * trace then return J end
  for k = 1, 6 do
    if type(J[k]) ~= "number" then
      numbers.fail(element, (" %s: one moment of inertia exceeds the sum of the two others, and what is done about that would "
        .. "not follow the parameter that is asked for; write moments that a body can have"):format(whose))
    end
  end
  if c.balances_inertia then
    local mean = (J[1] + J[2] + J[3]) / 3
    return { mean, mean, mean, 0, 0, 0 }
  end
  if excess > rounding * moments[largest] then
    numbers.fail(element, (" %s: inertia belongs to no body: the moment %g exceeds the sum of the two others, %g, by more than "
      .. "rounding does; moments are those about the centre of mass: correct them%s"):format(whose, moments[largest],
      trace - moments[largest], c.balances_inertia == false and ", or say <compiler balanceinertia=\"true\"/>" or ""))
  end
  c:leave(element, "", "one moment exceeds the sum of the two others, as those of flat parts do by rounding: each is " ..
    "changed by a third of the excess")
  local n, out, third = { R[1][largest], R[2][largest], R[3][largest] }, {}, excess / 3
  for k, pair in ipairs { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } } do
    local along = n[pair[1]] * n[pair[2]]
    out[k] = J[k] + third * ((k <= 3 and 1 or 0) - 2 * along)
  end
  return out
end

return inertias
