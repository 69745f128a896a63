-- Draws friction against slip for every law, which the reference shows:
--   perilune docs/reference/pictures/make_friction.lua [--out FOLDER]
-- A mass on a rail under the load 10 N is driven to and fro. A law without a picture is a broken link of the reference.
local mbs = require "perilune"
local options = mbs.options { out = arg[0]:match "^(.*)/" or "." }
mbs.make_folder(options.out)

local dry, falling = { coefficient = 0.4 }, { static = 0.5, dynamic = 0.4 }
local bristles = { static = 0.5, dynamic = 0.4, stiffness = 1e5, damping = 300 }
local laws = {  -- numbers, and the largest slip (m/s)
  coulomb = { dry, 5e-3 }, coulomb_tanh = { dry, 5e-3 }, coulomb_cubic = { dry, 5e-3 }, threlfall = { dry, 5e-3 },
  ambrosio = { dry, 3e-5 }, brown_mcphee = { falling, 5e-2 }, stribeck = { falling, 5e-2 },
  viscous = { { damping = 40 }, 0.1 },
  static_friction = { { coefficient = 0.4, stiffness = 1e5, damping = 300 }, 5e-2 },
  dahl = { { coefficient = 0.4, stiffness = 1e5 }, 5e-2 }, lugre = { bristles, 5e-2 },
  elasto_plastic = { bristles, 5e-2 }, gonthier = { bristles, 5e-2 },
}
local load, omega, points = 10, 12, 720
for name, law in pairs(laws) do
  local fastest = law[2]
  local m = mbs.model { name, gravity = { 0, 0 } }
  local P = m:point { "P", at = { 0, 0 }, mass = 1, velocity = { fastest, 0 } }
  m:point_on_line { "rail", m.ground, P, axis = { 1, 0 }, friction = mbs[name](law[1]), preload = load }
  m:constraint { "drive", law = function(s) return P.x - fastest / omega * math.sin(omega * s.t) end }
  -- From the second turn on, when what the start was is forgotten.
  local period, times = 2 * math.pi / omega, {}
  for k = 0, points do times[k + 1] = (1 + k / points) * period end
  local run = m:simulate { t = 2 * period, integrator = mbs.radau { max_step = period / 200 } }
  local friction = run:values("rail.friction_force", times)
  for k, f in ipairs(friction) do friction[k] = -f / load end
  mbs.chart { ("%s/friction_%s.svg"):format(options.out, name), title = "mbs." .. name, x_label = "slip [m/s]",
              y_label = "friction against it / load",
              curves = { { name, x = run:values("rail.slip", times), y = friction } } }
end
