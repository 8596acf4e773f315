#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg

/// Small texts from the web: playlists.
enum RemoteText {
    private static let maximumBytes = 1 << 20

    /// The bytes at `address`, asked for once.
    ///
    /// - Parameter deadline: when the last of them has to be there, as `Interrupter.now()` counts.
    /// - Throws: `.notFound`, `.network`, or `.badPlaylist` for more than a playlist can be, in bytes or in time.
    static func fetch(_ address: String, policy: ReconnectPolicy, until deadline: Int64) throws(AssetError) -> [UInt8] {
        FFmpegLibrary.prepare()
        let interrupter = Interrupter()
        interrupter.allow(nanoseconds: deadline - Interrupter.now())
        return try withExtendedLifetime(interrupter) { () throws(AssetError) in
            switch NetworkOptions.open(address, callback: interrupter.callback, policy: policy) {
            case .success(let io):
                defer { avio_close(io) }
                return try read(io, address, interrupter)
            case .failure(let code):
                throw interrupter.isOverdue
                    ? .network(address, reason: "no answer in time")
                    : RemoteFailure.error(code.value, address: address, name: address)
            }
        }
    }

    private static func read(
        _ io: UnsafeMutablePointer<AVIOContext>, _ address: String, _ interrupter: Interrupter
    ) throws(AssetError) -> [UInt8] {
        let size = avio_size(io)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= maximumBytes {
            if interrupter.isOverdue {
                throw .badPlaylist(
                    address,
                    reason: "the playlist never ends; if it is a stream, its name should not end in .m3u or .pls")
            }
            let count = avio_read_partial(io, &chunk, Int32(chunk.count))
            if count > 0 {
                bytes += chunk.prefix(Int(count))
                continue
            }
            if interrupter.isOverdue { continue }
            // Without a length libavformat calls the end of the connection an I/O error.
            let isEnd = [0, tutti_averror_eof(), tutti_averror(EIO)].contains(count)
            guard isEnd, size < 0 || bytes.count >= size else {
                throw isEnd
                    ? .network(address, reason: "the server closed the connection in the middle of the playlist")
                    : RemoteFailure.error(count, address: address, name: address)
            }
            return bytes
        }
        throw .badPlaylist(address, reason: "the playlist is too long")
    }
}
#endif
