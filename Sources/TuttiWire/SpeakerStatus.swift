package import TuttiCore
package import TuttiSchema

/// How a speaker is doing; it says so four times a second and on change.
@dynamicMemberLookup package struct SpeakerStatus: Sendable, Equatable {
    /// What the speaker does.
    package enum State: String, Sendable, CaseIterable {
        /// No stream.
        case idle
        /// A stream is announced; audio, clock or device are not ready.
        case preparing
        /// Ready to start at once: enough audio is decoded, the clock is known, the device runs.
        case primed
        /// Sound.
        case playing
        /// Held by a timebase of rate 0, with audio ready.
        case paused
        /// Out of audio while it should play.
        case stalled
        /// The stream's last frame has played.
        case ended
        /// The output device is gone; the stream goes on in silence until it is back.
        case lostDevice = "lost-device"
    }

    /// Where the clock's samples were stamped.
    package enum Stamps: String, Sendable {
        /// In the kernel.
        case kernel
        /// In this process.
        case user
    }

    /// What the speaker does.
    package var state: State
    /// The media time that plays now.
    package var position: MediaTime?
    /// What it holds, counts and measures.
    package var figures = SpeakerFigures()
    /// What the room is called; empty where an older speaker does not say it here.
    package var name = ""
    /// 0 … 100.
    package var volume: Double = 100
    /// The loudest that it plays, 0 … 100: whoever asks for more gets this.
    package var maxVolume: Double = 100
    /// Whether it is always `maxVolume`, whoever asks for something else.
    package var isVolumeFixed = false
    /// Silent, whatever the volume.
    package var isMuted = false
    /// Whether an overlay sounds, and the owner's sound is lowered for it.
    package var isAnnouncing = false
    /// The room's output delay, in milliseconds.
    package var outputDelayMs: Double = 0
    /// How long before an instant the speaker has to hear of what changes then, in milliseconds: what its card holds
    /// already, and what the output delay takes.
    package var leadMs: Double?
    /// Where the clock's samples were stamped, at least: what speakers and senders know that have no word for hardware.
    package var stamps: Stamps?
    /// Where requests were stamped, and replies: by the end that knows it less closely.
    package var (forwardStamps, returnStamps): (StampKind?, StampKind?)
    /// Payload bytes held.
    package var bufferedBytes: UInt64 = 0
    /// Whether the card gets the source's own bits; nil where the room is not the reference.
    package var isBitPerfect: Bool?
    /// Why it does not, for people; nil where it does, or the room is not the reference.
    package var bitPerfectReason: String?
    /// The output device, for people.
    package var device = ""
    /// What is wrong, for people; empty when nothing is.
    package var message = ""

    /// The volumes that it can be set to.
    package var volumeRange: ClosedRange<Double> { (isVolumeFixed ? maxVolume : 0)...maxVolume }

    /// The status of a speaker that does `state`.
    package init(state: State, position: MediaTime? = nil) {
        self.state = state
        self.position = position
    }

    /// One of the figures.
    package subscript<Value>(dynamicMember figure: WritableKeyPath<SpeakerFigures, Value>) -> Value {
        get { figures[keyPath: figure] }
        set { figures[keyPath: figure] = newValue }
    }
}
