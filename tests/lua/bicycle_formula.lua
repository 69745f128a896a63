-- The linearized bicycle by the printed formulas of its coefficients (Meijaard, Papadopoulos, Ruina and Schwab, 2007,
-- appendix A): a program of its own, for tests. Axes as printed, z down.
local formula = {}

-- The benchmark's numbers, with heights above the ground.
formula.values = {
  v = 4.6, w = 1.02, c = 0.08, tilt = math.pi / 10, g = 9.81,
  rR = 0.3, mR = 2, IRxx = 0.0603, IRyy = 0.12,
  xB = 0.3, zB = 0.9, mB = 85, IBxx = 9.2, IBxz = 2.4, IByy = 11, IBzz = 2.8,
  xH = 0.9, zH = 0.7, mH = 4, IHxx = 0.05892, IHxz = -0.00756, IHyy = 0.06, IHzz = 0.00708,
  rF = 0.35, mF = 3, IFxx = 0.1405, IFyy = 0.28,
}

--- M, C1, K0 and K2 of M x'' + v C1 x' + (g K0 + v^2 K2) x = 0, x = (lean, steer).
function formula.matrices(p)
  local zB, zH, sin, cos = -p.zB, -p.zH, math.sin(p.tilt), math.cos(p.tilt)
  local mT = p.mR + p.mB + p.mH + p.mF
  local xT = (p.xB * p.mB + p.xH * p.mH + p.w * p.mF) / mT
  local zT = (-p.rR * p.mR + zB * p.mB + zH * p.mH - p.rF * p.mF) / mT
  local ITxx = p.IRxx + p.IBxx + p.IHxx + p.IFxx + p.mR * p.rR^2 + p.mB * zB^2 + p.mH * zH^2 + p.mF * p.rF^2
  local ITxz = p.IBxz + p.IHxz - p.mB * p.xB * zB - p.mH * p.xH * zH + p.mF * p.w * p.rF
  local ITzz = p.IRxx + p.IBzz + p.IHzz + p.IFxx + p.mB * p.xB^2 + p.mH * p.xH^2 + p.mF * p.w^2
  local mA = p.mH + p.mF
  local xA, zA = (p.xH * p.mH + p.w * p.mF) / mA, (zH * p.mH - p.rF * p.mF) / mA
  local IAxx = p.IHxx + p.IFxx + p.mH * (zH - zA)^2 + p.mF * (p.rF + zA)^2
  local IAxz = p.IHxz - p.mH * (p.xH - xA) * (zH - zA) + p.mF * (p.w - xA) * (p.rF + zA)
  local IAzz = p.IHzz + p.IFxx + p.mH * (p.xH - xA)^2 + p.mF * (p.w - xA)^2
  local uA = (xA - p.w - p.c) * cos - zA * sin
  local IAll = mA * uA^2 + IAxx * sin^2 + 2 * IAxz * sin * cos + IAzz * cos^2
  local IAlx = -mA * uA * zA + IAxx * sin + IAxz * cos
  local IAlz = mA * uA * xA + IAxz * sin + IAzz * cos
  local mu = p.c / p.w * cos
  local SF = p.IFyy / p.rF
  local ST = p.IRyy / p.rR + SF
  local SA = mA * uA + mu * mT * xT
  local coupled = IAlx + mu * ITxz
  return { { ITxx, coupled }, { coupled, IAll + 2 * mu * IAlz + mu^2 * ITzz } },
         { { 0, mu * ST + SF * cos + ITxz / p.w * cos - mu * mT * zT },
           { -(mu * ST + SF * cos), IAlz / p.w * cos + mu * (SA + ITzz / p.w * cos) } },
         { { mT * zT, -SA }, { -SA, -SA * sin } },
         { { 0, (ST - mT * zT) / p.w * cos }, { 0, (SA + SF * sin) / p.w * cos } }
end

--- The coefficients, the lowest first, of det(M s^2 + v C1 s + g K0 + v^2 K2).
function formula.polynomial(p)
  local M, C, K0, K2 = formula.matrices(p)
  local function entry(i, j) return { p.g * K0[i][j] + p.v^2 * K2[i][j], p.v * C[i][j], M[i][j] } end
  local out = { 0, 0, 0, 0, 0 }
  for _, term in ipairs { { entry(1, 1), entry(2, 2), 1 }, { entry(1, 2), entry(2, 1), -1 } } do
    for i = 1, 3 do
      for j = 1, 3 do out[i + j - 1] = out[i + j - 1] + term[3] * term[1][i] * term[2][j] end
    end
  end
  return out
end

--- The root near real + i imaginary, by Newton's method.
function formula.root(p, real, imaginary)
  local a = formula.polynomial(p)
  for _ = 1, 60 do
    local f, fi, d, di = 0, 0, 0, 0
    for k = 5, 1, -1 do
      d, di = d * real - di * imaginary + f, d * imaginary + di * real + fi
      f, fi = f * real - fi * imaginary + a[k], f * imaginary + fi * real
    end
    local size = d * d + di * di
    real, imaginary = real - (f * d + fi * di) / size, imaginary - (fi * d - f * di) / size
  end
  return real, imaginary
end

--- The derivatives of that root's parts by one of the numbers: differences, extrapolated.
function formula.slopes(p, name, real, imaginary)
  local function differences(h)
    local moved = setmetatable({}, { __index = p })
    moved[name] = p[name] + h
    local above, above_i = formula.root(moved, real, imaginary)
    moved[name] = p[name] - h
    local below, below_i = formula.root(moved, real, imaginary)
    return { (above - below) / (2 * h), (above_i - below_i) / (2 * h) }
  end
  local function extrapolated(part)
    local h, table_of = 0.02 * math.abs(p[name]), {}
    for i = 1, 5 do
      table_of[i] = { differences(h)[part] }
      for j = 2, i do
        table_of[i][j] = table_of[i][j - 1] + (table_of[i][j - 1] - table_of[i - 1][j - 1]) / (4 ^ (j - 1) - 1)
      end
      h = h / 2
    end
    return table_of[5][5]
  end
  return extrapolated(1), extrapolated(2)
end

return formula
