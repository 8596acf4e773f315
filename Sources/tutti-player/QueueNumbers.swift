import ArgumentParser

/// Numbers of entries as `tutti queue` shows them, from 1, and as players take them, from 0.
enum QueueNumbers {
    /// Reads `N` and `N-M`.
    ///
    /// - Throws: `ValidationError` for what is neither.
    static func parse(_ arguments: [String]) throws -> [Int] {
        try arguments.flatMap { text -> [Int] in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1],
                first >= 1, last >= first, last <= 1_000_000
            else {
                throw ValidationError(
                    "\(text): not a track number; use numbers from `tutti queue`, or ranges such as 3-5")
            }
            return Array(first - 1...last - 1)
        }
    }

    /// Reads one `N`.
    static func one(_ text: String) throws -> Int {
        let numbers = try parse([text])
        guard numbers.count == 1 else { throw ValidationError("\(text): only one track number is allowed here") }
        return numbers[0]
    }
}
