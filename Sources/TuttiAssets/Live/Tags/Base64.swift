/// Bytes from base64 in lines.
enum Base64 {
    /// The bytes; nil for what is none. Line ends and blanks between the characters mean nothing.
    static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (word, count, isOver) = (UInt32(0), 0, false)
        for character in text {
            if [0x09, 0x0A, 0x0D, 0x20].contains(character) { continue }
            if character == UInt8(ascii: "=") {
                isOver = true
                continue
            }
            guard !isOver, let value = value(of: character) else { return nil }
            word = word << 6 | value
            count += 1
            if count % 4 == 0 { for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(word >> shift & 0xFF)) } }
            if count % 4 == 0 { word = 0 }
        }
        switch count % 4 {
        case 1: return nil
        case 2: bytes.append(UInt8(word >> 4 & 0xFF))
        case 3: bytes += [UInt8(word >> 10 & 0xFF), UInt8(word >> 2 & 0xFF)]
        default: break
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
