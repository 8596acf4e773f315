package import TuttiCore
package import TuttiSchema

/// How a speaker is doing; it says so four times a second and on change. Figures not known are nil.
package struct SpeakerStatus: Sendable, Equatable {
    /// What the speaker does.
    package enum State: String, Sendable, CaseIterable {
        /// No programme.
        case idle
        /// A programme is announced; audio, clock or device are not ready.
        case preparing
        /// Ready to start at once: enough audio is decoded, the clock is known, the device runs.
        case primed
        /// Sound.
        case playing
        /// Held by a timebase of rate 0, with audio ready.
        case paused
        /// Out of audio while it should play.
        case stalled
        /// The programme's last frame has been heard.
        case ended
        /// The output device is gone; the programme goes on in silence until it is back.
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
    /// The media time that is heard now.
    package var position: MediaTime?
    /// Audio held. A message gives it in seconds, so what comes from a speaker is right to the nanosecond.
    package var loaded = LoadedRanges()
    /// 0 … 100.
    package var volume: Double = 100
    /// Silent, whatever the volume.
    package var isMuted = false
    /// Whether an overlay sounds, and the owner's sound is lowered for it.
    package var isAnnouncing = false
    /// The room's output delay, in milliseconds.
    package var outputDelayMs: Double = 0
    /// How long before an instant the speaker has to hear of what changes then, in milliseconds: what its card holds
    /// already, and what the output delay takes.
    package var leadMs: Double?
    /// Times that audio ran out.
    package var stalls = 0
    /// Times that the device ran dry.
    package var xruns = 0
    /// The last measured distance from where the sound should be, in µs; positive when it is late.
    package var syncErrorUs: Double?
    /// The 99th percentile of its magnitude over the last minute, in µs.
    package var syncErrorP99Us: Double?
    /// Standard deviation of the clock's offset, in µs.
    package var clockOffsetSigmaUs: Double?
    /// The host's clock against the group's, in parts per million; positive when the group clock is the faster one.
    package var clockDriftPpm: Double?
    /// Standard deviation of the drift, in parts per million.
    package var clockDriftSigmaPpm: Double?
    /// The card's clock against the host's, in parts per million; positive when the card is fast.
    package var dacPpm: Double?
    /// Standard deviation of the card's rate, in parts per million.
    package var dacSigmaPpm: Double?
    /// Round trip of the clock exchange, in µs.
    package var rttUs: Double?
    /// Where the clock's samples were stamped, at least: what speakers and senders know that have no word for hardware.
    package var stamps: Stamps?
    /// Where requests were stamped, and replies: by the end that knows it less closely.
    package var (forwardStamps, returnStamps): (StampKind?, StampKind?)
    /// How the system clock stands; nil where the group's clock is never taken from it.
    package var systemClock: SystemClockStatus?
    /// The codec of what is heard.
    package var codec: String?
    /// The device's format, as in `48000:24:2`.
    package var format: String?
    /// Whether the audio held and the rate it comes at will last.
    package var isLikelyToKeepUp = false
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

    /// The status of a speaker that does `state`.
    package init(state: State, position: MediaTime? = nil) {
        self.state = state
        self.position = position
    }
}
