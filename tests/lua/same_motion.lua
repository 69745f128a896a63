-- For tests of what files of other programs are written and read again: motions of two models compared.
local mbs = require "perilune"
local same_motion = {}

-- Loops have redundant constraints: of formulations that take these, one.
function same_motion.of(m, formulation)
  return m:simulate { t = 0.5, formulation = formulation,
                      integrator = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-13 } }
end

-- Two runs at 0.5 s: these signals of the bodies, and others by their names.
function same_motion.check(one, other, bodies, of_bodies, signals)
  local function check(signal)
    local x, y = one:at(signal, 0.5), other:at(signal, 0.5)
    -- Euler parameters of both signs are the same orientation.
    local difference = signal:find "%.e%d$" and math.min(math.abs(x - y), math.abs(x + y)) or math.abs(x - y)
    assert(difference < 1e-11, ("%s: %.17g, read again %.17g"):format(signal, x, y))
  end
  for _, body in ipairs(bodies) do
    for _, what in ipairs(of_bodies) do check(body .. "." .. what) end
  end
  for _, signal in ipairs(signals) do check(signal) end
end

return same_motion
