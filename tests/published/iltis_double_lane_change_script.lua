-- Runs the short part of scripts/iltis_double_lane_change.lua: the start and the printed optima, which are the bounds,
-- come out as printed and as the reference model has them, within 15 %, and the car changes the lane and comes back.
local pipe = assert(io.popen(("%q %q --part printed"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local left, back, start = text:match "moves ([%d.]+) m to the left and comes back to (%-?[%d.]+) m; Psi = ([%d.]+)"
local function near(got, expected, tolerance)
  assert(math.abs(tonumber(got) - expected) <= tolerance, got .. " instead of " .. expected .. "\n" .. text)
end
near(left, 3.5, 0.1)
near(back, 0, 0.3)
near(start, 0.0257, 0.15 * 0.0257)
local reference, compared = { 0.0011, 0.0028, 0.0042, 0.0022 }, 0
for printed, got in text:gmatch "\n[%a ]+ +(0%.00%d+) +(0%.%d+)" do
  near(got, tonumber(printed), 0.15 * tonumber(printed))
  compared = compared + 1
  near(got, reference[compared], 0.15 * reference[compared])
end
assert(compared == 4, text)
