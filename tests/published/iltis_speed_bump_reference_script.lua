-- Runs the part of scripts/iltis_speed_bump.lua that stands beside other programs: Psi without slip forces, its gradient,
-- and the peaks on a road bump.
local pipe = assert(io.popen(("%q %q --part reference"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local tolerances = {
  ["original, bump stops off"] = 0.05, ["original, bump stops on"] = 0.15,
  ["literal springs, damper lines printed, all six as printed"] = 0.01,
  ["literal springs, damper lines continuous, all six as printed"] = 0.01,
  -- Central differences of a planar model, "about 3 digits".
  kL_rear = 0.03, kL_front = 0.03, c_rear = 0.03, c_front = 0.03, k_rear = 0.03, k_front = 0.03,
  ["rise of the chassis above the nominal height, mm"] = 0.03,
  ["pitch, nose down, degrees"] = 0.03, ["pitch, nose up, degrees"] = 0.03 }
local compared = 0
for label, got, wanted in text:gmatch "\n(%a[^\n]-) +(%-?[%d.]+) +(%-?[%d.]+)%f[\n]" do
  local tolerance = assert(tolerances[label], "an unknown row: " .. label)
  assert(math.abs(got - wanted) <= tolerance * math.abs(wanted), label .. ": " .. got .. "\n" .. text)
  compared = compared + 1
end
assert(compared == 13, text)
