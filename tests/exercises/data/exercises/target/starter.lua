return { answer = 0 }
