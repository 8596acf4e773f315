import Crypto

/// What tells one content from another (RFC 9110, 8.8.3), without its quotation marks.
enum ContentTag {
    static func of(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(8).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
