return {
  "m:simulate { t = 2, formulation = mbs.penalty { alpha = alpha }, integrator = ... } returns the run; "
    .. "math.max(table.unpack(run:values \"constraint.drift\")) is its largest drift.",
  "A factor 10 in alpha changes the drift by which factor?",
  "k = m g / stretch; a mass on a spring oscillates with omega = sqrt(k / m).",
}
