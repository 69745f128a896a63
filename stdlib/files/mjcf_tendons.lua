-- Tendons of MJCF: springs and dampers between two sites, and of weighted sums of coordinates of joints.
local rotations = require "perilune.files.rotations"
local numbers = require "perilune.files.numbers"
local views = require "perilune.files.mjcf_views"
local elements = require "perilune.files.mjcf_elements"

local tendons = {}

local beside = { range = "limits of lengths are not modelled (m:bump_stop)",
                 frictionloss = "dry friction of tendons is not modelled" }

-- The two sites between which it runs; nil where it runs otherwise.
local function ends_of(c, element)
  local sites = {}
  for _, child in ipairs(element.children) do
    if child.name ~= "site" then return nil end
    local name = child.attributes.site or numbers.fail(child, ": the attribute site is missing")
    sites[#sites + 1] = c.site_names[name] or numbers.fail(child, (": there is no site \"%s\""):format(name))
  end
  return #sites == 2 and sites or nil
end

-- What is said beside stiffness and damping, of a tendon of either kind, is not in the model.
local function leave_others(c, view)
  for attribute, reason in pairs(beside) do
    local record = view.attributes[attribute]
    if record then c:leave(record.element, attribute, reason) end
  end
end

-- The length without stretch that is given, or false; nil and why it is not known.
local function given_rest(c, view)
  local lengths = c.numbers:list(view, "springlength", { least = 1, most = 2, fallback = { -1 }, unit = view.unit_of_length })
  if lengths[2] and rotations.value(lengths[1]) ~= rotations.value(lengths[2]) then
    return nil, "a range of lengths without force is not modelled"
  end
  return rotations.value(lengths[1]) >= 0 and lengths[1]
end

-- MuJoCo's -1 is the length where all joints are at their springref.
local function rest_between(c, view, sites)
  local rest, unknown = given_rest(c, view)
  if rest ~= false then return rest, unknown end
  for _, joint in ipairs(c.joints) do
    if joint.rest and rotations.value(joint.rest) ~= rotations.value(joint.ref) then
      return nil, "where springref of a joint is not its ref, springlength is needed"
    end
  end
  local apart = rotations.subtract(sites[2].drawn, sites[1].drawn)
  return math.sqrt(rotations.dot(apart, apart))
end

local kinds = {}

function kinds.spatial(c, element, name)
  c.tendon_names[name] = {}
  local view = views.new(c, element, "tendon", { name })
  view.unit_of_length = "m"
  local sites = ends_of(c, element)
  if not sites then
    c:leave(element, "", elements.reasons.tendon)
    return
  end
  leave_others(c, view)
  local stiffness, damping = c.numbers:one(view, "stiffness", 0, "N/m"), c.numbers:one(view, "damping", 0, "N s/m")
  if rotations.is_zero(stiffness) and rotations.is_zero(damping) then return end
  if sites[1].carrier.object == sites[2].carrier.object then
    c:leave(element, "", ("%s and %s are on one rigid body"):format(sites[1].name, sites[2].name))
    return
  end
  local rest, unknown = rest_between(c, view, sites)
  if not rest then
    c:leave(element, "", unknown)
    return
  end
  c.call(element)(c.m, "spring", {
    c.names:new(name, "tendon"), sites[1].object, sites[2].object, stiffness = stiffness, damping = damping,
    free_length = rest,
  })
end

-- The sum of coordinates of joints that is its length: now, as drawn, and where all joints are at their springref.
local function sum_of(c, element, name)
  local now, ref, rest = 0, 0, 0
  for k, child in ipairs(element.children) do
    local own = child.attributes.joint
    if child.name ~= "joint" or not own then
      numbers.fail(child, ": a fixed tendon is of elements <joint joint=... coef=...>")
    end
    local joint = c.joint_names[own] or numbers.fail(child, (": there is no joint \"%s\""):format(own))
    if not joint.q then
      numbers.fail(child, (": joint \"%s\" is a %s joint, which has no angle or displacement"):format(own, joint.kind))
    end
    local view = views.new(c, child, "tendon_joint", { name .. ".joint" .. (k > 1 and k or "") })
    local coefficient = c.numbers:one(view, "coef")
    now, ref, rest = now + coefficient * joint.q, ref + coefficient * joint.ref, rest + coefficient * joint.rest
  end
  if #element.children == 0 then numbers.fail(element, " has no joints") end
  return now, ref, rest
end

function kinds.fixed(c, element, name)
  local tendon = {}
  local view = views.new(c, element, "tendon", { name })
  local rest
  tendon.q, tendon.ref, rest = sum_of(c, element, name)
  c.tendon_names[name] = tendon
  leave_others(c, view)
  local stiffness, damping = c.numbers:one(view, "stiffness", 0), c.numbers:one(view, "damping", 0)
  if rotations.is_zero(stiffness) and rotations.is_zero(damping) then return end
  local given, unknown = given_rest(c, view)
  if given == nil then
    c:leave(element, "", unknown)
    return
  end
  c.call(element)(c.m, "torsion_spring", {
    c.names:new(name, "tendon"), on = tendon.q, stiffness = stiffness, damping = damping, free_angle = given or rest,
  })
end

--- After the tree. Fills c.tendon_names; those that are sums of coordinates have their length q there, and ref as drawn.
function tendons.read(c, root)
  c.tendon_names = {}
  local count = 0
  for _, section in ipairs(root.children) do
    for _, element in ipairs(section.name == "tendon" and section.children or {}) do
      count = count + 1
      if kinds[element.name] then
        kinds[element.name](c, element, element.attributes.name or "tendon" .. count)
      else
        c:leave(element, "", elements.reasons.tendon)
      end
    end
  end
end

return tendons
