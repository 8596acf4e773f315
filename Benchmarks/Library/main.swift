import Glibc
import TuttiAssets
import TuttiLibrary

// What the library takes. `fill STATE` makes a library of 100 000 tracks, and `ask STATE` measures searches, pages and
// memory with it; `scan FOLDER…` scans files twice, with a cache that is warm; `tags FILE…` reads tags alone, on one
// thread. The best of several runs.

func seconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func residentMegabytes(_ field: String = "RssAnon") -> Double {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard text.hasPrefix(field), let number = text.split(whereSeparator: \.isWhitespace).dropFirst().first else {
            continue
        }
        return (Double(number) ?? 0) / 1_024
    }
    return 0
}

func show(_ name: String, _ milliseconds: Double, _ note: String = "") {
    let tenths = (milliseconds * 100).rounded() / 100
    print("\(name): \(tenths) ms\(note.isEmpty ? "" : "  (\(note))")")
}

func best(_ name: String, runs: Int = 20, _ body: () throws -> String) rethrows {
    let (start, work) = (seconds(), seconds(CLOCK_PROCESS_CPUTIME_ID))
    var note = try body()
    var best = seconds() - start
    let first = seconds(CLOCK_PROCESS_CPUTIME_ID) - work
    for _ in 0..<runs {
        let start = seconds()
        note = try body()
        best = min(best, seconds() - start)
    }
    show(name, best * 1_000, "first time \(((first * 100_000).rounded()) / 100) ms of processor; \(note)")
}

let folder = "/tmp/tutti-library-benchmark-\(getpid())"
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "fill": try fill(arguments.dropFirst().first ?? folder)
case "ask": try measureStore(arguments.dropFirst().first ?? folder)
case "scan": measureScan(folder, Array(arguments.dropFirst()))
case "tags": measureTags(Array(arguments.dropFirst()))
default: print("usage: library-benchmark fill STATE | ask STATE | scan FOLDER | tags FILE...")
}
