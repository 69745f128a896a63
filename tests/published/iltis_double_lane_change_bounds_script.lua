-- Runs all optimizations of scripts/iltis_double_lane_change.lua: every parameter ends at its upper bound, as in print.
local pipe = assert(io.popen(("%q %q --part all"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local found = {}
for name, psi, at_bound, of in text:gmatch "\n([%a ]-) +(0%.%d+) +%d+ +%d+ +[%d.]+ s +(%d) of (%d)" do
  assert(at_bound == of, name .. "\n" .. text)
  found[name] = tonumber(psi)
end
for name, printed in pairs { ["all six"] = 0.0012, kL = 0.0028, c = 0.0048, k = 0.0022 } do
  assert(found[name] and math.abs(found[name] / printed - 1) < 0.15, name .. "\n" .. text)
end
