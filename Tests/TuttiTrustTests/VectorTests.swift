import Testing
import TuttiDiscovery
import TuttiTrust

/// The test vectors of docs/protocol.md, which another program has computed.
@Suite struct VectorTests {
    private static let publicKey = bytes(
        "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
            + "5d875d7d4a763aeb80b931361bf2fde7340834086c39bd2dcc8dcb0470dfbf63"
            + "38b3797f3413c54a56515acadb35368ed361211551de47e26723cfb9f8a57709")
    private static let keys = TimeKeys([TimeKey(epoch: 7, bytes: Array(0..<32))])

    private static func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).compactMap { offset in
            UInt8(text.dropFirst(offset).prefix(2), radix: 16)
        }
    }

    @Test func anIDIsTheFingerprintOfAKey() {
        let claim = SpeakerClaim(householdKey: Self.publicKey, claimedBy: "", claimedByName: "")
        #expect(claim.household == "22e29b6b4ff978f3792935d314c992f0")
    }

    @Test func aDatagramIsSigned() {
        var seal = TimingSeal(Self.keys, signer: 0x0102_0304)
        let datagram = seal.close(Array(0..<64))
        let trailer = Self.bytes("00000007" + "01020304" + "00000001" + "055a81c58b59db50")
        #expect(datagram == Array(0..<64) + trailer)
    }

    @Test func aTokenIsShownToBeKnown() throws {
        let token = try #require(ClaimToken("000G-40R4-0M30-E209-185G-R38E-1W"))
        func proof(by side: ClaimToken.Side) -> String {
            token.proof(
                by: side, speaker: String(repeating: "1", count: 32), sender: String(repeating: "2", count: 32),
                household: String(repeating: "3", count: 32))
        }
        #expect(proof(by: .sender) == "512bb0894802689cd5250dae5c3b3a5553daa9ebfc15c5df15c90a97bbee8931")
        #expect(proof(by: .speaker) == "210fd004047be6a7d4b556255971a98d44c715d1b569c124f45056d92460d3ae")
    }

    @Test func aRecordIsMarked() {
        let origin = String(repeating: "2", count: 32)
        let clock = SpeakerClock(port: 7_700, timescale: 255, origin: origin, isLeading: true)
        let text = clock.text(of: String(repeating: "1", count: 32))
        #expect(Self.keys.mark(text) == "7c537996902f01ab8d741c95e6a90264")
    }

    @Test func aListOfRevocationsIsSigned() throws {
        let signature = "KgwaZTcMl9PiNoF2r5SQmcvhiWDdW34IsaBuN+aRnlYi9XIo/OsOF7xgsd+GQidluWpdcTTjY/eA3rUk802H8A=="
        let node = String(repeating: "a", count: 32)
        let fingerprint = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
        let list = try #require(Revocations("1 \(signature) 7 \(fingerprint) \(node)"))
        #expect(list.isSigned(by: Self.publicKey) && list.contains(node))
        #expect(list.admits(try #require(Self.keys.newest)))
        for other in ["2 \(signature) 7 \(fingerprint) \(node)", "1 \(signature) 8 \(fingerprint) \(node)"] {
            #expect(try #require(Revocations(other)).isSigned(by: Self.publicKey) == false)
        }
    }
}
