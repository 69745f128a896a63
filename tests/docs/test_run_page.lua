-- What run_page.lua takes and what it refuses.
local folder = arg[0]:match "^(.*)/" or "."
local program = arg[-1]

local function run(page)
  local name = os.tmpname() .. ".md"
  local file = assert(io.open(name, "w"))
  file:write((page:gsub("~~~", "```")))
  file:close()
  local pipe = assert(io.popen(("'%s' '%s/run_page.lua' '%s' 2>&1"):format(program, folder, name)))
  local text = pipe:read "a"
  local ok = pipe:close()
  os.remove(name)
  return ok, text
end
local function good(page)
  local ok, text = run(page)
  if not ok then error(text, 2) end
end
local function bad(page, message)
  local ok, text = run(page)
  if ok then error("the page was taken", 2) end
  if not text:find(message, 1, true) then error("expected: " .. message .. "\ngot: " .. text, 2) end
end

local page = "# T\n~~~lua\nlocal x = 1 / 3\nprint('x is', x)\n~~~\n~~~text\nx is %s\n~~~\n~~~lua\nassert(x < 1)\n~~~\n"
good(page:format "0.333")
good(page:format "0.33")
good(page:format "...")
good(page:format "0.33333333333333")
bad(page:format "0.32", "expected 'x is 0.32'")
bad(page:format "0.3335", "expected 'x is 0.3335'")
bad(page:format "0.333\nand more", "expected 'and more', got 'nothing'")
bad(page:format "0.333 m", "expected 'x is 0.333 m'")

local lines = "~~~lua\nfor i = 1, 5 do print('line', i) end\n~~~\n~~~text\n%s\n~~~\n"
good(lines:format "line 1\n...\nline 5")
good(lines:format "...\nline 4\nline 5")
good(lines:format "line 1\n...")
bad(lines:format "line 1\nline 2", "expected 'the end', got 'line\t3'")
bad(lines:format "...\nline 6", "expected 'line 6'")
bad(lines:format "line 1\n...\nline 4", "expected 'the end'")

-- One script per page, with the lines of the page.
bad("~~~lua\nlocal a = 1\n~~~\n\n~~~lua\nerror('wrong' .. a)\n~~~\n", ".md:6: wrong1")
bad("~~~lua\nlocal = 1\n~~~\n", ".md:2:")
good "~~~sh\nnot Lua\n~~~\n~~~lua part\nnot = Lua\n~~~\n"
good "~~~lua fails\nerror 'as it should'\n~~~\n~~~text\nas it should\n~~~\n"
bad("~~~lua fails\nlocal fine = true\n~~~\n", "the block was to fail, but did not")
bad("~~~lua fails\nerror 'this'\n~~~\n~~~text\nthat\n~~~\n", "expected 'that', got 'this'")
bad("~~~lua\nlocal open\n", "the last block is open")
