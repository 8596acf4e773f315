import TuttiCore
package import TuttiHost
package import TuttiWire

/// A look at a speaker: who it is and what it does. It takes no seat, so whoever plays there does not notice.
package struct RoomLook: Sendable {
    /// Who answers.
    package var welcome: Welcome
    /// What it does.
    package var status: SpeakerStatus

    /// Nanoseconds within which the speaker must answer: a second until the first packet is sent again, should it be lost, and some.
    private static let patience: Int64 = 1_500_000_000

    /// A look that was taken.
    package init(welcome: Welcome, status: SpeakerStatus) {
        self.welcome = welcome
        self.status = status
    }

    /// Looks at the speaker of a room; blocks for a second and a half at most.
    ///
    /// - Parameter address: with its host.
    /// - Throws: `.roomUnreachable` when no speaker answers, `.roomNotFound` when it has another name.
    package init(at address: RoomAddress, clock: HostClock) throws(SenderError) {
        let socket = try StreamSocket(address, timeoutNanoseconds: Self.patience)
        let silence = SenderError.roomUnreachable(
            address.label, reason: "no answer from \(address.endpoint); is it a Tutti speaker?")
        let hello = Hello(role: .look, senderID: "look", senderName: "")
        guard socket.send(ControlMessage.hello(hello).encodedFrame()) else { throw silence }
        let deadline = clock.now().advanced(byNanoseconds: Self.patience)
        var decoder = FrameDecoder()
        var welcome: Welcome?
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0, let bytes = socket.receive(timeoutNanoseconds: left), !bytes.isEmpty else { throw silence }
            decoder.append(bytes)
            while let message = Self.next(of: &decoder) {
                if case .welcome(let words) = message { welcome = words }
                guard case .status(let status) = message, let welcome else { continue }
                self.init(welcome: welcome, status: status)
                try check(address)
                return
            }
        }
    }

    /// The next message; what is none is passed over, and the speaker counts as silent.
    private static func next(of decoder: inout FrameDecoder) -> ControlMessage? {
        guard case .control(let body)? = try? decoder.next() else { return nil }
        return try? ControlMessage(parsing: body)
    }

    private func check(_ address: RoomAddress) throws(SenderError) {
        guard address.name.isEmpty || Names.areSame(address.name, welcome.name) || address.name == welcome.id else {
            throw .roomNotFound(
                address.name, reason: "the speaker at \(address.endpoint) is called '\(welcome.name)'")
        }
    }

    /// The speaker's own name.
    package var name: String { welcome.name }

    /// Whether something sounds there, or is held there by somebody.
    package var isInUse: Bool {
        switch status.state {
        case .playing, .paused, .primed, .stalled, .preparing: true
        case .lostDevice: !status.loaded.isEmpty
        case .idle, .ended: false
        }
    }
}
