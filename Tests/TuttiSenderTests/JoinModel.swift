import Foundation
import Testing
import TuttiCore
import TuttiSender

/// What is to be heard of pieces with crossfades, by the rules told in one sentence each.
struct JoinModel {
    /// One piece as it lies on the timeline, in frames.
    struct Laid {
        var name: Character
        var start: Int
        var length: Int
        /// Frames that it is heard together with the one before.
        var overlap = 0

        var end: Int { start + length }
    }

    /// The pieces, by time.
    private(set) var lane: [Laid] = []

    /// One piece by itself.
    mutating func begin(_ name: Character, length: Int, at start: Int) {
        lane = [Laid(name: name, start: start, length: length)]
    }

    /// What follows number `index` is this: each comes into the last frames of the one before, `crossfade` of them and at most half of either.
    mutating func follow(_ index: Int, by pieces: [(name: Character, length: Int)], crossfade: Int) {
        lane.removeSubrange((index + 1)...)
        for piece in pieces {
            let before = lane[lane.count - 1]
            let overlap = min(crossfade, before.length / 2, piece.length / 2)
            lane.append(
                Laid(name: piece.name, start: before.end - overlap, length: piece.length, overlap: overlap))
        }
    }

    /// The piece that counts at a frame of the timeline: the last that has begun.
    func index(at frame: Int) -> Int { lane.lastIndex { $0.start <= frame } ?? 0 }

    /// What is heard from the first piece's beginning on, cut off at full scale.
    ///
    /// - Parameter samples: what the pieces hold.
    func sound(_ samples: (Character) -> [Double]) -> [Double] {
        var sound: [Double] = []
        for piece in lane {
            let own = samples(piece.name)
            for frame in 0..<piece.overlap {
                let angle = Double(frame) / Double(piece.overlap) * Double.pi / 2
                let place = sound.count - piece.overlap + frame
                sound[place] = sound[place] * cos(angle) + own[frame] * sin(angle)
            }
            sound += own[piece.overlap...]
        }
        return sound.map { min(max($0, -1), 1 - 0x1p-23) }
    }
}
