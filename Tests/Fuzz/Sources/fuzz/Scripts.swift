import TuttiClock
import TuttiCore
import TuttiWire

/// Steps of a script, each `operation | u16 length | bytes`.
private struct Steps: IteratorProtocol, Sequence {
    var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> (operation: UInt8, bytes: [UInt8])? {
        guard let operation = rest.popFirst() else { return nil }
        let bytes = Array(rest.dropFirst(2).prefix(rest.number(at: 0)))
        rest = rest.dropFirst(2 + bytes.count)
        return (operation, bytes)
    }
}

/// What is said on the connections of a speaker, by somebody who has shown who it is or who speaks in the clear.
struct SpeakerScript {
    private var session = SpeakerSession { 7 }
    private var connections: [ConnectionID] = []
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var next: UInt64 = 0
    private let isSecured: Bool
    private static let household = "0123456789abcdef0123456789abcdef"

    static func run(_ bytes: [UInt8], isSecured: Bool) {
        var script = SpeakerScript(isSecured: isSecured)
        for step in Steps(bytes) { script.take(step.operation, step.bytes) }
        script.perform(script.session.shutdown(reason: "end"))
    }

    private init(isSecured: Bool) {
        self.isSecured = isSecured
        if isSecured { perform(session.admit(.claimed(household: Self.household, revoked: []))) }
        for _ in 0..<2 { open() }
    }

    /// The operation's low bits say what happens, the high ones on which connection.
    private mutating func take(_ operation: UInt8, _ bytes: [UInt8]) {
        guard !connections.isEmpty else { return open() }
        let connection = connections[Int(operation >> 4) % connections.count]
        switch operation & 15 {
        case 0...4: receive(Frame.header(.control, bodyCount: bytes.count) + bytes, on: connection)
        case 5, 6: receive(Frame.header(.media, bodyCount: bytes.count) + bytes, on: connection)
        case 7: receive(Frame.header(.picture, bodyCount: bytes.count) + bytes, on: connection)
        case 8: receive(Frame.header(.caption, bodyCount: bytes.count) + bytes, on: connection)
        case 9: receive(bytes, on: connection)
        case 10: open()
        case 11:
            connections.removeAll { $0 == connection }
            perform(session.closed(connection, now: now))
        case 12: perform(session.unread(connection))
        case 13: perform(session.grant(freeBytes: 1 << 20, horizon: nil))
        case 14: perform(session.admit(.unclaimed(needsToken: bytes.count & 1 == 0)))
        default:
            now = now.advanced(byNanoseconds: Int64(bytes.count) * 300_000_000)
            if let deadline = session.deadline, deadline <= now { perform(session.expired(now: now)) }
        }
    }

    private mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) {
        perform(session.received(bytes, on: connection, now: now))
    }

    private mutating func open() {
        next += 1
        let id = ConnectionID(rawValue: next)
        connections.append(id)
        perform(session.opened(id, from: next & 1 == 0 ? "a" : "b", now: now))
        if isSecured {
            session.identified(id, as: PeerIdentity(nodeID: next & 4 == 0 ? "x" : "y", household: Self.household))
        }
    }

    private mutating func perform(_ effects: [SpeakerEffect]) {
        for effect in effects {
            switch effect {
            case .senderArrived: perform(session.accept(Self.welcome))
            case .overlay(let number, .senderArrived): perform(session.accept(Self.welcome, at: .overlay(number)))
            case .mediaConnected: perform(session.grant(freeBytes: 1 << 20, horizon: nil))
            case .flush(let generation, _): perform(session.flushed(generation: generation, loaded: []))
            case .claimed: perform(session.admit(.claimed(household: Self.household, revoked: ["y"])))
            case .close(let id, _), .abandon(let id, _): connections.removeAll { $0 == id }
            case .looked(let id, _, _): connections.removeAll { $0 == id }
            default: break
            }
        }
    }

    private static let welcome = Welcome(
        id: "s", name: "s", bufferSeconds: 9, bufferBytes: 1, codecs: ["flac"], device: "", deviceFormat: "")
}

/// What a speaker says to a sender.
enum SenderScript {
    static func run(_ bytes: [UInt8]) {
        var session = SenderSession(senderID: "a", senderName: "a", streamID: 1, generation: 0)
        var now = HostTime(nanoseconds: 1_000_000_000)
        _ = session.controlOpened(now: now)
        for step in Steps(bytes) where session.isControlOpen {
            switch step.operation & 7 {
            case 0...3:
                let frame = Frame.header(.control, bodyCount: step.bytes.count) + step.bytes
                for case .openMedia in session.controlReceived(frame, now: now) { _ = session.mediaOpened(now: now) }
            case 4: _ = session.controlReceived(step.bytes, now: now)
            case 5: _ = session.mediaReceived(step.bytes, now: now)
            case 6: _ = session.flush(from: step.bytes.isEmpty ? nil : .zero, now: now)
            default:
                now = now.advanced(byNanoseconds: Int64(step.bytes.count) * 100_000_000)
                _ = session.poll(now: now)
            }
            _ = session.allows(payloadBytes: 1_000, presentation: .zero)
        }
    }
}

/// Datagrams to a member of a clock. Those with an even operation answer what it has asked.
enum ClockScript {
    static func run(_ bytes: [UInt8]) {
        var member = ClockMember<Int>(seed: 1)
        var now = HostTime(nanoseconds: 1_000_000_000)
        member.follow(TimescaleID(rawValue: 7), parents: [1, 2], behind: [3], now: now)
        for step in Steps(bytes) {
            let address = Int(step.operation >> 5)
            while let request = member.poll(now: now) {
                member.sent(request, key: UInt32(step.operation), userTime: now)
                guard step.operation & 1 == 0, step.bytes.count >= 20,
                    let asked = try? TimingMessage(parsing: request.bytes)
                else { continue }
                let words = step.bytes.prefix(20).reduce(into: [0, 0, 0] as [UInt64]) { words, byte in
                    words[0] = words[0] << 8 | words[1] >> 56
                    words[1] = words[1] << 8 | words[2] >> 56
                    words[2] = words[2] << 8 | UInt64(byte)
                }
                let limit: Int64 = 1 << 61
                var reply = TimingMessage(
                    replyTo: asked, t2: max(-limit, min(limit, Int64(bitPattern: words[1]))),
                    hold: UInt32(truncatingIfNeeded: words[2]))
                reply.descent = ClockDescent(losses: 0, leader: UInt32(truncatingIfNeeded: words[0]))
                now = now.advanced(byNanoseconds: 2_000_000)
                _ = member.received(reply.encode(), from: request.address, at: now, now: now)
            }
            if let answer = member.received(step.bytes, from: address, at: now, now: now) {
                member.sent(answer, key: 1, userTime: now)
                member.transmitted(key: 1, at: now)
            }
            _ = (member.estimate?.groupTime(at: now), member.statistics(now: now))
            if step.operation & 30 == 30 { member.slept(for: Int64(step.bytes.count) << 30, now: now) }
            now = now.advanced(byNanoseconds: Int64(step.operation) * 5_000_000)
        }
    }
}
