-- Files that Octave itself reads and writes; skipped, with the reason, where it is not installed. Byte by byte, and
-- without Octave: tests/lua/test_mat_files.lua.
local mbs = require "perilune"
local here = arg[0]:match "^(.*)/" or "."
if not os.execute "command -v octave-cli > /dev/null" then
  print "skipped: octave-cli is not installed"
  os.exit(77)
end
local folder = mbs.make_folder "octave_files"

local m = mbs.model { gravity = { 0, -10 } }
m:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
m:simulate { t = 1, integrator = mbs.rk4 { step = 0.25 } }:mat(folder .. "/run.mat", "P.x", "P.vy")
mbs.write_mat(folder .. "/written.mat", { k = 120, list = { 1, 2.5, -3 }, A = { { 1, 2, 3 }, { 4, 5, 6 } },
                                          empty = {}, remark = "as measured" })
assert(os.execute(("octave-cli --norc '%s/read_and_write.m' '%s'"):format(here, folder)), "Octave disagrees")

local got = mbs.read_mat(folder .. "/octave.mat")
local function row(list) return table.concat(list, " ") end
assert(#got.B == 3 and row(got.B[1]) == "1.0 2.0" and row(got.B[3]) == "5.0 6.5")
assert(row(got.row) == "1.0 2.0 3.0 4.0" and got.n == 7 and got.text == "from Octave")
assert(got.small == 0.25 and row(got.counts) == "-1.0 2.0 3.0")
assert(got.flag == 1 or got.flag == true)
local ok, message = pcall(mbs.read_mat, folder .. "/compressed.mat")
assert(not ok and tostring(message):find "save %-v6", message)
