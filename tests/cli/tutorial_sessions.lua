-- Writes a session (run_session.cpp) for each page of the tutorial, which pastes its blocks one after the other and
-- expects what the page says they print: perilune tutorial_sessions.lua FOLDER_OF_PAGES FOLDER_OF_SESSIONS
local pages, sessions = arg[1], arg[2]

-- The blocks of a page: their code, whether they fail, and the lines that they print.
local function blocks_of(path)
  local blocks, kind = {}, nil
  for line in io.lines(path) do
    local fence = line:match "^```(.*)$"
    if fence and not kind then
      kind = fence
      if kind == "lua" or kind == "lua fails" then blocks[#blocks + 1] = { code = {}, shown = {}, fails = kind == "lua fails" } end
      if kind == "text" and (not blocks[#blocks] or #blocks[#blocks].shown > 0) then kind = "other" end
    elseif fence then
      kind = nil
    elseif kind == "lua" or kind == "lua fails" then
      table.insert(blocks[#blocks].code, line)
    elseif kind == "text" then
      table.insert(blocks[#blocks].shown, line)
    end
  end
  return blocks
end

-- Bytes as run_session's "send" reads them.
local function escaped(text)
  return (text:gsub("[^%g ]", function(c) return ("\\x%02x"):format(c:byte()) end))
end

for page in io.popen("ls '" .. pages .. "'"):lines() do
  if page:find "^%d.*%.md$" then
    local file <close> = assert(io.open(sessions .. "/" .. page:gsub("%.md$", ".session"), "w"))
    file:write("start perilune\nexpect > \n")
    for k, block in ipairs(blocks_of(pages .. "/" .. page)) do
      local code = table.concat(block.code, "\n"):gsub("\\", "\\\\")
      -- Where the block has been shown the terminal says so, and what it prints follows.
      file:write("prompt\nsend \\e[200~", escaped(code .. "\n-- block " .. k .. "\n"), "\\e[201~\nexpect -- block ", k, "\n")
      for _, line in ipairs(block.shown) do
        for piece in (line .. "..."):gmatch "(.-)%.%.%." do
          if piece:find "%S" then file:write("expect ", (piece:gsub("^%s+", ""):gsub("%s+$", "")), "\n") end
        end
      end
      if #block.shown == 0 then file:write("prompt\n") end
    end
    file:write("prompt\nsend \\x04\nexit 0\n")
  end
end
