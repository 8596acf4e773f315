/// What is said and heard in a look at a speaker: a hello, and in answer who it is and what it does. A look takes no
/// slot, so whoever plays there does not notice.
package struct LookExchange {
    /// What opens it.
    ///
    /// - Parameter clock: the order of a clock, which the speaker takes if it knows none and nobody plays on it.
    package static func question(sharing clock: ClockAnnouncement? = nil) -> [UInt8] {
        ControlMessage.hello(Hello(role: .look, senderID: "look", senderName: "", clock: clock)).encodedFrame()
    }

    private var decoder = FrameDecoder()
    private var welcome: Welcome?

    /// An exchange whose question is to be sent.
    package init() {}

    /// Takes bytes as they arrived.
    ///
    /// - Returns: the answer, once it is whole.
    /// - Throws: what is wrong with the bytes; `malformedMessage` with the other side's words where it refuses.
    package mutating func received(_ bytes: [UInt8]) throws(WireError) -> (welcome: Welcome, status: SpeakerStatus)? {
        decoder.append(bytes)
        while case .control(let body)? = try decoder.next() {
            switch try ControlMessage(parsing: body) {
            case .welcome(let words): welcome = words
            case .status(let status): if let welcome { return (welcome, status) }
            case .failure(_, let message): throw .malformedMessage(message)
            default: break
            }
        }
        return nil
    }
}
