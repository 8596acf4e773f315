import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti

/// What an application does with cards besides the listings.
@Suite("Cards", .serialized) struct CardTests {
    /// Frames of one whole recording of what `body` plays into a card; a machine that stands still gets up to three
    /// tries.
    private func record(_ body: (_ session: AudioSession) async throws -> Void) async throws -> [Float] {
        for _ in 0..<3 {
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("tutti-\(UUID().uuidString).wav").path
            defer {
                try? FileManager.default.removeItem(atPath: path)
                try? FileManager.default.removeItem(atPath: path + ".timing.json")
            }
            try await body(AudioSession(device: PlayerStage.card(path), correctsDrift: false))
            if let recording = try PlayerStage.recording(path) { return recording.sound }
        }
        Issue.record("the card ran dry three times")
        throw CancellationError()
    }

    @Test func withoutDriftCorrectionSamplesPassBitForBit() async throws {
        let expected = (0..<96_000).map { Material().sample($0) }.drop { $0 == 0 }
        var differences: [String] = []
        // A machine that is busy with something else begins late, and leaves the beginning out.
        for _ in 0..<3 {
            let sound = try await playTwoSeconds()
            guard let difference = PlayerStage.difference(sound, Array(expected)) else { return }
            differences.append(difference)
        }
        Issue.record("three tries: \(differences)")
    }

    private func playTwoSeconds() async throws -> [Float] {
        try await record { session in
            let renderer = AudioRenderer(route: .local(session: session))
            let synchronizer = RenderSynchronizer()
            try synchronizer.addRenderer(renderer)
            for second in 0..<2 {
                try renderer.enqueue(Material().buffer(second * 48_000..<(second + 1) * 48_000))
            }
            renderer.finishMediaData()
            synchronizer.rate = 1
            #expect(synchronizer.rate == 1)
            // No rate at all: nothing changes.
            synchronizer.rate = 17
            #expect(synchronizer.rate == 1)
            try await eventually("it is over") { synchronizer.currentTime > milliseconds(2_300) }
            synchronizer.removeRenderer(renderer)
        }
    }

    @Test func observersAndRequestsRunOnDispatchQueuesAndTheMainActor() async throws {
        let queue = DispatchQueue(label: "test.client")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let renderer = AudioRenderer(route: .local(session: AudioSession(device: "null")))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        let calls = Mutex((requests: 0, queue: 0, boundary: 0, main: 0, strays: 0))
        let next = Mutex(0)
        renderer.requestMediaData(on: queue) {
            let isThere = DispatchQueue.getSpecific(key: key) == true
            calls.withLock {
                $0.requests += 1; $0.strays += isThere ? 0 : 1
            }
            let start = next.withLock { next in
                defer { next += 24_000 }
                return next
            }
            return try? Material().buffer(start..<start + 24_000)
        }
        let interval = milliseconds(50)
        let observers = [
            try synchronizer.addPeriodicTimeObserver(forInterval: interval, queue: queue) { _ in
                let isThere = DispatchQueue.getSpecific(key: key) == true
                calls.withLock {
                    $0.queue += 1; $0.strays += isThere ? 0 : 1
                }
            },
            try synchronizer.addBoundaryTimeObserver(forTimes: [milliseconds(200)], queue: queue) { _ in
                calls.withLock { $0.boundary += 1 }
            },
            try synchronizer.addPeriodicTimeObserver(forInterval: interval, on: MainActor.shared) { _ in
                MainActor.assertIsolated()
                calls.withLock { $0.main += 1 }
            },
        ]
        try synchronizer.setRate(1)
        try await eventually("all are called") {
            calls.withLock { $0.requests > 2 && $0.queue > 4 && $0.boundary == 1 && $0.main > 4 }
        }
        #expect(calls.withLock { $0.strays } == 0)
        for observer in observers { synchronizer.removeTimeObserver(observer) }
        synchronizer.removeRenderer(renderer)
    }
}
