return {
  "Four times m:bar and twice m:spring complete the model. m:objective { integral = (P2.x - 0.5)^2 + ... } declares psi; "
    .. "m:simulate { objectives = cost, ... } returns a run with run.objectives.",
  "m:gradient { cost, over = { L01, L02 }, t = 2, formulation = ..., integrator = ... }.gradient is the list. Compute it "
    .. "before m:optimize, which changes the parameters.",
  "m:optimize { minimize = cost, over = { L01, L02 }, optimizer = mbs.lbfgsb { projected_gradient = 1e-9 } } leaves the "
    .. "best values in L01.value and L02.value.",
  "A mechanism with two degrees of freedom and two springs: both can be balanced, so that nothing moves. m:equilibrium {} "
    .. "returns a run: rest:at \"P2.x\".",
}
