import Testing
import TuttiTiming
import TuttiTrust

/// Timing datagrams that are signed.
@Suite struct SealTests {
    private static let keys = TimeKeys([TimeKey()])

    private static func opened(_ bytes: [UInt8], by seal: inout TimingSeal) -> [UInt8]? { seal.open(bytes) }

    private static func signed(_ bytes: [UInt8], by seal: inout TimingSeal) -> [UInt8] { seal.close(bytes) ?? [] }

    @Test func aDatagramOfAnotherMemberIsLetInOnce() {
        var (one, other) = (TimingSeal(Self.keys, signer: 1), TimingSeal(Self.keys, signer: 2))
        let signed = Self.signed([1, 2, 3], by: &one)
        #expect(signed.count == 3 + TimingSeal.overhead)
        #expect(Self.opened(signed, by: &other) == [1, 2, 3])
        // Not twice, and not back to the one that has signed it.
        #expect(Self.opened(signed, by: &other) == nil)
        #expect(Self.opened(signed, by: &one) == nil)
    }

    @Test func whatWasChangedOrNotSignedIsNotLetIn() {
        var (one, other) = (TimingSeal(Self.keys, signer: 1), TimingSeal(Self.keys, signer: 2))
        let signed = Self.signed([UInt8](repeating: 7, count: 64), by: &one)
        for index in signed.indices {
            var forged = signed
            forged[index] ^= 1
            #expect(Self.opened(forged, by: &other) == nil)
        }
        for count in signed.indices { #expect(Self.opened(Array(signed[..<count]), by: &other) == nil) }
        #expect(Self.opened([UInt8](repeating: 7, count: 64), by: &other) == nil)
        #expect(Self.opened(signed, by: &other) != nil)
    }

    @Test func aKeyOfAnotherHouseholdOpensNothing() {
        var one = TimingSeal(Self.keys, signer: 1)
        var other = TimingSeal(TimeKeys([TimeKey()]), signer: 2)
        let signed = Self.signed([1], by: &one)
        #expect(Self.opened(signed, by: &other) == nil)
    }

    @Test func aKeyFarInTheFutureDoesNotEndTheKeysOfAHousehold() {
        var keys = TimeKeys([TimeKey(epoch: 7, bytes: [UInt8](repeating: 1, count: TimeKey.size))])
        for epoch in [.max, 7 + 257, 7 + 256] as [UInt32] {
            keys.add(TimeKey(epoch: epoch, bytes: [UInt8](repeating: 2, count: TimeKey.size)))
        }
        #expect(keys.keys.map(\.epoch) == [263, 7])
    }

    @Test func whoHasNoKeySaysNothingAndTakesNothing() {
        var (one, mute) = (TimingSeal(Self.keys, signer: 1), TimingSeal(TimeKeys(), signer: 2))
        let signed = Self.signed([1], by: &one)
        let silence = mute.close([1])
        #expect(silence == nil)
        #expect(Self.opened(signed, by: &mute) == nil)
    }

    @Test func datagramsMayOvertakeOneAnother() {
        var (one, other) = (TimingSeal(Self.keys, signer: 1), TimingSeal(Self.keys, signer: 2))
        let sent = (0..<200).map { Self.signed([UInt8($0)], by: &one) }
        // In pairs, the wrong way round.
        for pair in stride(from: 0, to: 200, by: 2) {
            #expect(Self.opened(sent[pair + 1], by: &other) != nil)
            #expect(Self.opened(sent[pair], by: &other) != nil)
        }
        // All of them again, in any order.
        for datagram in sent.reversed() { #expect(Self.opened(datagram, by: &other) == nil) }
    }

    @Test func theKeyBeforeHoldsWhileItIsHeld() {
        let first = TimeKey()
        let second = TimeKey(after: first.epoch)
        var keys = TimeKeys([first])
        var old = TimingSeal(keys, signer: 1)
        keys.add(second)
        var new = TimingSeal(keys, signer: 2)
        let (one, two) = (Self.signed([1], by: &old), Self.signed([2], by: &old))
        #expect(Self.opened(one, by: &new) == [1])
        new = new.using(TimeKeys([second]))
        #expect(Self.opened(two, by: &new) == nil)
        keys.add(TimeKey(after: second.epoch))
        #expect(keys.keys.map(\.epoch) == [3, 2])
    }

    @Test func whatIsSaidByMDNSIsMarked() throws {
        let mark = try #require(Self.keys.mark("a text"))
        #expect(Self.keys.accepts(mark, on: "a text") && !Self.keys.accepts(mark, on: "another"))
        #expect(!TimeKeys([TimeKey()]).accepts(mark, on: "a text") && !TimeKeys().accepts("", on: ""))
        #expect(TimeKeys().mark("a text") == nil)
    }
}
