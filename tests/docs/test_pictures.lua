-- Every page of the documentation shows pictures, with a sentence for who cannot see them. docs/pictures has
-- those that pages show and no others, and make.lua there draws each of them. Those that need no page to run are drawn
-- here and compared; what is drawn from simulations may differ in the last digit elsewhere.
-- perilune test_pictures.lua ROOT page.md ..., pages relative to the root
local root = arg[1]
local folder = root .. "/docs/pictures/"
package.path = folder .. "?.lua;" .. package.path
local failures = 0
local function check(condition, text)
  if condition then return end
  io.stderr:write(text, "\n")
  failures = failures + 1
end

local function read(name)
  local file <close> = io.open(name, "rb")
  return file and file:read "a"
end

local pictures, drawn_for = require "pictures", {}
for _, picture in ipairs(pictures) do
  check(not drawn_for[picture[2]], picture[2] .. " is drawn twice")
  drawn_for[picture[2]] = picture[1]
end

local is_shown = {}
for k = 2, #arg do
  local page = arg[k]:match "^docs/(.*)%.md$"
  local here = page:find "/" and "../pictures/" or "pictures/"
  local text = ("\n" .. read(root .. "/" .. arg[k])):gsub("\n```.-\n```", "\n")
  check(text:find "!%[[^]]*%]%(", arg[k] .. " has no picture; add one to docs/pictures")
  for sentence, folder_of, name in text:gmatch "!%[([^]]*)%]%(([./]*pictures/)([%w_]+)%.svg%)" do
    if folder_of ~= here then goto continue end -- of the reference's own folder
    is_shown[name] = true
    check(sentence:find "^%u.*%.$", ("%s: the text of %s is no sentence: '%s'"):format(arg[k], name, sentence))
    check(drawn_for[name] == page, ("%s: docs/pictures/make.lua draws %s for %s"):format(
      arg[k], name, drawn_for[name] or "no page"))
    local size = #(read(folder .. name .. ".svg") or "")
    check(size > 0 and size <= 40000, ("%s: %s.svg has %d bytes"):format(arg[k], name, size))
    ::continue::
  end
end
for name, page in pairs(drawn_for) do
  check(is_shown[name], ("%s is shown on no page; it was drawn for %s"):format(name, page))
end

local list <close> = assert(io.popen(("ls '%s'"):format(folder)))
for name in list:lines() do
  local picture = name:match "^(.*)%.svg$"
  check(not picture or drawn_for[picture], ("docs/pictures/%s is drawn by nothing"):format(name))
end

for _, picture in ipairs(pictures) do
  if not picture.after and not picture.is_of_run then
    local file = picture[2] .. ".svg"
    picture.draw(file)
    local is_same = read(file) == read(folder .. file)
    check(is_same, ("docs/pictures/%s is not what make.lua beside it draws: draw it anew"):format(file))
  end
end
os.exit(failures == 0)
