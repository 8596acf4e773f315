package import Logging
package import TuttiAssets
package import TuttiHost
package import TuttiRooms
import TuttiSender
package import TuttiStore
package import TuttiTiming

/// What a house is made of.
package struct HouseConfiguration: Sendable {
    /// What it remembers.
    package var store: HouseStore
    /// Its music library, beside the store.
    package var library: HouseLibrary
    /// Who plays.
    package var identity: SenderIdentity
    /// This host's clock.
    package var clock: HostClock
    /// What an operator should know.
    package var logger: Logger
    /// Where rooms and inputs are looked for.
    package var network: RoomNetwork
    /// The live inputs that the settings name.
    package var inputs: [LiveInput] = []
    /// What live inputs say that they play.
    package let tags = StreamTagBoard()
    /// Begins to be a member of clocks.
    package var startClock: @Sendable () throws(HostError) -> GroupClock
    /// Called when an announcement begins, with the rooms' names.
    package var onAnnouncement: (@Sendable ([String]) -> Void)?
    /// The wall clock, in seconds since 1970 UTC.
    package var wallClock: @Sendable () -> Double = LocalZone.now
    /// Where days begin.
    package var zone: Schedule.Zone = LocalZone.offset

    /// A house with this host's wall clock and time zone.
    ///
    /// - Throws: `SenderError.system` when the store cannot be read.
    package init(store: HouseStore, clock: HostClock, logger: Logger) throws(SenderError) {
        self.store = store
        library = HouseLibrary(directory: store.directory, logger: logger)
        identity = try store.identity()
        self.clock = clock
        network = .system(clock: clock, trust: store.trust)
        startClock = { () throws(HostError) in try RoomsHost.system.startClock(clock) }
        self.logger = logger
    }
}
