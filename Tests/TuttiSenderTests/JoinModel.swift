import Foundation
import Testing
import TuttiCore
import TuttiSender

/// What is to be heard of tracks with crossfades, by the rules told in one sentence each.
struct JoinModel {
    /// One track as it lies on the timeline, in frames.
    struct Laid {
        var name: Character
        var start: Int
        var length: Int
        /// Frames that it is heard together with the one before.
        var overlap = 0

        var end: Int { start + length }
    }

    /// The tracks, by time.
    private(set) var lane: [Laid] = []

    /// One track by itself.
    mutating func begin(_ name: Character, length: Int, at start: Int) {
        lane = [Laid(name: name, start: start, length: length)]
    }

    /// What follows number `index` is this: each comes into the last frames of the one before, `crossfade` of them and
    /// at most half of either.
    mutating func follow(_ index: Int, by tracks: [(name: Character, length: Int)], crossfade: Int) {
        lane.removeSubrange((index + 1)...)
        for track in tracks {
            let before = lane[lane.count - 1]
            let overlap = min(crossfade, before.length / 2, track.length / 2)
            lane.append(
                Laid(name: track.name, start: before.end - overlap, length: track.length, overlap: overlap))
        }
    }

    /// The track that counts at a frame of the timeline: the last that has begun.
    func index(at frame: Int) -> Int { lane.lastIndex { $0.start <= frame } ?? 0 }

    /// What is heard from the first track's beginning on, cut off at full scale.
    ///
    /// - Parameter samples: what the tracks hold.
    func sound(_ samples: (Character) -> [Double]) -> [Double] {
        var sound: [Double] = []
        for track in lane {
            let own = samples(track.name)
            for frame in 0..<track.overlap {
                let angle = Double(frame) / Double(track.overlap) * Double.pi / 2
                let place = sound.count - track.overlap + frame
                sound[place] = sound[place] * cos(angle) + own[frame] * sin(angle)
            }
            sound += own[track.overlap...]
        }
        return sound.map { min(max($0, -1), 1 - 0x1p-23) }
    }
}
