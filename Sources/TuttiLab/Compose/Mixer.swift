import Foundation

/// Two channels that notes are written into, and what goes to the room around them.
struct Mixer {
    let sampleRate: Int
    private(set) var left: [Float]
    private(set) var right: [Float]
    private var roomLeft: [Float]
    private var roomRight: [Float]
    private var noise = NoiseSource(seed: 7)

    init(sampleRate: Int, frames: Int) {
        self.sampleRate = sampleRate
        left = [Float](repeating: 0, count: frames)
        right = left
        roomLeft = left
        roomRight = left
    }

    /// Adds a note; what would sound above the rate's half is left to the instruments' decay, which is soft there.
    mutating func add(_ note: Note) {
        let first = Int(note.start * Double(sampleRate))
        let count = min(left.count - first, Int((note.duration + note.instrument.release) * Double(sampleRate)))
        guard first >= 0, count > 0 else { return }
        let angle = (note.pan + 1) * .pi / 4
        let (gainLeft, gainRight) = (Float(note.gain * cos(angle)), Float(note.gain * sin(angle)))
        let room = Float(note.room)
        for index in 0..<count {
            let value = Float(
                note.instrument.sample(
                    Double(index) / Double(sampleRate), frequency: note.frequency, duration: note.duration,
                    noise: noise.next()))
            left[first + index] += gainLeft * value
            right[first + index] += gainRight * value
            roomLeft[first + index] += gainLeft * value * room
            roomRight[first + index] += gainRight * value * room
        }
    }

    /// The mix with its room, faded out over the last `fade` seconds and with its peak at `peak`.
    mutating func master(fade: Double, peak: Float) -> WaveFile {
        var reverb = Reverb(sampleRate: sampleRate)
        for index in left.indices {
            let answer = reverb.answer(roomLeft[index], roomRight[index])
            left[index] += answer.left
            right[index] += answer.right
        }
        let fadeFrames = min(left.count, Int(fade * Double(sampleRate)))
        for index in 0..<fadeFrames {
            let rest = Float(index) / Float(max(1, fadeFrames))
            let place = left.count - 1 - index
            left[place] *= rest * rest
            right[place] *= rest * rest
        }
        let loudest = max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) })
        let gain = loudest > 0 ? peak / loudest : 0
        return WaveFile(sampleRate: sampleRate, channels: [left.map { $0 * gain }, right.map { $0 * gain }])
    }
}

/// A note of the piece.
struct Note {
    var instrument: Instrument
    /// Seconds from the beginning.
    var start: Double
    /// Seconds as written, without the release.
    var duration: Double
    /// Hertz.
    var frequency: Double
    var gain: Double
    /// −1 left to 1 right.
    var pan: Double
    /// The share that goes to the room.
    var room: Double
}

/// Numbers that look random and are the same every time (a multiply-with-add generator).
struct NoiseSource {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    /// The next number, −1 to 1.
    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }

    /// The next choice out of `count`.
    mutating func choice(_ count: Int) -> Int { Int((next() + 1) / 2 * Double(count)) % count }
}
