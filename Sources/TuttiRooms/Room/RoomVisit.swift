import Glibc
import TuttiCore
package import TuttiHost
import TuttiTrust
import TuttiWire

/// A short visit to a speaker that nobody plays on: asks what it remembers, and sets it.
package final class RoomVisit {
    /// The speaker's name.
    package private(set) var name: String
    /// Its output delay, in milliseconds.
    package private(set) var outputDelayMs: Double
    private var loudness = VolumeCommand(percent: 100)
    private var volumeRange = 0.0...100.0

    private let socket: SpeakerSocket
    private let trust: Membership?
    private var session: SenderSession
    private let clock: HostClock
    private let address: RoomAddress

    /// Nanoseconds within which the speaker must answer.
    private static let answerTimeout: Int64 = 2_000_000_000
    /// Nanoseconds that it is given to hang up.
    private static let hangUpTimeout: Int64 = 500_000_000

    /// Goes there and asks.
    ///
    /// - Parameter address: with its host.
    /// - Throws: `.roomUnreachable`, `.roomNotFound` when the speaker there has another name, `.roomRefused` when a
    ///   sender plays there.
    package convenience init(
        _ address: RoomAddress, identity: SenderIdentity, clock: HostClock
    ) throws(SenderError) {
        // A slot without a sender may still have audio, as after its sender's death: the hello would drop that.
        guard !(try RoomLook(at: address, as: identity.trust, clock: clock)).isInUse else {
            throw .roomRefused(address.label, reason: "a sender is playing there; stop the music there first")
        }
        try self.init(anywhere: address, identity: identity, clock: clock)
    }

    /// Takes a slot without a sender, and leaves it: what a sender that is gone has left there ends.
    ///
    /// - Throws: `.roomRefused` where a sender plays, `.roomUnreachable`.
    package static func silence(
        _ address: RoomAddress, identity: SenderIdentity, clock: HostClock
    ) throws(SenderError) {
        try RoomVisit(anywhere: address, identity: identity, clock: clock).leave()
    }

    private init(anywhere address: RoomAddress, identity: SenderIdentity, clock: HostClock) throws(SenderError) {
        self.address = address
        self.clock = clock
        trust = identity.trust
        socket = try SpeakerSocket(address, as: identity.trust, timeoutNanoseconds: Self.answerTimeout)
        // An id of its own: a sender's new timeline would take the place of the one that plays.
        session = SenderSession(
            senderID: identity.id + "-visit", senderName: identity.name, streamID: UInt32.random(in: 1...UInt32.max))
        session.prepare(for: socket.peerID, as: identity.trust, room: address.name)
        name = ""
        outputDelayMs = 0
        let greeting = session.controlOpened(now: clock.now())
        try carryOut(greeting)
        guard let status = try status(where: { _ in true }) else {
            throw .roomUnreachable(address.label, reason: "no answer from \(address.endpoint); is it a Tutti speaker?")
        }
        outputDelayMs = status.outputDelayMs
        loudness = VolumeCommand(percent: status.volume, isMuted: status.isMuted)
        volumeRange = status.volumeRange
        name = session.welcome?.name ?? address.label
        if !address.name.isEmpty, !Names.areSame(address.name, name),
            address.name != session.welcome?.id
        {
            throw .roomNotFound(
                address.name, reason: "the speaker at \(address.endpoint) is called '\(name)'")
        }
    }

    /// Sets the output delay, and waits until the speaker reports it.
    ///
    /// - Throws: `.roomUnreachable` when it does not.
    package func setOutputDelay(_ milliseconds: Double) throws(SenderError) {
        let command = session.send(.outputDelay(milliseconds: milliseconds), now: clock.now())
        try carryOut(command)
        guard let status = try status(where: { abs($0.outputDelayMs - milliseconds) < 0.01 }) else {
            throw .roomUnreachable(name, reason: "the speaker did not confirm; try again")
        }
        outputDelayMs = status.outputDelayMs
    }

    /// Gives the room another name, and waits until the speaker reports it.
    ///
    /// - Throws: `.roomRefused` where the speaker cannot be given one, `.roomUnreachable` when it does not report it.
    package func setName(_ name: String) throws(SenderError) {
        guard session.welcome?.takesName == true else { throw .cannotBeNamed(self.name) }
        let command = session.send(.name(name), now: clock.now())
        try carryOut(command)
        guard try status(where: { $0.name == name }) != nil else {
            throw .roomUnreachable(self.name, reason: "the speaker did not confirm; try again")
        }
        if let trust, let peer = socket.peerID { trust.setPin(peer, of: name, at: address.endpoint) }
        self.name = name
    }

    /// How loud the room is, 0 … 100, and whether it is silent all the same.
    package var level: (percent: Double, isMuted: Bool) { (loudness.percent, loudness.isMuted) }

    /// Sets how loud the room is, as far as it can be set to that, and waits until the speaker reports it.
    ///
    /// - Throws: `.roomUnreachable` when it does not.
    package func setLevel(_ percent: Double, isMuted: Bool) throws(SenderError) {
        let wanted = VolumeCommand(percent: percent, isMuted: isMuted).held(to: volumeRange)
        let command = session.send(.volume(wanted), now: clock.now())
        try carryOut(command)
        let isDone = try status { abs($0.volume - wanted.percent) < 0.01 && $0.isMuted == wanted.isMuted } != nil
        guard isDone else {
            throw .roomUnreachable(name, reason: "the speaker did not confirm; try again")
        }
        loudness = wanted
    }

    /// Says goodbye and waits for the speaker to hang up.
    package func leave() {
        let goodbye = session.send(.goodbye(reason: "the command is done"), now: clock.now())
        try? carryOut(goodbye)
        let deadline = clock.now().advanced(byNanoseconds: Self.hangUpTimeout)
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0, let bytes = socket.receive(timeoutNanoseconds: left), !bytes.isEmpty else { return }
        }
    }

    /// The next status that is as wanted; nil when none comes in time.
    private func status(where isWanted: (SpeakerStatus) -> Bool) throws(SenderError) -> SpeakerStatus? {
        let deadline = clock.now().advanced(byNanoseconds: Self.answerTimeout)
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0, let bytes = socket.receive(timeoutNanoseconds: left) else { return nil }
            guard !bytes.isEmpty else {
                let reason = "\(address.endpoint) closed the connection; is it a Tutti speaker?"
                throw .roomUnreachable(address.label, reason: reason)
            }
            let effects = session.controlReceived(bytes, now: clock.now())
            try carryOut(effects)
            for case .status(let status) in effects where isWanted(status) { return status }
        }
    }

    private func carryOut(_ effects: [SenderEffect]) throws(SenderError) {
        for effect in effects {
            switch effect {
            case .sendControl(let bytes):
                guard socket.send(bytes) else {
                    throw .roomUnreachable(address.label, reason: "\(address.endpoint) closed the connection")
                }
            case .refused(ControlMessage.FailureCode.busy, let message):
                throw .roomRefused(address.label, reason: "\(message); stop the music there first")
            case .refused(_, let message): throw .roomRefused(address.label, reason: message)
            case .close(let reason): throw .roomUnreachable(address.label, reason: reason)
            case .openMedia(let welcome):
                guard let trust, let peer = socket.peerID else { break }
                if let reason = trust.objection(to: welcome, from: peer) {
                    throw .roomRefused(address.label, reason: reason)
                }
                trust.setPin(peer, of: welcome.name, at: address.endpoint)
                let handover = session.send(.trust(trust.handover), now: clock.now())
                try carryOut(handover)
            case .trust(let handover): _ = trust?.take(handover)
            case .sendMedia, .creditGranted, .status, .flushed, .cardFit, .event: break
            }
        }
    }
}
