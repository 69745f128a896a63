-- The front page shows what is: its script is that of scripts/straight_line.lua, and its picture is what that draws.
-- (That the script prints what the page says, run_page.lua checks.)
--   perilune test_front_page.lua README.md straight_line.lua straight_line.svg
local page, script, picture = arg[1], arg[2], arg[3]
local function read(name)
  local file <close> = assert(io.open(name))
  return file:read "a"
end

local shown = assert(read(page):match "\n```lua\n(.-)```", "the page has no script")
assert(read(script):find(shown, 1, true), script .. " does not contain the script of " .. page)

local drawn = os.tmpname()
assert(os.execute(("'%s' '%s' --svg '%s' > /dev/null"):format(arg[-1], script, drawn)))
local function numbers(text)
  local list = {}
  local rest = text:gsub("%-?%d+%.%d", function(number)
    list[#list + 1] = tonumber(number)
    return "?"
  end)
  return list, rest
end
local want, shape = numbers(read(picture))
local got, shape_now = numbers(read(drawn))
os.remove(drawn)
assert(shape == shape_now, picture .. " is out of date: see the head of " .. script)
for k, number in ipairs(want) do
  assert(math.abs(number - got[k]) < 0.15, ("%s: %g where %g is drawn now"):format(picture, number, got[k]))
end
