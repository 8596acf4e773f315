import TuttiCore

/// One request to a member that is not followed, to hear whether it answers and where its time comes from.
struct ParentProbe<Address: Hashable & Sendable>: Sendable {
    /// Nanoseconds for which an answer is waited for.
    static var timeout: Int64 { ClockFollower.maximumRoundTrip }
    /// How many are under way at most.
    static var capacity: Int { 96 }

    /// Who is asked.
    let address: Address
    /// When.
    let sentAt: HostTime
    /// A follower that asks once.
    var follower: ClockFollower
}
