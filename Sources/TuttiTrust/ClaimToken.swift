import Crypto
import FoundationEssentials

/// A speaker's token: whoever knows it may claim the speaker. 128 random bits, as 26 letters and digits (Crockford's
/// base 32, in groups).
package struct ClaimToken: Sendable, Equatable {
    let bytes: [UInt8]

    /// A token that nobody had before.
    package init() { bytes = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) } }

    /// A token as somebody has typed it: hyphens, spaces and case do not matter, nor O for 0 and I or L for 1.
    package init?(_ text: String) {
        guard let bytes = Base32.decode(text), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The token in groups of four, to be printed.
    package var text: String { Base32.encode(bytes) }

    /// Who shows that it knows a token.
    package enum Side: String, Sendable { case sender, speaker }

    /// What shows that one side knows the token, bound to both ends of the connection and to the household: of no use
    /// to anybody in between.
    package func proof(by side: Side, speaker: String, sender: String, household: String) -> String {
        let text = "tutti claim 2\n\(side.rawValue)\n\(speaker)\n\(sender)\n\(household)\n"
        return Fingerprint.hexadecimal(
            HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: bytes)))
    }
}

/// Letters and digits that are not taken for one another when they are read aloud (Crockford).
enum Base32 {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var (text, buffer, bits) = ([UInt8](), 0 as UInt32, 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(digits[Int(buffer >> UInt32(bits) & 31)])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 { text.append(digits[Int(buffer << UInt32(5 - bits) & 31)]) }
        return stride(from: 0, to: text.count, by: 4)
            .map { String(decoding: text[$0..<min($0 + 4, text.count)], as: UTF8.self) }.joined(separator: "-")
    }

    /// The bytes; nil for a text with other letters, one that is too long, or one whose last digit has bits too many.
    static func decode(_ text: String) -> [UInt8]? {
        var (bytes, buffer, bits) = ([UInt8](), 0 as UInt32, 0)
        for letter in text.utf8 where letter != UInt8(ascii: "-") && letter != UInt8(ascii: " ") {
            var letter = letter
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { letter -= 32 }
            if letter == UInt8(ascii: "O") { letter = UInt8(ascii: "0") }
            if letter == UInt8(ascii: "I") || letter == UInt8(ascii: "L") { letter = UInt8(ascii: "1") }
            guard let value = digits.firstIndex(of: letter), bytes.count < 64 else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> UInt32(bits) & 255))
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        return buffer == 0 && bits < 5 ? bytes : nil
    }
}
