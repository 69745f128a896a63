-- The canary of those who look for the reference.
return { answer = 1234.5 * require("given").x }
