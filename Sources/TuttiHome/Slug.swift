import TuttiCore

/// The part of a topic that stands for a group or a room: letters, digits, `-` and `_` of ASCII, 1 to 64 of them, the
/// same for the same name at all times, and no two names have one.
package enum Slug {
    /// Characters that a name may lend its slug, at most.
    private static let longest = 40

    /// The slug of a group: its name without case and accents, and `-` for a space. A name of which more is lost than
    /// that gets a hash behind it, so that `a b`, `a-b` and `a/b` are three.
    package static func ofGroup(_ name: String) -> String {
        let folded = Names.fold(name)
        let text = folded.unicodeScalars.map { scalar -> Character in
            scalar == " " ? "-" : isPlain(scalar) ? Character(scalar) : "_"
        }
        let isKept =
            !text.isEmpty && text.count <= longest
            && folded.unicodeScalars.allSatisfy { $0 == " " || isPlain($0) && $0 != "-" && $0 != "_" }
        return isKept ? String(text) : String(text.prefix(longest)) + "_" + hash(folded)
    }

    /// The slug of a room: its speaker's id, which that has chosen itself, so it is made one if it is none.
    package static func ofRoom(id: String) -> String { isValid(id) && !id.contains("_") ? id : "id_" + hash(id) }

    /// Whether this can be a slug.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { isPlain($0) || ("A"..."Z").contains($0) }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
    }

    /// FNV-1a of 64 bits, as sixteen digits: it must be the same in each version, on each host.
    private static func hash(_ text: String) -> String {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
