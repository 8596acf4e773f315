import TuttiCore

/// What groups are called where only few characters are allowed: on a bus, on a graph of sound, in the name of a file.
package enum GroupLabel {
    /// Characters of a group's name that are in a label.
    private static let longest = 64

    /// The labels of groups that are there at one time, by the groups' names; empty for a group without a name.
    ///
    /// A group's is always the same, unless another group would have it too. Then those of them that are not written
    /// exactly so have a number added that is made of their own name.
    package static func labels(ofGroups groups: [String]) -> [String: String] {
        let wanted = Dictionary(groups.map { ($0, element(for: $0)) }) { first, _ in first }
        var uses: [String: Int] = [:]
        for element in wanted.values { uses[element, default: 0] += 1 }
        return wanted.reduce(into: [:]) { labels, pair in
            let (group, element) = pair
            let isClear = uses[element] == 1 || Names.fold(group) == element
            labels[group] = isClear ? element : "\(element)_\(number(of: group))"
        }
    }

    /// A name in letters, digits, underscores and hyphens, no digit first.
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
