#if FFmpeg
import CFFmpeg
import CFFmpegFormat

/// How libavformat fetches `http(s)://` addresses.
enum NetworkOptions {
    /// Name and value of each option: only web protocols.
    ///
    /// libavformat reconnects where a length is unknown although the answer has come to its end, and begins anew where
    /// a server knows no ranges. So `RemoteInput` reconnects, and libavformat does not.
    private static let all: [(name: String, value: String)] = [
        ("protocol_whitelist", "http,https,httpproxy,tls,tcp,crypto"),
        ("user_agent", "Tutti/1"),
        ("reconnect", "0"),
        ("icy", "1"),
    ]

    /// Puts the options into a dictionary.
    static func set(in options: inout OpaquePointer?, _ policy: ReconnectPolicy) {
        for (name, value) in all { av_dict_set(&options, name, value, 0) }
        av_dict_set_int(&options, "rw_timeout", Int64(policy.silence * 1e6), 0)
    }

    /// Opens a connection; libavformat's code for a failure.
    ///
    /// - Parameters:
    ///   - callback: asked again and again whether to give up.
    ///   - offset: the byte to begin at.
    static func open(
        _ address: String, callback: AVIOInterruptCB, policy: ReconnectPolicy, offset: Int64 = 0
    ) -> Result<UnsafeMutablePointer<AVIOContext>, FFmpegCode> {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        set(in: &options, policy)
        if offset > 0 { av_dict_set_int(&options, "offset", offset, 0) }
        var callback = callback
        var opened: UnsafeMutablePointer<AVIOContext>?
        let code = avio_open2(&opened, address, AVIO_FLAG_READ, &callback, &options)
        guard code >= 0, let opened else { return .failure(FFmpegCode(value: min(code, -1))) }
        return .success(opened)
    }
}

/// A negative code of FFmpeg's.
struct FFmpegCode: Error {
    let value: Int32
}
#endif
