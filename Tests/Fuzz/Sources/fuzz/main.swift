import CFuzzer
import Glibc

// fuzz: the names of the targets.
// fuzz seeds FOLDER: writes inputs to begin with.
// fuzz TARGET [OPTION…] [CORPUS…]: libFuzzer with a target; `fuzz TARGET -help=1` lists its options.

/// What is fuzzed: outside of the callback, for a C function holds nothing.
nonisolated(unsafe) var target: @Sendable ([UInt8]) -> Void = { _ in }

let words = CommandLine.arguments
if words.count == 3, words[1] == "seeds" {
    try Seeds.write(to: words[2])
    exit(0)
}
guard words.count > 1, let chosen = targets[words[1]] else {
    print(targets.keys.sorted().joined(separator: "\n"))
    exit(words.count > 1 ? 2 : 0)
}
target = chosen

// The rest is libFuzzer's.
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
arguments?[0] = CommandLine.unsafeArgv[0]
var count = CommandLine.argc - 1
let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, length in
    target(Array(UnsafeBufferPointer(start: bytes, count: length)))
    return 0
}
exit(status)
