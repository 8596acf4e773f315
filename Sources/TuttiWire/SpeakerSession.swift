package import TuttiCore

/// A speaker's side of the protocol, for all of its connections at once.
///
/// Input methods take what happened and return what is to be done, in order. The shell opens the sockets, calls
/// `opened`, `received`, `closed` and, not later than `deadline`, `expired`; it answers `.senderArrived` with `accept`
/// and `.flush` with `flushed`, and reports credit and status as they change.
///
/// One sender owns the room at a time. The same sender (by id) may replace its own connections at any time; another one
/// takes its place when a person has just asked for that, and is else told `busy` unless the first has left, lost its
/// connection or been silent for `WireLimits.silenceTimeout`. Beside the owner sit up to `WireLimits.overlays` senders
/// of the default policy, each with its own stream, generation and credit; the same holds for their slots. What they
/// cause comes as `.overlay`. Whatever is malformed or out of order closes the connections of the one who sent it and
/// touches nothing else.
package struct SpeakerSession: Sendable {
    /// One open connection.
    struct Peer: Sendable {
        var decoder = FrameDecoder()
        var role: Hello.Role?
        /// Whose it is, once it has said hello.
        var slot = Slot.owner
        /// The host at the other end.
        let address: String
        /// Who it is; nil on a connection that is not secured.
        var identity: PeerIdentity?
        let openedAt: HostTime
        var isPaused = false
        /// A packet whose format or flush has not come yet.
        var waiting: MediaFrame?
    }

    /// A sender that is here.
    struct Active: Sendable {
        let senderID: String
        let token: String
        let control: ConnectionID
        var media: ConnectionID?
        var formats: [UInt16: AudioFormat] = [:]
        var pictureFormats: [UInt16: VideoFormat] = [:]
        /// Of a picture that is not whole yet.
        var pictureParts = PictureParts()
        var receivedBytes: UInt64 = 0
        var grantedBytes: UInt64 = 0
        var credit: Credit?
        /// What leads the next packet that is heard; nil when its decoder goes on from the packet before.
        var lead: Lead?
        var lastHeard: HostTime

        func isSilent(at now: HostTime) -> Bool {
            lastHeard.advanced(byNanoseconds: WireLimits.silenceTimeout) <= now
        }

        /// The credit when it is another than before, and that matters: while most of the room for bytes is still
        /// granted it is the horizon that holds a sender back.
        mutating func grant(freeBytes: UInt64, horizon: MediaTime?) -> Credit? {
            let (sum, overflow) = receivedBytes.addingReportingOverflow(freeBytes)
            let limit = UInt64(Int64.max)
            grantedBytes = max(grantedBytes, overflow ? limit : min(sum, limit))
            let latest = Credit(bytes: grantedBytes, horizon: horizon)
            guard latest != credit else { return nil }
            if let credit, credit.horizon == horizon, horizon != nil, credit.bytes > receivedBytes,
                credit.bytes - receivedBytes >= freeBytes / 2
            {
                return nil
            }
            credit = latest
            return latest
        }
    }

    /// A programme whose audio may still be held: across connections, if it is the owner's.
    struct Stream: Sendable, Equatable {
        let senderID: String
        let id: UInt32?
        var generation: UInt32 = 0
    }

    var peers: [ConnectionID: Peer] = [:]
    var active: [Slot: Active] = [:]
    var streams: [Slot: Stream] = [:]
    let makeToken: @Sendable () -> UInt64
    /// Whom the speaker lets in.
    package private(set) var admission = Admission.open

    /// A speaker without connections.
    ///
    /// - Parameter makeToken: gives unpredictable numbers that tie media connections to control connections.
    package init(makeToken: @escaping @Sendable () -> UInt64) {
        self.makeToken = makeToken
    }

    /// The id of the sender that owns the room, if any.
    package var senderID: String? { active[.owner]?.senderID }

    /// Names the programme whose audio is delivered; nil when there is none.
    package var streamID: UInt32? { streams[.owner]?.id }

    /// The generation of the owner's audio that is delivered.
    package var generation: UInt32 { generation(of: .owner) }

    /// The overlays that are here.
    package var overlays: [Int] { active.keys.compactMap(\.overlay).sorted() }

    func generation(of slot: Slot) -> UInt32 { streams[slot]?.generation ?? 0 }

    /// When `expired` is to be called next; nil when nothing can expire.
    package var deadline: HostTime? {
        let hellos = peers.values.filter { $0.role == nil }
            .map { $0.openedAt.advanced(byNanoseconds: WireLimits.helloTimeout) }
        let silences = active.values.map { $0.lastHeard.advanced(byNanoseconds: WireLimits.silenceTimeout) }
        return (hellos + silences).min()
    }

    // MARK: Connections

    /// A connection from the host `address` has been accepted.
    ///
    /// Of too many that have not said hello the oldest goes, of the host that has most of them: whoever says hello at
    /// once gets in, however many others say nothing.
    package mutating func opened(
        _ connection: ConnectionID, from address: String = "", now: HostTime
    ) -> [SpeakerEffect] {
        peers[connection] = Peer(address: address, openedAt: now)
        let silent = peers.filter { $0.value.role == nil }
        guard silent.count > WireLimits.anonymousConnections else { return [] }
        let counts = silent.values.reduce(into: [:]) { $0[$1.address, default: 0] += 1 }
        let oldest = silent.min { left, right in
            let (most, fewer) = (counts[left.value.address] ?? 0, counts[right.value.address] ?? 0)
            return (-most, left.key.rawValue) < (-fewer, right.key.rawValue)
        }
        return oldest.map { abandon($0.key, reason: "too many connections without hello") } ?? []
    }

    /// The handshake of a connection is done: its other end has shown who it is. Comes before any bytes.
    package mutating func identified(_ connection: ConnectionID, as identity: PeerIdentity) {
        peers[connection]?.identity = identity
    }

    /// Lets others in from now on. Senders that are here and may not be any more are sent away.
    package mutating func admit(_ admission: Admission) -> [SpeakerEffect] {
        self.admission = admission
        guard case .claimed(let household, let revoked) = admission else { return [] }
        let message = "this sender is of the household no longer"
        var effects: [SpeakerEffect] = []
        for slot in active.keys.sorted(by: { ($0.overlay ?? -1) < ($1.overlay ?? -1) }) {
            guard let identity = identity(at: slot), !identity.isSelf,
                identity.household != household || revoked.contains(identity.nodeID)
            else { continue }
            effects += dismiss(slot, code: ControlMessage.FailureCode.household, message: message)
        }
        return effects
    }

    /// Who sits there, as its connection has shown.
    package func identity(at slot: Slot) -> PeerIdentity? { active[slot].flatMap { peers[$0.control]?.identity } }

    /// So much of what was said on a connection has not been read by the other side that no more is kept for it.
    package mutating func unread(_ connection: ConnectionID) -> [SpeakerEffect] {
        abandon(connection, reason: "the other side does not read its messages")
    }

    /// Bytes have arrived. Those of connections that this session has closed are ignored.
    package mutating func received(_ bytes: [UInt8], on connection: ConnectionID, now: HostTime) -> [SpeakerEffect] {
        guard let peer = peers[connection] else { return [] }
        if peer.role != nil { active[peer.slot]?.lastHeard = now }
        peers[connection]?.decoder.append(bytes)
        return drain(connection, now: now)
    }

    /// A connection has been closed by the other side or broke. Those that this session has closed are ignored.
    package mutating func closed(_ connection: ConnectionID, now: HostTime) -> [SpeakerEffect] {
        guard peers[connection] != nil else { return [] }
        return drop(connection, reason: "the connection was closed", failure: nil)
    }

    /// `deadline` has passed: closes what has been silent for too long.
    package mutating func expired(now: HostTime) -> [SpeakerEffect] {
        var effects: [SpeakerEffect] = []
        let late = peers.filter {
            $0.value.role == nil && $0.value.openedAt.advanced(byNanoseconds: WireLimits.helloTimeout) <= now
        }
        for connection in late.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            effects += abandon(connection, reason: "no hello arrived")
        }
        let silence = WireError.silent(seconds: Int(WireLimits.silenceTimeout / 1_000_000_000))
        let silent = active.values.filter { $0.isSilent(at: now) }.map(\.control)
        for control in silent.sorted(by: { $0.rawValue < $1.rawValue }) {
            effects += drop(control, reason: silence.description, failure: nil)
        }
        return effects
    }

    // MARK: Answers

    /// Answers `.senderArrived`. The session fills in `session` and `generation`.
    ///
    /// - Parameter welcome: who the speaker is; `loaded` what it holds of the sender's stream.
    package mutating func accept(_ welcome: Welcome, at slot: Slot = .owner) -> [SpeakerEffect] {
        guard let sender = active[slot] else { return [] }
        var answer = welcome
        answer.session = sender.token
        answer.version = version(on: sender.control)
        answer.generation = generation(of: slot)
        return send(.welcome(answer), to: slot)
    }

    /// The version of the protocol on a connection.
    package func version(on connection: ConnectionID) -> Int {
        peers[connection]?.identity == nil ? WireLimits.version : WireLimits.securedVersion
    }

    /// Answers `.flush`: `loaded` is what is still held.
    package mutating func flushed(
        generation: UInt32, loaded: [TimeRange], at slot: Slot = .owner
    ) -> [SpeakerEffect] {
        send(.flushed(generation: generation, loaded: loaded), to: slot)
    }

    /// Grants room for `freeBytes` more payload bytes, of packets that begin before `horizon` (any when nil).
    ///
    /// Bytes once granted stay granted. Nothing is sent while nothing changes.
    package mutating func grant(
        freeBytes: UInt64, horizon: MediaTime?, to slot: Slot = .owner
    ) -> [SpeakerEffect] {
        guard let place = active.index(forKey: slot) else { return [] }
        let credit = active.values[place].grant(freeBytes: freeBytes, horizon: horizon)
        return credit.map { send(.credit($0), to: slot) } ?? []
    }

    /// Sends a message to whoever sits there, if anybody does.
    package func send(_ message: ControlMessage, to slot: Slot = .owner) -> [SpeakerEffect] {
        guard let sender = active[slot] else { return [] }
        return [.send(message.encodedFrame(), on: sender.control)]
    }

    /// Sends a sender away with a `failure`.
    package mutating func dismiss(_ slot: Slot, code: String, message: String) -> [SpeakerEffect] {
        guard let sender = active[slot] else { return [] }
        return send(.failure(code: code, message: message), to: slot)
            + drop(sender.control, reason: message, failure: nil)
    }

    /// Closes everything, as when the speaker is switched off.
    package mutating func shutdown(reason: String) -> [SpeakerEffect] {
        let open = peers.keys.sorted { $0.rawValue < $1.rawValue }
        peers = [:]
        active = [:]
        return open.map { .close($0, reason: reason) }
    }
}
