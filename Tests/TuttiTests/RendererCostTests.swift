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

    /// Has the allocator return to the system what is free: which of its pages it keeps is chance.
    static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

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
    private let length: Int

    /// - Parameter length: seconds that are to be played. There are three more, so that all of it is held by then, and
    ///   none comes later.
    init(_ count: Int, playing length: Int, on queue: SerializationQueue) throws {
        self.length = length
        renderers = (0..<count).map { _ in AudioRenderer(route: .local(session: AudioSession(device: "null"))) }
        for renderer in renderers {
            try synchronizer.addRenderer(renderer)
            let second = Mutex(0)
            renderer.requestMediaData(on: queue) {
                let index = second.withLock { second in
                    defer { second += 1 }
                    return second
                }
                return index < length + 3 ? try? Material().buffer(index * 48_000..<(index + 1) * 48_000) : nil
            }
        }
    }

    /// Plays until the length has been heard.
    func play() async throws {
        try synchronizer.setRate(1)
        try await eventually("it plays", seconds: length + 20) {
            synchronizer.currentTime > milliseconds(length * 1_000)
        }
        for renderer in renderers { #expect(renderer.status == .rendering) }
    }

    func pause() throws { try synchronizer.setRate(0) }

    func end() { for renderer in renderers { synchronizer.removeRenderer(renderer) } }
}

@Suite("What renderers cost", .serialized) struct RendererCostTests {
    /// Twenty that play, in a process of its own, of which all threads and all memory are counted. With
    /// `TUTTI_TEST_RENDERERS=1,10,100` the figures of docs/library.md are printed.
    @Test func eachHasOneThreadAndFewMegabytes() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let list = ProcessInfo.processInfo.environment["TUTTI_TEST_RENDERERS"]
            let counts = list.map { $0.split(separator: ",").compactMap { Int($0) } } ?? [20]
            let queue = SerializationQueue(label: "cost")
            // What is there once, whatever the number.
            let first = try Band(1, playing: 1, on: queue)
            try await first.play()
            first.end()
            for count in counts {
                let before = try Footprint.now()
                let band = try Band(count, playing: list == nil ? 5 : 15, on: queue)
                try await band.play()
                Footprint.trim()
                let after = try Footprint.now()
                let (threads, memory) = (after.threads - before.threads, (after.memory - before.memory) / count)
                // As many render threads, up to four that decode, and what the system makes to call clients and to
                // resume tasks.
                #expect(threads <= count + 10)
                // Four seconds of floats are 1.5 MiB; what is decoded of them is one more.
                #expect(memory < 6_500, "KiB a renderer")
                let text = "\(count): \(threads) threads, \(memory) KiB each; all: \(after.threads), \(after.memory)\n"
                try FileHandle.standardError.write(contentsOf: Data(text.utf8))
                try band.pause()
                try await eventually("what was decoded is given back") {
                    Footprint.trim()
                    // Three seconds of them: 1.1 MiB.
                    return (try? Footprint.now()).map { after.memory - $0.memory > 768 * count } ?? false
                }
                band.end()
            }
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self), terminator: "") }
    }
}
