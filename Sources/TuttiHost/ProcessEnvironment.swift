import Glibc

/// The environment that this process was started with.
package enum ProcessEnvironment {
    /// Names and values; an entry without "=" is left out.
    package static let current: [String: String] = {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return result
    }()
}
