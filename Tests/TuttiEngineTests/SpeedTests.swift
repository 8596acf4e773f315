import Glibc
import Testing
import TuttiEngine

@Suite("Speed", .serialized)
struct SpeedTests {
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// It does several thousand times real time; the bound is for machines that are slow and busy.
    @Test("a player through the mixer renders many times faster than real time", arguments: [(4_096, 200.0), (64, 40)])
    func player(frames: Int, least: Double) throws {
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let samples = noise(480_000, seed: 1)
        try player.scheduleBuffer(buffer([samples, samples]), options: .loops)
        try engine.start()
        try player.play()
        let target = try PCMBuffer(format: stereo, frameCapacity: 4_096)
        var best = Double.infinity
        for _ in 0..<5 {
            let start = processorTime()
            for _ in 0..<500 { _ = try engine.renderOffline(frames, to: target) }
            best = min(best, processorTime() - start)
        }
        let speed = 500 * Double(frames) / 48_000 / best
        print("\(frames): \(Int(speed)) × real time")
        #expect(speed > least)
    }
}
