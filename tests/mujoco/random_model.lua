-- Random trees of bodies as MJCF, with everything that moves alike here and in MuJoCo.
local function between(a, b) return a + (b - a) * math.random() end
local function number(a, b) return ("%.4g"):format(between(a, b)) end
local function vector(a, b) return ("%s %s %s"):format(number(a, b), number(a, b), number(a, b)) end
local function pick(list) return list[math.random(#list)] end
local function chance(p) return math.random() < p end

local function orientation()
  return pick {
    function() return ('quat="%s %s"'):format(number(-1, 1), vector(-1, 1)) end,
    function() return ('axisangle="%s %s"'):format(vector(-1, 1), number(-170, 170)) end,
    function() return ('euler="%s"'):format(vector(-120, 120)) end,
    function() return ('xyaxes="%s %s"'):format(vector(-1, 1), vector(-1, 1)) end,
    function() return ('zaxis="%s"'):format(vector(-1, 1)) end,
    function() return "" end,
  }()
end

local function geom()
  local kind = pick { "sphere", "capsule", "cylinder", "box", "ellipsoid" }
  local weight = pick { ('mass="%s"'):format(number(0.3, 2)), ('density="%s"'):format(number(300, 3000)), "" }
  local class = chance(0.2) and 'class="light"' or ""
  if kind ~= "sphere" and chance(0.4) then
    return ('<geom type="%s" fromto="%s %s" size="%s" %s %s/>'):format(kind, vector(-0.3, 0.3), vector(-0.3, 0.3),
      number(0.02, 0.08), weight, class)
  end
  return ('<geom type="%s" pos="%s" %s size="%s %s %s" %s %s/>'):format(kind, vector(-0.3, 0.3), orientation(),
    number(0.03, 0.1), number(0.03, 0.2), number(0.03, 0.1), weight, class)
end

local function inertial()
  if chance(0.5) then
    return ('<inertial pos="%s" mass="%s" diaginertia="%s" %s/>'):format(vector(-0.2, 0.2), number(0.5, 2),
      vector(0.02, 0.03), orientation())
  end
  return ('<inertial pos="%s" mass="%s" fullinertia="%s %s"/>'):format(vector(-0.2, 0.2), number(0.5, 2),
    vector(0.02, 0.03), vector(-0.004, 0.004))
end

local function joint(found, kind)
  local name = "j" .. #found.joints + 1
  found.joints[#found.joints + 1] = { name = name, kind = kind }
  if kind == "free" then return ('<joint name="%s" type="free" damping="0"/>'):format(name) end
  local text = ('<joint name="%s" type="%s" pos="%s"'):format(name, kind, vector(-0.1, 0.1))
  if chance(0.4) then text = text .. (' damping="%s"'):format(number(0, 0.5)) end
  if kind == "ball" then
    if chance(0.3) then text = text .. (' stiffness="%s"'):format(number(0, 10)) end
    if chance(0.3) then text = text .. (' armature="%s"'):format(number(0.01, 0.2)) end
  else
    local hinge = kind == "hinge"
    text = text .. (' axis="%s"'):format(vector(-1, 1))
    if chance(0.3) then
      text = text .. (' stiffness="%s" springref="%s"'):format(number(0, 20), hinge and number(-60, 60) or number(-0.3, 0.3))
    end
    if chance(0.3) then text = text .. (' armature="%s"'):format(number(0.01, 0.5)) end
    if chance(0.3) then text = text .. (' ref="%s"'):format(hinge and number(-200, 200) or number(-0.3, 0.3)) end
  end
  return text .. "/>"
end

local function body(found, depth)
  found.bodies = found.bodies + 1
  local out = { ('<body name="b%d" pos="%s" %s %s>'):format(found.bodies, vector(-0.4, 0.4), orientation(),
    chance(0.15) and 'childclass="light"' or "") }
  local function add(text) out[#out + 1] = text end
  local choice = math.random()
  if choice < 0.15 then
    if depth == 1 then add(joint(found, "free")) end  -- else part of what carries it
  elseif choice < 0.3 then
    add(joint(found, "ball"))
  else
    for _ = 1, choice < 0.65 and 1 or choice < 0.9 and 2 or 3 do add(joint(found, pick { "hinge", "hinge", "slide" })) end
  end
  if chance(0.4) then add(inertial()) end
  for _ = 1, math.random(2) do add(geom()) end
  for _ = 1, math.random(0, 2) do
    if depth < 4 and found.bodies < 6 then add(body(found, depth + 1)) end
  end
  add "</body>"
  return table.concat(out, "\n")
end

local function actuator(name, kind)
  if kind ~= "hinge" and kind ~= "slide" then
    return chance(0.5) and ('<motor joint="%s" gear="%s %s"/>'):format(name, vector(-3, 3), vector(-3, 3))
  end
  local choice, gear = math.random(), number(-3, 3)
  if choice < 0.2 then return ('<motor joint="%s" gear="%s"/>'):format(name, gear) end
  if choice < 0.3 then return ('<position joint="%s" gear="%s" kp="%s"/>'):format(name, gear, number(0, 5)) end
  if choice < 0.4 then return ('<velocity joint="%s" gear="%s" kv="%s"/>'):format(name, gear, number(0, 1)) end
  return choice < 0.5 and ('<general joint="%s" gear="%s" gainprm="%s" biastype="affine" biasprm="%s %s %s"/>'):format(
    name, gear, number(0, 1), number(-1, 1), number(-2, 0), number(-1, 0))
end

--- The text of a model with the keyframe "start".
return function(seed)
  math.randomseed(seed)
  local found = { bodies = 0, joints = {} }
  local world = {}
  for k = 1, math.random(2) do world[k] = body(found, 1) end
  local qpos, qvel, actuators, controls = {}, {}, {}, {}
  for _, each in ipairs(found.joints) do
    if each.kind == "free" then
      qpos[#qpos + 1] = vector(-1, 1) .. " " .. number(-1, 1) .. " " .. vector(-1, 1)
      qvel[#qvel + 1] = vector(-1, 1) .. " " .. vector(-3, 3)
    elseif each.kind == "ball" then
      qpos[#qpos + 1] = number(-1, 1) .. " " .. vector(-1, 1)
      qvel[#qvel + 1] = vector(-3, 3)
    else
      qpos[#qpos + 1] = each.kind == "hinge" and number(-7, 7) or number(-0.5, 0.5)
      qvel[#qvel + 1] = number(-3, 3)
    end
    local text = actuator(each.name, each.kind)
    if text then
      actuators[#actuators + 1] = text
      controls[#controls + 1] = number(-2, 2)
    end
  end
  return ([[<mujoco>
<compiler angle="degree" eulerseq="%s" %s/>
<option gravity="%s"> <flag contact="disable"/> </option>
<default> <geom density="800"/> <default class="light"> <geom density="200"/> <joint damping="0.05"/> </default> </default>
<worldbody>
%s
</worldbody>
<actuator>%s</actuator>
<keyframe> <key name="start" qpos="%s" qvel="%s" %s/> </keyframe>
</mujoco>
]]):format(pick { "xyz", "XYZ", "zyx", "zXz" }, chance(0.3) and 'inertiafromgeom="true"' or "",
    chance(0.5) and "0 0 -9.81" or vector(-9, 9), table.concat(world, "\n"), table.concat(actuators, "\n"),
    table.concat(qpos, " "), table.concat(qvel, " "),
    #controls > 0 and ('ctrl="%s"'):format(table.concat(controls, " ")) or "")
end
