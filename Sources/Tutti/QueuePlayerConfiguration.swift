public import Logging
package import TuttiAssets
package import TuttiCore
package import TuttiHost
package import TuttiProduction
package import TuttiRooms
import TuttiSender

extension QueuePlayer {
    /// How sound travels to the outputs.
    public enum Codec: Sendable, Hashable {
        /// FLAC: nothing is lost.
        case flac
        /// Opus, at so many bits a second, 64 000 … 320 000.
        case opus(bitrate: Int = 160_000)
        /// Plain samples.
        case pcm
        /// The packets of AAC, MP3, ALAC, FLAC, Vorbis and Opus files and the samples of others as they lie there; FLAC
        /// for what cannot travel so.
        case original
    }

    /// How a player is to be.
    public struct Configuration: Sendable {
        /// How sound travels.
        public var codec = Codec.flac
        /// The rate at which `play()` begins, 0.5 … 2, with the pitch kept.
        public var defaultRate = 1.0
        /// How many seconds the ending of an item and the beginning of the next are heard together, 0 … 12.
        public var crossfade = 0.0
        /// The room whose card leads playback time, by its name: it plays without resampling, and the others follow its
        /// card. Nil for none.
        public var reference: String?
        /// How much louder or, below 0, softer, in dB of -60 … 20; beyond full scale it is cut.
        public var gain = 0.0
        /// Whether to play on the outputs that can be had when others cannot.
        public var allowsMissingRooms = false
        /// Whether the items are an announcement, which is mixed into what the rooms play, whoever plays it, with that
        /// 14 dB softer. Otherwise the player owns its rooms.
        public var isAnnouncement = false
        /// Whether the player keeps its rooms when the queue is over, to go on with what is added then. Otherwise it
        /// ends.
        public var staysInRooms = true
        /// Where the player's identity, and what its local outputs remember, are kept; nil for a folder of this
        /// program's among this user's state.
        public var stateDirectory: String?
        /// Whether the player speaks to rooms in the clear, as to those that were started with `--open` or are of an
        /// older version. Otherwise it is a sender of this user's household, which is made at first use.
        public var speaksInTheClear = false
        /// Told of what happens to the devices of this host; nil for nobody.
        public var logger: Logger?

        /// Who plays; nil for the identity that is kept in the folder.
        package var identity: SenderIdentity?
        /// This host's clock.
        package var clock = HostClock()
        /// What is made equally loud.
        package var normalization = LoudnessNormalization.off
        /// Which tracks of films play.
        package var tracks = TrackChoices()
        /// Tells how loud items were measured to be; nil when nothing was.
        package var loudness: TrackLevel.Lookup?
        /// An item's file that has been opened already.
        package var opened: OpenedAsset?
        /// The stretches that rooms play, by their labels, as `PlayerConfiguration.parts` has them.
        package var parts: [String: [TimeRange]] = [:]

        /// Plays as FLAC, at the natural rate.
        public init() {}
    }
}
