#!/bin/sh
# Runs the command in its arguments with --seed N, where N comes from the commit: each one is tried with inputs that none
# was tried with before, and what one of them finds is found again by whoever builds the same commit.
commit=$(git -C "$(dirname "$0")" rev-parse --short=8 HEAD 2>/dev/null) || commit=2
exec "$@" --seed $((0x$commit % 2147483647 + 1))
