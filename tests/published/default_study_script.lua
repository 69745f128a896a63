-- Runs scripts/default_study.lua: what a script gets that names no formulation is right on every mechanism, or ends with a
-- sentence (the ladders of rods); independent coordinates are right on all.
local pipe = assert(io.popen(("%q %q --json default_study.json 2>&1"):format(arg[-1], arg[1])))
local text = pipe:read "a"
assert(pipe:close(), "the script failed: " .. text)
local silent, refused, count = 0, 0, 0
for line in text:gmatch "\n| ([^\n]*) |" do
  local cells = {}
  for cell in (line .. " |"):gmatch "(.-) |%s?" do cells[#cells + 1] = cell end
  if cells[1] ~= "mechanism" and cells[1] ~= "wrong without a word" and not cells[1]:find "^%-" then
    count = count + 1
    if cells[2]:find "%*%*" then silent = silent + 1 end
    if cells[2] == "refused" then
      refused = refused + 1
      assert(cells[1]:find "rods", cells[1] .. " is refused\n" .. text)
    end
    assert(tonumber(cells[7]) and tonumber(cells[7]) <= 1e-5, "Maggi's form: " .. line)
  end
end
assert(count >= 33 and silent == 0 and refused <= 2, text)
