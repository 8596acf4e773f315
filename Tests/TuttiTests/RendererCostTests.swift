import Foundation
import Glibc
import Synchronization
import Testing
import Tutti

/// What a process takes.
private struct Footprint {
    /// Threads there are.
    let threads: Int
    /// Resident memory in KiB.
    let memory: Int

    /// What this process takes now.
    static func now() throws -> Footprint {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) throws -> Int {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
            return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        }
        return Footprint(threads: try value("Threads"), memory: try value("VmRSS"))
    }
}

/// Renderers on cards of their own that play the same floats, as applications do.
private final class Band: Sendable {
    private let synchronizer = RenderSynchronizer()
    private let renderers: [AudioRenderer]

    init(_ count: Int, on queue: SerializationQueue) throws {
        renderers = (0..<count).map { _ in AudioRenderer(route: .local(session: AudioSession(device: "null"))) }
        for renderer in renderers {
            try synchronizer.addRenderer(renderer)
            let second = Mutex(0)
            renderer.requestMediaData(on: queue) {
                let index = second.withLock { second in
                    defer { second += 1 }
                    return second
                }
                return try? Material().buffer(index * 48_000..<(index + 1) * 48_000)
            }
        }
    }

    /// Plays until `seconds` of the programme have been heard.
    func play(_ seconds: Int) async throws {
        try synchronizer.setRate(1)
        try await eventually("it plays", seconds: seconds + 20) {
            synchronizer.currentTime > milliseconds(seconds * 1_000)
        }
        for renderer in renderers { #expect(renderer.status == .rendering) }
    }

    /// Pauses, and leaves the threads time to see it.
    func pause() async throws {
        try synchronizer.setRate(0)
        try await Task.sleep(for: .seconds(1))
    }

    func end() { for renderer in renderers { synchronizer.removeRenderer(renderer) } }
}

@Suite("What renderers cost", .serialized) struct RendererCostTests {
    /// Twenty that play, in a process of its own, of which all threads and all memory are counted. With `TUTTI_TEST_RENDERERS=1,10,100` the
    /// figures of docs/library.md are printed.
    @Test func eachHasOneThreadAndFewMegabytes() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let list = ProcessInfo.processInfo.environment["TUTTI_TEST_RENDERERS"]
            let counts = list.map { $0.split(separator: ",").compactMap { Int($0) } } ?? [20]
            let queue = SerializationQueue(label: "cost")
            // What is there once, whatever the number.
            let first = try Band(1, on: queue)
            try await first.play(1)
            first.end()
            for count in counts {
                let before = try Footprint.now()
                let band = try Band(count, on: queue)
                try await band.play(list == nil ? 5 : 15)
                let after = try Footprint.now()
                let (threads, memory) = (after.threads - before.threads, (after.memory - before.memory) / count)
                // As many render threads, up to four that decode, and what the system makes to call clients and to resume tasks.
                #expect(threads <= count + 10)
                // Four seconds of floats are 1.5 MiB; what is decoded of them is 1 MiB more.
                #expect(memory < 6_500, "KiB a renderer")
                let text = "\(count): \(threads) threads, \(memory) KiB each; all: \(after.threads), \(after.memory)\n"
                try FileHandle.standardError.write(contentsOf: Data(text.utf8))
                try await band.pause()
                let paused = try Footprint.now()
                // What was decoded is given back.
                #expect(after.memory - paused.memory > 512 * count)
                band.end()
            }
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self), terminator: "") }
    }
}
