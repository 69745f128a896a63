-- Mechanisms at random, as data that builds a model at the declared state or at any later one: chains and loops of
-- points and bars, of bodies and joints, in the plane and in space, with springs, dampers and drivers.
local mbs = require "perilune"

local function between(low, high) return low + (high - low) * math.random() end
local function chance(p) return math.random() < p end

local function vector(d, size)
  local v = {}
  for i = 1, d do v[i] = between(-size, size) end
  return v
end

local function sum(a, b, factor)
  local c = {}
  for i = 1, #a do c[i] = a[i] + (factor or 1) * b[i] end
  return c
end

-- The matrix of a pose: columns are the body's axes in space.
local function rotation(pose)
  if pose.angle then
    local c, s = math.cos(pose.angle), math.sin(pose.angle)
    return { { c, -s }, { s, c } }
  end
  local e0, e1, e2, e3 = table.unpack(pose.orientation)
  return { { 1 - 2 * (e2^2 + e3^2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2) },
           { 2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1^2 + e3^2), 2 * (e2 * e3 - e0 * e1) },
           { 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1^2 + e2^2) } }
end

local function times(matrix, v, transposed)
  local result = {}
  for i = 1, #v do
    result[i] = 0
    for j = 1, #v do result[i] = result[i] + (transposed and matrix[j][i] or matrix[i][j]) * v[j] end
  end
  return result
end

local function is_point(part) return part:sub(1, 1) == "P" end

local Mechanism = {}
Mechanism.__index = Mechanism

-- Where a place in space, fixed on the part as declared, is at the state.
function Mechanism:moved(part, place, state)
  local declared, now = self.poses[part], state[part]
  if not declared then return place end
  return sum(now.at, times(rotation(now), times(rotation(declared), sum(place, declared.at, -1), true)))
end

function Mechanism:turned(part, axis, state)
  local declared, now = self.poses[part], state[part]
  return declared and times(rotation(now), times(rotation(declared), axis, true)) or axis
end

function Mechanism:mass() return self.has_contrast and 10 ^ between(-2, 2) or between(0.5, 2) end

function Mechanism:add_point(at)
  local name = "P" .. #self.parts + 1
  self.poses[name] = { at = at, velocity = vector(self.dimension, self.speed), mass = self:mass() }
  self.parts[#self.parts + 1] = name
  return name
end

function Mechanism:add_body(at)
  local name = "B" .. #self.parts + 1
  local pose = { at = at, velocity = vector(self.dimension, self.speed), mass = self:mass() }
  local J = pose.mass * between(0.05, 0.2)
  if self.dimension == 2 then
    pose.angle, pose.angular_velocity, pose.inertia = between(-3, 3), between(-self.speed, self.speed), J
  else
    local e = vector(4, 1)
    local norm = math.sqrt(e[1]^2 + e[2]^2 + e[3]^2 + e[4]^2)
    pose.orientation = { e[1] / norm, e[2] / norm, e[3] / norm, e[4] / norm }
    pose.angular_velocity = vector(3, self.speed)
    pose.inertia = { J * between(1, 1.5), J * between(1, 1.5), J * between(1, 1.5) }
  end
  self.poses[name] = pose
  self.parts[#self.parts + 1] = name
  return name
end

function Mechanism:link(what, description)
  self.description[#self.description + 1] = description
  self.links[#self.links + 1] = what
end

-- A place on the part for constructors: a point itself, a place on a body, a ground.
local function place_on(self, m, objects, part, place)
  local declared = self.poses[part]
  if not declared then return m:ground { at = place } end
  if is_point(part) then return objects[part] end
  return objects[part]:point(times(rotation(declared), sum(place, declared.at, -1), true))
end

function Mechanism:add_joint(a, b, place, kind)
  if is_point(a) or is_point(b) then
    self:link(function(m, objects)
      m:coincidence { place_on(self, m, objects, a, place), place_on(self, m, objects, b, place) }
    end, ("coincidence %s %s"):format(a, b))
    return
  end
  local kinds = self.dimension == 2 and { "revolute", "revolute", "translational" }
    or { "revolute", "spherical", "universal", "cylindrical", "constant_velocity" }
  kind = kind or kinds[math.random(#kinds)]
  local axis = vector(self.dimension, 1)
  local first, second = { 1, 0, 0 }, vector(3, 1)
  self:link(function(m, objects, state)
    local at = self:moved(b, place, state)
    local fields = { a == "ground" and m.ground or objects[a], objects[b], at = at }
    if kind ~= "spherical" and (self.dimension == 3 or kind == "translational") then
      fields.axis = self:turned(a, axis, state)
    end
    -- Its shafts are in line at the start, and bent afterwards.
    if kind == "constant_velocity" then fields.axis_b = self:turned(b, axis, state) end
    if kind == "universal" then
      -- Its second axis is normal to the first, and fixed on b.
      local across = { axis[2] * second[3] - axis[3] * second[2], axis[3] * second[1] - axis[1] * second[3],
                       axis[1] * second[2] - axis[2] * second[1] }
      fields.axis_b = self:turned(b, across, state)
    end
    m[kind](m, fields)
  end, ("%s %s %s"):format(kind, a, b))
end

function Mechanism:add_distance(a, b)
  self:link(function(m, objects)
    m:distance { a == "ground" and m:ground { at = self.origin } or objects[a], objects[b] }
  end, ("distance %s %s"):format(a, b))
end

function Mechanism:add_spring(a, b, damping)
  local place_a = a == "ground" and vector(self.dimension, 2) or self.poses[a].at
  local place_b = sum(self.poses[b].at, vector(self.dimension, is_point(b) and 0 or 0.3))
  local stiffness, free_length = between(5, 50), between(0.2, 1)
  self:link(function(m, objects)
    local spring = m:spring { place_on(self, m, objects, a, place_a), place_on(self, m, objects, b, place_b),
                              stiffness = stiffness, free_length = free_length, damping = damping }
    if damping > 0 then objects.losses = objects.losses + damping * spring.rate^2 end
  end, ("spring %s %s damping %g"):format(a, b, damping))
end

-- The state as declared.
function Mechanism:start() return self.poses end

-- The state of a run at a time, with its velocities times `direction`.
function Mechanism:state_of(run, t, direction)
  local state = {}
  for _, name in ipairs(self.parts) do
    local function read(names)
      local values = {}
      for i, each in ipairs(names) do values[i] = run:at(name .. "." .. each, t) end
      return values
    end
    local d, declared = self.dimension, self.poses[name]
    local pose = { mass = declared.mass, inertia = declared.inertia }
    pose.at = read(d == 2 and { "x", "y" } or { "x", "y", "z" })
    pose.velocity = sum(vector(d, 0), read(d == 2 and { "vx", "vy" } or { "vx", "vy", "vz" }), direction)
    if declared.angle then
      pose.angle, pose.angular_velocity = run:at(name .. ".angle", t), direction * run:at(name .. ".omega", t)
    elseif declared.orientation then
      pose.orientation = read { "e0", "e1", "e2", "e3" }
      pose.angular_velocity = sum({ 0, 0, 0 }, read { "omega_x", "omega_y", "omega_z" }, direction)
    end
    state[name] = pose
  end
  return state
end

-- The model at a state, and an objective: the work done on it less what it dissipates.
function Mechanism:build(state)
  local gravity = self.dimension == 2 and { 0, -self.gravity } or { 0, 0, -self.gravity }
  local m = mbs.model { "random", gravity = gravity }
  local objects = { losses = 0 * m:signal "energy.kinetic", work = 0 * m:signal "energy.kinetic" }
  for _, name in ipairs(self.parts) do
    local pose = state[name]
    local fields = { name, at = pose.at, velocity = pose.velocity, mass = pose.mass }
    if pose.angular_velocity then
      fields.inertia, fields.angular_velocity = pose.inertia, pose.angular_velocity
      fields.angle, fields.orientation = pose.angle, pose.orientation
    end
    objects[name] = pose.angular_velocity and m:body(fields) or m:point(fields)
  end
  for _, link in ipairs(self.links) do link(m, objects, state) end
  local balance = m:objective { "work", integral = objects.work - objects.losses }
  return m, balance
end

-- Momentum along each axis, then the moment of momentum, from a run without anything that holds the mechanism.
function Mechanism:momentum(run, t)
  local d, state = self.dimension, self:state_of(run, t, 1)
  local total = vector(d == 2 and 3 or 6, 0)
  for _, name in ipairs(self.parts) do
    local pose = state[name]
    for i = 1, d do total[i] = total[i] + pose.mass * pose.velocity[i] end
    local r, v = pose.at, pose.velocity
    if d == 2 then
      total[3] = total[3] + pose.mass * (r[1] * v[2] - r[2] * v[1])
      if pose.angle then total[3] = total[3] + pose.inertia * pose.angular_velocity end
    else
      local spin = { 0, 0, 0 }
      if pose.orientation then
        local w, J = pose.angular_velocity, pose.inertia
        spin = times(rotation(pose), { J[1] * w[1], J[2] * w[2], J[3] * w[3] })
      end
      for i = 1, 3 do
        local j, k = i % 3 + 1, (i + 1) % 3 + 1
        total[3 + i] = total[3 + i] + pose.mass * (r[j] * v[k] - r[k] * v[j]) + spin[i]
      end
    end
  end
  return total
end

-- Windows of bars between posts, as in the ladder of four-bars: it passes positions where it could fold.
function Mechanism:make_ladder()
  self.dimension, self.is_free, self.is_damped, self.gravity = 2, false, false, 9.81
  local windows, speed = math.random(1, 4), between(0.5, 3)
  for i = 0, windows do
    local name = self:add_point { i, 1 }
    self.poses[name].velocity, self.poses[name].mass = { speed, 0 }, 1
    self:link(function(m, objects) m:distance { m:ground { at = { i, 0 } }, objects[name] } end, "distance ground " .. name)
    if i > 0 then self:add_distance(self.parts[i], name) end
  end
  self.text = "ladder: " .. table.concat(self.description, ", ")
  return self
end

local M = {}

-- The mechanism of this seed, always the same.
function M.mechanism(seed)
  math.randomseed(seed)
  local self = setmetatable({ dimension = chance(0.6) and 2 or 3, parts = {}, poses = {}, links = {}, description = {} },
                            Mechanism)
  local d = self.dimension
  self.origin = vector(d, 0)
  self.is_free = chance(0.25)
  self.gravity = self.is_free and 0 or 9.81
  self.is_damped = not self.is_free and chance(0.3)
  self.speed = ({ 1, 1, 5, 20 })[math.random(4)]
  self.has_contrast = chance(0.3)
  if chance(0.15) then return self:make_ladder() end
  local kind = ({ "points", "bodies" })[math.random(2)]
  local count = math.random(1, 5)
  local wants_loop = count >= 3 and chance(0.4) and (kind == "points" or d == 2)
  local previous, place = "ground", self.origin
  for _ = 1, count do
    local step = vector(d, 1)
    step[1] = step[1] + (chance(0.5) and 0.5 or -0.5)  -- no two parts at one place
    local name = kind == "points" and self:add_point(sum(place, step)) or self:add_body(sum(place, step, 0.5))
    if previous ~= "ground" or not self.is_free then
      if kind == "points" then
        self:add_distance(previous, name)
      else
        self:add_joint(previous, name, place, wants_loop and "revolute")
      end
    end
    previous, place = name, sum(place, step)
  end
  if wants_loop and kind == "points" then self:add_distance(self.is_free and self.parts[1] or "ground", previous) end
  if wants_loop and kind == "bodies" then
    self:add_joint(self.is_free and self.parts[1] or "ground", previous, place, "revolute")
  end
  for _ = 1, math.random(0, 2) do
    local a = self.is_free and self.parts[math.random(count)] or "ground"
    local b = self.parts[math.random(count)]
    if a ~= b then self:add_spring(a, b, self.is_damped and between(0.1, 1) or 0) end
  end
  if kind == "bodies" and d == 2 and not self.is_free and chance(0.2) then
    local crank, rate, size = self.parts[1], between(-3, 3), between(0, 0.5)
    self.is_driven = true
    self:link(function(m, objects, state)
      local from = state[crank].angle
      local drive = m:driver { objects[crank].angle,
                               law = function(s) return from + rate * s.t + size * math.sin(2 * s.t) end }
      objects.work = objects.work + drive.power
    end, "driver of " .. crank)
  end
  self.text = ("%s in %s: %s"):format(kind, d == 2 and "the plane" or "space", table.concat(self.description, ", "))
  return self
end

return M
