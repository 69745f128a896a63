-- The rooms of the engine look one way: each may include those that docs/architecture.md lists before it.
local root = (arg[0]:match "^(.*)/tests/lua/" or ".") .. "/"
local rank, count = {}, 0
local page = assert(io.open(root .. "docs/architecture.md")):read "a"
for name in page:match("```text\n(.-)```"):gmatch "([^\n]+)" do
  count = count + 1
  rank[name:match "^%w+"] = count
end
local files = assert(io.popen('cd "' .. root .. 'engine" && find . -name "*.[hc]pp"'))
local seen, failures = 0, {}
for path in files:lines() do
  local room = path:match "^%./(%w+)/"
  if room and room ~= "install" and not rank[room] then failures[#failures + 1] = path .. " is in a room without a place" end
  seen = seen + 1
  for line in io.lines(root .. "engine/" .. path) do
    local other = rank[room] and line:match '^#include "(%w+)/'
    if other and rank[other] and rank[other] > rank[room] then failures[#failures + 1] = path .. ": " .. line end
    if line:find "^#include.*lua%.h" then failures[#failures + 1] = path .. ": " .. line end
  end
end
files:close()
assert(count == 12 and seen > 200, "the list or the files were not found")
assert(#failures == 0, table.concat(failures, "\n"))
