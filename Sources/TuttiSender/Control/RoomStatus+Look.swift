import TuttiCore
import TuttiWire

extension RoomStatus {
    /// A room that nobody here plays in, as a look shows it.
    package init(_ address: RoomAddress, _ look: RoomLook) {
        let status = look.status
        self.init(
            name: look.welcome.name, id: look.welcome.id, address: address.endpoint, state: status.state.rawValue,
            volume: status.volume, muted: status.isMuted, announcing: status.isAnnouncing,
            outputDelayMs: status.outputDelayMs, loaded: status.loaded, likelyToKeepUp: status.isLikelyToKeepUp,
            stalls: status.stalls, xruns: status.xruns, clockOffsetSigmaUs: status.clockOffsetSigmaUs,
            clockDriftPpm: status.clockDriftPpm, clockDriftSigmaPpm: status.clockDriftSigmaPpm, rttUs: status.rttUs,
            stamps: status.leastStamps, stampsForward: status.forwardStamps?.rawValue,
            stampsReturn: status.returnStamps?.rawValue, systemClock: status.systemClock, format: status.format,
            device: status.device)
    }

    /// The figures that a room has only while somebody plays in it, as a look shows them.
    package mutating func addFigures(of look: RoomLook) {
        let own = look.status
        (codec, dacPpm, dacSigmaPpm) = (own.codec, own.dacPpm, own.dacSigmaPpm)
        (syncErrorUs, syncErrorP99Us) = (own.syncErrorUs, own.syncErrorP99Us)
    }
}

extension SpeakerStatus {
    /// Where the clock's samples are stamped: of two kinds the lesser one.
    var leastStamps: String? {
        guard let forwardStamps, let returnStamps else { return stamps?.rawValue }
        return min(forwardStamps, returnStamps).rawValue
    }
}
