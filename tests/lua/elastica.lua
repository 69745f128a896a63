-- Euler's elastica of a cantilever of the length L under a load P along its straight line, with the angle a at the tip and
-- k = sin(a / 2): P L^2 / (E I) = K(k)^2, x / L = 2 E(k) / K(k) - 1, y / L = 2 k / K(k).
local elastica = {}

--- The complete elliptic integrals K and E of the modulus k, by the arithmetic and geometric mean.
function elastica.elliptic(k)
  local a, b, c, power, sum = 1, math.sqrt(1 - k^2), k, 0.5, 0.5 * k^2
  while math.abs(c) > 1e-16 do
    a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
    power = 2 * power
    sum = sum + power * c^2
  end
  return math.pi / (2 * a), math.pi / (2 * a) * (1 - sum)
end

return elastica
