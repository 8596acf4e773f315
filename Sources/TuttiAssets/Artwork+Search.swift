#if FFmpeg
extension AssetInfo.Artwork {
    /// The picture of a local file: the one inside it, or else one that lies beside it, such as `cover.jpg`; of a
    /// picture itself that one.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: what is wrong with the file; `.unsupported` for what is no file, such as a station or a pipe.
    package static func find(forFile path: String) throws(AssetError) -> AssetInfo.Artwork? {
        let input = AssetInput(uri: path)
        guard !input.isRemote, !input.isReadOnce else {
            throw .unsupported(input.name, reason: "only files have pictures")
        }
        try LocalFile.check(path)
        if try isOne(path) { return AssetInfo.Artwork(file: path) }
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
}
#endif
