import Glibc

/// Tells whether an input sounds: for long enough that it is no click.
package struct LiveEar: Sendable {
    /// Seconds of sound, with pauses of so many seconds at most, that are no click.
    private static let (sound, pause) = (0.1, 0.3)
    /// Seconds that are looked at together.
    private static let block = 0.01

    private let level: Float
    private let blockFrames: Int
    private var heard = 0.0
    private var silent = 0.0

    /// - Parameter threshold: dB of full scale that a sample has to reach.
    package init(threshold: Double, sampleRate: Int) {
        level = Float(pow(10, threshold / 20))
        blockFrames = max(1, Int(Self.block * Double(sampleRate)))
    }

    /// Takes in interleaved stereo.
    ///
    /// - Returns: whether it sounds by now.
    package mutating func hears(_ samples: [Float]) -> Bool {
        var index = 0
        while index < samples.count {
            let end = min(index + 2 * blockFrames, samples.count)
            let seconds = Self.block * Double(end - index) / Double(2 * blockFrames)
            if samples[index..<end].contains(where: { abs($0) >= level }) {
                (heard, silent) = (heard + seconds, 0)
                if heard >= Self.sound { return true }
            } else {
                silent += seconds
                if silent > Self.pause { heard = 0 }
            }
            index = end
        }
        return false
    }
}

/// For how long an input has been silent.
package struct LiveSilence: Sendable {
    private let level: Float
    private let sampleRate: Double
    private var frames: Double = 0

    /// - Parameter threshold: dB of full scale that a sample has to reach.
    package init(threshold: Double, sampleRate: Int) {
        level = Float(pow(10, threshold / 20))
        self.sampleRate = Double(sampleRate)
    }

    /// Seconds since something sounded.
    package var seconds: Double { frames / sampleRate }

    /// Interleaved stereo follows.
    package mutating func hear(_ samples: [Float]) {
        guard let last = samples.lastIndex(where: { abs($0) >= level }) else {
            frames += Double(samples.count / 2)
            return
        }
        frames = Double((samples.count - 1 - last) / 2)
    }

    /// Silence follows.
    package mutating func hear(silence count: Int) { frames += Double(count) }
}
