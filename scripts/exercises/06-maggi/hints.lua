return {
  "2 x N1 + 2 y N2 = 0 with N1 = 1. What happens where y = 0?",
  "Phi'' = 2 x x'' + 2 y y'' + 2 (x'^2 + y'^2) = 0 gives gamma. The mass matrix is the identity and Q = (0, -9.81), so "
    .. "x'' + N2 y'' = -9.81 N2. These are two linear equations for x'' and y''.",
  "parallelogram(given.angle, 0):mobility {} returns a table with degrees_of_freedom and singular_freedoms.",
  "P and Q turn about different places but move alike: velocity = { -omega * r * math.sin(angle), omega * r * "
    .. "math.cos(angle) } for both.",
}
