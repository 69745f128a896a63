#!/usr/bin/env bash
# Builds Perilune once, in the image of the autograder, from the archive of its sources that lies beside this file.
set -euo pipefail
cd /autograder/source
mkdir -p /opt/perilune
tar -xzf perilune.tar.gz -C /opt/perilune --strip-components=1
cd /opt/perilune
./setup
cmake --install build/release --prefix /usr/local
