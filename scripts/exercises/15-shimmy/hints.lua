return {
  "F = M (y'' - l theta'') + k y goes into the second equation, which then has y and y''. Differentiate it once and "
    .. "put y' = b theta' + v theta into it.",
  "(J - M l (b - l)) theta''' + M (b - l) (b theta''' + v theta'') + d theta'' + k b (b theta' + v theta) = 0. "
    .. "Collect by derivatives.",
  "At the limit a2 a1 = a3 a0: k appears on both sides. There s = i omega makes a1 = a3 omega^2, and the frequency is "
    .. "omega / (2 pi).",
  "m:driver { \"tow\", P.x, law = function(s) return v * s.t end }; m:force { \"spring\", on = P, law = function(s) "
    .. "return 0, -k * s.y end }; m:torque { \"damper\", on = fork, law = function(s) return -d * s.omega end }; "
    .. "m:knife_edge { \"wheel\", m.ground, fork:point { l - b, 0 } }.",
  "The stability speed grows beyond all limits where its denominator J - M l (b - l) goes to zero.",
}
