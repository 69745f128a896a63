return {
  "s^2 + c s + k = 0. The fast one is nearly -c, the slow one nearly -k / c.",
  "Put x' = s x into a step. Explicit Euler: x + h s x = (1 + z) x. Implicit Euler: x_new = x + h s x_new. "
    .. "Trapezoidal: x_new = x + h / 2 (s x + s x_new). Runge-Kutta of order 4: the series of exp(z) up to z^4.",
  "The explicit Euler method: |1 + z| <= 1 for z >= -2. For Runge-Kutta find the z < 0 where R(z) = 1 again, between "
    .. "-2 and -3, by bisection. It is the fast s that counts, even where nothing fast is left to see: what rounding "
    .. "and truncation put there grows.",
  "The steps of dormand_prince: 3 s divided by the largest stable step 3.31 / |fast|. Whatever you tolerate.",
  "left = { (1 + z / 2) / (1 - z / 2), 1 / (1 - z) } with z = fast h. For large |z| the first goes to -1, the second "
    .. "to 0: the trapezoidal rule is stable, but it does not damp. rings is log(0.01) / log|left|, rounded up.",
}
