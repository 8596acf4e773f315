#!/usr/bin/env bash
# Installs what is missing, lints, builds once in release mode, and runs every test, the lab's included.
# What cannot run here (the lab needs root for its network namespaces) is skipped by name.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "setup"
deploy/setup.sh test

step "lint"
swift format lint --strict --recursive --parallel Package.swift Sources Tests

step "build (release, warnings are errors)"
swift build -c release --build-tests
make -s -C Tests/Lab/card

# Whole rooms in real time, which mostly wait: two at once leave the processors time enough.
rooms='^(TuttiTests|TuttiSenderTests|TuttiSpeakerTests)\.'
step "test"
swift test -c release --skip-build --skip '^LabTests\.' --skip "$rooms"

step "test: senders, speakers and the library, in real time"
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 swift test -c release --skip-build --filter "$rooms" --parallel

step "lab: real binaries, virtual cards, a network with delays"
swift test -c release --skip-build --filter '^LabTests\.' --no-parallel
