-- What tests of paths of equilibria ask of them.
local paths = {}

--- Kind and value of the special points.
function paths.special(path)
  local kinds, values = {}, {}
  for k, point in ipairs(path.special) do
    kinds[k], values[k] = point.kind, point.value
  end
  return table.concat(kinds, " "), values
end

--- Its regular points, in a word for each stretch that is alike.
function paths.stabilities(path)
  local text, last = {}, nil
  for _, point in ipairs(path) do
    if not point.kind and point.stable ~= last then
      last = point.stable
      text[#text + 1] = last and "stable" or "unstable"
    end
  end
  return table.concat(text, " ")
end

return paths
