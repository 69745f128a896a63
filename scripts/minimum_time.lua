-- The least time in which a crane moves its load from rest to rest: a free end time, and limits that hold at the end.
--
--   perilune minimum_time.lua [--distance 2] [--force 4] [--json file]
--
-- The motor pushes with all its force, one way and then the other; how long each push lasts is what is sought, and the
-- motion ends with the last. A cart alone is the case that has a formula: two pushes of the same length, and in all
-- 2 sqrt(distance mass / force). With the load on its rope a third and a fourth push take out the swing, and they come
-- in pairs: what the pushes do is the same forwards as backwards.
local mbs = require "perilune"
local results = require "results"
local options = mbs.options { distance = 2, force = 4, json = "" }

local cart_mass, load_mass, rope = 2, 0.5, 1 -- kg, kg, m

-- A cart with pushes that last so long at the start of the search; with a load where one is asked for.
local function crane(lengths, has_load)
  local m = mbs.model { has_load and "crane" or "cart", gravity = { 0, -9.81 } }
  local cart = m:body { "carriage", at = { 0, 0 }, mass = cart_mass, inertia = 1 }
  m:translational { m.ground, cart, at = { 0, 0 }, axis = { 1, 0 } }
  local pushes, ends, total = {}, {}, 0
  for k, length in ipairs(lengths) do
    pushes[k] = m:param { "push" .. k, length, unit = "s", min = 0.01, max = 5 }
    total = total + pushes[k]
    ends[k] = total
  end
  m:force { on = cart, law = function(s)
    local force = 0
    for k = #ends, 1, -1 do
      force = mbs.where(mbs.lt(s.t, ends[k]), k % 2 == 1 and options.force or -options.force, force)
    end
    return force, 0
  end }
  local limits = {
    { "place", m:objective { "place", terminal = cart.x }, equals = options.distance, unit = "m" },
    { "speed", m:objective { "speed", terminal = cart.vx }, equals = 0, unit = "m/s", scale = 1 } }
  local load
  if has_load then
    load = m:point { "load", at = { 0, -rope }, mass = load_mass }
    m:distance { cart, load }
    limits[3] = { "swing", m:objective { "swing", terminal = load.x - cart.x }, equals = 0, unit = "m", scale = 1 }
    limits[4] = { "rate of swing", m:objective { "rate of swing", terminal = load.vx - cart.vx }, equals = 0,
      unit = "m/s", scale = 1 }
  end
  local time = m:objective { "time", terminal = function(s) return s.t end }
  local best = m:optimize { minimize = time, over = pushes, subject_to = limits, t = 20,
    stop = function(s) return s.t - total end, formulation = mbs.maggi {} }
  return best, m, pushes, total
end

local cart = crane({ 1, 1.2 }, false)
local formula = 2 * math.sqrt(options.distance * cart_mass / options.force)
print(cart)
print(("the cart alone: %.9f s, by the formula %.9f s\n"):format(cart.final, formula))

local best, m, pushes, total = crane({ 0.9, 0.4, 0.4, 0.9 }, true)
print(best)
print(("with its load: %.6f s, pushes of %.5f, %.5f, %.5f and %.5f s"):format(best.final, pushes[1].value,
  pushes[2].value, pushes[3].value, pushes[4].value))

-- The same pushes by another integrator, on a finer mesh.
local run = m:simulate { t = total.value, stop = false, formulation = mbs.index1 { project = true },
  integrator = mbs.radau { relative_tolerance = 1e-11, absolute_tolerance = 1e-13 } }
print(("at the end, by radau: cart at %.9f m, load at %.9f m, %.1e m/s and %.1e m/s"):format(
  run:at("carriage.x", total.value), run:at("load.x", total.value), run:at("carriage.vx", total.value),
  run:at("load.vx", total.value)))

local optimizations = {}
for name, found in pairs { cart = cart, crane = best } do
  local one = results.optimization(name, found)
  one.kkt, one.multiplier = found.kkt, found.constraints.place.multiplier
  optimizations[#optimizations + 1] = one
end
results.write(options.json, {}, optimizations)
