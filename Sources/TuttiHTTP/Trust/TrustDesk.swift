import FoundationEssentials
import NIOCore
import TuttiHost
import TuttiSchema
package import TuttiTrust

/// Who may use the service, and whose the speakers are: what those see and change who have the scope `admin`.
package actor TrustDesk {
    /// Lists the speakers on the network, a line of JSON each; nil if that fails.
    package typealias Lister = @Sendable () async -> [UInt8]?

    /// How long a list of speakers is good for others, bytes of one, and seconds that it may take.
    private static let (age, mostBytes, patience) = (TimeAmount.seconds(10), 4 << 20, 20.0)

    private let tokens: TokenStore
    private let list: Lister
    private var listing: (began: NIODeadline, speakers: Task<[SpeakerListing]?, Never>)?

    /// A desk for the tokens of a store and the speakers of a lister.
    package init(tokens: TokenStore, list: @escaping Lister) { (self.tokens, self.list) = (tokens, list) }

    /// A desk for a state folder, whose speakers `tutti rooms` lists.
    package init(stateDirectory: String, player: String) {
        self.init(tokens: TokenStore(stateDirectory: stateDirectory)) {
            await ChildProgram.output(
                of: [player, "rooms", "--trust", "--json"], environment: ["TUTTI_STATE_DIR": stateDirectory],
                limit: Self.mostBytes, within: Self.patience)
        }
    }

    // MARK: Speakers

    /// The speakers on the network. Who asks while they are looked for, or soon after, hears the same.
    ///
    /// - Throws: `.failed`.
    func speakers() async throws(Problem) -> [SpeakerListing] {
        if listing.map({ NIODeadline.now() - $0.began > Self.age }) ?? true {
            listing = (.now(), Task { [list] in await list().flatMap(Self.speakers) })
        }
        guard let speakers = await listing?.speakers.value else {
            listing = nil
            throw Problem(.failed, "the speakers cannot be listed; try `tutti rooms --trust` on the service's host")
        }
        return speakers
    }

    private static func speakers(in bytes: [UInt8]) -> [SpeakerListing]? {
        var speakers: [SpeakerListing] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let speaker: SpeakerListing = JSONLine.decode(Array(line)) else { return nil }
            speakers.append(speaker)
        }
        return speakers
    }

    // MARK: Tokens

    /// The tokens that there are.
    func entries() throws(Problem) -> [TokenEntry] {
        try Self.asked { () throws(TrustError) in try tokens.entries(at: Self.now) }
    }

    /// Makes a token.
    ///
    /// - Parameter seconds: how long it is good; nil for one that does not end.
    /// - Returns: the token, and how it is listed.
    func add(
        _ name: String, _ scope: TokenScope, group: String?, seconds: Int64?
    ) throws(Problem) -> (token: String, entry: TokenEntry) {
        let now = Self.now
        let until = seconds.map { now + $0 }
        let token = try Self.asked { () throws(TrustError) in
            try tokens.add(name, scope: scope, group: group, until: until, at: now)
        }
        return (token.text, TokenEntry(name: name, scope: scope, madeAt: now, group: group, until: until))
    }

    /// Lets the holder of a token in no longer.
    func revoke(_ name: String) throws(Problem) {
        guard try entries().contains(where: { $0.name == name }) else {
            throw Problem(.notFound, "\(name): no token of this name")
        }
        try Self.asked { () throws(TrustError) in try tokens.revoke(name) }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private static func asked<Value>(_ body: () throws(TrustError) -> Value) throws(Problem) -> Value {
        do {
            return try body()
        } catch {
            if case .refused(let reason) = error { throw Problem(.refused, reason) }
            throw Problem(.failed, "\(error)")
        }
    }
}
