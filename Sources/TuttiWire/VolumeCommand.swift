import Glibc

/// How loud a room is.
package struct VolumeCommand: Sendable, Equatable {
    /// 0 … 100, evenly perceived: the speaker multiplies samples by `amplitude`.
    package var percent: Double
    /// Silent, whatever the volume.
    package var isMuted: Bool
    /// Milliseconds of the way from the old to the new gain.
    package var rampMs: Double

    /// A command.
    package init(percent: Double, isMuted: Bool = false, rampMs: Double = 50) {
        self.percent = percent
        self.isMuted = isMuted
        self.rampMs = rampMs
    }

    /// The volume of which `amplitude` makes this factor, 0 … 1.
    package static func percent(ofAmplitude amplitude: Double) -> Double {
        100 * pow(min(max(amplitude, 0), 1), 2 / 3)
    }

    /// The factor that samples are multiplied with: (percent / 100)^1.5, 0 when muted.
    package var amplitude: Double {
        if isMuted { return 0 }
        let share = min(max(percent / 100, 0), 1)
        return share * share.squareRoot()
    }

    /// The same with a volume of `range`.
    package func held(to range: ClosedRange<Double>) -> VolumeCommand {
        VolumeCommand(percent: percent.held(to: range), isMuted: isMuted, rampMs: rampMs)
    }
}

extension Double {
    /// This, or the end of `range` that is nearest to it.
    package func held(to range: ClosedRange<Double>) -> Double { min(max(self, range.lowerBound), range.upperBound) }
}
