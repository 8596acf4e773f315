import Synchronization
import TuttiCore
import TuttiPlayback

/// Without a sink, for whoever moves the clock: what is seen of a span of it, once all of that is known.
extension VideoRenderer {
    /// Decodes what is there until it is known what is seen until `instant`, at most `presentationLead` ahead.
    ///
    /// - Returns: false where more pictures are wanted for that.
    func isSettled(until instant: HostTime) -> Bool {
        decodeAhead()
        let now = clock.now()
        return state.withLock { state in
            let end = state.stop.map { min($0, instant) } ?? instant
            // Who holds plenty, and cannot tell, does not get wiser by more.
            return !state.isAttached || state.plan.isDecided(until: end) || !state.plan.isReady(now: now)
        }
    }

    /// What is seen from one of the output's frames on.
    func pictures(in span: Range<Int64>, sampleRate: Int) -> [OfflinePicture] {
        state.withLock { state in
            guard state.isAttached else { return [] }
            return state.plan.shown.compactMap { showing in
                if let stop = state.stop, showing.instant >= stop { return nil }
                // Instants are rounded to nanoseconds.
                let scaled = Int128(showing.instant.nanoseconds) * Int128(sampleRate)
                let sample = Int64(clamping: (scaled + 500_000_000) / 1_000_000_000)
                return span.contains(sample) ? OfflinePicture(frame: showing.frame, sampleTime: sample) : nil
            }
        }
    }
}
