-- The site shows every page of the documentation once; where MkDocs is installed it builds without a complaint.
-- perilune test_site.lua ROOT page.md ..., pages relative to the root, in an empty folder
local program, root = arg[-1], arg[1]
assert(os.execute(("'%s' '%s/docs/make_site.lua' site > /dev/null"):format(program, root)))
local file <close> = assert(io.open "site/mkdocs.yml")
local shown = {}
for page in file:read "a":match "\nnav:\n(.*)":gmatch "%- ([%w_/]+%.md)\n" do
  assert(not shown[page], page .. " is in the navigation twice")
  shown[page] = true
end
for i = 2, #arg do
  assert(shown[arg[i]], arg[i] .. " is in no navigation: no page that is shown leads to it")
end
if os.execute "mkdocs build --help 2> /dev/null | grep -q material" then -- among its themes
  assert(os.execute "mkdocs build --strict --quiet --config-file site/mkdocs.yml")
  assert(io.open "site/html/docs/howto/control.html", "no page"):close()
else
  print "not built: the package mkdocs-material is not installed"
end
