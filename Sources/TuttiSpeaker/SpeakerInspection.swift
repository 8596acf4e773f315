import Synchronization
package import TuttiCore
package import TuttiPlayback
import TuttiRendering
package import TuttiTiming
package import TuttiWire

/// A speaker as one sees it who may look inside: for simulations.
package struct SpeakerInspection: Sendable {
    /// What it says of itself.
    package let status: SpeakerStatus
    /// The id of the sender that owns the room, if any, and of its programme.
    package let sender: String?
    package let stream: UInt32?
    /// The newest line that it was told.
    package let line: Timebase?
    /// Where the programme ends, once that is known.
    package let end: MediaTime?
    /// What it holds.
    package let loaded: [TimeRange]
    /// The generation of what it holds.
    package let generation: UInt32
    /// Where it stands in the group clock.
    package let standing: GroupClock.Standing?
}

extension SpeakerController {
    /// How it stands now.
    package func inspect() -> SpeakerInspection {
        let (line, end, loaded) = programme.state.withLock { ($0.timebase, $0.end, $0.store.loadedTimeRanges) }
        return SpeakerInspection(
            status: status(), sender: session.senderID, stream: session.streamID, line: line, end: end, loaded: loaded,
            generation: session.generation, standing: groupClock.standing)
    }
}
