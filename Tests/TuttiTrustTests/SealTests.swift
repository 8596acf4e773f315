import Testing

@testable import TuttiTrust

/// Timing datagrams that are signed.
@Suite struct SealTests {
    private static let keys = TimeKeys([TimeKey()])

    @Test func aDatagramOfAnotherMemberIsLetInOnce() throws {
        var (one, other) = (TimingSeal(Self.keys, signer: 1), TimingSeal(Self.keys, signer: 2))
        let signed = try #require(one.close([1, 2, 3]))
        #expect(signed.count == 3 + TimingSeal.overhead)
        #expect(other.open(signed) == [1, 2, 3])
        #expect(other.open(signed) == nil)
        // Back to the one that has signed it.
        #expect(one.open(signed) == nil)
    }
}
