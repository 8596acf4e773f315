#!/usr/bin/env bash
# Installs what is missing, lints, builds once in release mode, and runs every test: units, packages in clean roots, rooms in real time,
# the laboratory, a house in containers. What cannot run here (most of the later ones need root) is skipped by name.
# Only what measures has the machine for itself. What else takes long goes on side by side.
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
step "build of the programs (release, warnings are errors)"
export PROGRAMS=$PWD/.build/programs
TUTTI_LINK=static swift build -c release --disable-local-rpath
mkdir -p "$PROGRAMS"
cp "$(swift build -c release --show-bin-path)"/{tutti,tutti-player,tutti-simulate,tutti-web,tutti-desktop,tutti-mqtt,tutti-mpd,tutti-pipewire,tutti-speaker,tutti-screen,tutti-lab} "$PROGRAMS/"
make -s -C Tests/Lab/card

# The images for the last step are made beside the trial of the packages, and both beside the build of the tests and those that no
# time matters to: they wait a lot, and none of them measures.
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

# begin COMMAND…: begins it in a session of its own, process $pass. The kernel shares out the processors by sessions before it looks at
# priorities (autogroup), so what is to yield to all others needs a rank as a session: 19, where others have 0.
rank=0
begin() {
    setsid bash -c '{ echo "$0" >/proc/self/autogroup; } 2>/dev/null; exec "$@"' "$rank" "$@" &
    pass=$!
}

# tests SECONDS OPTION…: a pass of the tests, also beside another. One that takes longer than that hangs: it is ended, with all that it
# has started, and says what ran.
tests() {
    local limit=$1 status=0 watch
    shift
    # The bundle itself: two of `swift test` at a time get in each other's way.
    begin "$PWD/$bundle" --testing-library swift-testing "$@"
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

# What takes processors and no time of its own, simulated houses above all, gets what everything else leaves of them, until
# rooms play in real time. Nothing else would notice that something needs FFmpeg that must not.
patient='^(TuttiSimulationTests\.|LabTests\.MemoryTests/)'
be_patient() {
    local pass='' rank=19
    trap '[ -z "$pass" ] || pkill -KILL -s "$pass"; exit 1' TERM
    chrt --idle --pid 0 "$BASHPID"
    echo "-- simulated houses, and the memory of rooms"
    tests 2400 --filter "$patient"
    echo "-- documentation of the library (warnings are errors)"
    begin deploy/docs.sh && wait "$pass"
    echo "-- thread sanitizer: what two threads share without a lock"
    begin make -s threads && wait "$pass"
    echo "-- build of the library, and of the speaker in it, without the trait FFmpeg"
    begin swift build --disable-default-traits --scratch-path .build/without-ffmpeg --target Tutti && wait "$pass"
}

# ended PROCESS LOG: waits for what was begun beside the rest, shows what it wrote, and stops at its failure.
ended() {
    local status=0
    wait "$1" || status=$?
    cat "$2"
    return "$status"
}

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
step "build of the tests; meanwhile packages are made and tried, images made of them"
try_packages >.build/packages.log 2>&1 &
packing=$!
swift build -c release --build-tests
bundle=.build/release/tuttiPackageTests.xctest

rooms='^(TuttiTests|TuttiSenderTests|TuttiSpeakerTests|EveningTests)\.'
step "test: units; meanwhile packages"
be_patient >.build/patient.log 2>&1 &
waiting=$!
status=0
tests 1200 --skip '^LabTests\.' --skip "$patient" --skip "$rooms" || status=$?
ended "$packing" .build/packages.log || status=$?
[ "$status" = 0 ] || exit "$status"

step "http: schemathesis against the real programs"
timeout 300 deploy/test-http.sh

step "metrics: a real Prometheus"
timeout 300 deploy/test-metrics.sh

step "desktop: playerctl, busctl, gdbus and media keys, on a session bus of their own"
timeout 300 deploy/test-desktop.sh

step "mqtt: Debian's broker and its clients"
timeout 300 deploy/test-mqtt.sh

step "mpd: mpc, ncmpcpp and python-mpd2"
timeout 300 deploy/test-mpd.sh

step "live: a line-in, a pipe and inputs of the settings, against what rooms play"
timeout 400 deploy/test-live.sh

step "what live inputs say that they play, through a pipe, a socket, playerctl and librespot's hook"
timeout 200 env RECIPES=lines deploy/test-recipes.sh

step "pipewire: pw-play and wpctl, on a PipeWire without a sound card"
timeout 300 deploy/test-pipewire.sh

step "page: Chromium, with a real service and real speakers"
timeout 300 deploy/test-page.sh

step "screen: films on a display without a monitor, beside a room on a virtual card"
timeout 400 deploy/test-screen.sh

step "what went on meanwhile"
ended "$waiting" .build/patient.log

# Whole rooms in real time, and what the laboratory looks at and does not measure, mostly wait: two at once of each leave the
# processors time enough. The patient would leave them none: they stop for others at once, but a virtual machine that is busy
# all the time is made to stand still by its host.
step "test: senders, speakers, the library and an evening of a household in real time; lab: what real binaries do, on virtual cards and a network with delays"
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2
tests 1500 --filter '^LabTests\.BehaviourTests/' --parallel >.build/behaviour.log 2>&1 &
behaving=$!
tests 1500 --filter "$rooms" --parallel || status=$?
ended "$behaving" .build/behaviour.log || status=$?
unset SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH
[ "$status" = 0 ] || exit "$status"

step "lab: what is measured to microseconds, one at a time"
tests 1500 --filter '^LabTests\.MeasurementTests/' --no-parallel

step "a house in containers"
deploy/test-containers.sh "$packages"

step ""
if [ -s "$TUTTI_TEST_NOTES" ]; then
    printf '\n== noted, which stops nobody\n'
    cut -c -900 "$TUTTI_TEST_NOTES"
fi
printf '\n== seconds\n'
printf '%s\n' "${took[@]}"
printf '%5d  in all\n' "$SECONDS"
