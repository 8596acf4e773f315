import Synchronization
package import TuttiCore
package import TuttiPlayback
import TuttiRendering
package import TuttiTiming
package import TuttiWire

/// A speaker as one sees it who may look inside: for simulations.
package struct SpeakerInspection: Sendable {
    /// What it says that it does.
    package let playbackState: SpeakerStatus.State
    /// Its loudness, as set.
    package let loudness: VolumeCommand
    /// The id of the sender that owns the room, if any, and of its stream.
    package let sender: String?
    package let stream: UInt32?
    /// The newest timebase that it was told.
    package let timebase: Timebase?
    /// Where the stream ends, once that is known.
    package let end: MediaTime?
    /// What it holds, and in how many bytes of payload.
    package let loaded: [TimeRange]
    package let bufferedBytes: Int
    /// The generation of what it holds.
    package let generation: UInt32
    /// Where it stands in the group clock.
    package let standing: GroupClock.Standing?
}

extension SpeakerController {
    /// How it stands now.
    package func inspect() -> SpeakerInspection {
        let (timebase, end, loaded, bytes) = streams.owner.state.withLock { held in
            (held.timebase, held.end, held.store.loadedTimeRanges, held.store.byteCount)
        }
        return SpeakerInspection(
            playbackState: playbackState(of: .owner, position: playhead()),
            loudness: memory.loudness, sender: session.senderID,
            stream: session.streamID, timebase: timebase, end: end, loaded: loaded, bufferedBytes: bytes,
            generation: session.generation, standing: groupClock.standing)
    }
}
