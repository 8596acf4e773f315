/// Keeps a deck's source position on the line that clock and card prescribe.
///
/// The step is the fed-forward one (clock drift and card rate) less a part of the position error: a loop of first
/// order without dead band or integrator. Errors are counted at the frame about to be written, so the loop has no
/// dead time.
///
/// Every new reading of clock or card moves that step a little, and a step that moves is a frequency modulation of the
/// sound. So what is applied follows through a low-pass of two poles, which leaves 10 kHz with side-bands far below
/// −100 dB. Right after a start, while the readings still improve quickly, the low-pass is short.
///
/// RT: plain numbers only.
package struct RateLoop: Sendable {
    /// What to do about an error.
    package enum Action: Sendable, Equatable {
        /// Let the step work it off.
        case slew
        /// Jump to the right position inside a short crossfade.
        case crossfade
        /// Fade out, jump, fade in.
        case reanchor
    }

    /// The tuning of a loop.
    package struct Parameters: Sendable {
        /// Seconds in which an error falls to 1/e while the loop is new, and whatever exceeds `quietError` later.
        package var acquiringTimeConstant = 0.7
        /// The same for small errors once locked.
        package var lockedTimeConstant = 1.5
        /// Errors of a locked loop below this many nanoseconds are taken for noise, and followed more slowly.
        package var quietError = 2_000.0
        /// The largest part of the step spent on the error while acquiring, in ppm.
        package var acquiringLimit = 300.0
        /// The same once locked.
        package var lockedLimit = 100.0
        /// The largest departure from the nominal step altogether, in ppm.
        package var totalLimit = 1000.0
        /// Errors below this many nanoseconds for `lockSeconds` lock the loop.
        package var lockError = 20_000.0
        /// Seconds of small error before the loop locks.
        package var lockSeconds = 2.0
        /// Errors above this unlock it.
        package var unlockError = 500_000.0
        /// Errors above this are jumped over in a crossfade.
        package var crossfadeError = 3_000_000.0
        /// Errors above this are jumped over in silence.
        package var reanchorError = 50_000_000.0
        /// Observations in a row that must agree before a jump.
        package var agreeing = 3
        /// Seconds of each of the low-pass's two poles, at most.
        package var smoothing = 0.3
        /// The same as a share of the time since the start.
        package var smoothingShare = 0.1

        /// The published starting points.
        package init() {}
    }

    /// The step for the period and what else to do.
    package struct Decision: Sendable {
        /// Source frames an output frame at the period's end.
        package var ratio: Double
        /// Whether the error is small enough to be worked off.
        package var action: Action
    }

    /// The tuning.
    package let parameters: Parameters
    /// True once errors have been small for a while.
    package private(set) var isLocked = false
    private let nominal: Double
    private var settledSeconds = 0.0
    private var age = 0.0
    /// The two poles, as departures from the nominal step.
    private var poles = (0.0, 0.0)
    private var largeInARow = 0
    private var largeSign = 0.0

    /// A loop around a step of `nominalRatio` source frames an output frame.
    package init(nominalRatio: Double, parameters: Parameters = Parameters()) {
        precondition(nominalRatio > 0, "a deck moves on")
        nominal = nominalRatio
        self.parameters = parameters
    }

    /// Forgets the history; the next error is a new run's first.
    package mutating func restart() {
        isLocked = false
        settledSeconds = 0
        age = 0
        largeInARow = 0
    }

    /// Takes one observation.
    ///
    /// - Parameters:
    ///   - errorNanoseconds: how much too early the next frame would sound (negative: too late).
    ///   - feedForward: the step that clock and card rates ask for, in source frames an output frame.
    ///   - periodNanoseconds: time since the observation before.
    package mutating func update(
        errorNanoseconds error: Double, feedForward: Double, periodNanoseconds: Double
    ) -> Decision {
        precondition(periodNanoseconds >= 0, "periods follow one another")
        let size = abs(error)
        trackLock(size, seconds: periodNanoseconds * 1e-9)
        let limit = (isLocked ? parameters.lockedLimit : parameters.acquiringLimit) * 1e-6
        // What is noise would modulate the sound; what is more is a better knowledge of clock or card, and is not kept
        // waiting.
        let quiet = isLocked ? min(size, parameters.quietError) : 0
        let speed = quiet / parameters.lockedTimeConstant + (size - quiet) / parameters.acquiringTimeConstant
        let correction = min(speed * 1e-9, limit) * (error < 0 ? -1 : 1)
        let total = parameters.totalLimit * 1e-6
        let relative = min(max(feedForward / nominal * (1 - correction) - 1, -total), total)
        let smooth = smoothed(relative, seconds: periodNanoseconds * 1e-9)
        return Decision(ratio: nominal * (1 + smooth), action: decide(error, size))
    }

    /// The low-pass; the first value after a start passes as it is.
    private mutating func smoothed(_ value: Double, seconds: Double) -> Double {
        let pole = min(parameters.smoothing, parameters.smoothingShare * age)
        let share = pole > 0 ? seconds / (seconds + pole) : 1
        age += seconds
        poles.0 += share * (value - poles.0)
        poles.1 += share * (poles.0 - poles.1)
        return poles.1
    }

    private mutating func trackLock(_ size: Double, seconds: Double) {
        if size > parameters.unlockError { isLocked = false }
        settledSeconds = size < parameters.lockError ? settledSeconds + seconds : 0
        if settledSeconds >= parameters.lockSeconds { isLocked = true }
    }

    private mutating func decide(_ error: Double, _ size: Double) -> Action {
        guard size >= parameters.crossfadeError else {
            largeInARow = 0
            return .slew
        }
        let sign = error < 0 ? -1.0 : 1.0
        largeInARow = sign == largeSign ? largeInARow + 1 : 1
        largeSign = sign
        guard largeInARow >= parameters.agreeing else { return .slew }
        largeInARow = 0
        return size >= parameters.reanchorError ? .reanchor : .crossfade
    }
}
