/// What one line of control tells the switch.
package enum SwitchControl: Sendable, Equatable {
    /// From now on that host's port has that profile.
    case setProfile(host: String, profile: LinkProfile)
    /// Print the statistics.
    case statistics

    /// - Parameter line: `HOST PROFILE` or `stats`; nil for a blank line.
    package static func parse(_ line: some StringProtocol) throws(LabError) -> SwitchControl? {
        let words = line.split(whereSeparator: \.isWhitespace)
        switch words.count {
        case 0: return nil
        case 1 where words[0] == "stats": return .statistics
        case 2:
            guard let profile = LinkProfile.named(String(words[1])) else { throw .badControlLine(String(line)) }
            return .setProfile(host: String(words[0]), profile: profile)
        default: throw .badControlLine(String(line))
        }
    }
}
