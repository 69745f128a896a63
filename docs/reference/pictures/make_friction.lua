-- Draws friction against slip for every law, which the reference shows:
--   perilune docs/reference/pictures/make_friction.lua [--out FOLDER]
-- A mass on a rail under the load 10 N is driven to and fro. Laws and their numbers are those that help draws.
local mbs = require "perilune"
local options = mbs.options { out = arg[0]:match "^(.*)/" or "." }
mbs.make_folder(options.out)

local pipe = assert(io.popen(("'%s' doc --json"):format(arg[-1])))
local documents = pipe:read "a"
assert(pipe:close())

--- The numbers with which help draws a law, and its largest slip (m/s).
local function drawn(picture)
  local how, numbers = picture:match "^(Friction over .-)\\n(.-); load 10 N\\n"
  local slip = how:match "slips up to (%S+) m/s" or picture:match "slip %[m/s%] +([%d.e-]+)"
  return load("return {" .. numbers .. "}")(), tonumber(slip)
end

local load_of_all, omega, points = 10, 12, 720
for name, entry in documents:gmatch '{"name": "mbs%.([%w_]+)", "object"(.-)"see_also"' do
  local picture = entry:match '"picture": "(.-)"'
  if not picture then goto continue end
  local numbers, fastest = drawn(picture)
  local m = mbs.model { name, gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1, velocity = { fastest, 0 } }
  m:point_on_line { "rail", m.ground, P, axis = { 1, 0 }, friction = mbs[name](numbers), preload = load_of_all }
  m:constraint { "drive", law = function(s) return P.x - fastest / omega * math.sin(omega * s.t) end }
  -- From the second turn on, when what the start was is forgotten.
  local period, times = 2 * math.pi / omega, {}
  for k = 0, points do times[k + 1] = (1 + k / points) * period end
  local run = m:simulate { t = 2 * period, integrator = mbs.radau { max_step = period / 200 } }
  local friction = run:values("rail.friction_force", times)
  for k, f in ipairs(friction) do friction[k] = -f / load_of_all end
  mbs.chart { ("%s/friction_%s.svg"):format(options.out, name), title = "mbs." .. name, x_label = "slip [m/s]",
              y_label = "friction against it / load",
              curves = { { name, x = run:values("rail.slip", times), y = friction } } }
  ::continue::
end
