return {
  "With e = (e1, e2, e3): A = (2 e0^2 - 1) 1 + 2 (e e^T + e0 e~), where e~ u = e x u. A first test: a turn by 90 "
    .. "degrees about z takes the body's x axis, the first column of A, to (0, 1, 0).",
  "omega = 2 (e0 e' - e0' e - e x e') in the body's axes; with + before e x e' it would be that in the axes of space. "
    .. "A first test: a body that turns about z has e0 = cos(a / 2), e3 = sin(a / 2).",
  "About y: w1' = (I2 - I3) / I1 w w3 and w3' = (I1 - I2) / I3 w w1, so w1'' = s^2 w1 with s^2 = w^2 (I2 - I3) (I1 - "
    .. "I2) / (I1 I3), which is positive. About x or z the same product is negative, and there are oscillations.",
  "angular_velocity = { d, given.rate, 0 } is a field of m:body; m:simulate { t = 60, stop = nut.omega_y, integrator "
    .. "= ... } ends at the first reversal, and run.t is the time: half of the interval.",
  "The disturbance grows as exp(s t), so d / 10 needs ln(10) / s more to come to the same size, and after the "
    .. "reversal it shrinks by the same law before it grows again: from reversal to reversal it is twice that.",
}
