-- Keyframes and equalities of MJCF.
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
    if required then numbers.fail(view.element, (": the attribute %s is missing (a body)"):format(attribute)) end
    return c.world
  end
  if record.text == "world" then return c.world end
  local body = c.body_names[record.text]
  if not body then numbers.fail(view.element, (": there is no body \"%s\""):format(record.text)) end
  return body
end

--- The joint that an attribute names.
function couplings.joint_named(c, view, attribute)
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

-- Two sites that are to coincide, if the element says sites in place of bodies: they need not do so as drawn.
local function sites_of(c, view)
  local found = {}
  for k, attribute in ipairs { "site1", "site2" } do
    local record = view.attributes[attribute]
    if record then
      found[k] = c.site_names[record.text] or
        numbers.fail(view.element, (": there is no site \"%s\""):format(record.text))
    end
  end
  if not next(found) then return nil end
  if not (found[1] and found[2]) then numbers.fail(view.element, ": give site1 and site2, or bodies") end
  for _, attribute in ipairs { "body1", "body2", "anchor", "relpose" } do
    if view.attributes[attribute] then
      numbers.fail(view.element, (": %s is for connections of bodies; leave it out beside sites"):format(attribute))
    end
  end
  return found[1], found[2]
end

local function join_sites(c, view, name, constructor)
  local one, other = sites_of(c, view)
  if one then join(c, view, name, constructor, one.body, one.pose, other.body, other.pose) end
  return one ~= nil
end

function equalities.connect(c, view, name)
  if join_sites(c, view, name, "spherical") then return end
  local one, other = body_named(c, view, "body1", true), body_named(c, view, "body2")
  local place = { pos = c.numbers:vector(view, "anchor", nil, "m"), quat = rotations.identity }
  join(c, view, name, "spherical", one, place, other,
    rotations.relative(other.drawn, rotations.compose(one.drawn, place)))
end

function equalities.weld(c, view, name)
  if join_sites(c, view, name, "weld") then return end
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

-- The coordinate of the first is what the polynomial says of that of the second, both counted from the drawing.
local function follow(c, view, name, one, other)
  local factors = c.numbers:list(view, "polycoef", { least = 1, most = 5, fallback = { 0, 1, 0, 0, 0 } })
  local law = one.q - one.ref - factors[1]
  if other then
    local x, power = other.q - other.ref, 1
    for k = 2, 5 do
      power = power * x
      if not rotations.is_zero(factors[k]) then law = law - factors[k] * power end
    end
  end
  c.call(view.element)(c.m, "constraint", { name, law = law })
end

function equalities.joint(c, view, name)
  local one = with_coordinate(view, couplings.joint_named(c, view, "joint1"))
  follow(c, view, name, one, view.attributes.joint2 and with_coordinate(view, couplings.joint_named(c, view, "joint2")))
end

--- The tendon that an attribute names, if it is a sum of coordinates; nil where it is another one.
function couplings.tendon_named(c, view, attribute)
  local record = view.attributes[attribute]
  if not record then numbers.fail(view.element, (": the attribute %s is missing (a tendon)"):format(attribute)) end
  local tendon = c.tendon_names[record.text] or
    numbers.fail(view.element, (": there is no tendon \"%s\""):format(record.text))
  return tendon.q and tendon or nil
end

function equalities.tendon(c, view, name)
  local one, other = couplings.tendon_named(c, view, "tendon1"), nil
  if view.attributes.tendon2 then other = couplings.tendon_named(c, view, "tendon2") end
  if one and (other or not view.attributes.tendon2) then
    follow(c, view, name, one, other)
  else
    c:leave(view.element, "", "only equalities of fixed tendons are modelled")
  end
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
          local kind = element.name
          if kind == "joint" or kind == "tendon" then kind = "equality_" .. kind end  -- as there are others of that name
          local view = views.new(c, element, kind, { name })
          if numbers.word(view, "active", { "true", "false" }, "true") == "true" then
            equalities[element.name](c, view, c.names:new(name, "equality"))
          end
        end
      end
    end
  end
end

--- After the tree.
function couplings.read(c, root, world)
  c.world = world
  read_equalities(c, root)
end

return couplings
