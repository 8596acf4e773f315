import Testing
import TuttiCore
import TuttiWire

/// Whom a speaker lets in.
@Suite struct AdmissionTests {
    private static let connection = ConnectionID(rawValue: 1)
    private static let now = HostTime(nanoseconds: 0)

    private static func effects(
        _ admission: Admission, _ identity: PeerIdentity?, role: Hello.Role = .control, proof: String? = nil,
        version: Int? = nil
    ) -> [SpeakerEffect] {
        var session = SpeakerSession { 7 }
        _ = session.admit(admission)
        _ = session.opened(connection, now: now)
        if let identity { session.identified(connection, as: identity) }
        let version = version ?? (identity == nil ? WireLimits.version : WireLimits.securedVersion)
        let hello = Hello(role: role, version: version, senderID: "desk", senderName: "desk", stream: 1, proof: proof)
        return session.received(ControlMessage.hello(hello).encodedFrame(), on: connection, now: now)
    }

    private static func isLetIn(_ effects: [SpeakerEffect]) -> Bool {
        effects.contains { if case .senderArrived = $0 { true } else { false } }
    }

    private static func code(_ effects: [SpeakerEffect]) -> String? {
        for case .send(let bytes, _) in effects {
            if case .failure(let code, _)? = try? ControlMessage(parsing: Array(bytes.dropFirst(5))) { return code }
        }
        return nil
    }

    private static let ours = PeerIdentity(nodeID: "a", household: "home")
    private static let claimed = Admission.claimed(household: "home", revoked: ["b"])

    @Test func nobodyIsLetInInTheClearButByAnOpenSpeaker() {
        #expect(Self.isLetIn(Self.effects(.open, nil)))
        for admission in [Admission.unclaimed(needsToken: false), Self.claimed] {
            let effects = Self.effects(admission, nil)
            #expect(!Self.isLetIn(effects) && Self.code(effects) == ControlMessage.FailureCode.version)
        }
    }

    @Test func theFirstHouseholdClaims() {
        let effects = Self.effects(.unclaimed(needsToken: false), Self.ours)
        guard case .claimed(_, let identity, _)? = effects.first else { return #expect(Bool(false), "\(effects)") }
        #expect(identity == Self.ours && Self.isLetIn(effects))
        // Who has no household cannot.
        let nobody = Self.effects(.unclaimed(needsToken: false), PeerIdentity(nodeID: "c", household: nil))
        #expect(!Self.isLetIn(nobody) && Self.code(nobody) == ControlMessage.FailureCode.household)
        // Whoever only looks does not.
        let look = Self.effects(.unclaimed(needsToken: false), Self.ours, role: .look)
        #expect(!look.contains { if case .claimed = $0 { true } else { false } })
    }

    @Test func aTokenIsAskedFor() {
        var knows = Self.ours
        knows.expectedProof = "right"
        for proof in [nil, "wrong", ""] as [String?] {
            let effects = Self.effects(.unclaimed(needsToken: true), knows, proof: proof)
            #expect(!Self.isLetIn(effects) && Self.code(effects) == ControlMessage.FailureCode.token)
        }
        #expect(Self.isLetIn(Self.effects(.unclaimed(needsToken: true), knows, proof: "right")))
        // No token on this side: nothing is right then.
        #expect(!Self.isLetIn(Self.effects(.unclaimed(needsToken: true), Self.ours, proof: nil)))
    }

    @Test(arguments: [Hello.Role.control, .look])
    func othersAreRefused(_ role: Hello.Role) {
        let others = [
            PeerIdentity(nodeID: "a", household: "away"), PeerIdentity(nodeID: "a", household: nil),
            PeerIdentity(nodeID: "b", household: "home"),
        ]
        for identity in others {
            let effects = Self.effects(Self.claimed, identity, role: role)
            #expect(Self.code(effects) == ControlMessage.FailureCode.household, "\(identity)")
        }
        #expect(Self.code(Self.effects(Self.claimed, Self.ours, role: role)) == nil)
    }

    @Test func theVersionIsThatOfTheConnection() {
        let effects = Self.effects(Self.claimed, Self.ours, version: WireLimits.version)
        #expect(Self.code(effects) == ControlMessage.FailureCode.version)
    }

    @Test func whoIsRevokedGoesAtOnce() throws {
        var session = SpeakerSession { 7 }
        _ = session.admit(Self.claimed)
        _ = session.opened(Self.connection, now: Self.now)
        session.identified(Self.connection, as: Self.ours)
        let hello = Hello(role: .control, version: WireLimits.securedVersion, senderID: "desk", senderName: "desk")
        let arrived = session.received(ControlMessage.hello(hello).encodedFrame(), on: Self.connection, now: Self.now)
        #expect(Self.isLetIn(arrived))
        #expect(session.admit(Self.claimed).isEmpty)
        let effects = session.admit(.claimed(household: "home", revoked: ["a"]))
        #expect(Self.code(effects) == ControlMessage.FailureCode.household && session.senderID == nil)
    }

    @Test func whatTrustRestsOnGoesOverTheWire() throws {
        let handover = TrustHandover(
            keys: [.init(epoch: 2, bytes: Array(0..<32)), .init(epoch: 1, bytes: Array(32..<64))],
            revocations: "1 c2ln node")
        let message = ControlMessage.trust(handover)
        #expect(try ControlMessage(parsing: message.encodedBody()) == message)
        let bad = [
            #"{"type":"trust","keys":[["0","AAAA"]]}"#, #"{"type":"trust","keys":[["1"]]}"#,
            #"{"type":"trust","keys":[["1","*"]]}"#, #"{"type":"trust","keys":1}"#,
            #"{"type":"trust","keys":[["1","AA=="],["2","AA=="],["3","AA=="],["4","AA=="],["5","AA=="]]}"#,
        ]
        for text in bad { #expect(throws: WireError.self, "\(text)") { try ControlMessage(parsing: Array(text.utf8)) } }
    }
}
