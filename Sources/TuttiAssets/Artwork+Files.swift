import Glibc

/// Pictures in files of their own.
extension AssetInfo.Artwork {
    /// What people are told of a picture that is not taken.
    package static let tooLarge = "a picture has more than \(maximumBytes >> 20) MiB; it is left out"
    /// Bytes that tell what a file is.
    private static let beginning = 12

    /// A picture; nil for bytes that are none, or too many.
    package init?(_ bytes: [UInt8]) {
        guard (1...Self.maximumBytes).contains(bytes.count), let type = Self.mimeType(of: bytes) else { return nil }
        self.init(data: bytes, mimeType: type)
    }

    /// The picture in a file of its own; nil when it is not there, is none, or is too large.
    package init?(file path: String) {
        guard case .file(1...Self.maximumBytes)? = try? LocalFile.kind(of: path),
            let bytes = try? LocalFile.bytes(of: path, limit: Self.maximumBytes)
        else { return nil }
        self.init(bytes)
    }

    /// Whether a local file is a picture.
    static func isOne(_ path: String) throws(AssetError) -> Bool {
        guard case .file = try LocalFile.kind(of: path) else { return false }
        return mimeType(of: try LocalFile.beginning(of: path, count: beginning)) != nil
    }

    /// What a picture's first bytes say that it is.
    private static func mimeType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}
