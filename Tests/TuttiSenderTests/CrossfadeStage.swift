import Foundation
import Testing
import TuttiCore
import TuttiSchema
import TuttiSender

/// A stage whose speaker is compared with the model of crossfades.
struct CrossfadeStage: Sendable {
    let stage: QueueStage

    init(
        _ tracks: String, seconds: [Character: Double] = [:], crossfade: Double, bufferSeconds: Int64 = 300,
        seed: UInt64 = 0
    ) async throws {
        stage = try await QueueStage(
            tracks, seconds: seconds, bufferSeconds: bufferSeconds, crossfade: crossfade, seed: seed)
    }

    var speaker: FakeSpeaker { stage.speaker }

    /// The frames of a track.
    func length(_ track: Character) -> Int { Int((stage.seconds[track] ?? 10) * Double(QueueStage.rate)) }

    /// Full scale is 1.
    func samples(_ track: Character) -> [Double] {
        ((try? stage.sound(String(track))) ?? []).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { place in
                Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self))) / 32_768
            }
        }
    }

    /// A model of tracks that begin with the timeline.
    func model(_ tracks: String, crossfade: Double) -> JoinModel {
        var model = JoinModel()
        guard let first = tracks.first else { return model }
        model.begin(first, length: length(first), at: 0)
        model.follow(
            0, by: tracks.dropFirst().map { ($0, length($0)) }, crossfade: Int(crossfade * Double(QueueStage.rate)))
        return model
    }

    /// Waits until the speaker holds what the model says, up to its end and from `place` or before that on.
    func holds(
        _ model: JoinModel, from place: Int = .max, _ comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = model.sound(samples)
        let origin = model.lane.first?.start ?? 0
        do {
            try await eventually("the model's sound is held") {
                guard let (start, sound) = held() else { return false }
                let begin = start - origin
                guard start <= place, begin >= 0, begin + sound.count == expected.count, end == origin + expected.count
                else { return false }
                return zip(sound, expected[begin...]).allSatisfy { abs($0 - $1) < 0x1p-22 }
            }
        } catch {
            let (start, sound) = held() ?? (0, [])
            let begin = max(0, start - origin)
            let common = zip(sound, expected.dropFirst(begin)).prefix { abs($0 - $1) < 0x1p-22 }.count
            let ranges = speaker.inspect { $0.packets.map(\.timeRange).coalesced() }
            Issue.record(
                """
                \(comment): \(common) of \(sound.count) frames from \(start) agree, expected \(expected.count) from \(origin); \
                \(model.lane); held \(ranges), end \(String(describing: end)); \(await stage.player.status().queue)
                """, sourceLocation: sourceLocation)
            throw error
        }
    }

    private var end: Int? { speaker.inspect { $0.end.map { Int($0.frame(at: QueueStage.rate)) } } }

    /// The sound held, without a gap, and its first frame on the timeline; nil when there is a gap.
    private func held() -> (start: Int, samples: [Double])? {
        let packets = speaker.inspect { $0.packets }
        guard let first = packets.first else { return nil }
        var sound: [Double] = []
        var next = first.presentationTime
        for packet in packets {
            guard packet.presentationTime == next, let width = packet.format.bytesPerFrame.map({ $0 / 2 }) else {
                return nil
            }
            next = packet.timeRange.end
            for place in stride(from: 0, to: packet.data.count, by: 2 * width) {
                var value: Int32 = 0
                for byte in packet.data[place..<place + width].reversed() { value = value << 8 | Int32(byte) }
                let unused = 32 - 8 * width
                sound.append(Double((value << unused) >> unused) / Double(1 << (8 * width - 1)))
            }
        }
        return (Int(first.presentationTime.frame(at: QueueStage.rate)), sound)
    }
}
