import TuttiClock
import TuttiCore
package import TuttiHost
import TuttiTrust
import TuttiWire

/// Checks from outside whether a speaker works, as containers and monitors do often; it does not disturb playback.
package enum SpeakerCheck {
    /// Nanoseconds within which it must answer.
    private static let patience: Int64 = 1_000_000_000
    /// States in which the output need not be open.
    private static let silent: Set<SpeakerStatus.State> = [.idle, .ended, .preparing]

    /// Asks the speaker at `address` how it does, and for the time if it keeps a group clock: as the speaker itself,
    /// whose key is in its state folder.
    ///
    /// - Returns: what was found, in a line.
    /// - Throws: `SpeakerError.unhealthy` when there is no answer, no time, or no output where one is needed.
    package static func run(
        at address: SocketAddress, stateDirectory: String, clock: HostClock
    ) throws(SpeakerError) -> String {
        let (welcome, status) = try look(at: address, stateDirectory: stateDirectory, clock: clock)
        if status.state == .lostDevice || !status.message.isEmpty {
            throw .unhealthy("\(welcome.name): no sound on \(welcome.device): \(status.message)")
        }
        if welcome.deviceFormat.isEmpty, !silent.contains(status.state) {
            throw .unhealthy(
                "\(welcome.name): \(status.state.rawValue), but its output \(welcome.device) is not open")
        }
        var words = "\(welcome.name): \(status.state.rawValue), \(welcome.device) "
        words += welcome.deviceFormat.isEmpty ? "closed until something plays" : "open (\(welcome.deviceFormat))"
        guard let timescale = welcome.clock?.timescale, let port = welcome.clockPort else {
            return words + ", no group clock yet"
        }
        guard givesTime(timescale, at: address.with(port: port), stateDirectory: stateDirectory, clock: clock) else {
            throw .unhealthy("\(welcome.name): no answer to requests for the time (UDP port \(port))")
        }
        return words + ", clock answers"
    }

    private static func look(
        at address: SocketAddress, stateDirectory: String, clock: HostClock
    ) throws(SpeakerError) -> (Welcome, SpeakerStatus) {
        let socket: SpeakerSocket
        do {
            let context = try TLS.client(NodeKey.existing(in: stateDirectory) ?? NodeKey())
            socket = try SpeakerSocket(address, context: context, timeoutNanoseconds: patience)
        } catch {
            throw .unhealthy("no answer from the speaker: \(error)")
        }
        var exchange = LookExchange()
        let answer: (Welcome, SpeakerStatus)?
        do {
            answer = try socket.answer(
                to: LookExchange.question(isSecured: true), withinNanoseconds: patience, clock: clock
            ) {
                bytes throws(WireError) in try exchange.received(bytes)
            }
        } catch {
            throw .unhealthy("\(address) is not a Tutti speaker, or is another version: \(error)")
        }
        guard let answer else { throw .unhealthy("no answer from \(address); is it a Tutti speaker?") }
        return answer
    }

    /// Whether a question for the time is answered.
    private static func givesTime(
        _ timescale: TimescaleID, at address: SocketAddress, stateDirectory: String, clock: HostClock
    ) -> Bool {
        guard let socket = try? TimestampedUDPSocket(address: nil, port: 0, clock: clock) else { return false }
        let request = TimingMessage(
            requestOn: timescale, clientID: UInt64.random(in: 0...UInt64.max), sequence: 1,
            t1: clock.now().nanoseconds)
        let claim = try? SpeakerClaimFile(directory: stateDirectory).load()
        var seal = claim.map { TimingSeal($0.timeKeys) }
        guard let question = seal == nil ? request.encode() : seal?.close(request.encode()),
            socket.send(question, to: address).isSent
        else { return false }
        let deadline = clock.now().advanced(byNanoseconds: patience)
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0 else { return false }
            for case .datagram(let signed, _, _, _) in socket.receive(timeoutNanoseconds: left) {
                guard let bytes = seal == nil ? signed : seal?.open(signed) else { continue }
                if let reply = try? TimingMessage(parsing: bytes), reply.kind == .reply,
                    reply.clientID == request.clientID
                {
                    return true
                }
            }
        }
    }
}
