import TuttiCore
package import TuttiSchema
import TuttiWire

extension RoomStatus {
    /// A room that this sender does not play in, as a look shows it.
    package init(_ address: RoomAddress, _ look: RoomLook) {
        let state = State(look.status.state)
        self.init(name: look.welcome.name, id: look.welcome.id, address: address.endpoint, state: state)
        take(look.status)
        self.screen = look.welcome.isScreen ? true : nil
    }

    /// The figures that a room has only while something plays there, as a look shows them.
    package mutating func addFigures(of look: RoomLook) { takeFigures(look.status) }

    /// What a speaker reports whether something plays there or not.
    mutating func take(_ status: SpeakerStatus) {
        (self.state, figures) = (State(status.state), status.figures.withoutSound)
        (self.volume, self.muted, self.announcing) = (status.volume, status.isMuted, status.isAnnouncing)
        self.maxVolume = status.maxVolume < 100 ? status.maxVolume : nil
        self.volumeFixed = status.isVolumeFixed ? true : nil
        (self.outputDelayMs, self.stamps, self.device) = (status.outputDelayMs, status.leastStamps, status.device)
        (self.stampsForward, self.stampsReturn) = (status.forwardStamps?.rawValue, status.returnStamps?.rawValue)
    }

    /// What it reports about the sound that plays there.
    mutating func takeFigures(_ status: SpeakerStatus) { figures.takeSound(from: status.figures) }
}

extension RoomStatus.State {
    /// What a speaker reports that it does.
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
