import Synchronization
package import TuttiCore
import TuttiPlayback
package import TuttiRendering
package import TuttiWire

/// The buffers of all streams, and whose the owner's is.
package struct SpeakerStreams {
    package let owner: StreamBuffer
    private let overlays: [StreamBuffer]
    private var held: (sender: String, stream: UInt32?, node: String?)?
    /// Since when it is not known where the owner's stream stands, though nobody but the device waits for it.
    private var lostSince: HostTime?

    package init(owner: StreamBuffer, overlays: [StreamBuffer]) { (self.owner, self.overlays) = (owner, overlays) }

    /// All of them.
    package var all: [StreamBuffer] { [owner] + overlays }

    /// The buffer of whoever has this slot.
    package subscript(slot: Slot) -> StreamBuffer {
        switch slot {
        case .owner: owner
        case .overlay(let number): overlays[number]
        }
    }

    /// A sender has come to own the room: what is held of another stream is dropped.
    ///
    /// - Parameter node: the id of the sender's key; nil in the clear.
    package mutating func take(_ hello: Hello, of node: String?) {
        if held?.sender != hello.senderID || held?.stream != hello.stream { owner.clear() }
        held = (hello.senderID, hello.stream, node)
    }

    /// The id of the key of whoever has sent the owner's stream, gone or not.
    package var ownersNode: String? { held?.node }

    /// The owner's stream is over.
    package mutating func release() {
        held = nil
        owner.clear()
    }

    /// Whether nothing of the owner's stream is left to play. A host that has slept does not know for a moment where
    /// the stream stands; there is something left until all that is held would be over.
    ///
    /// - Parameters:
    ///   - playhead: where the stream stands; nil where that is not known.
    ///   - isClockKnown: whether the group's clock is known.
    package mutating func hasRunOut(playhead: MediaTime?, isClockKnown: Bool, now: HostTime) -> Bool {
        let held = owner.state.withLock { $0.store.loadedTimeRanges }
        guard let first = held.first, let last = held.last else { return true }
        guard !isClockKnown else {
            lostSince = nil
            return playhead.map { last.end <= $0 } ?? true
        }
        let since = lostSince ?? now
        lostSince = since
        return now.nanoseconds(since: since) >= (last.end - first.start).nanoseconds
    }
}
