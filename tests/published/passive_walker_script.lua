-- Runs scripts/passive_walker.lua as a user would: rows of its table must agree with the values beside them, which are
-- those of the reference page, to the digits given there (rates of the fast knee differ in the sixth digit), and
-- derivatives with differences; the walker with compliant feet walks and falls as the source says.
local script = arg[1]
local program = arg[-1]
local pipe = assert(io.popen(("%q %q"):format(program, script)))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)

local compared = 0
for name, got, expected in text:gmatch "\n([^\n]-) +(%-?%d+%.%d+) +(%-?%d+%.%d+)%f[\n]" do
  got, expected = tonumber(got), tonumber(expected)
  local is_row = not (name:find "printed start" or name:find "^relative") -- lists of one quantity
  local tolerance = name:find "^d " and 1e-7 or 5e-6
  assert(not is_row or math.abs(got - expected) <= tolerance * math.max(1, math.abs(expected)), name .. "\n" .. text)
  compared = compared + (is_row and 1 or 0)
end
assert(compared == 21 + 8 + 10, compared .. " numbers\n" .. text)
assert(text:find("0.1863 0.1872 0.1883 0.1887 0.1885 0.1882", 1, true), text)
assert(text:find("; stable", 1, true), text)

-- Steps in 5 s and in 10 s, and the last period, of which the reference has 0.564 s.
for title, counts in pairs {
  ["1 point feet, static friction"] = { 8, 17 }, ["2 point feet, dry friction 0.9"] = { 8, 17 },
  ["  point feet, dry friction 0.3"] = { 8 }, ["4 surface feet, static friction"] = { 8, 17 },
  ["5 surface feet, dry friction 0.9"] = { 17 },
} do
  local k = 0
  for steps, period in text:gmatch("\n" .. title .. " +(%d+) steps in +[%d.]+ s +last period ([%d.]+) s; source") do
    k = k + 1
    assert(tonumber(steps) >= counts[k], text)
    assert(math.abs(period - 0.564) < 0.02 * 0.564, text)
  end
  assert(k == #counts, title .. "\n" .. text)
end
assert(tonumber(text:match "\n3 point feet, dry friction 0.2 +(%d+) steps in[^\n]*, fell at [%d.]+ s") <= 3, text)

-- Surface feet: the periods do not depend on the tolerance, and after 5 s they are those of a limit cycle.
local periods, rows = {}, 0
for row in text:gmatch "\nrelative ([^\n]+)" do
  local k = 0
  rows = rows + 1
  for period in row:gmatch "%d%.%d%d%d%d%d%d" do
    k = k + 1
    periods[k] = periods[k] or tonumber(period)
    assert(math.abs(period - periods[k]) < 3e-6, text)
  end
  assert(k == 5 and math.abs(periods[5] - periods[4]) < 5e-6 and math.abs(periods[4] - periods[2]) > 1e-3, text)
end
assert(rows == 3, text)

-- Energy: within a phase it changes by what is dissipated, to the integrator's tolerance times the 1 J that is at work;
-- the rest of the balance of a step is how far the gait still is from its limit.
rows = 0
local balance = ", (%de%-%d%d) +([%d.]+) +([%d.]+) +([%d.]+) +([%d.]+) +([%d.e-]+)\n"
for tolerance, descent, contacts, knees, released, unexplained in text:gmatch(balance) do
  rows = rows + 1
  assert(tonumber(unexplained) < tonumber(tolerance), text)
  assert(math.abs(contacts + knees + released - descent) < 2e-5, text)
  assert(tonumber(contacts) > 0.3 and tonumber(knees) > 0.01, text)
end
assert(rows == 4, rows .. "\n" .. text)

-- Derivatives against new simulations, whose steps end at the kinks of friction too; how strong it is matters so little
-- that the derivatives by it have fewer digits.
rows = 0
for name, direct, differences, off in text:gmatch "\nd ([%w_ /]+) +(%-?[%d.]+) +(%-?[%d.]+) +(%de[-+]%d%d)%f[\n]" do
  rows = rows + 1
  assert(tonumber(off) <= (name:find "/ d mu" and 5e-4 or 2e-6), name .. "\n" .. text)
  assert(math.abs(direct - differences) <= 5e-5 * math.abs(differences) + 2e-7, name .. "\n" .. text)
end
assert(rows == 8 + 10, rows .. "\n" .. text)

-- The optimizer gets past designs that fall, and says so where the start does.
rows = 0
for from, to in text:gmatch " steps: from ([%d.]+) to ([%d.]+) m/s" do
  rows = rows + 1
  assert(tonumber(to) > 1.05 * tonumber(from), text)
end
assert(rows == 2, text)
assert(text:find('from slope 0.2 rad: [^\n]*cannot be evaluated at the start.-phase "[%w ]+" did not end within'), text)
