#!/usr/bin/env bash
# The library's documentation, from what was built in release mode (make build): every warning of DocC is an error.
# Argument: where it goes (.build/Tutti.doccarchive).
set -euo pipefail
cd "$(dirname "$0")/.."

output=${1:-.build/Tutti.doccarchive}
build=$(swift build -c release --show-bin-path)
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

modules=()
for map in Sources/*/module.modulemap $(find .build/checkouts -path '*include/module.modulemap') \
    $(find "$build"/ -maxdepth 2 -name module.modulemap); do
    modules+=(-Xcc "-fmodule-map-file=$(realpath "$map")")
done
for flag in $(pkg-config --cflags-only-I flac opus alsa dbus-1 yaml-0.1 avahi-client); do modules+=(-Xcc "$flag"); done
for module in Tutti TuttiCore TuttiPlayback TuttiChain TuttiEngine; do
    swift symbolgraph-extract -module-name "$module" -I "$build/Modules" "${modules[@]}" \
        -target "$(uname -m)-unknown-linux-gnu" -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
done
docc convert Sources/Tutti/Tutti.docc --warnings-as-errors --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Tutti --fallback-bundle-identifier tutti --output-path "$output"
echo "docs: $output"
