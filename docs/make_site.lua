-- Lays out the documentation for MkDocs (Debian: mkdocs-material), whose pages can be searched:
--   perilune docs/make_site.lua FOLDER; mkdocs build --strict --config-file FOLDER/mkdocs.yml
-- or the build target `site`. The pages are those that links lead to from the front page; their order is that of the
-- indices, docs/README.md and the README.md of each folder, so that no list has to be kept beside these.
local mbs = require "perilune"
local root = (arg[0]:match "^(.*)/" or ".") .. "/.."
local out = assert(arg[1], "perilune docs/make_site.lua FOLDER")

local function read(name)
  local file <close> = assert(io.open(root .. "/" .. name, "rb"), name .. ": no such file")
  return file:read "a"
end

local function write(name, text)
  mbs.make_folder(name:match "^(.*)/")
  local file <close> = assert(io.open(name, "wb"))
  assert(file:write(text))
end

-- "docs/howto/../theory/rest.md" is "docs/theory/rest.md".
local function plain(path)
  local count
  repeat path, count = path:gsub("[^/]+/%.%./", "", 1) until count == 0
  return path
end

-- The files that a page links to, in order: pages, pictures and others.
local function links(page)
  local folder, found = page:match "^(.*/)" or "", {}
  local text = ("\n" .. read(page)):gsub("\n```.-\n```", "\n")
  for target in text:gmatch "%]%(([^)%s#]+)[^)]*%)" do
    if not target:find "^%a+:" then found[#found + 1] = plain(folder .. target) end
  end
  return found
end

-- GitHub's Markdown, which the pages are written in, as Python-Markdown wants it: a word behind the language of a
-- block means nothing to it, and lists begin behind an empty line.
local function adapted(text)
  local lines, is_code, before = {}, false, ""
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    if line:find "^%s*```" then
      is_code = not is_code
      line = line:gsub("^(%s*```%w+) .*", "%1")
    elseif not is_code then
      local is_item = line:find "^[-*] " or line:find "^%d+%. "
      local follows_item = before:find "^[-*] " or before:find "^%d+%. " or before:find "^%s" or before == ""
      if is_item and not follows_item then lines[#lines + 1] = "" end
    end
    lines[#lines + 1] = line
    before = line
  end
  return table.concat(lines, "\n")
end

local front = "README.md"
local pages, is_known = { front }, { [front] = true }
local next_page = 1
while pages[next_page] do
  for _, target in ipairs(links(pages[next_page])) do
    if not is_known[target] then
      is_known[target] = true
      if target:find "%.md$" then
        pages[#pages + 1] = target
      else
        write(out .. "/pages/" .. target, read(target))
      end
    end
  end
  next_page = next_page + 1
end
for _, page in ipairs(pages) do write(out .. "/pages/" .. page, adapted(read(page))) end

local navigation, is_shown = {}, {}
local function show(depth, page)
  if not is_shown[page] then navigation[#navigation + 1] = ("  "):rep(depth) .. "- " .. page end
  is_shown[page] = true
end
local function section(depth, title) navigation[#navigation + 1] = ("  "):rep(depth) .. "- " .. title .. ":" end
-- An index comes with its pages: those of its folder.
local function show_with_pages(depth, page)
  show(depth, page)
  local folder = page:match "^(.*/)README%.md$"
  for _, target in ipairs(folder and links(page) or {}) do
    if target:match "^(.*/)[^/]*%.md$" == folder then show(depth, target) end
  end
end

show(1, front)
show(1, "docs/README.md")
for line in read "docs/README.md":gmatch "[^\n]+" do
  local title = line:match "^## ([^:]*)"
  if title then section(1, title) end
  for target in line:gmatch "%]%(([^)%s#]+%.md)[^)]*%)" do show_with_pages(3, plain("docs/" .. target)) end
end
section(1, "More")
for _, page in ipairs(pages) do show(3, page) end

-- The blocks of code have up to 120 columns.
write(out .. "/pages/site.css", ".md-grid { max-width: 92rem; }\n.md-typeset pre > code { font-size: 0.62rem; }\n")
write(out .. "/mkdocs.yml", [[
site_name: Perilune
site_description: Simulation, exact sensitivities and optimization of mechanisms described by Lua scripts
docs_dir: pages
site_dir: html
use_directory_urls: false
theme:
  name: material
  font: false
  palette: { primary: indigo, accent: amber }
  features: [navigation.tabs, navigation.top]
extra_css: [site.css]
markdown_extensions: [tables, pymdownx.highlight, pymdownx.superfences, { toc: { permalink: true } }]
plugins: [search]
nav:
]] .. table.concat(navigation, "\n") .. "\n")
print(("%d pages are laid out in %s"):format(#pages, out))
