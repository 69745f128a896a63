-- The five-bar of `perilune bench` and its gradient by all eight parameters, beside those of the program for SUNDIALS,
-- which has its own equations, derivatives and integrator; and the slider-crank.
--   perilune test_sundials.lua .../perilune_peer_sundials
local mbs = require "perilune"
local peers = require "perilune.bench.peers"
local problems = require "perilune.bench.problems"
local runs = require "perilune.bench.runs"

local folder = assert(arg[1], "which program?"):match "^(.*)/perilune_peer_sundials$"
local fine = mbs.dormand_prince { relative_tolerance = 1e-12, absolute_tolerance = 1e-12 }
local by_name = {}
for _, problem in ipairs(problems) do by_name[problem.name] = problem end

local function same(got, expected, bound, what)
  assert(#got == #expected, what)
  local off = runs.distance(got, expected) / runs.distance({ 0, 0, 0, 0, 0, 0, 0, 0 }, expected)
  if not (off <= bound) then error(("%s differs by %.2e, expected at most %.0e"):format(what, off, bound), 0) end
end

for _, name in ipairs { "five-bar", "slider-crank" } do
  local problem = by_name[name]
  local m, signals = problem.build()
  local run = m:simulate { t = problem.t, formulation = mbs.maggi {}, integrator = fine }
  local expected = {}
  for k, signal in ipairs(signals) do expected[k] = run:at(signal, problem.t) end
  local row, found = peers.row("sundials", folder, name, problem.t, 1e-12)
  assert(row.seconds > 0 and row.steps > 100)
  same(found, expected, 1e-8, name)
end

local problem = by_name["five-bar"]
local m, cost, over = problem.gradient.build()
for _, method in ipairs { "direct", "adjoint" } do
  local expected = m:gradient { cost, over = over, method = mbs[method] {}, t = problem.t,
                                formulation = problem.methods[1].formulation, integrator = fine }.gradient
  for _, theirs in ipairs { "direct", "adjoint" } do
    for _, count in ipairs(problem.gradient.counts) do
      local _, found = peers.row("sundials", folder, ("five-bar-%s-%d"):format(theirs, count), problem.t, 1e-10)
      same(found, table.move(expected, 1, count, 1, {}), 1e-7, ("%s, %s there, by %d"):format(method, theirs, count))
    end
  end
end
-- A name that it does not know is an error.
assert(not pcall(peers.row, "sundials", folder, "five-bar-adjoint-9", problem.t, 1e-6))
