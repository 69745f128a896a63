return {
  "Along the slope m g sin a = mu N tanh(v / vs), with N = m g cos a: v = vs artanh(tan a / mu).",
  "Question 3: the creep is in proportion to vs. Question 4: the bristles are a spring of 1e5 N/m that holds m g sin "
    .. "a.",
  "Question 5: the slide begins (mus - muk) N above the middle muk N, with x' = 0, and an undamped swing goes as far "
    .. "to the other side. The mean of what goes to and fro about muk N in this way is no surprise then.",
  "With A = (mus - muk) N / k and omega = sqrt(k / m), U = u - muk N / k is A cos(omega t) + V / omega sin(omega t) "
    .. "in the slide, and x' = 0 means U' = V again: t = 2 (pi - atan(A omega / V)) / omega. Then U is -A, and the "
    .. "spring needs 2 A / V to stretch for the next slide.",
  "On the average the block moves with V: what does that say of period and jump?",
}
