-- Table 5.1 of Y. Zhu, "Sensitivity Analysis and Optimization of Multibody Systems" (Virginia Tech, 2014), and its
-- Figure 7.1: the gradient of the five-bar mechanism by every formulation and method of the dissertation, printed and
-- computed side by side. The dissertation does not print the geometry; the one here reproduces its complex-step row to
-- every digit (see five_bar.lua). Rows 1 to 8 use its step of 1e-2 s with the trapezoidal rule where it names none; so
-- the discretization is ours, and the printed numbers agree within it. "converged" is the limit of small steps; another
-- program recomputed it (docs/theory/published_numbers.md).
--
--   perilune scripts/five_bar_table.lua [--json FILE]
local mbs = require "perilune"
local mechanisms = require "mechanisms"
local options = mbs.options { json = "", t = 5 }

local five_bar = mechanisms.five_bar()
local m, P2 = five_bar.model, five_bar.P2
local L01, L02 = five_bar.over[1], five_bar.over[2]
local cost = m:objective { "distance", integral = (P2.x - 0.5)^2 + (P2.y + 2)^2 }

local converged = { -4.228811, 3.211604 }
local trapezoidal = mbs.trapezoidal { step = 1e-2 }
local penalty, index1, index3, maggi = mbs.penalty { alpha = 1e9 }, mbs.index1 {}, mbs.index3 {}, mbs.maggi {}
local direct = mbs.continuous_direct {}
local function adjoint(form) return mbs.continuous_adjoint { form = form } end

local rows = {
  { "direct index-3", { -4.2381, 3.2170 }, index3, trapezoidal, direct },
  { "direct index-1", { -4.2383, 3.2169 }, index1, trapezoidal, direct },
  { "direct penalty", { -4.2305, 3.2154 }, penalty, trapezoidal, direct },
  { "direct Maggi", { -4.2300, 3.2112 }, maggi, trapezoidal, direct },
  { "adjoint index-3", { -4.2287, 3.2090 }, index3, trapezoidal, adjoint "second_order" },
  { "adjoint index-1", { -4.2294, 3.2094 }, index1, trapezoidal, adjoint "approach1" },
  { "adjoint penalty", { -4.2293, 3.2137 }, penalty, trapezoidal, adjoint "first_order_explicit" },
  { "adjoint Maggi", { -4.2294, 3.2093 }, maggi, trapezoidal, adjoint "second_order" },
  { "FATODE, tolerance 1e-3 (ours: Dormand-Prince)", { -4.2257, 3.2077 }, penalty,
    mbs.dormand_prince { relative_tolerance = 1e-3, absolute_tolerance = 1e-3 }, mbs.direct {} },
  { "real differences, penalty, 1e-7 m", { -9.7390, -4.0344 }, penalty, trapezoidal,
    mbs.finite_difference { step = 1e-7 } },
  { "complex perturbation (ours: discrete adjoint, rk4 1e-3)", { -4.2288, 3.2116 }, penalty, mbs.rk4 { step = 1e-3 },
    mbs.adjoint {} },
}
-- The contributions of Figure 7.1 that Table 5.1 has no row for.
local contributions = {
  { "penalty, first-order explicit adjoint", penalty, adjoint "first_order_explicit" },
  { "penalty, first-order implicit adjoint", penalty, adjoint "first_order_implicit" },
  { "penalty, second-order adjoint", penalty, adjoint "second_order" },
  { "Maggi, direct", maggi, direct },
  { "Maggi, first-order explicit adjoint", maggi, adjoint "first_order_explicit" },
  { "Maggi, first-order implicit adjoint", maggi, adjoint "first_order_implicit" },
  { "Maggi, second-order adjoint", maggi, adjoint "second_order" },
  { "index-1, direct", index1, direct },
  { "index-1, adjoint, approach 1", index1, adjoint "approach1" },
  { "index-1, adjoint, approach 2", index1, adjoint "approach2" },
  { "index-3, direct", index3, direct },
  { "index-3, adjoint", index3, adjoint "second_order" },
}

local out = {}
local function gradient(name, form, integrator, method)
  local g = m:gradient { cost, t = options.t, formulation = form, integrator = integrator, method = method,
                         over = { L01, L02 } }.gradient
  out[#out + 1] = { method = name, value = g,
                    relative_difference = math.max(math.abs(g[1] / converged[1] - 1), math.abs(g[2] / converged[2] - 1)) }
  return g
end

print "| # | Table 5.1 | printed | | computed | | recomputed: -4.228811, 3.211604 |"
print "|---|---|---|---|---|---|---|"
for i, row in ipairs(rows) do
  local g = gradient(row[1], row[3], row[4], row[5])
  out[#out].printed = row[2]
  print(("| %d | %s | %.4f | %.4f | %.4f | %.4f | %.1e |"):format(i, row[1], row[2][1], row[2][2], g[1], g[2],
                                                             out[#out].relative_difference))
end
print ""
print "| Figure 7.1, integrated with rk4 (index 3: trapezoidal), step 2e-3 s | computed | | difference from converged |"
print "|---|---|---|---|"
for _, row in ipairs(contributions) do
  local integrator = row[2] == index3 and mbs.trapezoidal { step = 2e-3 } or mbs.rk4 { step = 2e-3 }
  local g = gradient(row[1], row[2], integrator, row[3])
  print(("| %s | %.6f | %.6f | %.1e |"):format(row[1], g[1], g[2], out[#out].relative_difference))
end
if options.json ~= "" then mbs.write_json(options.json, { gradient = out }) end
