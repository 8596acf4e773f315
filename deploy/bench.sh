#!/usr/bin/env bash
# Measures Tutti in the lab (root: it makes network namespaces), and Snapcast beside it where it is installed
# (apt-get install snapserver snapclient). Arguments go to `tutti-lab bench`; results go to lab-output/.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" -ne 0 ]; then
    echo "bench: the lab creates network namespaces and must run as root" >&2
    exit 1
fi
deploy/setup.sh test
swift build -c release --product tutti
swift build -c release --product tutti-player
swift build -c release --product tutti-speaker
swift build -c release --product tutti-lab
make -s -C Tests/Lab/card

beside=()
if command -v snapserver >/dev/null && command -v snapclient >/dev/null; then
    beside=(--snapcast)
else
    echo "bench: Snapcast is not installed; measuring only Tutti"
fi
exec "$(swift build -c release --show-bin-path)/tutti-lab" bench --output lab-output "${beside[@]}" "$@"
