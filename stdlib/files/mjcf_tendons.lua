-- Tendons of MJCF that are springs and dampers between two sites.
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

-- The length without stretch, and why it is not known. MuJoCo's -1 is the length where all joints are at their springref.
local function rest_of(c, view, sites)
  local lengths = c.numbers:list(view, "springlength", { least = 1, most = 2, fallback = { -1 }, unit = "m" })
  if lengths[2] and rotations.value(lengths[1]) ~= rotations.value(lengths[2]) then
    return nil, "a range of lengths without force is not modelled"
  end
  if rotations.value(lengths[1]) >= 0 then return lengths[1] end
  for _, joint in ipairs(c.joints) do
    if joint.rest and rotations.value(joint.rest) ~= rotations.value(joint.ref) then
      return nil, "where springref of a joint is not its ref, springlength is needed"
    end
  end
  local apart = rotations.subtract(sites[2].drawn, sites[1].drawn)
  return math.sqrt(rotations.dot(apart, apart))
end

local function spatial(c, element, name)
  local view = views.new(c, element, "tendon", { name })
  local sites = ends_of(c, element)
  if not sites then
    c:leave(element, "", elements.reasons.tendon)
    return
  end
  for attribute, reason in pairs(beside) do
    local record = view.attributes[attribute]
    if record then c:leave(record.element, attribute, reason) end
  end
  local stiffness, damping = c.numbers:one(view, "stiffness", 0, "N/m"), c.numbers:one(view, "damping", 0, "N s/m")
  if rotations.is_zero(stiffness) and rotations.is_zero(damping) then return end
  if sites[1].carrier.object == sites[2].carrier.object then
    c:leave(element, "", ("%s and %s are on one rigid body"):format(sites[1].name, sites[2].name))
    return
  end
  local rest, unknown = rest_of(c, view, sites)
  if not rest then
    c:leave(element, "", unknown)
    return
  end
  c.call(element)(c.m, "spring", {
    c.names:new(name, "tendon"), sites[1].object, sites[2].object, stiffness = stiffness, damping = damping,
    free_length = rest,
  })
end

--- After the tree.
function tendons.read(c, root)
  local count = 0
  for _, section in ipairs(root.children) do
    for _, element in ipairs(section.name == "tendon" and section.children or {}) do
      count = count + 1
      if element.name == "spatial" then
        spatial(c, element, element.attributes.name or "tendon" .. count)
      else
        c:leave(element, "", elements.reasons.tendon)
      end
    end
  end
end

return tendons
