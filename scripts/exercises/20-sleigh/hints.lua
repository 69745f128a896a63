return {
  "C has the velocity v along the edge and a w across it, so the energy is m (v^2 + a^2 w^2) / 2 + J w^2 / 2. Its "
    .. "rate is m v v' + I w w'.",
  "All of the energy goes into v, since v grows as long as w is not zero: m V^2 = m v0^2 + I w0^2.",
  "V s = a w^2 at v = 0, where all energy is in w: s = a V m / I. Then tanh(-s t1) = -v0 / V.",
  "dv = a w^2 dt and dtheta = w dt, so dv / dtheta = a w = a sqrt(m / I) sqrt(V^2 - v^2): theta = sqrt(I / m) / a "
    .. "times arcsin(v / V), from -v0 / V to 1. For small w0 the first arcsin is nearly -pi / 2.",
  "model:knife_edge { \"edge\", model.ground, sled:point { -a, 0 } }; the velocity of C is { v, a * w }. "
    .. "model:mobility {} has the fields position_freedoms and degrees_of_freedom.",
}
