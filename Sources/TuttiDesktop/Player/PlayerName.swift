import TuttiCore

/// What groups are called on the bus: `org.mpris.MediaPlayer2.tutti.GROUP`.
package enum PlayerName {
    /// The name of a player that is no group of a service; all others begin with it.
    package static let base = "org.mpris.MediaPlayer2.tutti"
    /// Characters of a group's name that are in a bus name; the bus takes 255 in all.
    private static let longest = 64

    /// The bus names of groups that are there at one time, by the groups' names.
    ///
    /// A group's is always the same, unless another group would have it too. Then those of them that are not written
    /// exactly so have a number added that is made of their own name.
    package static func names(ofGroups groups: [String]) -> [String: String] {
        let wanted = Dictionary(groups.map { ($0, element(for: $0)) }) { first, _ in first }
        var uses: [String: Int] = [:]
        for element in wanted.values { uses[element, default: 0] += 1 }
        return wanted.reduce(into: [:]) { names, pair in
            let (group, element) = pair
            let isClear = uses[element] == 1 || Names.fold(group) == element
            names[group] = isClear ? full(element) : full("\(element)_\(number(of: group))")
        }
    }

    private static func full(_ element: String) -> String { element.isEmpty ? base : "\(base).\(element)" }

    /// A name as the bus takes it: letters, digits, underscores and hyphens, no digit first.
    private static func element(for group: String) -> String {
        guard !group.isEmpty else { return "" }
        let folded = Names.fold(group).unicodeScalars.prefix(longest)
        let kept = folded.map { isAllowed($0) ? Character($0) : "_" }
        guard kept.contains(where: { $0 != "_" && $0 != "-" }) else { return "group_\(number(of: group))" }
        let text = String(kept)
        return text.first?.isNumber == true ? "_" + text : text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// Eight digits of a name: FNV-1a.
    private static func number(of group: String) -> String {
        let hash = Names.fold(group).utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
