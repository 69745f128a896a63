-- A file of matrices, written and read.
local mbs = require "perilune"
local rows = {}
for k = 1, 2000000 do rows[k] = k end
local name = os.tmpname()
print "ready"
mbs.write_mat(name, { x = rows })
mbs.read_mat(name)
mbs.write_json(name, { x = rows })
