-- Random laws and integrands with conditions, signs, absolute values, minima and maxima: what adaptive integrators find
-- with default tolerances, and their gradients, against differences of runs with tight ones. What is apart fails unless
-- the run warned or was refused with a sentence.
--   perilune tests/fuzz/switches.lua --seed 7 --count 2000
--   perilune tests/fuzz/switches.lua --seed 31 --count 1 --verbose 1     the case of seed 31 once more
local mbs = require "perilune"

local options = mbs.options { seed = 1, count = 300, verbose = 0 }
local value_tolerance, gradient_tolerance = 1e-4, 1e-3

local integrators = { { "dormand_prince", mbs.dormand_prince {} }, { "radau", mbs.radau {} }, { "bdf", mbs.bdf {} },
                      { "rosenbrock", mbs.rosenbrock {} } }
local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 }

local function any(list) return list[math.random(#list)] end
local function number() return math.random(-100, 100) / 50 end

-- Expressions are texts, so that a finding can be read. Forces read no velocity, since the motion might come to rest on
-- the corner of one that does, which adaptive steps creep along.
local reads
local function smooth(depth)
  local kind = depth > 0 and math.random(7) or 7
  local function part() return smooth(depth - 1) end
  if kind <= 3 then return ("(%s %s %s)"):format(part(), ({ "+", "-", "*" })[kind], part()) end
  if kind == 4 then return ("math.sin(%s * %s)"):format(3 * number(), part()) end
  if kind == 5 then return ("math.sqrt(0.5 + (%s)^2)"):format(part()) end
  if kind == 6 then return ("math.exp(-(%s)^2)"):format(part()) end
  return any(reads)
end
local function with_kinks(depth)
  local kind = depth > 0 and math.random(7) or 8
  local function part() return with_kinks(depth - 1) end
  if kind <= 2 then
    local compare = any { "mbs.gt", "mbs.lt", "mbs.ge", "mbs.le" }
    return ("mbs.where(%s(%s, %s), %s, %s)"):format(compare, smooth(1), smooth(1), part(), part())
  end
  if kind == 3 then return ("math.abs(0 * s.t + %s)"):format(part()) end
  if kind <= 5 then return ("math.%s(%s, 0 * s.t + %s)"):format(kind == 4 and "max" or "min", part(), smooth(1)) end
  if kind == 6 then return ("(%s + %s)"):format(part(), smooth(1)) end
  if kind == 7 then return ("mbs.sign(%s)"):format(smooth(1)) end
  return smooth(1)
end

local function draw(seed)
  math.randomseed(seed)
  reads = { "P.x(s)", "P.y(s)", "s.t", "k", "k", "(" .. number() .. ")" }
  local force = with_kinks(2)
  table.move({ "P.vx(s)", "P.vy(s)" }, 1, 2, #reads + 1, reads)
  return { kind = any { "free", "pendulum", "spring" }, force = force, integrand = with_kinks(2),
           at = { number(), number() }, velocity = { number(), number() }, k = number(), t = 0.3 + math.random() }
end

local function declare(case, k)
  local m = mbs.model { gravity = { 0, -9.81 } }
  local scope = setmetatable({ k = m:param { "k", k } }, { __index = _ENV })
  scope.mbs = mbs
  local P
  if case.kind == "pendulum" then
    P = m:point { "P", at = { 1, 0 }, velocity = { 0, case.velocity[2] }, mass = 1 }
    m:distance { m.ground, P }
  else
    P = m:point { "P", at = case.at, velocity = case.velocity, mass = 1 }
  end
  if case.kind == "spring" then m:spring { m.ground, P, stiffness = 30, free_length = 0.5 } end
  scope.P = P
  local function law(text, name) return load("return function(s) return " .. text .. " end", name, "t", scope)() end
  local force = law(case.force, "=force")
  m:force { "f", on = P, law = function(s) return force(s), 0 end }
  return m, m:objective { "J", integral = law(case.integrand, "=integrand") }
end

local function apart(x, y, least) return math.abs(x - y) / (least + math.abs(y)) end

local compared, findings = 0, 0
for seed = options.seed, options.seed + options.count - 1 do
  local case = draw(seed)
  local function value(k)
    local m, J = declare(case, k)
    return m:simulate { t = case.t, integrator = tight, objectives = J }.objectives.J
  end
  local h = 1e-5
  local is_there, here, above, below = pcall(function() return value(case.k), value(case.k + h), value(case.k - h) end)
  -- A corner or a jump of the objective itself has no derivative.
  local jumps = is_there and math.abs(above - below) > 0.1  -- on both sides alike, as a sign does
                and apart(8 * (value(case.k + h / 8) - here), above - here, 0.1) > 0.1
  if is_there and not jumps and apart((above - here) / h, (here - below) / h, 1e-2) < gradient_tolerance then
    local difference = (above - below) / (2 * h)
    local lines = {}
    for _, each in ipairs(integrators) do
      local ok, found = pcall(function()
        local m, J = declare(case, case.k)
        return m:gradient { J, t = case.t, integrator = each[2] }
      end)
      if ok then
        local warns = false
        for _, text in ipairs(found.warnings) do warns = warns or not text:find("nothing depends on", 1, true) end
        local is_right = apart(found.value, here, 1e-3) < value_tolerance
                         and apart(found.gradient[1], difference, 1e-2) < gradient_tolerance
        compared = compared + 1
        if not is_right and not warns then
          lines[#lines + 1] = ("  %s: %.9g, %.9g"):format(each[1], found.value, found.gradient[1])
        end
      elseif options.verbose ~= 0 then
        print(each[1], found)
      end
    end
    if #lines > 0 or options.verbose ~= 0 then
      print(("seed %d, %s, t = %.17g, k = %g, at {%g, %g}, velocity {%g, %g}\n  force %s\n  integrand %s"):format(
        seed, case.kind, case.t, case.k, case.at[1], case.at[2], case.velocity[1], case.velocity[2], case.force,
        case.integrand))
      print(("  right: %.9g, %.9g; not within tolerance, in silence:"):format(here, difference))
      print(table.concat(lines, "\n"))
    end
    findings = findings + (#lines > 0 and 1 or 0)
  end
end
print(("%d gradients compared, %d findings"):format(compared, findings))
if findings > 0 or compared < options.count then os.exit(1) end
