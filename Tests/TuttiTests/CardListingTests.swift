import Foundation
import TestSupport
import Testing
import Tutti

/// The listings of docs/library.md on an output whose clock waits for nobody.
@Suite("Listings on a card", .serialized) struct CardListingTests {
    /// Runs `body` with a player that plays into a recording, and gives what was recorded from the first sound to the
    /// last. Up to three times: a machine that stands still for longer than the card has in store is no matter of these
    /// tests.
    private func record(seconds: Int = 60, _ body: (SamplePlayer) async throws -> Void) async throws -> [Float] {
        for _ in 0..<3 {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString).wav")
                .path
            defer {
                try? FileManager.default.removeItem(atPath: path)
                try? FileManager.default.removeItem(atPath: path + ".timing.json")
            }
            let session = AudioSession(device: PlayerStage.card(path))
            let player = try SamplePlayer(route: .local(session: session), clock: .system, seconds: seconds)
            try await body(player)
            player.renderSynchronizer.removeRenderer(player.audioRenderer)
            if let recording = try PlayerStage.recording(path) { return recording.sound }
        }
        Issue.record("the card ran dry three times")
        throw CancellationError()
    }

    /// Expects less than 15 ms of silence in what `body` plays. A machine that is busy with something else gets up to
    /// three tries.
    private func expectNoGap(_ body: (SamplePlayer) async throws -> Void) async throws {
        var silences: [Double] = []
        for _ in 0..<3 {
            silences.append(longestSilence(try await record(body)))
            if let last = silences.last, last < 15 { return }
        }
        Issue.record("ms of silence in three tries: \(silences)")
    }

    /// The longest time for which nothing is heard, in ms. The sound is noise: its samples are hardly ever this small.
    private func longestSilence(_ sound: [Float]) -> Double {
        var (longest, current) = (0, 0)
        for sample in sound {
            current = abs(sample) < 0.002 ? current + 1 : 0
            longest = max(longest, current)
        }
        return Double(longest) / 48
    }

    private func wait(_ player: SamplePlayer, _ seconds: Double) async throws {
        try await eventually("it plays") { player.renderSynchronizer.currentTime > .zero }
        try await Task.sleep(for: .seconds(seconds))
    }

    /// With what the page shows, and for a client that asks for nothing and enqueues again at once.
    @Test(arguments: [true, false]) func aChangeOfSpeedLeavesNoGap(isListing: Bool) async throws {
        try await expectNoGap { player in
            let observer = isListing ? player.observeAutomaticFlushes() : enqueueAgain(player)
            defer { observer.cancel() }
            if isListing {
                try player.play()
            } else {
                try enqueue(from: .zero, player)
                try player.renderSynchronizer.setRate(1)
            }
            try await wait(player, 1)
            for rate in [2, 0.5, 1, 1.5, 0.75, 2, 1] {
                try player.changeSpeed(to: rate)
                try await Task.sleep(for: .milliseconds(1_000))
            }
        }
    }

    private func enqueue(from time: MediaTime, _ player: SamplePlayer) throws {
        let first = Int(time.frame(at: 48_000))
        for start in stride(from: first, to: first + 480_000, by: 24_000) {
            try player.audioRenderer.enqueue(Material().buffer(start..<start + 24_000))
        }
    }

    private func enqueueAgain(_ player: SamplePlayer) -> Task<Void, Never> {
        let events = player.audioRenderer.events
        return Task {
            for await case .flushedAutomatically(let time, _) in events { try? enqueue(from: time, player) }
        }
    }

    @Test func anEditOfWhatIsLoadedLeavesNoGap() async throws {
        try await expectNoGap { player in
            try player.play()
            try await wait(player, 0.5)
            for _ in 0..<4 {
                let time = player.renderSynchronizer.currentTime + milliseconds(600)
                try await player.performFlush(fromSourceTime: time)
                try await Task.sleep(for: .milliseconds(900))
            }
        }
    }
}
