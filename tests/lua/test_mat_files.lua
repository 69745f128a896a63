-- Files for Octave and MATLAB, byte by byte: what is written is read here by the format's rules, and files with what
-- Octave may write are built here.
local mbs = require "perilune"
local check = require "check"
local path = os.tmpname()

local function read(name)
  local file <close> = assert(io.open(name, "rb"))
  return file:read "a"
end

local function write(text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

-- A data element: type, bytes, and where the next one starts.
local function element(text, at)
  local kind, size = ("<I4I4"):unpack(text, at)
  return kind, text:sub(at + 8, at + 7 + size), at + 8 + (size + 7) // 8 * 8
end

local function variables(text)
  check.equal(text:sub(1, 6), "MATLAB")
  check.equal(text:sub(125, 128), "\0\1IM")
  local found, at = {}, 129
  while at <= #text do
    local kind, body, following = element(text, at)
    check.equal(kind, 14)
    check.equal(following - at, #body + 8)
    local flags, sizes, name, data, data_kind, place
    kind, flags, place = element(body, 1)
    check.equal(kind, 6)
    kind, sizes, place = element(body, place)
    check.equal(kind, 5)
    kind, name, place = element(body, place)
    check.equal(kind, 1)
    data_kind, data, place = element(body, place)
    check.equal(place, #body + 1)
    local rows, columns = ("<i4i4"):unpack(sizes)
    found[name] = { class = flags:byte(1), rows = rows, columns = columns, kind = data_kind, data = data }
    at = following
  end
  return found
end

-- What runs write.
do
  local m = mbs.model { gravity = { 0, -10 } }
  m:point { "P", at = { 0, 0 }, velocity = { 1, 5 }, mass = 1 }
  local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 0.25 } }
  run:mat(path, "P.x", "P.vy")
  local found = variables(read(path))
  local ramp = { 0, 0.25, 0.5, 0.75, 1 }
  for name, expected in pairs { t = ramp, P_x = ramp, P_vy = { 5, 2.5, 0, -2.5, -5 } } do
    local variable = found[name]
    check.equal(variable.class, 6)
    check.equal(variable.rows, 5)
    check.equal(variable.columns, 1)
    check.equal(variable.kind, 9)
    for k, value in ipairs(expected) do check.near(("<d"):unpack(variable.data, 8 * k - 7), value, 1e-12) end
  end
  check.equal(#mbs.read_mat(path).P_x, 5)
end

-- Two signals of one name.
do
  local m = mbs.model { gravity = { 0, 0 } }
  local arm = m:body { "arm", mass = 1, inertia = 1 }
  m:revolute { "P", m.ground, arm, at = { 0, 0 } }
  m:point { "P_force", at = { 0, 0 }, mass = 1 }
  local run = m:simulate { t = 1 }
  local ok, message = pcall(run.mat, run, path, "P.force_x", "P_force.x")
  assert(not ok and tostring(message):find "two signals would be called P_force_x", message)
end

-- What scripts write, and read again.
do
  local values = { k = 120, list = { 1, 2.5, -3 }, A = { { 1, 2, 3 }, { 4, 5, 6 } }, empty = {} }
  values.remark = "as measured"
  mbs.write_mat(path, values)
  local A = variables(read(path)).A
  check.equal(A.rows, 2)
  check.equal(A.columns, 3)
  for k, value in ipairs { 1, 4, 2, 5, 3, 6 } do check.equal(("<d"):unpack(A.data, 8 * k - 7), value) end
  check.equal(variables(read(path)).remark.class, 4)
  local again = mbs.read_mat(path)
  check.equal(again.k, 120.0)
  check.equal(again.remark, "as measured")
  check.equal(table.concat(again.list, " "), "1.0 2.5 -3.0")
  check.equal(table.concat(again.A[2], " "), "4.0 5.0 6.0")
  check.equal(#again.empty, 0)
end

-- What Octave may write: whole numbers in few bytes, names within the tag, other classes, other sizes.
local header = ("Octave"):gsub("Octave", "MATLAB 5.0 MAT-file, written by Octave")
header = header .. (" "):rep(124 - #header) .. "\0\1IM"

local function long(kind, data) return ("<I4I4"):pack(kind, #data) .. data .. ("\0"):rep(-#data % 8) end
local function short(kind, data) return ("<I2I2"):pack(kind, #data) .. data .. ("\0"):rep(4 - #data) end
local function matrix(class, sizes, name, data, flags)
  local dimensions = ""
  for _, size in ipairs(sizes) do dimensions = dimensions .. ("<i4"):pack(size) end
  return long(14, long(6, ("<I4I4"):pack(class | (flags or 0), 0)) .. long(5, dimensions)
    .. (#name <= 4 and short(1, name) or long(1, name)) .. data)
end

write(header .. matrix(6, { 1, 3 }, "n", short(1, "\1\2\255"))
  .. matrix(12, { 2, 2 }, "counts", long(5, ("<i4i4i4i4"):pack(1, -2, 3, 4)))
  .. matrix(7, { 1, 1 }, "f", short(7, ("<f"):pack(0.5))) .. matrix(9, { 1, 2 }, "flag", short(2, "\1\0"), 0x200)
  .. matrix(4, { 1, 2 }, "text", short(16, "ab")) .. matrix(6, { 0, 0 }, "none", long(9, "")))
local found = mbs.read_mat(path)
check.equal(table.concat(found.n, " "), "1.0 2.0 -1.0")
check.equal(found.counts[1][2], 3.0)
check.equal(found.counts[2][1], -2.0)
check.equal(found.f, 0.5)
check.equal(found.flag[1], 1.0)
check.equal(found.text, "ab")
check.equal(#found.none, 0)

-- What cannot be read or written says so.
local function refused(text, pattern)
  write(text)
  local ok, message = pcall(mbs.read_mat, path)
  assert(not ok and tostring(message):find(pattern), message)
end
refused("t,x\n1,2\n", "no file of level 5.*save %-v6")
refused(header .. long(15, "xxxx"), "compressed.*save %-v6")
refused(header .. matrix(2, { 1, 1 }, "s", ""), "variable 's' is a struct; only real matrices and text are read")
refused(header .. matrix(6, { 1, 1 }, "z", long(9, ("<d"):pack(1)), 0x800), "'z' is complex")
refused(header .. matrix(6, { 1, 1, 2 }, "c", long(9, ("<dd"):pack(1, 2))), "'c' is an array of 3 dimensions")
refused(header .. matrix(6, { -1, -1 }, "d", long(9, ("<d"):pack(1))), "damaged")
refused(header .. matrix(6, { 1 << 30, 1 << 30 }, "d", long(9, ("<d"):pack(1))), "damaged")
local whole = header .. matrix(6, { 1, 2 }, "whole", long(9, ("<dd"):pack(1, 2)))
for cut = 1, #whole - 1 do
  write(whole:sub(1, cut))
  local ok, message = pcall(mbs.read_mat, path)
  assert(cut == 128 and ok or not ok and tostring(message):find "level 5" or tostring(message):find "damaged", cut)
end
local function unwritten(values, pattern)
  local ok, message = pcall(mbs.write_mat, path, values)
  assert(not ok and tostring(message):find(pattern), message)
end
unwritten({ ["P.x"] = 1 }, "'P.x' cannot be a name in Octave")
unwritten({ A = { { 1 }, { 1, 2 } } }, "the rows of A have different lengths")
unwritten({ A = { true } }, "write_mat: A has true; expected a number")
unwritten({ 1 }, "a key is .*expected a name")
os.remove(path)

-- Text of any language, and what is no text.
for _, text in ipairs { "é µ", "Δt ≤ 1 µs", "𝛼 = 2", "a\0b", "\xe9", "" } do
  mbs.write_mat(path, { text = text })
  check.equal(mbs.read_mat(path).text, text == "\xe9" and "é" or text)
end
write(header .. matrix(4, { 1, 2 }, "s", long(16, "é")))
assert(not pcall(mbs.read_mat, path))
write(header .. matrix(4, { 1, 1 }, "s", long(16, "é")))
check.equal(mbs.read_mat(path).s, "é")
write(header .. matrix(4, { 1, 2 }, "s", long(17, "\x35\xd8\xfc\xde")))
check.equal(mbs.read_mat(path).s, "𝛼")
unwritten({ A = { 1, 2, more = 3 } }, 'A has the key "more"')
unwritten({ A = { { 1, x = 2 } } }, 'A has the key "x"')
unwritten({ [("n"):rep(64)] = 1 }, "at most 63")

-- A folder is no file, and what cannot be written leaves the file as it is.
assert(select(2, pcall(mbs.read_mat, ".")) ~= nil and not pcall(mbs.read_mat, "."))
do
  local m = mbs.model { gravity = { 0, -9.81 } }
  local P = m:point { "P", at = { 0, 1 }, mass = 1 }
  local run = m:simulate { t = 0.1, integrator = mbs.rk4 { step = 0.05 } }
  write "kept"
  assert(not pcall(run.mat, run, path, "P.x", "P.x"))
  local file = assert(io.open(path, "rb"))
  check.equal(file:read "a", "kept")
  file:close()
  os.remove(path)
end
