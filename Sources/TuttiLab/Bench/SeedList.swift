/// Seeds as a person writes them: "1-5", "7", "1,3,8-9".
package struct SeedList: Sendable, Equatable {
    /// At least one, at most a thousand, in the order given.
    package var seeds: [UInt64] = []

    /// Nil for what is no list of seeds.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last - first < 1000
            else { return nil }
            seeds += first...last
        }
        guard (1...1000).contains(seeds.count) else { return nil }
    }
}
