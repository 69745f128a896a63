return {
  "t1 = sqrt(2 h / g), v1 = g t1, and y(T) = e v1 (T - t1) - g / 2 (T - t1)^2. The derivative of t1 by h is 1 / v1.",
  "Question 3: (dh, 0) stays (dh, 0) up to the bounce, through it, and after it. Nothing in that knows of e or T.",
  "Question 4: the ball that is higher by dy bounces later by dt = dy / v1. In that time the other one has risen by e "
    .. "v1 dt, and this one has come down by dy: it starts to rise dt later, and is lower by e v1 dt = e dy. And the "
    .. "velocities: gravity made it faster by g dt before the bounce, which reverses it, and the other one slower by g "
    .. "dt after it.",
  "m:contact { \"floor\", m.ground, P, normal = mbs.kelvin_voigt { stiffness = given.stiffness, damping = damping } "
    .. "}; local psi = m:objective { \"psi\", terminal = P.y }; m:gradient { psi, t = T, integrator = integrator } has "
    .. "the fields gradient, a list, and value.",
  "The second bounce is at t1 + 2 e t1. A little above that h it has not happened yet: the formula of question 2 with "
    .. "T - t1 = 2 e t1. A little below it has, and the ball has turned round with the part e of the speed.",
}
