import TuttiCore
package import TuttiSchema
import TuttiWire

extension RoomStatus {
    /// A room that this sender does not play in, as a look shows it.
    package init(_ address: RoomAddress, _ look: RoomLook) {
        let state = State(look.status.state)
        self.init(name: look.welcome.name, id: look.welcome.id, address: address.endpoint, state: state)
        take(look.status)
    }

    /// The figures that a room has only while something plays there, as a look shows them.
    package mutating func addFigures(of look: RoomLook) { takeFigures(look.status) }

    /// What a speaker reports whether something plays there or not.
    mutating func take(_ status: SpeakerStatus) {
        state = State(status.state)
        (volume, muted, announcing) = (status.volume, status.isMuted, status.isAnnouncing)
        (outputDelayMs, loaded, likelyToKeepUp) = (status.outputDelayMs, status.loaded, status.isLikelyToKeepUp)
        (stalls, xruns) = (status.stalls, status.xruns)
        clockOffsetSigmaUs = status.clockOffsetSigmaUs
        (clockDriftPpm, clockDriftSigmaPpm) = (status.clockDriftPpm, status.clockDriftSigmaPpm)
        (rttUs, stamps) = (status.rttUs, status.leastStamps)
        (stampsForward, stampsReturn) = (status.forwardStamps?.rawValue, status.returnStamps?.rawValue)
        (systemClock, format, device) = (status.systemClock, status.format, status.device)
    }

    /// What it reports about the sound that plays there.
    mutating func takeFigures(_ status: SpeakerStatus) {
        (codec, dacPpm, dacSigmaPpm) = (status.codec, status.dacPpm, status.dacSigmaPpm)
        (syncErrorUs, syncErrorP99Us) = (status.syncErrorUs, status.syncErrorP99Us)
    }
}

extension RoomStatus.State {
    /// What a speaker says that it does.
    init(_ state: SpeakerStatus.State) {
        self =
            switch state {
            case .idle: .idle
            case .preparing: .preparing
            case .primed: .primed
            case .playing: .playing
            case .paused: .paused
            case .stalled: .stalled
            case .ended: .ended
            case .lostDevice: .lostDevice
            }
    }
}

extension SpeakerStatus {
    /// Where the clock's samples are stamped: of two kinds the lesser one.
    fileprivate var leastStamps: String? {
        guard let forwardStamps, let returnStamps else { return stamps?.rawValue }
        return min(forwardStamps, returnStamps).rawValue
    }
}
