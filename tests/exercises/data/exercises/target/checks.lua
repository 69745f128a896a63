-- What hostile scripts are checked against: short limits, and answers that they do not know.
local check = require "exercise"

return {
  title = "Target",
  topic = "tests",
  limits = { seconds = 0.5, memory = 256 },
  given = function(random) return { x = random(1, 2) } end,
  checks = function(given)
    return {
      check.near { "answer", answer = "answer", rtol = 1e-3, expected = function() return 1234.5 * given.x end },
      check.near { "f", call = "f", arguments = { given.x }, rtol = 1e-3, expected = function() return 4321 / given.x end },
      check.near { "run", run = "run", signals = { "P.x" }, times = { 0, 1 }, relative = true, rtol = 1e-3,
                   expected = function() return { { 77, 78 } } end },
      check.uses { "uses", of = "mbs.maggi", at_least = 3 },
    }
  end,
}
