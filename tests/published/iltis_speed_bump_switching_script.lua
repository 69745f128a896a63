-- Runs the part of scripts/iltis_speed_bump.lua where contact switches: adjoint, direct method and differences agree.
local pipe = assert(io.popen(("%q %q --part switching"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local events = 0
for _ in text:gmatch "\n  0%.%d+ s  front_[%a_]+tire%.%a+" do events = events + 1 end
assert(events >= 4, text)
local compared = 0
for direct, difference in text:gmatch "\n[kLc]+_%a+ +%S+ +%S+ +%S+ +(%S+) +(%S+)" do
  assert(tonumber(direct) < 1e-9 and tonumber(difference) < 1e-6, text)
  compared = compared + 1
end
assert(compared == 6, text)
