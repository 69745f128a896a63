return {
  "With the vectors p = P - O, u = Q - P and w = Q - C the loop says p + u - w = C. Differentiate: each vector turns, so "
    .. "p' = w1 (-p_y, p_x), u' = w2 (-u_y, u_x), w' = w3 (-w_y, w_x).",
  "The rates: w2 (-u_y, u_x) - w3 (-w_y, w_x) = -w1 (-p_y, p_x), two linear equations. The accelerations: the same left "
    .. "side with a2 and a3, and on the right w1^2 p + w2^2 u - w3^2 w.",
  "local hinge = m:revolute { \"O\", m.ground, crank, at = { 0, 0 } }, and m:driver { \"motor\", hinge.angle, law = "
    .. "function(s) return given.omega * s.t end }. The signal motor.force is the torque of the motor.",
}
