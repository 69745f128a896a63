-- Runs the part of scripts/iltis_speed_bump.lua about peaks of acceleration and travel: fixed and adaptive steps agree on
-- them, and the adjoint with the direct method on their gradients.
local pipe = assert(io.popen(("%q %q --part peaks"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local number = "(%-?[%d.]+)"
local compared = 0
for name, fixed, fine in text:gmatch("\n(%a+ ?%a*) +[%d.]+ +" .. number .. " +" .. number .. " +%-?[%d.]+") do
  -- Accelerations of the trapezoidal rule are off by percents of them, lengths by less than a millimeter.
  local allowed = name:find "%a %a" and 1e-3 or 0.3
  assert(math.abs(tonumber(fixed) - tonumber(fine)) < allowed, text)
  compared = compared + 1
end
assert(compared == 6, text)
local agreed = 0
for apart in text:match("gradient .*"):gmatch "\n%a+ ?%a* +(%d[%d.e+-]+)" do
  assert(tonumber(apart) < 1e-9, text)
  agreed = agreed + 1
end
assert(agreed == 6, text)
