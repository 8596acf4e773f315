import Foundation
import Testing
import TuttiChain
import TuttiEffects
import TuttiEngine

@Suite("Random graphs")
struct FuzzTests {
    /// Nodes of all kinds.
    private static func node(_ generator: inout SplitMix) throws -> AudioNode {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: return PlayerNode()
        case 2: return MixerNode()
        case 3: return EQNode(bands: [EQBand(.peak, frequency: 500, gain: 3)])
        case 4: return try MatrixNode(ChannelMatrix([[1], [0.5]]))
        case 5: return SinkNode(channelCount: Int.random(in: 1...2, using: &generator)) { _, _, _ in }
        case 6: return ReverbNode()
        default:
            return SourceNode { time, frames, planes in
                for channel in 0..<planes.count {
                    for frame in 0..<frames { planes[channel][frame] = frame % 97 == 3 ? .infinity : 0.1 }
                }
            }
        }
    }

    /// One random step; what is refused is no matter.
    private static func step(_ engine: AudioEngine, _ nodes: inout [AudioNode], _ generator: inout SplitMix) throws {
        let rates = [8_000, 22_050, 44_100, 48_000, 96_000, 192_000]
        let format = EngineFormat(
            sampleRate: rates[Int.random(in: 0..<rates.count, using: &generator)],
            channelCount: Int.random(in: 1...3, using: &generator))
        let node = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
        let other = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
        switch Int.random(in: 0..<16, using: &generator) {
        case 0...1:
            let new = try Self.node(&generator)
            try? engine.attach(new)
            nodes.append(new)
        case 2: try? engine.detach(node)
        case 3...5: try? engine.connect(node, to: other, format: Bool.random(using: &generator) ? format : nil)
        case 6: try? engine.connect(node, to: [ConnectionPoint(other, bus: 3), ConnectionPoint(engine.mainMixerNode)])
        case 7: try? engine.disconnectNodeInput(node)
        case 8: try? engine.disconnectNodeOutput(node)
        case 9:
            guard let player = node as? PlayerNode else { return }
            let own = player.outputFormat ?? stereo
            try? player.scheduleBuffer(
                buffer([[Float]](repeating: noise(999, seed: 1), count: own.channelCount), rate: own.sampleRate),
                at: Bool.random(using: &generator) ? nil : Int64.random(in: -9...9_999, using: &generator),
                options: .init(rawValue: Int.random(in: 0...3, using: &generator)))
        case 10:
            guard let player = node as? PlayerNode else { return }
            try? player.scheduleFile(
                MemoryFile([noise(5_000, seed: 2)], sampleRate: format.sampleRate),
                options: .init(rawValue: Int.random(in: 0...3, using: &generator)))
        case 11: try? (node as? PlayerNode)?.play()
        case 12: Bool.random(using: &generator) ? (node as? PlayerNode)?.pause() : (node as? PlayerNode)?.stop()
        case 13: try? node.installTap(bufferSize: 300) { _, _ in }
        case 14: Bool.random(using: &generator) ? node.removeTap() : engine.reset()
        default:
            if Int.random(in: 0..<10, using: &generator) == 0 { engine.stop() }
            try? engine.start()
        }
    }

    @Test("nothing traps, and all that comes out is finite")
    func random() throws {
        let seeds = ProcessInfo.processInfo.environment["TUTTI_TEST_SEEDS"].flatMap { UInt64($0) } ?? 60
        for seed in 1...max(1, seeds) {
            var generator = SplitMix(seed: seed)
            let engine = try offlineEngine(maximum: 512)
            var nodes: [AudioNode] = [engine.mainMixerNode, engine.outputNode, engine.inputNode]
            let target = try PCMBuffer(format: stereo, frameCapacity: 512)
            try engine.start()
            var rendered = 0
            for _ in 0..<200 {
                try Self.step(engine, &nodes, &generator)
                guard engine.isRunning else { continue }
                let frames = [1, 7, 100, 512][Int.random(in: 0..<4, using: &generator)]
                if try engine.renderOffline(frames, to: target) == .success { rendered += frames }
                for channel in 0..<2 {
                    guard target.channel(channel).allSatisfy(\.isFinite) else {
                        Issue.record("seed \(seed)")
                        return
                    }
                }
            }
            engine.stop()
            #expect(rendered > 0, "seed \(seed)")
        }
    }
}
