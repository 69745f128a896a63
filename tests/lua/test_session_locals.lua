-- The interactive mode takes one script in many chunks, and what is local to it means there what it means in a file: a
-- second declaration is a new variable, functions keep theirs, in loops, blocks and jumps as well. Random scripts are
-- run as a file, and typed in lines of one to six statements, with the same output.
local program = arg[-1]
local file = os.tmpname()

local function output_of(command, text)
  local out = assert(io.open(file, "w"))
  out:write(text)
  out:close()
  local pipe = assert(io.popen(command:format(program, file)))
  local output = pipe:read "a"
  pipe:close()
  return output
end

-- Names are few, so that they are declared again and again. `v` makes a number of what a variable may hold.
local names = { "a", "b", "c", "d" }
local head = {
  "fs = {}",
  "a, b, c, d = 1, 2, 3, 4",
  "deep = 0",
  "function v(x) if type(x) ~= 'function' or deep > 2 then return (tonumber(x) or 0) % 1000 end "
    .. "deep = deep + 1 x = v(x(2)) deep = deep - 1 return x end",
  "function all() local t = {} for k = 1, #fs do t[k] = v(fs[k]()) end return table.concat(t, ' ') end",
}

local labels = 0
local constant = {}

local function name() return names[math.random(#names)] end

local function expression(depth)
  local kind = math.random(depth > 2 and 2 or 8)
  local x, y = name(), name()
  if kind == 1 then return tostring(math.random(9)) end
  if kind == 2 then return ("v(%s)"):format(x) end
  local inner = expression(depth + 1)
  if kind == 3 then return ("v(%s) + v(%s)"):format(x, inner) end
  if kind == 4 then return ("(v(%s) - v(%s)) * -1"):format(x, inner) end
  if kind == 5 then return ("function(n) n = n or 1 if n > 1 then return v(%s) + n end return v(%s) end"):format(x, inner) end
  if kind == 6 then return ("({ v(%s), [[%s]], %s })[1]"):format(x, y, inner) end
  if kind == 7 then return ("select('#', %s, (function(...) return v(...) end)(%s))"):format(x, y) end
  return ("#[==[local %s = 1]==] .. v(%s)"):format(x, y)
end

local function assignable()
  local x = name()
  return constant[x] and "other" or x
end

local statement

-- What is local to it stays in it.
local function nested()
  local kept = {}
  for x, is in pairs(constant) do kept[x] = is end
  local list = {}
  for k = 1, math.random(3) do list[k] = statement(true) end
  constant = kept
  return table.concat(list, math.random(2) == 1 and " " or "; ")
end

function statement(is_nested)
  local kind = math.random(is_nested and 9 or 15)
  local x, y = name(), name()
  local value = expression(0)
  if kind <= 2 then
    constant[x] = nil
    return ("local %s = %s"):format(x, value)
  elseif kind == 3 then
    constant[x], constant[y] = nil, nil
    return ("local %s, %s = %s, v(%s)"):format(x, y, value, x)
  elseif kind == 4 then
    return ("%s = %s"):format(assignable(), value)
  elseif kind == 5 then
    return ("fs[#fs + 1] = function() %s = v(%s) + 1 return %s end"):format(assignable(), x, y)
  elseif kind == 6 then
    constant[x] = nil
    return ("local function %s(n) if n and n <= 0 then return 1 end return type(%s) == 'function' and 1 + v(%s(0)) end")
      :format(x, x, x)
  elseif kind == 7 then
    return ("print('%s', v(%s), v(%s))"):format(x, x, y)
  elseif kind == 8 then
    constant[x] = true
    return ("local %s <const> = %s"):format(x, value)
  elseif kind == 9 then
    constant[x] = nil
    return math.random(2) == 1 and ("local %s"):format(x) or ("local %s, other = nil"):format(x)
  elseif kind == 10 then
    return "print(all())"
  elseif kind == 11 then
    return ("do local %s <close> = setmetatable({}, { __close = function() print('close', v(%s)) end }) %s end")
      :format("closed", y, nested())
  elseif kind == 12 then
    return ("for i = 1, 3 do local %s = i %s fs[#fs + 1] = function() return %s end end"):format("k", nested(), x)
  elseif kind == 13 then
    return ("if v(%s) > 4 then %s elseif v(%s) then %s end"):format(x, nested(), y, nested())
  elseif kind == 14 then
    labels = labels + 1
    return ("tries = 0 ::again%d:: local %s = tries fs[#fs + 1] = function() return %s end tries = tries + 1 "
      .. "if tries < 3 then goto again%d end"):format(labels, "turn", "turn", labels)
  end
  return ("repeat local stop = v(%s) + 10 fs[#fs + 1] = function() stop = stop + 1 return stop end %s until stop > 3")
    :format(x, nested())
end

for seed = 1, 40 do
  math.randomseed(seed)
  constant = {}
  local statements = {}
  for k = 1, 40 do statements[k] = statement() end
  statements[#statements + 1] = "print(all(), v(a), v(b), v(c), v(d))"
  local script = table.concat(head, "\n") .. "\nother, tries = 0, 0\n" .. table.concat(statements, "\n")
  -- Not guarded: names of nothing may be read.
  local expected = output_of("'%s' '%s' 2>&1", script)
  local lines, k = { "_PROMPT, _PROMPT2 = '', ''", table.concat(head, "\n"), "other, tries = 0, 0" }, 1
  while k <= #statements do
    local last = math.min(k + math.random(0, 5), #statements)
    lines[#lines + 1] = table.concat(statements, math.random(2) == 1 and " " or " ; ", k, last)
    k = last + 1
  end
  local typed = output_of("'%s' -i <'%s' 2>&1", table.concat(lines, "\n") .. "\n")
  typed = typed:gsub("^[^\n]*\n[^\n]*\n> ", ""):gsub("\n$", "", 1)
  if typed ~= expected then
    print(("script %d\n%s\n--- typed\n%s"):format(seed, script, table.concat(lines, "\n")))
    error(("script %d printed\n%s\ntyped it printed\n%s"):format(seed, expected, typed))
  end
  assert(not expected:find(file, 1, true) and #expected > 10, expected)  -- it ran to its end
end
os.remove(file)
