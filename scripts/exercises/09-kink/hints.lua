return {
  "For p > 0 the force is zero all the time, so psi = p. For p < 0 it is a harmonic oscillator from rest: "
    .. "psi = p cos(omega T) with omega = sqrt(k / m).",
  "(psi(d) - psi(-d)) / (2 d), with psi(d) = d and psi(-d) = -d cos(omega T).",
  "m:force { \"stop\", on = P, law = function(s) return mbs.where(mbs.lt(s.x, 0), -k * s.x, 0), 0 end }, and "
    .. "m:check_gradient { psi, t = T, integrator = mbs.rk4 { step = 1e-3 } }.worst.",
}
