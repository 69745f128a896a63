return {
  "The moment of inertia about the hinge is that about the centre plus m (L / 2)^2, which makes m L^2 / 3. For small "
    .. "angles J phi'' = -m g (L / 2) phi is the equation of a harmonic oscillator.",
  "m:revolute { \"hinge\", m.ground, rod, at = { 0, 0 } } puts the hinge at the origin. Give the rod its place and its "
    .. "angle at the start: at = { L / 2 * math.sin(a), -L / 2 * math.cos(a) } and angle = a - math.pi / 2.",
  "Let go at rest, the rod passes its lowest position after a quarter of the period: there rod.x becomes zero for the "
    .. "first time. m:simulate { t = 10, stop = rod.x } ends there, and run.t is the time.",
}
