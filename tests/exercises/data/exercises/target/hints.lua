return { "none" }
