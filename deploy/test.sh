#!/usr/bin/env bash
# Installs what is missing, lints, builds once in release mode, and runs every test: units, packages in clean roots, rooms in real time,
# the laboratory, a house in containers. What cannot run here (most of the later ones need root) is skipped by name.
set -euo pipefail
cd "$(dirname "$0")/.."

name='' begun=0 took=()
step() {
    [ -z "$name" ] || took+=("$(printf '%5d  %s' $((SECONDS - begun)) "$name")")
    name=$1 begun=$SECONDS
    printf '\n== %s\n' "$1"
}

step "setup"
deploy/setup.sh test

step "lint"
swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples

# What stops nobody (tests that had to be repeated, new seeds that found something), told again at the end.
export TUTTI_TEST_NOTES=$PWD/.build/test-notes.txt
mkdir -p .build
: >"$TUTTI_TEST_NOTES"

# The programs as packages and images have them, kept apart. Only the last step of building differs from what the tests use.
step "build (release, warnings are errors)"
export PROGRAMS=$PWD/.build/programs
TUTTI_LINK=static swift build -c release --disable-local-rpath
mkdir -p "$PROGRAMS"
cp "$(swift build -c release --show-bin-path)"/{tutti,tutti-player,tutti-simulate,tutti-speaker,tutti-lab} "$PROGRAMS/"
swift build -c release --build-tests
make -s -C Tests/Lab/card

step "documentation of the library (warnings are errors)"
deploy/docs.sh

# Nothing else would notice that something needs FFmpeg that must not.
step "build of the library, and of the speaker in it, without the trait FFmpeg"
swift build --disable-default-traits --scratch-path .build/without-ffmpeg --target Tutti

# The images for the last step are made beside the trial of the packages, and both beside the tests that no time matters to: they
# wait a lot, and none of them measures.
packages=$PWD/.build/dist
try_packages() {
    rm -rf "$packages"
    deploy/setup.sh package || {
        echo "packages: SKIPPED, neither built nor tested"
        return 0
    }
    OUTPUT=$packages deploy/package.sh
    # Before both, for apt lets in one at a time; what cannot be installed they say themselves.
    [ "$(id -u)" != 0 ] || { deploy/setup.sh packages-test && deploy/setup.sh containers; } || true
    deploy/test-containers.sh --prepare "$packages" >.build/images.log 2>&1 &
    local images=$! status=0
    deploy/test-packages.sh "$packages" || status=$?
    wait "$images" || status=$?
    cat .build/images.log
    return "$status"
}

# tests SECONDS OPTION…: a pass of the tests. One that takes longer than that hangs: it is ended, with all that it has started, and says what ran.
tests() {
    local limit=$1 status=0 pass watch
    shift
    setsid swift test -c release --skip-build "$@" &
    pass=$!
    (
        trap 'kill "$pause"; exit' TERM
        sleep "$limit" &
        pause=$!
        wait "$pause"
        echo "the tests did not end within $limit s; still running:" >&2
        ps -L -s "$pass" -o pid,tid,pcpu,stat,wchan:20,comm,args | cut -c -160 >&2
        pkill -KILL -s "$pass"
    ) &
    watch=$!
    wait "$pass" || status=$?
    kill "$watch" 2>/dev/null || true
    return "$status"
}

rooms='^(TuttiTests|TuttiSenderTests|TuttiSpeakerTests|EveningTests)\.'
step "test; meanwhile packages are made and tried, images made of them"
try_packages >.build/packages.log 2>&1 &
packing=$! status=0
tests 1200 --skip '^LabTests\.' --skip "$rooms" || status=$?
wait "$packing" || status=$?
cat .build/packages.log
[ "$status" = 0 ] || exit "$status"

# Whole rooms in real time, which mostly wait: two at once leave the processors time enough.
step "test: senders, speakers, the library and an evening of a household, in real time"
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 tests 1500 --filter "$rooms" --parallel

step "thread sanitizer: what two threads share without a lock"
make -s sanitize

step "lab: real binaries, virtual cards, a network with delays"
tests 2400 --filter '^LabTests\.' --no-parallel

step "a house in containers"
deploy/test-containers.sh "$packages"

step ""
if [ -s "$TUTTI_TEST_NOTES" ]; then
    printf '\n== noted, which stops nobody\n'
    cut -c -600 "$TUTTI_TEST_NOTES"
fi
printf '\n== seconds\n'
printf '%s\n' "${took[@]}"
printf '%5d  in all\n' "$SECONDS"
