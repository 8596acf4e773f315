import TuttiCore
package import TuttiHost
import TuttiSchema
package import TuttiTrust
package import TuttiWire

/// A look at a speaker: who it is and what it does. It takes no slot, so whoever plays there does not notice.
package struct RoomLook: Sendable {
    /// Who answers.
    package var welcome: Welcome
    /// What it does.
    package var status: SpeakerStatus
    /// Its numeric address, as it was reached.
    package var host = ""
    /// How the room's effects stand, for who has asked.
    package var effects: EffectsReport?

    /// Nanoseconds within which the speaker must answer: a second until the first packet is sent again, should it be
    /// lost, and some.
    package static let timeout: Int64 = 1_500_000_000

    /// A look that was taken.
    package init(welcome: Welcome, status: SpeakerStatus) {
        self.welcome = welcome
        self.status = status
    }

    /// Looks at the speaker of a room; blocks for a second and a half at most.
    ///
    /// - Parameters:
    ///   - address: with its host.
    ///   - announcement: a clock for it, if it knows none and nobody plays there.
    ///   - effects: what is asked of the room's effects.
    ///   - trust: the household of whoever looks; nil to look in the clear.
    ///   - limit: within how many nanoseconds the speaker must answer.
    /// - Throws: `.roomUnreachable` when there is nothing, `.roomSlow` when what is there does not answer in time,
    ///   `.roomNotFound` when it has another name, `.roomRefused` when it belongs to others or is not trusted.
    package init(
        at address: RoomAddress, sharing announcement: ClockAnnouncement? = nil, asking effects: EffectsRequest? = nil,
        as trust: Membership?, clock: HostClock, withinNanoseconds limit: Int64 = Self.timeout
    ) throws(SenderError) {
        let socket = try SpeakerSocket(address, as: trust, timeoutNanoseconds: Self.timeout)
        var exchange = LookExchange()
        let isOurs = socket.peerID.map { trust?.knows($0) ?? false } ?? false
        let question = LookExchange.question(
            sharing: announcement, trust: isOurs ? trust?.handover : nil, effects: effects,
            isSecured: trust != nil)
        let answer: (welcome: Welcome, status: SpeakerStatus)?
        do {
            answer = try socket.answer(to: question, withinNanoseconds: limit, clock: clock) {
                bytes throws(WireError) in try exchange.received(bytes)
            }
        } catch {
            if case .refused(_, let message) = error { throw .roomRefused(address.label, reason: message) }
            // What is no answer of a speaker is none, and the room counts as silent.
            answer = nil
        }
        guard let answer else {
            throw .roomSlow(address.label, reason: "no answer from \(address.endpoint); is it a Tutti speaker?")
        }
        self.init(welcome: answer.welcome, status: answer.status)
        host = socket.peer.host
        self.effects = exchange.effects
        try check(address)
        if let trust, let peer = socket.peerID, let reason = trust.objection(to: welcome, from: peer) {
            throw .roomRefused(address.label, reason: reason)
        }
    }

    private func check(_ address: RoomAddress) throws(SenderError) {
        guard address.name.isEmpty || Names.areSame(address.name, welcome.name) || address.name == welcome.id else {
            throw .roomNotFound(
                address.name, reason: "the speaker at \(address.endpoint) is called '\(welcome.name)'")
        }
    }

    /// The speaker's own name.
    package var name: String { welcome.name }

    /// Whether something plays there, or is paused there by somebody.
    package var isInUse: Bool {
        switch status.state {
        case .playing, .paused, .primed, .stalled, .preparing: true
        case .lostDevice: !status.loaded.isEmpty
        case .idle, .ended: false
        }
    }
}
