return {
  "The left end of a bar is its centre minus half a length along the bar: (x1 - L1/2 cos theta1, y1 - L1/2 sin theta1).",
  "Each constraint is linear in x and y: their columns hold 1, 0 and -1. The columns of the angles hold derivatives of "
    .. "sine and cosine, with half a length in front.",
  "For the first constraint Phi = x1 - L1/2 cos theta1: Phi' = x1' + L1/2 sin theta1 theta1', and "
    .. "Phi'' = x1'' + L1/2 sin theta1 theta1'' + L1/2 cos theta1 theta1'^2. The last term goes to the right side: gamma[1].",
}
