-- Cost of a gradient in forward runs of chains of bodies on hinges in joint coordinates: masses, or the places of the
-- hinges, as parameters; all of them by the adjoint, one and four by the direct method. Ratios of one run; each the best
-- of a few tries.
local mbs = require "perilune"
local how = { t = 1, formulation = mbs.joint_coordinates {},
              integrator = mbs.dormand_prince { relative_tolerance = 1e-6, absolute_tolerance = 1e-6 } }

local function chain(count, kind)
  local m = mbs.model { "chain", gravity = { 0, 0, -9.81 } }
  local length, width, parameters = 0.2, 0.02, {}
  local last = m.ground
  for k = 1, count do
    local value = m:param { kind .. k, kind == "mass" and 0.2 or length }
    parameters[k] = value
    local mass, reach = kind == "mass" and value or 0.2, kind == "reach" and value or length
    local across, along = 0.2 * (length ^ 2 + width ^ 2) / 12, 0.2 * width ^ 2 / 6
    local axis = k % 2 == 1 and "z" or "y"
    local rod = m:body { "rod" .. k, at = { (k - 0.5) * length, 0, 0 }, mass = mass, inertia = { along, across, across } }
    m:revolute { "hinge" .. k, last:marker { at = { k == 1 and 0 or 0.5 * reach, 0, 0 }, axis = axis },
                 rod:marker { at = { -0.5 * reach, 0, 0 }, axis = axis } }
    last = rod
  end
  local tip = last:point { length / 2, 0, 0 }
  return m, parameters, m:objective { "cost", integral = function(s) return tip.z(s) ^ 2 + tip.x(s) end,
                                      terminal = function(s) return tip.z(s) end }
end

local function best(action)
  local seconds = math.huge
  for _ = 1, 5 do seconds = math.min(seconds, action().seconds) end
  return seconds
end
print "bodies  parameters   forward (ms)   adjoint   direct 1   direct 4"
for _, kind in ipairs { "mass", "reach" } do
  for _, count in ipairs { 10, 20, 40 } do
    local m, parameters, cost = chain(count, kind)
    how.objectives, how[1], how.over, how.method = cost, nil, nil, nil
    local forward = best(function() return m:simulate(how) end)
    how.objectives, how[1] = nil, cost
    local function ratio(method, many)
      how.method, how.over = method, table.move(parameters, 1, many, 1, {})
      return best(function() return m:gradient(how) end) / forward
    end
    print(("%6d  %10s %14.2f %9.1f %10.1f %10.1f"):format(count, kind, 1e3 * forward, ratio(mbs.adjoint {}, count),
                                                       ratio(mbs.direct {}, 1), ratio(mbs.direct {}, 4)))
  end
end
