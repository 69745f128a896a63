-- Draws the pictures of the pages of the documentation. Pages write files where they run, so that this is done in an
-- empty folder:
--   mkdir /tmp/pictures; cd /tmp/pictures; perilune .../docs/pictures/make.lua [--only howto/cams] [--out FOLDER]
-- Pictures of mechanisms are drawn from what the blocks of the page made (page.lua), the others by drawing.lua.
local mbs = require "perilune"
local here = arg[0]:match "^(.*)/" or "."
local options = mbs.options { out = here, only = "" }
package.path = here .. "/?.lua;" .. here .. "/../../scripts/?.lua;" .. package.path
local page = require "page"
mbs.make_folder(options.out)

local function draw(picture, values)
  local file = ("%s/%s.svg"):format(options.out, picture[2])
  picture.draw(file, values)
  local written <close> = assert(io.open(file), file .. ": was not drawn")
  local size = written:seek "end"
  assert(size <= 40000, ("%s has %d bytes, more than 40000: draw less of it"):format(file, size))
  io.stderr:write(("%-40s %6d bytes\n"):format(picture[2], size))
end

-- By page, in order: those behind a block, and the last such block.
local pages, order = {}, {}
for _, picture in ipairs(require "pictures") do
  if picture[1]:find(options.only, 1, true) then
    if not picture.after then
      draw(picture)
    else
      local entry = pages[picture[1]]
      if not entry then
        entry = { last = 0 }
        pages[picture[1]] = entry
        order[#order + 1] = picture[1]
      end
      entry[#entry + 1] = picture
      entry.last = math.max(entry.last, picture.after)
    end
  end
end
for _, name in ipairs(order) do
  local entry = pages[name]
  page.run(("%s/../%s.md"):format(here, name), entry.last, function(number, values)
    for _, picture in ipairs(entry) do
      if picture.after == number then draw(picture, values) end
    end
  end)
end
