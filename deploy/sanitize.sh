#!/usr/bin/env bash
# Runs the unit tests under a sanitizer: built with it once, a quarter of an hour, and then as often as you like.
# Usage: deploy/sanitize.sh address|thread [OPTION OF THE TESTS…]
# What plays in real time, simulates houses or measures is left out: under a sanitizer it would be late.
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizer=${1:-}
case $sanitizer in
address | thread) shift ;;
*)
    echo "usage: deploy/sanitize.sh address|thread [OPTION OF THE TESTS…]" >&2
    exit 2
    ;;
esac
deploy/setup.sh test
scratch=.build/sanitizer-$sanitizer
swift build -c release --build-tests --sanitize="$sanitizer" --scratch-path "$scratch"
skipped='^(LabTests|TuttiSimulationTests|TuttiTests|TuttiSenderTests|TuttiSpeakerTests|EveningTests)\.'
# This one reads the machine code of the render pass, in which the sanitizer has its calls.
[ "$sanitizer" = address ] || skipped+='|RenderPathTests/'
# Leaks are not looked for: the runtime keeps metadata and globals for as long as a process lives.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export TSAN_OPTIONS=halt_on_error=0:exitcode=66:suppressions=$PWD/Tests/Sanitizer/thread.txt
SWIFT_BACKTRACE=enable=no "$scratch/release/tuttiPackageTests.xctest" --testing-library swift-testing \
    --skip "$skipped" "$@"
