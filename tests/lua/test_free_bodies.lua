-- The reactions of every joint against the free bodies at its ends: Newton's and Euler's equations of both with the
-- joint's force and torque, in motion, with markers turned against their bodies, centres of mass off the reference
-- points, and every kind of object at either end.
local mbs = require "perilune"

local mass, gravity = 1.7, { 0.3, -0.2, -9.81 }
local lead = 0.3

local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
local function plus(a, b, c) return { a[1] + (c or 1) * b[1], a[2] + (c or 1) * b[2], a[3] + (c or 1) * b[3] } end
local function unit(v)
  local size = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
  return { v[1] / size, v[2] / size, v[3] / size }
end
-- A frame is the list of its axes.
local function out_of(frame, v)
  local sum = { 0, 0, 0 }
  for k = 1, 3 do sum = plus(sum, frame[k], v[k]) end
  return sum
end
local function axes(z, x)
  local e3 = unit(z)
  local e2 = unit(cross(e3, x))
  return { cross(e2, e3), e2, e3 }
end
local space = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

local J = { 0.9, 1.1, 1.3, 0.05, -0.07, 0.11 }
local function inertia_times(w)
  return { J[1] * w[1] + J[4] * w[2] + J[5] * w[3], J[4] * w[1] + J[2] * w[2] + J[6] * w[3],
           J[5] * w[1] + J[6] * w[2] + J[3] * w[3] }
end

local function components(run, name, t) return { run:at(name .. "x", t), run:at(name .. "y", t), run:at(name .. "z", t) } end

local function frame_of(run, object, t)
  if object.kind == "natural_body" then
    local function axis(letter) return components(run, object.name .. "." .. letter .. "_", t) end
    return { axis "u", axis "v", axis "w" }
  elseif object.kind == "body" then
    local e = {}
    for k = 0, 3 do e[k] = run:at(object.name .. ".e" .. k, t) end
    local function column(v)  -- v + 2 e0 (e x v) + 2 e x (e x v)
      local ev = cross({ e[1], e[2], e[3] }, v)
      return plus(plus(v, ev, 2 * e[0]), cross({ e[1], e[2], e[3] }, ev), 2)
    end
    return { column(space[1]), column(space[2]), column(space[3]) }
  end
  return space
end

-- What is left of the equations of motion of an object on which the joint acts with force and torque at `place`.
local function residual(run, object, t, force, torque, place)
  local acceleration = components(run, object.name .. ".a", t)
  if object.kind == "point" then
    return plus(plus(plus({ 0, 0, 0 }, plus(acceleration, gravity, -1), mass), object.force, -1), force, -1)
  end
  local frame = frame_of(run, object, t)
  local w, alpha = components(run, object.name .. ".omega_", t), components(run, object.name .. ".alpha_", t)
  local arm = plus(cross(alpha, object.center), cross(w, cross(w, object.center)))
  local centre_acceleration = plus(acceleration, out_of(frame, arm))
  local linear = plus(plus(plus({ 0, 0, 0 }, plus(centre_acceleration, gravity, -1), mass), object.force, -1), force, -1)
  local reference = components(run, object.name .. ".", t)
  local centre = plus(reference, out_of(frame, object.center))
  local moment = plus(plus(object.torque, torque), plus(cross(plus(reference, centre, -1), object.force),
                                                         cross(plus(place, centre, -1), force)))
  local momentum = out_of(frame, plus(inertia_times(alpha), cross(w, inertia_times(w))))
  local angular = plus(momentum, moment, -1)
  table.move(angular, 1, 3, 4, linear)
  return linear
end

local function check_joint(joint, kind_a, kind_b)
  local m = mbs.model { gravity = gravity }
  local function object(name, kind, at, orientation, center, force, torque)
    local o = { name = name, kind = kind, center = center, force = force, torque = torque }
    if kind == "ground" then
      o.object = m.ground
    elseif kind == "point" then
      o.object = m:point { name, at = at, mass = mass }
      m:force { on = o.object, force = force }
    else
      o.object = m[kind](m, { name, mass = mass, inertia = J, at = at, orientation = orientation, center_of_mass = center })
      m:force { on = o.object, force = force, torque = torque }
    end
    return o
  end
  local near = joint == "weld"  -- its markers must nearly agree
  local a = object("a", kind_a, { -0.4, 0.2, 0.1 }, near and { 1, 0.1, -0.1, 0.2 } or { 0.8, 0.3, -0.4, 0.2 }, { 0.1, 0.05, -0.08 }, { 3, 4, 20 }, { 1.5, 0.7, -1.1 })
  local b = object("b", kind_b, { 0.5, 0.1, 0.3 }, near and { 1, -0.1, 0.2, 0.1 } or { 0.5, -0.3, 0.6, 0.2 }, { -0.03, 0.12, 0.07 }, { -2, 4, 20 }, { -2.5, 0.7, -1.1 })
  local z, x = { 0.2, 0.5, 1 }, { 1, 0.3, 0 }
  local place_on_b = { -0.3, 0.05, 0.12 }
  local function end_of(o, at, axis, x_axis)
    return o.kind == "point" and o.object or o.object:marker { at = at, axis = axis, x_axis = x_axis }
  end
  m[joint](m, { "J", end_of(a, { 0.25, -0.1, 0.2 }, z, x), end_of(b, place_on_b, { 0.3, -0.2, 0.9 }, near and x or { 0, 1, 0.1 }),
                lead = joint == "screw" and lead or nil })
  local run = m:simulate { t = 0.2, formulation = mbs.index1 { alpha = 20, beta = 20 }, integrator = mbs.rk4 { step = 1e-3 } }
  local frame = axes(z, x)
  for _, t in ipairs { 0, 0.2 } do
    local force, torque = components(run, "J.force_", t), components(run, "J.torque_", t)
    local function in_space(v)
      return out_of(frame_of(run, a, t), kind_a == "point" and v or out_of(frame, v))
    end
    force, torque = in_space(force), in_space(torque)
    local place = kind_b == "ground" and place_on_b or components(run, "b.", t)
    if kind_b:find "body" then place = plus(place, out_of(frame_of(run, b, t), place_on_b)) end
    for sign, o in pairs { [1] = b, [-1] = a } do
      if o.kind ~= "ground" then
        local left = residual(run, o, t, plus({ 0, 0, 0 }, force, sign), plus({ 0, 0, 0 }, torque, sign), place)
        for k, r in ipairs(left) do
          if not (math.abs(r) < 1e-7) then
            error(("%s of %s and %s: equation %d of %s is open by %g at t = %g"):format(joint, kind_a, kind_b, k, o.name, r, t))
          end
        end
      end
    end
  end
end

local bodies, all = { ground = true, body = true, natural_body = true }, { ground = true, body = true, natural_body = true, point = true }
local ends = {  -- what a and b may be
  weld = { bodies, bodies }, revolute = { bodies, bodies }, translational = { bodies, bodies },
  cylindrical = { bodies, bodies }, screw = { bodies, bodies }, spherical = { all, all }, universal = { bodies, bodies },
  planar = { bodies, bodies }, point_on_line = { bodies, all }, point_on_plane = { bodies, all },
  parallel_axes = { bodies, bodies }, perpendicular_axes = { bodies, bodies }, dot1 = { bodies, bodies },
  dot2 = { bodies, all },
}
for joint, kinds in pairs(ends) do
  for kind_a in pairs(kinds[1]) do
    for kind_b in pairs(kinds[2]) do
      if kind_a ~= "ground" or kind_b ~= "ground" then check_joint(joint, kind_a, kind_b) end
    end
  end
end

print "free bodies: ok"
