package import TuttiCore

/// Which room chirps when.
///
/// Rooms take turns, so that the clock of whatever records has the same chance to drift in all of them. The distances
/// between chirps are uneven: no room's pattern fits another's, nor its own at another place. So a recording tells by
/// itself which room is heard when, wherever it begins and however late a room is.
package struct ChirpSchedule: Sendable, Equatable {
    /// Frames a second of the instants, and of `samples`.
    package static let sampleRate = 48_000
    /// Chirps of each room unless more are wanted.
    package static let usualRepeats = 8
    /// Chirps of each room at most.
    package static let maximumRepeats = 600
    /// Rooms at most.
    package static let maximumRooms = 16

    /// Seconds of silence before the first chirp: rooms that have just met settle on the clock.
    private static let lead = 2.0
    /// Seconds of silence after the last one: late rooms and echoes.
    private static let tail = 1.0
    /// Seconds from one turn to the next, and the part of them that varies.
    private static let turn = 0.45
    private static let variation = 0.16
    /// Full scale is 1: loud enough, and no loudspeaker is hurt.
    private static let amplitude = 0.25

    /// Rooms; those of the schedule are numbered from 0.
    package let roomCount: Int
    /// Chirps of each room. A schedule of fewer is the beginning of one of more.
    package let repeats: Int

    /// A schedule for 1 … `maximumRooms` rooms with 1 … `maximumRepeats` chirps each; other counts are clamped.
    package init(roomCount: Int, repeats: Int = Self.usualRepeats) {
        self.roomCount = min(max(roomCount, 1), Self.maximumRooms)
        self.repeats = min(max(repeats, 1), Self.maximumRepeats)
    }

    /// The longest schedule of `roomCount` rooms that takes no longer than `seconds`, with the usual number of chirps
    /// at least.
    package init(roomCount: Int, seconds: Double) {
        let turns = max(0, (seconds - Self.lead - Self.tail) / Self.turn)
        let repeats = Int(min(turns, 1e6)) / min(max(roomCount, 1), Self.maximumRooms)
        self.init(roomCount: roomCount, repeats: max(Self.usualRepeats, repeats))
    }

    /// The frames at which the chirps of a room begin, in order.
    package func frames(ofRoom room: Int) -> [Int] {
        (0..<repeats).map { Self.frame(ofTurn: $0 * roomCount + room) }
    }

    /// The same in seconds.
    package func instants(ofRoom room: Int) -> [Double] {
        frames(ofRoom: room).map { Double($0) / Double(Self.sampleRate) }
    }

    /// Frames altogether.
    package var frameCount: Int {
        Self.frame(ofTurn: repeats * roomCount) + Int(Self.tail * Double(Self.sampleRate))
    }

    /// Seconds altogether.
    package var duration: Double { Double(frameCount) / Double(Self.sampleRate) }

    /// The chirps of all rooms one after the other, full scale at ±1.
    package func samples() -> [Float] {
        var samples = [Float](repeating: 0, count: frameCount)
        let chirp = Chirp.samples(sampleRate: Self.sampleRate)
        for turn in 0..<repeats * roomCount {
            let start = Self.frame(ofTurn: turn)
            for (index, value) in chirp.enumerated() { samples[start + index] = Float(value * Self.amplitude) }
        }
        return samples
    }

    /// The stretches of `samples` that are for a room: its chirps with some silence around; it is silent elsewhere.
    package func parts(ofRoom room: Int) -> [TimeRange] {
        let margin = Self.sampleRate / 20
        let length = Int(Chirp.duration * Double(Self.sampleRate)) + 2 * margin
        return frames(ofRoom: room).map { frame in
            TimeRange(
                start: MediaTime(frame: Int64(frame - margin), sampleRate: Self.sampleRate),
                duration: MediaTime(frame: Int64(length), sampleRate: Self.sampleRate))
        }
    }

    /// Turn by turn, with a fraction that only looks random (that of `SplitMix64` for seed 1): regular ones make
    /// patterns alike.
    private static func frame(ofTurn turn: Int) -> Int {
        let bits = SplitMix64.mixed(1 &+ UInt64(turn + 1) &* 0x9E37_79B9_7F4A_7C15)
        let seconds = lead + Double(turn) * Self.turn + variation * SplitMix64.unit(bits)
        return Int((seconds * Double(sampleRate)).rounded())
    }
}
