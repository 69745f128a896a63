-- The models of models/ at 0.1 s as MuJoCo has them: states to 1e-6, degrees of freedom. Those with loops are not the same
-- physics, as MuJoCo's equalities give way; tests/lua/test_model_files.lua has closed forms for them.
-- perilune test_models.lua mujoco_states folder
package.path = arg[0]:gsub("[^/]*$", "?.lua;") .. package.path
local compare = require "compare"
local program = arg[1]
local folder = arg[0]:gsub("[^/]*$", "models/")

local models = {
  { "pendulum.xml", "small", bodies = 1 }, { "pendulum.xml", "large", bodies = 1 }, { "double_pendulum.xml", bodies = 2 },
  { "orientations.xml", bodies = 5 }, { "slides.xml", bodies = 3 }, { "slides.xml", "start", bodies = 3 },
  { "hip.xml", "fall", bodies = 4 }, { "ball.xml", "start", bodies = 2 }, { "free.xml", "throw", bodies = 2 },
  { "solids.xml", bodies = 10 }, { "inertial.xml", bodies = 3 }, { "from_geoms.xml", bodies = 2 }, { "meshes.xml", bodies = 3 },
  { "defaults.xml", "on", bodies = 4 }, { "fixed.xml", bodies = 2 }, { "actuators.xml", "work", bodies = 3 },
  { "actuator_defaults.xml", "on", bodies = 5 }, { "tendons.xml", bodies = 2 }, { "tendons.xml", "apart", bodies = 2 },
  { "arm.urdf", bodies = 3 }, { "kinds.urdf", bodies = 3 },
  { "floating.xml", "start", bodies = 3 }, { "balance.xml", "turning", bodies = 2 }, { "springs.xml", bodies = 4 },
  { "springs.xml", "turned", bodies = 4 }, { "sites.xml", "go", bodies = 4 }, { "options.xml", bodies = 2 },
}
-- Those of Debian's libmujoco-samples that are no more than bodies and joints.
local public = "/usr/share/mujoco/model/"
for _, name in ipairs { "humanoid/humanoid.xml", "humanoid100/humanoid_body.xml", "humanoid/22_humanoids.xml" } do
  local file = io.open(public .. name)
  if file then
    file:close()
    models[#models + 1] = { public .. name, bodies = 13 }
  end
end

-- Others are it where what is not read here is taken out, and move where they are thrown. Bodies get names, to be compared.
local folder_of_copies = arg[2]
local function copy(name, bodies, changes)
  local original = io.open(public .. name)
  if not original then return end
  local text = original:read "a"
  original:close()
  for _, change in ipairs(changes) do
    local count
    text, count = text:gsub(change[1], change[2])
    assert(count > 0, name .. ": has no " .. change[1])
  end
  local path = folder_of_copies .. "/" .. name:match "[^/]*$"
  local out <close> = assert(io.open(path, "w"))
  out:write(text)
  models[#models + 1] = { path, "thrown", bodies = bodies }
end
local function thrown(velocities)
  return { "</mujoco>", ('<keyframe> <key name="thrown" qvel="%s"/> </keyframe> </mujoco>'):format(velocities) }
end
local count = 0
local names = { "<body pos", function()
  count = count + 1
  return ('<body name="b%d" pos'):format(count)
end }
local no_actuators = { "<actuator>.*</actuator>", "" }
copy("tendon_arm/arm26.xml", 2, { names, no_actuators, { "<tendon>.*</tendon>", "" }, { "<muscle [^>]*/>", "" }, thrown "3 -2" })
copy("slider_crank/slider_crank.xml", 3, { { "<body>", '<body pos="0 0 0">' }, names, no_actuators, thrown "3 -2 4" })
-- MuJoCo weighs meshes as they are only where it is told to.
copy("mug/mug.xml", 1, { { '<mujoco model="mug">', '%0 <compiler exactmeshinertia="true" meshdir="' .. public .. 'mug"/>' },
  { "<texture[^>]*/>", "" }, { "<material[^>]*/>", "" }, { ' material="[^"]*"', "" }, thrown "1 2 3 8 5 9" })

for _, model in ipairs(models) do
  local file = model[1]:sub(1, 1) == "/" and model[1] or folder .. model[1]
  local worst, where, count = compare.motion(program, file, 0.1, model[2], 1e-4)
  print(("%-20s %2d bodies, differs by %.1e at %s"):format(model[1]:match "[^/]*$", count, worst, where))
  assert(count >= model.bodies, file .. ": bodies are missing")
  assert(worst < 1e-6, file)
end
