/// A fault of the programs that a world has on request, so that tests see the invariants find it.
package enum PlantedBug: String, Sendable, Codable, CaseIterable {
    /// The last room plays 5 ms late without knowing.
    case lateRoom = "late-room"
    /// Every ten seconds the last room is silent for 50 ms although it holds what is due.
    case silentWhileLoaded = "silent-while-loaded"
    /// Every ten seconds the last room goes back 100 ms and plays them again.
    case repeatedSound = "repeated-sound"
    /// The last room is not told of pauses, seeks and the like after it was started.
    case unheardTimebase = "unheard-timebase"
    /// A sender acknowledges commands before they are on its disk, and writes only every ten seconds.
    case earlyAcknowledgement = "early-acknowledgement"
    /// A sender sends without regard to credit, and a room takes what does not fit.
    case creditIgnored = "credit-ignored"
    /// A room that no longer hears its leader leads, and goes on leading when the leader is back.
    case stubbornLeader = "stubborn-leader"
}
