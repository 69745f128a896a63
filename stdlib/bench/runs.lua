-- What rows of `perilune bench` have in common: how a run is timed, and how far two lists of numbers are apart.
local runs = {}

function runs.distance(a, b)
  local sum = 0
  for k in ipairs(b) do sum = sum + (a[k] - b[k]) ^ 2 end
  return math.sqrt(sum)
end

--- The least processor time of several runs, as many as half a second has.
function runs.fastest(action)
  local best, spent, result = math.huge, 0, nil
  for k = 1, 20 do
    result = action()
    best, spent = math.min(best, result.seconds), spent + result.seconds
    if spent > 0.5 and k >= 2 or spent > 2 then break end
  end
  return best, result
end

--- Of each program the fastest row that is exact enough, as a line.
function runs.compare(rows, target, unit)
  local best, programs = {}, {}
  for _, row in ipairs(rows) do
    if row.error <= target then
      if not best[row.program] then programs[#programs + 1] = row.program end
      if not best[row.program] or row.seconds < best[row.program].seconds then best[row.program] = row end
    end
  end
  local within = ("within %.0e%s"):format(target, unit)
  if not best.perilune then return ("no row is %s"):format(within) end
  local text = ("%s: perilune %.3g ms (%s)"):format(within, 1e3 * best.perilune.seconds, best.perilune.method)
  for _, program in ipairs(programs) do
    if program ~= "perilune" then
      text = text .. ("; %s %.3g ms (%s), %.3g times as long"):format(program, 1e3 * best[program].seconds,
        best[program].method, best[program].seconds / best.perilune.seconds)
    end
  end
  return text
end

return runs
