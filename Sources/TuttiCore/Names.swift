/// Names as people write them: of rooms and groups.
package enum Names {
    /// The same text for all spellings of a name that differ in case and accents alone: `Küche`, `kuche` and `KÜCHE`.
    package static func fold(_ name: String) -> String {
        var folded = ""
        for scalar in name.unicodeScalars {
            if scalar.isASCII {
                folded += String(scalar).lowercased()
            } else if scalar.properties.generalCategory != .nonspacingMark {
                folded += base(of: scalar)
            }
        }
        return folded
    }

    /// Whether two spellings are of one name.
    package static func areSame(_ one: String, _ other: String) -> Bool { fold(one) == fold(other) }

    /// The name that was probably meant; nil when none is similar.
    package static func nearest(to name: String, in names: some Sequence<String>) -> String? {
        let wanted = Array(fold(name).prefix(longest))
        guard !wanted.isEmpty else { return nil }
        let candidates = names.map { name -> (name: String, distance: Int) in
            let folded = Array(fold(name).prefix(longest))
            let isBeginning = wanted.count >= 3 && folded.starts(with: wanted)
            return (name, isBeginning ? 1 : distance(wanted, folded))
        }
        let best = candidates.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let best, best.distance <= max(1, wanted.count / 3) else { return nil }
        return best.name
    }

    /// Characters of a name that are compared.
    private static let longest = 64

    /// A letter without its accents, in lower case: Unicode's name of an accented one is `… LETTER U WITH DIAERESIS`.
    private static func base(of scalar: Unicode.Scalar) -> String {
        if scalar == "ß" || scalar == "ẞ" { return "ss" }
        let name = scalar.properties.lowercaseMapping.unicodeScalars.first?.properties.name ?? ""
        let latin = "LATIN SMALL LETTER "
        let plain = withoutAccents(name)
        if plain.hasPrefix(latin) {
            let letters = plain.dropFirst(latin.count)
            if letters.count <= 2 { return letters.lowercased() }
        }
        return plain.isEmpty ? scalar.properties.lowercaseMapping : plain
    }

    private static func withoutAccents(_ name: String) -> String {
        let words = name.split(separator: " ")
        return words.prefix { $0 != "WITH" }.joined(separator: " ")
    }

    /// How many characters have to be added, taken out, replaced or exchanged with the next one.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var (before, last) = ([Int](), Array(0...other.count))
        for (row, character) in one.enumerated() {
            var next = [row + 1]
            for (column, theirs) in other.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (character == theirs ? 0 : 1))
                if row > 0, column > 0, character == other[column - 1], one[row - 1] == theirs {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}
