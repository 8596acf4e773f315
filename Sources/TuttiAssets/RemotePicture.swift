#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg
#endif

extension AssetInfo.Artwork {
    /// Seconds that a picture on the web may take.
    private static let patience = 8.0

    /// The picture at an address on the web, asked for once.
    ///
    /// - Parameter interrupter: stops it from another thread.
    /// - Returns: nil for what is no picture.
    /// - Throws: `.notFound` or `.network`.
    package static func fetch(_ address: String, interrupter: Interrupter) throws(AssetError) -> AssetInfo.Artwork? {
        #if FFmpeg
        FFmpegLibrary.prepare()
        interrupter.allow(seconds: patience)
        let opened = withExtendedLifetime(interrupter) {
            NetworkOptions.open(address, callback: interrupter.callback, policy: ReconnectPolicy())
        }
        switch opened {
        case .failure(let code):
            throw interrupter.isOverdue
                ? .network(address, reason: "no answer in time")
                : RemoteFailure.error(code.value, address: address, name: address)
        case .success(let io):
            defer { avio_close(io) }
            return AssetInfo.Artwork(try read(io, address, interrupter))
        }
        #else
        throw .network(address, reason: "this version fetches nothing from the web")
        #endif
    }

    #if FFmpeg
    private static func read(
        _ io: UnsafeMutablePointer<AVIOContext>, _ address: String, _ interrupter: Interrupter
    ) throws(AssetError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = avio_read_partial(io, &chunk, Int32(chunk.count))
            if interrupter.shouldStop { throw .network(address, reason: "it does not come in time") }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(Int(count))
            guard bytes.count <= maximumBytes else { throw .network(address, reason: tooLarge) }
        }
    }
    #endif
}
