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
            stamps: status.stamps?.rawValue, format: status.format, device: status.device)
    }
}
