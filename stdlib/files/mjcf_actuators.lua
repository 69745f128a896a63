-- Actuators of MJCF: of joints, of sums of them, and motors at sites.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local views = require "perilune.files.mjcf_views"
local elements = require "perilune.files.mjcf_elements"
local couplings = require "perilune.files.mjcf_couplings"

local actuators = {}

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

-- A motor at a site pushes and turns along the axes of the site.
local function push_site(c, view, site, name, gear, u)
  c.call(view.element)(c.m, "force", {
    name, on = site.object, frame = "body", force = { gear[1] * u, gear[2] * u, gear[3] * u },
    torque = { gear[4] * u, gear[5] * u, gear[6] * u },
  })
end

-- What an actuator acts on: a joint, a tendon that is a sum of joints, or a site; nil where it is something else.
local function acted_on(c, view)
  if view.attributes.joint or view.attributes.jointinparent then
    return couplings.joint_named(c, view, view.attributes.joint and "joint" or "jointinparent")
  end
  if view.attributes.tendon then return couplings.tendon_named(c, view, "tendon") end
  local record = view.attributes.site
  if not record or view.attributes.refsite then return nil end
  return c.site_names[record.text] or numbers.fail(view.element, (": there is no site \"%s\""):format(record.text))
end

local function actuator(c, element, name, number, control)
  local view = views.new(c, element, element.name, { name })
  local target = acted_on(c, view)
  if not target or target.kind == "site" and not target.carrier.moves then
    c:leave(element, "", target and "the site stands still" or
      "only actuators of joints, fixed tendons and single sites are modelled")
    return
  end
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
  if not target.q then
    local zero = rotations.is_zero
    if not (zero(bias[2]) and zero(bias[3])) or view.attributes.jointinparent then
      c:leave(element, "", "on sites, ball and free joints only motors are modelled, by site or joint")
    else
      local push = target.kind == "site" and push_site or push_body
      push(c, view, target, c.names:new(name .. "_force"), gear, gain * u + bias[1])
    end
    return
  end
  local g = gear[1]
  call(c.m, "torsion_spring", {
    c.names:new(name .. "_force"), on = target.q, torque = -g * (gain * u + bias[1]), stiffness = -g * g * bias[2],
    damping = -g * g * bias[3],
  })
end

--- Declares them, after the tree and the tendons.
function actuators.read(c, root)
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

return actuators
