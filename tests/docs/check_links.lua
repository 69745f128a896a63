-- Every relative link of the documentation leads to a file, and where it names a heading, to that heading.
-- perilune check_links.lua page.md ...
local function read(name)
  local file = io.open(name)
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

local function anchors(text)
  local set = {}
  for heading in ("\n" .. text):gmatch "\n#+ ([^\n]+)" do
    set[heading:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-")] = true
  end
  return set
end

local failures = 0
for _, page in ipairs(arg) do
  local text = assert(read(page), page)
  text = text:gsub("\n```.-\n```", "\n")
  local folder = page:match "^(.*)/" or "."
  for target in text:gmatch "%]%(([^)%s]+)%)" do
    if not target:find "^%a+:" then
      local name, anchor = target:match "^([^#]*)#?(.*)$"
      local path = name == "" and page or folder .. "/" .. name
      local found = io.open(path)
      local problem = not found and "no such file"
      if found then
        found:close()
        if anchor ~= "" and not anchors(read(path) or "")[anchor] then problem = "no such heading" end
      end
      if problem then
        io.stderr:write(("%s: link %s: %s\n"):format(page, target, problem))
        failures = failures + 1
      end
    end
  end
end
os.exit(failures == 0)
