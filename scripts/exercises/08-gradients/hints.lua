return {
  "local before = k[i].value; k[i].value = before + d; local above = simulate(); k[i].value = before - d; local below = "
    .. "simulate(); k[i].value = before",
  "d must be large against rounding and small against k: 1e-4 k is a good start.",
  "m:gradient { cost, over = k, t = 1, integrator = rk4, method = mbs.direct {} }.gradient is a list in the order of k.",
}
