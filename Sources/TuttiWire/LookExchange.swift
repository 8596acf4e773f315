/// What is said and heard in a look at a speaker: a hello, and in answer who it is and what it does. A look takes no
/// slot, so whoever plays there does not notice.
package struct LookExchange {
    /// What opens it.
    ///
    /// - Parameters:
    ///   - clock: the order of a clock, which the speaker takes if it knows none and nobody plays on it.
    ///   - trust: what trust in the household rests on, for a speaker that is known to be of it.
    ///   - effects: what is asked of the room's effects.
    ///   - isSecured: whether the connection is.
    package static func question(
        sharing clock: ClockAnnouncement? = nil, trust: TrustHandover? = nil, effects: EffectsRequest? = nil,
        isSecured: Bool
    ) -> [UInt8] {
        let version = isSecured ? WireLimits.securedVersion : WireLimits.version
        let hello = Hello(
            role: .look, version: version, senderID: "look", senderName: "", clock: clock, trust: trust,
            effects: effects)
        return ControlMessage.hello(hello).encodedFrame()
    }

    private var decoder = FrameDecoder()
    private var welcome: Welcome?
    /// How the room's effects stand, once that has come; a speaker that has none does not say it.
    package private(set) var effects: EffectsReport?

    /// An exchange whose question is to be sent.
    package init() {}

    /// Takes bytes as they arrived.
    ///
    /// - Returns: the answer, once it is whole.
    /// - Throws: what is wrong with the bytes; `refused` with the other side's words where it refuses.
    package mutating func received(_ bytes: [UInt8]) throws(WireError) -> (welcome: Welcome, status: SpeakerStatus)? {
        decoder.append(bytes)
        while case .control(let body)? = try decoder.next() {
            switch try ControlMessage(parsing: body) {
            case .welcome(let words): welcome = words
            case .effects(let report): effects = report
            case .status(let status): if let welcome { return (welcome, status) }
            case .failure(let code, let message): throw .refused(code: code, message: message)
            default: break
            }
        }
        return nil
    }
}
