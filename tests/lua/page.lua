-- Pages that run:view and its like write, read back. Where perilune was built without its viewer, for want of Node, the
-- test ends as skipped.
local json = require "json"
local page = {}

function page.text(path)
  local file <close> = assert(io.open(path, "rb"))
  local text = file:read "a"
  if text:find("this perilune was built without its viewer, which needs Node and npm", 1, true) then
    print "skipped: there is no viewer"
    os.exit(77)
  end
  return text
end

--- What the page shows, and its text.
function page.data(path)
  local text = page.text(path)
  return json.decode(text:match '<script type="application/json" id="data">(.-)</script>'), text
end

return page
