-- The motion of a model file here and in MuJoCo, for the tests beside this file.
local mbs = require "perilune"

local compare = {}

-- What mujoco_states prints: bodies by name, each a list of 7 numbers and the mass; and its degrees of freedom.
local function states(program, file, t, step, key)
  local pipe <close> = assert(io.popen(("%s %s %.17g %.17g %s 2>&1"):format(program, file, t, step, key or "")))
  local text = pipe:read "a"
  local freedom = tonumber(text:match "^nv (%d+)")
  if not freedom then error(("MuJoCo does not read %s: %s"):format(file, text), 0) end
  local bodies = {}
  for line in text:gmatch "[^\n]+" do
    local name, rest = line:match "^(%S+) (.*)$"
    local numbers = {}
    for word in rest:gmatch "%S+" do numbers[#numbers + 1] = tonumber(word) end
    if name ~= "nv" then bodies[name] = numbers end
  end
  return bodies, freedom
end

--- The largest difference of positions (m) and Euler parameters at the time t, where it is, and how many bodies were
--- compared: those that are bodies here, too; last the largest relative difference of masses, where what is fixed on a
--- body counts with it in MuJoCo, too, as in URDF. MuJoCo turns bodies by steps of second order within its Runge-Kutta
--- steps: two step sizes are extrapolated.
function compare.motion(program, file, t, key, step)
  local coarse, freedom = states(program, file, t, step, key)
  local fine = states(program, file, t, step / 2, key)
  local m = mbs.read { file, key = key }
  local own = m:mobility {}.degrees_of_freedom
  if own ~= freedom then
    error(("%s: %d degrees of freedom, in MuJoCo %d"):format(file, own, freedom), 0)
  end
  local run = m:simulate { t = t, integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  local worst, where, count, of_masses = 0, "", 0, 0
  for name, first in pairs(coarse) do
    local is_body, kind = pcall(function() return m:object(name).kind end)
    if is_body and kind == "body" then
      count = count + 1
      of_masses = math.max(of_masses, math.abs(m:object(name).mass / first[8] - 1))
      local theirs, dot = {}, 0
      for k = 1, 7 do theirs[k] = (4 * fine[name][k] - first[k]) / 3 end
      for k, e in ipairs { "e0", "e1", "e2", "e3" } do dot = dot + run:at(name .. "." .. e, t) * theirs[3 + k] end
      for k, signal in ipairs { "x", "y", "z", "e0", "e1", "e2", "e3" } do
        local ours = run:at(name .. "." .. signal, t) * (k > 3 and dot < 0 and -1 or 1)
        if not (math.abs(ours - theirs[k]) <= worst) then
          worst, where = math.abs(ours - theirs[k]), name .. "." .. signal
        end
      end
    end
  end
  return worst, where, count, of_masses
end

return compare
