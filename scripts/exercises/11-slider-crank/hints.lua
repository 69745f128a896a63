return {
  "sin(beta) = (e - r sin phi) / l. Its derivative by phi is cos(beta) beta' = -(r / l) cos phi, which gives beta', "
    .. "and once more beta''. x = r cos phi + l cos beta.",
  "The centre of the rod is the middle of A and B: x_c' = -r sin phi - (l / 2) sin(beta) beta', y_c' = (r / 2) cos "
    .. "phi. Since w is constant, T = w^2 j'(phi) / 2, and half the derivative of x_c'^2 is x_c' x_c''.",
  "At the start the rod's centre is at ((px + x) / 2, (py + e) / 2) and its angle is math.atan(e - py, x - px). "
    .. "m:translational { \"guide\", m.ground, slider, at = { x, e }, axis = \"x\" } guides the slider; the law of the "
    .. "driver is function(s) return omega * s.t end, since the joint's angle is zero as declared.",
  "run:values \"motor.force\" is the list of all torques: its largest absolute value is what question 5 asks for; its "
    .. "sum times the step is the angle's integral divided by w. The motor's power is motor.force times w.",
  "Coasting keeps the energy: (J + j(phi)) phi'^2 is the same all the time. The crank is slowest where j is largest. "
    .. "Or leave out the driver, give the bodies their velocities (or the crank alone its angular_velocity), and "
    .. "simulate.",
}
