return {
  "One step: k1 = slope(phi, rate); then k2 = slope(phi + h / 2 k1_phi, rate + h / 2 k1_rate); then phi = phi + h k2_phi, "
    .. "rate = rate + h k2_rate. There are 1 / h steps: for _ = 1, math.floor(1 / h + 0.5) do ... end",
  "order = log(error(h) / error(h / 2)) / log 2, with error = sqrt((angle - exact angle)^2 + (omega - exact omega)^2).",
  "In u = omega x, w = x' the equation is u' = omega w, w' = -omega u, and the energy is (u^2 + w^2) / 2. Explicit Euler: "
    .. "u + h omega w, w - h omega u; its square sum is (1 + h^2 omega^2) (u^2 + w^2).",
}
