-- The rooms of the engine and of the executable look one way: each may include those that docs/architecture.md lists
-- before it. And Eigen's decompositions come from linalg/decompositions.hpp, which has them compiled once.
local root = (arg[0]:match "^(.*)/tests/lua/" or ".") .. "/"
local page = assert(io.open(root .. "docs/architecture.md")):read "a"
local lists = page:gmatch "```text\n(.-)```"
local failures = {}
local decompositions = { Dense = true, QR = true, SVD = true, LU = true, Cholesky = true, Eigenvalues = true }

--- Rooms without a place in the list are failures, but for `others`. Returns how many rooms and files there are.
local function check(folder, others)
  local rank, count, seen = {}, 0, 0
  for name in lists():gmatch "([^\n]+)" do
    count = count + 1
    rank[name:match "^%w+"] = count
  end
  local files = assert(io.popen(('cd "%s%s" && find . -name "*.[hc]pp"'):format(root, folder)))
  for path in files:lines() do
    local room = path:match "^%./(%w+)/"
    if room and not others[room] and not rank[room] then failures[#failures + 1] = path .. " is in a room without a place" end
    seen = seen + 1
    for line in io.lines(root .. folder .. "/" .. path) do
      local other = rank[room] and line:match '^#include "(%w+)/'
      if other and rank[other] and rank[other] > rank[room] then failures[#failures + 1] = path .. ": " .. line end
      if folder == "engine" and line:find "^#include.*lua%.h" then failures[#failures + 1] = path .. ": " .. line end
      if decompositions[line:match "^#include <Eigen/(%w+)>"] and path ~= "./linalg/decompositions.hpp" then
        failures[#failures + 1] = path .. ": " .. line
      end
    end
  end
  files:close()
  return count, seen
end

local rooms, files = check("engine", { install = true })
assert(rooms == 15 and files > 200, "the list or the files of the engine were not found")
rooms, files = check("lua", { exercise = true, course = true })
assert(rooms == 10 and files > 140, "the list or the files of the executable were not found")
assert(#failures == 0, table.concat(failures, "\n"))
