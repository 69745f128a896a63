return {
  "run:at(\"constraint.drift\", t) is the drift at a time, run:values \"constraint.drift\" the list of all of them.",
  "Phi'' = error, about constant from step to step: integrated once it makes Phi' grow with t, integrated twice Phi grow "
    .. "with t^2. The error of RK4 over a given time falls with h^4.",
  "A Baumgarte pair alpha = beta makes an error die out within about 1 / alpha. Much slower than the motion is too slow; "
    .. "when alpha h comes near 1 the integrator no longer follows. In between the drift has its minimum.",
  "generalized_alpha and hht go well with index3; the trapezoidal rule does not, since it damps nothing.",
}
