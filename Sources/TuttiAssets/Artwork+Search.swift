#if FFmpeg
extension AssetInfo.Artwork {
    /// The picture of a local file: the one inside it, or else one that lies beside it, such as `cover.jpg`.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: what is wrong with the file; `.unsupported` for what is no file, such as a station or a pipe.
    package static func find(forFile path: String) throws(AssetError) -> AssetInfo.Artwork? {
        let input = AssetInput(uri: path)
        guard !input.isRemote, !input.isReadOnce else {
            throw .unsupported(input.name, reason: "only files have pictures")
        }
        try LocalFile.check(path)
        return try find(for: input, interrupter: Interrupter())
    }

    /// The picture of an input: the one inside it, or else one that lies beside a local file, such as `cover.jpg`.
    ///
    /// - Parameters:
    ///   - input: a file or an address. What can be read once only is not touched and has none.
    ///   - interrupter: stops reading from another thread.
    ///   - policy: how a broken connection is made again.
    /// - Returns: nil when there is none.
    /// - Throws: what is wrong with the input; `.noAudioStream` for one without sound.
    package static func find(
        for input: AssetInput, interrupter: Interrupter, policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> AssetInfo.Artwork? {
        if input.isReadOnce { return nil }
        let demuxer = try Demuxer(input, interrupter: interrupter, policy: policy)
        if let inside = AssetInfo.Artwork(demuxer) { return inside }
        return input.isRemote ? nil : beside(input.uri)
    }

    private static func beside(_ path: String) -> AssetInfo.Artwork? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for name in fileNames {
            if let picture = AssetInfo.Artwork(file: (folder.map(String.init) + [name]).joined(separator: "/")) {
                return picture
            }
        }
        return nil
    }

    /// The picture in a file of its own; nil when it is not there, is none, or is too large.
    private init?(file path: String) {
        guard case .file(1...Self.maximumBytes)? = try? LocalFile.kind(of: path),
            let bytes = try? LocalFile.bytes(of: path, limit: Self.maximumBytes), let type = Self.mimeType(of: bytes)
        else { return nil }
        self.init(data: bytes, mimeType: type)
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
#endif
