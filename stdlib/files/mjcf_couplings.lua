-- Keyframes, equalities and actuators of MJCF.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local views = require "perilune.files.mjcf_views"
local elements = require "perilune.files.mjcf_elements"
local tree = require "perilune.files.tree"

local couplings = {}

local sizes = { hinge = { 1, 1 }, slide = { 1, 1 }, ball = { 4, 3 }, free = { 7, 6 } }

local function keys_of(root)
  local list = {}
  for _, section in ipairs(root.children) do
    if section.name == "keyframe" then table.move(section.children, 1, #section.children, #list + 1, list) end
  end
  return list
end

--- The start that the key of this name says: start and rate of the joints, and c.controls.
function couplings.read_key(c, root, name)
  if not name then return end
  local found, names = nil, {}
  for _, element in ipairs(keys_of(root)) do
    names[#names + 1] = ("%q"):format(element.attributes.name or "")
    if element.attributes.name == name then
      if found then numbers.fail(element, (": the name \"%s\" is that of the key at line %d"):format(name, found.line)) end
      found = element
    end
  end
  if not found then
    error { argument = ("'%s' has no keyframe \"%s\"; it has %s"):format(c.file, name,
      #names > 0 and table.concat(names, ", ") or "none") }
  end
  local view = views.new(c, found, "key", { name })
  local positions, rates = 0, 0
  for _, joint in ipairs(c.joints) do
    positions, rates = positions + sizes[joint.kind][1], rates + sizes[joint.kind][2]
  end
  local q = view.attributes.qpos and c.numbers:list(view, "qpos", { most = positions, numbered = true })
  local v = view.attributes.qvel and c.numbers:list(view, "qvel", { most = rates, numbered = true })
  local at_q, at_v = 1, 1
  for _, joint in ipairs(c.joints) do
    local nq, nv = sizes[joint.kind][1], sizes[joint.kind][2]
    if q then joint.start = nq == 1 and q[at_q] or table.move(q, at_q, at_q + nq - 1, 1, {}) end
    if v then joint.rate = nv == 1 and v[at_v] or table.move(v, at_v, at_v + nv - 1, 1, {}) end
    at_q, at_v = at_q + nq, at_v + nv
  end
  c.controls = view.attributes.ctrl and { element = found, text = view.attributes.ctrl.text,
                                          path = view.paths[1] .. ".ctrl." }
end

local function body_named(c, view, attribute, required)
  local record = view.attributes[attribute]
  if not record then
    if view.element.attributes.site1 then
      numbers.fail(view.element, ": connections of sites cannot be read; give body1, body2 and anchor or relpose")
    end
    if required then numbers.fail(view.element, (": the attribute %s is missing (a body)"):format(attribute)) end
    return c.world
  end
  if record.text == "world" then return c.world end
  local body = c.body_names[record.text]
  if not body then numbers.fail(view.element, (": there is no body \"%s\""):format(record.text)) end
  return body
end

local function joint_named(c, view, attribute)
  local record = view.attributes[attribute]
  if not record then numbers.fail(view.element, (": the attribute %s is missing (a joint)"):format(attribute)) end
  local joint = c.joint_names[record.text]
  if not joint then numbers.fail(view.element, (": there is no joint \"%s\""):format(record.text)) end
  return joint
end

local equalities = {}

-- Between places of two bodies; parts of one rigid body need none.
local function join(c, view, name, constructor, one, place_on_one, other, place_on_other)
  if one.carrier.object == other.carrier.object then
    c:leave(view.element, "", ("%s and %s are one rigid body as it is"):format(one.name, other.name))
    return
  end
  c.call(view.element)(c.m, constructor, {
    name, tree.marker(c, view.element, one.carrier, rotations.compose(one.place, place_on_one)),
    tree.marker(c, view.element, other.carrier, rotations.compose(other.place, place_on_other)),
  })
end

function equalities.connect(c, view, name)
  local one, other = body_named(c, view, "body1", true), body_named(c, view, "body2")
  local place = { pos = c.numbers:vector(view, "anchor", nil, "m"), quat = rotations.identity }
  join(c, view, name, "spherical", one, place, other,
    rotations.relative(other.drawn, rotations.compose(one.drawn, place)))
end

function equalities.weld(c, view, name)
  local one, other = body_named(c, view, "body1", true), body_named(c, view, "body2")
  local place = rotations.relative(one.drawn, other.drawn)
  if view.attributes.relpose then
    local list = c.numbers:list(view, "relpose", { most = 7 })
    local quat = rotations.normalized { list[4], list[5], list[6], list[7] }
    -- A quaternion of zeros asks for the pose as drawn.
    if quat then place = { pos = { list[1], list[2], list[3] }, quat = quat } end
  end
  join(c, view, name, "weld", one, place, other, rotations.origin)
end

local function with_coordinate(view, joint)
  if not joint.q then
    numbers.fail(view.element, (": joint \"%s\" is a %s joint, which has no angle or displacement"):format(joint.name,
      joint.kind))
  end
  return joint
end

function equalities.joint(c, view, name)
  local one = with_coordinate(view, joint_named(c, view, "joint1"))
  local factors = c.numbers:list(view, "polycoef", { least = 1, most = 5, fallback = { 0, 1, 0, 0, 0 } })
  local law = one.q - one.ref - factors[1]
  if view.attributes.joint2 then
    local other = with_coordinate(view, joint_named(c, view, "joint2"))
    local x, power = other.q - other.ref, 1
    for k = 2, 5 do
      power = power * x
      if not rotations.is_zero(factors[k]) then law = law - factors[k] * power end
    end
  end
  c.call(view.element)(c.m, "constraint", { name, law = law })
end

local function read_equalities(c, root)
  local count = 0
  for _, section in ipairs(root.children) do
    if section.name == "equality" then
      for _, element in ipairs(section.children) do
        count = count + 1
        if not equalities[element.name] then
          c:leave(element, "", "this equality is not modelled")
        else
          local name = element.attributes.name or "equality" .. count
          local view = views.new(c, element, element.name == "joint" and "equality_joint" or element.name, { name })
          if numbers.word(view, "active", { "true", "false" }, "true") == "true" then
            equalities[element.name](c, view, c.names:new(name, "equality"))
          end
        end
      end
    end
  end
end

-- Gain and bias of an actuator: force = gain u + bias[1] + bias[2] length + bias[3] velocity.
local gains = {}
function gains.motor() return 1, { 0, 0, 0 } end
function gains.position(c, view)
  local kp = views.gain(c, view, "kp")
  local kv = c.numbers:one(view, "kv", 0)
  return kp, { 0, -kp, -kv }
end
function gains.velocity(c, view)
  local kv = views.gain(c, view, "kv")
  return kv, { 0, 0, -kv }
end
function gains.general(c, view)
  local other = view.gain and view.gain.element
  if other and other.name ~= "general" then
    numbers.fail(view.element, (": the defaults of <%s> at line %d count for <general>, too; give it a class of " ..
      "its own"):format(other.name, other.line))
  end
  local kinds = { "none", "integrator", "filter", "filterexact", "muscle", "user" }
  if numbers.word(view, "dyntype", kinds, "none") ~= "none" then
    return nil, "actuators with dynamics are not modelled (m:state)"
  end
  if numbers.word(view, "gaintype", { "fixed", "affine", "muscle", "user" }, "fixed") ~= "fixed" then
    return nil, "only a fixed gain can be read"
  end
  local bias = numbers.word(view, "biastype", { "none", "affine", "muscle", "user" }, "none")
  if bias ~= "none" and bias ~= "affine" then return nil, "only no bias and an affine one can be read" end
  local gain = c.numbers:list(view, "gainprm", { least = 1, most = 10, fallback = { 1 } })
  local prm = bias == "affine" and c.numbers:list(view, "biasprm", { least = 1, most = 10, fallback = { 0, 0, 0 } })
  return gain[1], { prm and prm[1] or 0, prm and prm[2] or 0, prm and prm[3] or 0 }
end

-- A motor on a ball joint or a free body.
local function push_body(c, view, joint, name, gear, u)
  local call = c.call(view.element)
  local function along(k) return { gear[k] * u, gear[k + 1] * u, gear[k + 2] * u } end
  local function moves(first)
    for k = first, first + 2 do
      if not rotations.is_zero(gear[k]) then return true end
    end
    return false
  end
  if joint.kind == "ball" then
    call(c.m, "torque", { name, on = joint.child, frame = "body", torque = along(1),
                          reaction_on = joint.carrier.moves and joint.carrier.object or nil })
    return
  end
  if moves(1) then call(c.m, "force", { name, on = joint.child, force = along(1) }) end
  if moves(4) then
    call(c.m, "torque", { c.names:new(name .. "_torque"), on = joint.child, frame = "body", torque = along(4) })
  end
end

local function actuator(c, element, name, number, control)
  local view = views.new(c, element, element.name, { name })
  if not view.attributes.joint and not view.attributes.jointinparent then
    c:leave(element, "", "only actuators of joints are modelled")
    return
  end
  local joint = joint_named(c, view, view.attributes.joint and "joint" or "jointinparent")
  local gain, bias = gains[element.name](c, view)
  if not gain then
    c:leave(element, "", bias)
    return
  end
  local gear = c.numbers:list(view, "gear", { least = 1, most = 6, fallback = { 1, 0, 0, 0, 0, 0 } })
  -- Bounds are plain numbers, which have no paths.
  local plain = { element = element, paths = {}, attributes = { ctrlrange = view.attributes.ctrlrange } }
  local bounds = view.attributes.ctrlrange and (view.attributes.ctrllimited or {}).text ~= "false" and
    c.numbers:list(plain, "ctrlrange", { most = 2, plain = true }) or {}
  if bounds[1] then control = math.max(bounds[1], math.min(control, bounds[2])) end
  local call = c.call(element)
  local control_name = c.names:new(name, "ctrl")
  local u = call(c.m, "param", { control_name, control, min = bounds[1], max = bounds[2] })
  if c.controls then
    c.numbers:tell(c.controls.path .. number, ("is the parameter %q of the model already"):format(control_name))
  end
  if not joint.q then
    local zero = rotations.is_zero
    if not (zero(bias[2]) and zero(bias[3])) or view.attributes.jointinparent then
      c:leave(element, "", "on ball and free joints only motors by joint are modelled")
    else
      push_body(c, view, joint, c.names:new(name .. "_force"), gear, gain * u + bias[1])
    end
    return
  end
  local g = gear[1]
  call(c.m, "torsion_spring", {
    c.names:new(name .. "_force"), on = joint.q, torque = -g * (gain * u + bias[1]), stiffness = -g * g * bias[2],
    damping = -g * g * bias[3],
  })
end

local function read_actuators(c, root)
  local list = {}
  for _, section in ipairs(root.children) do
    if section.name == "actuator" then table.move(section.children, 1, #section.children, #list + 1, list) end
  end
  local controls = {}
  if c.controls then
    for token in c.controls.text:gmatch "%S+" do
      controls[#controls + 1] = tonumber(token) or
        numbers.fail(c.controls.element, (": ctrl has '%s', which is no number"):format(token))
    end
    if #controls ~= #list then
      numbers.fail(c.controls.element, (": ctrl has %d numbers; expected %d"):format(#controls, #list))
    end
  end
  local known = {}
  for k, element in ipairs(list) do
    local own = element.attributes.name
    if own and known[own] then
      numbers.fail(element, (": the name \"%s\" is that of the actuator at line %d"):format(own, known[own].line))
    end
    if own then known[own] = element end
    if gains[element.name] then
      actuator(c, element, element.attributes.name or "actuator" .. k, k, controls[k] or 0)
    else
      c:leave(element, "", elements.reasons[element.name] or "this actuator is not modelled")
    end
  end
end

--- After the tree.
function couplings.read(c, root, world)
  c.world = world
  read_equalities(c, root)
  read_actuators(c, root)
end

return couplings
