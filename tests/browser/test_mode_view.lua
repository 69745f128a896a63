-- Modes as moving pictures: what stands on the page is q0 + amplitude Re(shape exp(i phase)), beams bend as textbooks
-- have it, and of several modes one is seen.
local mbs = require "perilune"
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/?.lua;" .. package.path
local browser = require "browser"
local check = require "check"
local page = require "page"
local decoded = require "base64"

-- Two masses on springs, one of them in oil: the mode is complex. The box around the mechanism is 3 by 0.
do
  local m = mbs.model { "chain", gravity = { 0, 0 } }
  local A = m:ground { at = { 0, 0 } }
  local P, Q = m:point { "P", at = { 1, 0 }, mass = 1 }, m:point { "Q", at = { 3, 0 }, mass = 1 }
  for _, p in ipairs { P, Q } do m:constraint { law = function(x) return p.y(x) end } end
  m:spring { A, P, stiffness = 100, free_length = 1, damping = 8 }
  m:spring { P, Q, stiffness = 60, free_length = 2 }
  local small = m:linearize {}
  check.equal(#small.modes, 2)
  small:animate("modes.html", { 2, 1 })
  local data = page.data "modes.html"
  check.equal(data.swing, true)
  check.equal(#data.runs, 3)
  for place, number in ipairs { 2, 1 } do
    local run, mode = data.runs[place], small.modes[number]
    assert(math.abs(mode.shape_imaginary["P.x"]) + math.abs(mode.shape_imaginary["Q.x"]) > 0.1, "no complex mode")
    assert(run.name:find(("mode %d: %.4g Hz"):format(number, mode.frequency), 1, true), run.name)
    local largest = 0
    for k, name in ipairs { "P.x", "Q.x" } do
      local x = decoded(run.frames[k].positions, "<f")
      local count, size = #x // 3, math.sqrt(mode.shape[name]^2 + mode.shape_imaginary[name]^2)
      check.equal(count, data.count)
      for i = 0, count - 1 do
        local turn = 2 * math.pi * i / (count - 1)
        -- The largest component of a shape is 1, and it moves by a tenth of the size.
        local way = mode.shape[name] * math.cos(turn) - mode.shape_imaginary[name] * math.sin(turn)
        check.near(x[3 * i + 1], (k == 1 and 1 or 3) + 0.3 * way, 1e-6, name)
      end
      largest = math.max(largest, size)
    end
    check.near(largest, 1, 1e-12)
    check.equal(#run.arrows, 0)
  end
  check.equal(data.runs[3].ghost, true)
  check.equal(#decoded(data.runs[3].frames[1].positions, "<f"), 3)
  local found, console = browser.examine "modes.html"
  check.equal(table.concat(console, "\n"), "", "console")
  check.equal(found.shown[1], "0°")
  check.equal(found.shown[2], "133°")
  assert(found.changed > 0.001, "nothing moves")
end

-- Slender and shear beams, in the plane and in space: the second mode of a cantilever.
for _, case in ipairs { { 2, "slender" }, { 2, "shear" }, { 3, "slender" }, { 3, "shear" } } do
  local dimension, kind = table.unpack(case)
  local zero, to = dimension == 2 and { 0, 0 } or { 0, 0, 0 }, dimension == 2 and { 1, 0 } or { 1, 0, 0 }
  local m = mbs.model { "cantilever", gravity = zero }
  local arm = m:beam { "arm", kind = kind, from = zero, to = to, elements = 10, young = 7e10, density = 2700,
                       section = mbs.round_section { diameter = 0.004 } }
  if kind == "slender" then m:clamp { arm.first, m.ground } else m:weld { m.ground, arm.first, at = zero } end
  local small = m:linearize {}
  -- In space each frequency is there twice.
  small:animate("mode_beam.html", dimension == 2 and 2 or 3)
  local line = page.data "mode_beam.html".runs[1].lines[1]
  check.equal(#line.quantities, 1)
  local raw = decoded(line.positions.values, "<i2")
  local function position(k, axis)
    return line.positions.low + (line.positions.high - line.positions.low) * (raw[3 * (k - 1) + axis] + 32767) / 65534
  end
  local b = 4.694091133
  local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end
  local function sinh(x) return (math.exp(x) - math.exp(-x)) / 2 end
  local ratio = (cosh(b) + math.cos(b)) / (sinh(b) + math.sin(b))
  local function form(x) return cosh(b * x) - math.cos(b * x) - ratio * (sinh(b * x) - math.sin(b * x)) end
  local n = line.samples
  local y, z = position(n, 2), position(n, 3)
  check.near(math.sqrt(y^2 + z^2), 0.1, 2e-4, kind)
  for k = 1, n do
    local x, side = (k - 1) / (n - 1), (y * position(k, 2) + z * position(k, 3)) / 0.1^2
    check.near(position(k, 1), x, 2e-3)  -- directions between nodes turn, to the second order
    check.near(side, form(x) / form(1), 1e-2, kind .. " at " .. x)
  end
  local colours = decoded(line.quantities[1].values, "<i2")
  check.near(line.quantities[1].high, 1, 1e-12)
  check.equal(colours[n], 32767, "the tip moves most")
  check.equal(colours[1], -32767, "the clamp does not move")
end

-- Rigid bodies turn by a third of a radian at most, however small they are beside the rest; Euler parameters stay of
-- unit length. A door swings about its hinge through a large frame.
do
  local m = mbs.model { "wheel", gravity = { 0, 0, 0 } }
  local wheel = m:body { "wheel", inertia_of = mbs.cylinder { mass = 1, radius = 0.05, length = 0.02 }, at = { 0, 0, 0 } }
  local axle = m:revolute { "axle", m.ground, wheel, at = { 0, 0, 0 }, axis = "z" }
  m:ground { at = { 0, 0, 0 } }
  local far = m:point { "far", at = { 10, 0, 0 }, mass = 1 }
  m:coincidence { far, m:ground { at = { 10, 0, 0 } } }
  m:torque { "spring", on = wheel, law = function(s) return 0, 0, -5 * axle.angle(s) end }
  local small = m:linearize {}
  small:animate("mode_wheel.html", 1)
  local turns = decoded(page.data "mode_wheel.html".runs[1].frames[1].quaternions, "<i2")
  local widest = 0
  for i = 1, #turns, 4 do
    widest = math.max(widest, 2 * math.asin(math.abs(turns[i + 2] / 32767)))
    check.near(turns[i + 2]^2 + turns[i + 3]^2, 32767^2, 2 * 32767)
  end
  check.near(widest, 0.35, 5e-3, "angle of the wheel")
end

-- What does not oscillate is shown with a sentence; what moves nothing is refused.
do
  local m = mbs.model { "drift", gravity = { 0, 0 } }
  local P = m:point { "P", at = { 1, 0 }, mass = 1 }
  m:point { "Q", at = { 2, 0 }, mass = 1 }
  m:force { on = P, law = function(s) return -50 * s.vx - 20 * (s.x - 1), -30 * s.vy - 100 * s.y end }
  local small = m:linearize {}
  small:animate "mode_drift.html"
  local data, text = page.data "mode_drift.html"
  assert(text:find("does not oscillate: it dies away", 1, true))
  assert(text:find("With the eigenvalue 0 nothing drives it back", 1, true))
  check.equal(#data.runs, 7, "six at most, and the position")
end
