return {
  "print(fit) shows what the fit says: standard errors, or that the data do not tell a parameter, and a warning which "
    .. "combination is lost. The values are fit.parameters.M and so on, and those of the model's parameters.",
  "Multiply M x'' + c x' + k x = 0 by any number: the same motion solves it. That is the combination that is lost; "
    .. "more measurements of the same motion know nothing of it.",
  "Questions 4 and 5: which formula has M, k and c only in quotients? At rest on a rail that is tilted k x = M g sin "
    .. "a, under a known force k x = F.",
  "A spring from zero crossings: between the first and the last of them the time is a number of half periods; omega = "
    .. "pi over one half period, and k = M omega^2.",
  "m:fit { signals = { { \"x\", body.x } }, over = { p.M, p.k, p.c }, experiments = { { \"empty\", data = { t = "
    .. "given.t, x = given.x } }, { \"loaded\", data = { t = given.t, x = given.x_loaded }, set = { load = given.load "
    .. "} } } }",
}
