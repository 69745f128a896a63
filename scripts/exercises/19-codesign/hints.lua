return {
  "u = (m + M) y'' + (m - M) g. Its square has three parts; the integral of the mixed one is zero, since the slide is "
    .. "at rest before and after.",
  "J = 12 (m + M)^2 H^2 / T^3 + (m - M)^2 g^2 T. The first part is smallest without counterweight, the second with M "
    .. "= m. Its derivative by M is zero at the best one.",
  "model:constraint { \"belt\", law = slide.y + counterweight.y }; model:force { \"motor\", on = slide, law = "
    .. "function(s) return 0, p.c0 + p.c1 * s.t end }; model:objective { \"J\", integral = function(s) return (p.c0 + "
    .. "p.c1 * s.t) ^ 2 end }; model:objective { \"height\", terminal = slide.y }.",
  "model:optimize { minimize = J, over = { p.M, p.c0, p.c1 }, t = T, optimizer = mbs.slsqp {}, subject_to = { { "
    .. "\"up\", height, equals = H }, { \"stop\", speed, equals = 0 } } }.final is the cost. Begin with something "
    .. "near, such as u of M = m.",
  "Question 4: with c0 and c1 given, how many M lift the slide to H exactly, and stop it there?",
}
