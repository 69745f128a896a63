-- Runs the short part of scripts/iltis_speed_bump.lua: at the printed optima Psi falls by the ratios that the laws with
-- kept preload should have, in the printed order, and the settled chassis is where it should be.
local pipe = assert(io.popen(("%q %q --part printed"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local function near(got, expected, tolerance)
  assert(math.abs(got - expected) <= tolerance * math.abs(expected), got .. " instead of " .. expected .. "\n" .. text)
end
local wanted = { { "all six", 48, 13.0, -62.9 }, { "kL", 96, 6.5, -46.8 }, { "c", 257, 3.0, -7.1 },
                 { "k", 81, 9.5, -54.5 } }
near(tonumber(text:match "\noriginal +678 +([%d.]+)"), 678, 0.05)  -- our choice of the critical slip
local psis = {}
for _, row in ipairs(wanted) do
  local psi, height, ratio = text:match("\n" .. row[1] .. " +" .. row[2] .. " +([%d.]+) +(%-[%d.]+) +([%d.]+)")
  near(tonumber(ratio), row[3], 0.15)
  near(tonumber(height), row[4], 0.03)
  psis[row[1]] = tonumber(psi)
end
assert(psis["all six"] < psis.k and psis.k < psis.kL and psis.kL < psis.c, text)
