import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiSchema
import TuttiSender
import TuttiWire

/// Any edits, seeks and jumps, with crossfades that come and go: the room always holds what a simple model says.
@Suite(.serialized, .repeatedWhenDisturbed) struct CrossfadePropertyTests {
    private static let rate = QueueStage.rate
    private static let names = "abcdefgh"
    private static let seconds: [Character: Double] = ["a": 9, "c": 13, "d": 8, "f": 3, "g": 11.5]

    /// The last two go back to tracks whose joins were made with another crossfade.
    @Test(arguments: [1, 2, 3, 4, 23, 35] as [UInt64]) func theRoomHoldsWhatTheModelSays(seed: UInt64) async throws {
        let stage = try await CrossfadeStage("abcde", seconds: Self.seconds, crossfade: 2, seed: seed)
        try await stage.stage.run { player in
            var dice = Dice(state: seed)
            var crossfade = 2.0
            var model = stage.model("abcde", crossfade: crossfade)
            try await stage.holds(model)
            try await player.seek(.to(.zero))
            try await player.pause()
            try await player.seek(.to(.zero))
            var place = 0
            // What has begun by itself may be gone back to.
            var begun: [(name: Character, start: Int)] = [("a", 0)]
            for step in 0..<25 {
                let heard = model.index(at: place)
                let (count, current) = (await player.listing().entries.count, await player.listing().index ?? 0)
                let other = (current + 1 + dice.roll(max(count - 1, 1))) % count
                let track = Self.names[Self.names.index(Self.names.startIndex, offsetBy: dice.roll(Self.names.count))]
                var (first, from) = (heard, place)
                let kind = dice.roll(10)
                switch kind {
                case 0: try await player.add(try stage.stage.inputs(String(track)))
                case 1: try await player.insert(try stage.stage.inputs(String(track)))
                case 2 where count > 2: try await player.remove([.index(other)])
                case 3: try await player.move(from: .index(other), to: dice.roll(count))
                case 4 where count > 1:
                    try await player.replace(.index(other), with: try stage.stage.inputs(String(track))[0])
                case 5: try await player.setShuffled(dice.roll(2) == 0)
                case 6:
                    crossfade = Double(dice.roll(6)) / 2
                    try await player.setCrossfade(crossfade)
                case 7:
                    // Into the first seconds, where it may be mixed, or the last, where the next one is heard then.
                    let isLast = heard + 1 == model.lane.count
                    let mixed = isLast ? 0 : model.lane[heard + 1].overlap
                    let target =
                        mixed > 0 && dice.roll(2) == 0
                        ? model.lane[heard].length - 1 - dice.roll(mixed - 1) : dice.roll(model.lane[heard].length / 4)
                    from = model.lane[heard].start + target
                    try await player.seek(.to(MediaTime(frame: Int64(target), sampleRate: Self.rate)))
                    let time = MediaTime(frame: Int64(from), sampleRate: Self.rate)
                    try await eventually("it goes there") { stage.speaker.inspect { $0.timebases.last?.media == time } }
                    first = model.index(at: from)
                default:
                    guard count > 1 else { continue }
                    let lines = stage.speaker.inspect { $0.timebases.count }
                    let name = Array(await stage.stage.order())[other]
                    try await player.jump(to: .index(other))
                    try await eventually("it goes there") { stage.speaker.inspect { $0.timebases.count > lines } }
                    from = Int(
                        stage.speaker.inspect { $0.timebases.last?.media ?? .zero }.frame(at: Self.rate))
                    // Where it has been laid by itself, it is gone to; else it is laid behind the track that is heard.
                    if let index = model.lane.firstIndex(where: {
                        $0.start == from && $0.overlap == 0 && $0.name == name
                    }) {
                        first = index
                    } else {
                        let isOld = begun.contains { $0.name == name && $0.start == from }
                        #expect(isOld || from == model.lane[heard].end, "step \(step)")
                        begun.append((name, from))
                        model.begin(name, length: stage.length(name), at: from)
                        first = 0
                    }
                }
                let queue = await player.listing()
                let index = try #require(queue.index)
                let order = Array(QueueStage.order(queue))
                #expect(order[index] == model.lane[first].name, "step \(step)")
                model.follow(
                    first, by: order[(index + 1)...].map { ($0, stage.length($0)) },
                    crossfade: Int(crossfade * Double(Self.rate)))
                place = from
                try await stage.holds(model, from: from, "step \(step), of kind \(kind), heard \(heard)")
                let status = await player.status()
                #expect(abs(status.position - Double(from - model.lane[first].start) / Double(Self.rate)) < 1e-9)
            }
        }
    }

    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(sides, 1)))
        }
    }
}
