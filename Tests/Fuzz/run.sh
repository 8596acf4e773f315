#!/bin/bash
# run.sh SECONDS [TARGET…]: each target, or those named, for so many seconds. Inputs that went new ways are kept in
# .build/fuzz/corpus and tried first the next time; what fails is kept in .build/fuzz/found. Exits 1 if anything failed.
# Each target begins with the seeds that the fuzzer writes itself and with those of real files and programs, which
# corpus.py has made and Tests/Fuzz/corpus keeps.
set -u
cd "$(dirname "$0")/../.."
seconds=$1; shift
scratch=.build/fuzz
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
swift build -c release --package-path Tests/Fuzz --scratch-path $scratch \
    -Xlinker "$resources/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a" || exit
fuzz=$scratch/release/fuzz
mkdir -p $scratch/corpus $scratch/found
$fuzz seeds $scratch/corpus || exit
[ $# -gt 0 ] || set -- $($fuzz)
failed=0
for target; do
    mkdir -p "$scratch/corpus/$target" "Tests/Fuzz/corpus/$target"
    # 10 s for an input, 512 MiB for the process: no input of these sizes may need more.
    SWIFT_BACKTRACE=enable=no $fuzz "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 \
        -dict=$scratch/corpus/words.dict -max_len=8192 -artifact_prefix="$scratch/found/$target-" -print_final_stats=1 \
        "$scratch/corpus/$target" "Tests/Fuzz/corpus/$target" >"$scratch/$target.log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$target.log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$scratch/$target.log" | tail -1)
    echo "$target: ${runs:-0} runs, ${edges:-0} branches$([ $status = 0 ] || echo ", FAILED; see $scratch/$target.log")"
    [ $status = 0 ] || failed=1
done
exit $failed
