import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg

/// Small texts from the web: playlists.
enum RemoteText {
    private static let maximumBytes = 1 << 20

    /// The bytes at `address`.
    ///
    /// - Throws: `.notFound`, `.network`, or `.badPlaylist` for more than a playlist can be.
    static func fetch(_ address: String) throws(AssetError) -> [UInt8] {
        FFmpegLibrary.prepare()
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in NetworkOptions.all { av_dict_set(&options, name, value, 0) }
        var opened: UnsafeMutablePointer<AVIOContext>?
        let code = avio_open2(&opened, address, AVIO_FLAG_READ, nil, &options)
        guard code >= 0, let io = opened else { throw failure(code, address) }
        defer { avio_close(io) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= maximumBytes {
            let count = avio_read_partial(io, &chunk, Int32(chunk.count))
            if count == 0 || count == tutti_averror_eof() { return bytes }
            if count < 0 { throw failure(count, address) }
            bytes += chunk.prefix(Int(count))
        }
        throw .badPlaylist(address, reason: "too long for a playlist")
    }

    private static func failure(_ code: Int32, _ address: String) -> AssetError {
        switch FFmpegError(code: code, operation: "fetching") {
        case .notFound, .http(status: 404): .notFound(address)
        case let error: .network(address, reason: error.description)
        }
    }
}
