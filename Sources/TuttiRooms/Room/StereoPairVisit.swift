import TuttiChain
package import TuttiSchema

/// Makes two rooms a stereo pair, or two rooms of their own again: both, or neither.
package struct StereoPairVisit {
    private let left: RoomEffectsVisit
    private let right: RoomEffectsVisit

    /// Visits to two rooms, which must not be the same.
    package init(left: RoomEffectsVisit, right: RoomEffectsVisit) { (self.left, self.right) = (left, right) }

    /// Has each room play its side, or both sides again; blocks until that is heard, or is known not to be. Each room
    /// keeps its other effects, and its crossover to a subwoofer.
    ///
    /// - Returns: how the effects of the left and of the right room stand then.
    /// - Throws: why a speaker does not answer or does not do it. Both rooms play as before then, unless the text says
    ///   otherwise.
    package func set(isPair: Bool) throws(SenderError) -> [EffectsListing] {
        // A room that cannot be asked is known before anything has changed.
        let (first, second) = (try left.chain(), try right.chain())
        let done = try left.set(first.selecting(isPair ? .left : .stereo), impulses: [:])
        let failure: SenderError
        do throws(SenderError) {
            return [done, try right.set(second.selecting(isPair ? .right : .stereo), impulses: [:])]
        } catch {
            failure = error
        }
        // One that has not answered in time may have done it.
        if case .roomSlow = failure { _ = try? right.set(.chain(second), impulses: [:]) }
        do throws(SenderError) {
            _ = try left.set(.chain(first), impulses: [:])
        } catch {
            let sides = isPair ? "the left side" : "both sides"
            throw .refused(
                "\(failure); and \(done.room), which plays \(sides) now, could not be put back: \(error.reason)",
                exitCode: failure.exitCode)
        }
        throw failure
    }
}
