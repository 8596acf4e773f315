/// What one line of control tells the switch.
package enum SwitchControl: Sendable, Equatable {
    /// From now on that host's port has that profile.
    case setProfile(host: String, profile: LinkProfile)
    /// From now on these hosts reach one another and none of the others; no hosts: all reach all.
    case split([String])
    /// That host has another address from now on.
    case move(host: String, address: String)
    /// Print the statistics.
    case statistics

    /// - Parameter line: `HOST PROFILE`, `split HOST…`, `join`, `move HOST ADDRESS` or `stats`; nil for a blank line.
    package static func parse(_ line: some StringProtocol) throws(LabError) -> SwitchControl? {
        let words = line.split(whereSeparator: \.isWhitespace)
        switch words.count {
        case 0: return nil
        case 1 where words[0] == "stats": return .statistics
        case 1 where words[0] == "join": return .split([])
        case 2... where words[0] == "split": return .split(words[1...].map { String($0) })
        case 3 where words[0] == "move": return .move(host: String(words[1]), address: String(words[2]))
        case 2:
            guard let profile = LinkProfile.named(String(words[1])) else { throw .badControlLine(String(line)) }
            return .setProfile(host: String(words[0]), profile: profile)
        default: throw .badControlLine(String(line))
        }
    }
}
