/// Paths of files as addresses, and back: RFC 8089.
package enum FileURI {
    private static let prefix = "file://"

    /// The address of a file.
    ///
    /// - Parameter path: an absolute path.
    package static func make(ofPath path: String) -> String {
        var text = prefix
        for byte in path.utf8 {
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    /// The absolute path in the address of a file of this host; nil for any other address, and for one that names no
    /// file that there can be.
    package static func path(of uri: String) -> String? {
        guard uri.prefix(prefix.count).lowercased() == prefix else { return nil }
        let rest = uri.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        guard ["", "localhost"].contains(rest[..<slash].lowercased()) else { return nil }
        var bytes: [UInt8] = []
        var left = rest[slash...].utf8
        while let byte = left.popFirst() {
            // What follows is no part of a path.
            guard byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") else { break }
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = left.prefix(2)
            guard digits.count == 2, digits.allSatisfy(isDigit), let value = UInt8(String(digits) ?? "", radix: 16)
            else { return nil }
            left = left.dropFirst(2)
            bytes.append(value)
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
