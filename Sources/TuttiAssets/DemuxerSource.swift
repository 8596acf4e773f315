#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc
import TuttiFFmpeg

/// Where a demuxer's bytes come from: a local file, standard input or the network; and what may be opened for them.
///
/// Paths never reach FFmpeg's protocol parser (`concat:`, `subfile,,` …): a path always goes behind `file:`, under a
/// whitelist, and a local medium that refers to further files is refused those.
final class DemuxerSource {
    private let input: AssetInput
    private let interrupter: Interrupter
    private let descriptor: DescriptorInput?
    private let policy: ReconnectPolicy
    private var remote: RemoteInput?
    private var io: UnsafeMutablePointer<AVIOContext>?

    /// Checks a local file beforehand, so that the error can say what is wrong.
    init(_ input: AssetInput, interrupter: Interrupter, policy: ReconnectPolicy) throws(AssetError) {
        self.input = input
        self.interrupter = interrupter
        self.policy = policy
        if !input.isStandardInput && !input.isRemote { try LocalFile.check(input.uri) }
        descriptor =
            if input.isStandardInput {
                DescriptorInput(descriptor: STDIN_FILENO, interrupter: interrupter)
            } else if input.isReadOnce {
                try DescriptorInput(path: input.uri, interrupter: interrupter)
            } else {
                nil
            }
    }

    /// Whether it is a station that sends without end.
    var isLive: Bool { remote?.isLive ?? false }

    /// Opens the medium; `close` releases it.
    ///
    /// - Parameters:
    ///   - ignoringEdits: gives an MP4's packets as they are stored, without its edit list.
    ///   - isEvident: trusts a local file whose first bytes say what it is, which saves probing.
    func open(
        ignoringEdits: Bool = false, isEvident: Bool = false
    ) throws(AssetError) -> UnsafeMutablePointer<AVFormatContext> {
        let remote = input.isRemote ? try RemoteInput(input, interrupter: interrupter, policy: policy) : nil
        self.remote = remote
        guard let fresh = avformat_alloc_context() else { throw error(.outOfMemory) }
        fresh.pointee.interrupt_callback = interrupter.callback
        var context: UnsafeMutablePointer<AVFormatContext>? = fresh
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        var code: Int32 = 0
        if let remote {
            // For what a list (HLS, DASH) names.
            NetworkOptions.set(in: &options, policy)
            io = remote.makeContext()
            code = io == nil ? tutti_averror(ENOMEM) : 0
        } else {
            // The file itself is open by now: readers of lists (concat, HLS, DASH) can open nothing more under this.
            av_dict_set(&options, "protocol_whitelist", "none", 0)
            tutti_refuse_nested_opens(fresh)
            code = openLocalBytes()
        }
        fresh.pointee.pb = io
        if ignoringEdits { av_dict_set(&options, "ignore_editlist", "1", 0) }
        var reader: UnsafePointer<AVInputFormat>?
        if let raw = input.rawFormat, input.isStandardInput {
            reader = av_find_input_format(raw.sample.demuxerName)
            av_dict_set(&options, "sample_rate", "\(raw.sampleRate)", 0)
            av_dict_set(&options, "ch_layout", "\(raw.channelCount)c", 0)
        }
        if isEvident, let name = evidentFormat { reader = av_find_input_format(name) }
        if code >= 0 { code = avformat_open_input(&context, remote?.location ?? input.uri, reader, &options) }
        guard code >= 0, let context else {
            avformat_free_context(context)
            defer { closeBytes() }
            let isRefused = code == tutti_averror(EINVAL) && !input.isRemote
            throw error(isDamage(code) || isRefused ? .invalidData : FFmpegError(code: code, operation: "opening"))
        }
        return context
    }

    /// Releases what `open` gave.
    func close(_ context: UnsafeMutablePointer<AVFormatContext>) {
        var owned: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&owned)
        closeBytes()
    }

    /// Whether a failure comes from the data: demuxers also call it an I/O error when the data end too early.
    func isDamage(_ code: Int32) -> Bool {
        if code == tutti_averror_invalid_data() { return true }
        guard let io else { return false }
        return code == tutti_averror(EIO) && io.pointee.error >= 0
    }

    /// Why nothing more comes over the network; nil while it may.
    var failure: AssetError? { remote?.failure }

    /// What a station says that it plays from a place on; nil when that is nothing new.
    func takeTitle(at place: Int64) -> String? { remote?.takeTitle(at: place) }

    /// The medium has been looked at and is read from now on.
    func finishOpening() { remote?.isOpening = false }

    /// What to say of bytes that make no sound.
    var notAudio: AssetError {
        let beginning = remote?.beginning ?? descriptor?.beginning ?? []
        let isSeekable = remote?.isSeekable ?? (descriptor == nil)
        guard !isSeekable, beginning.dropFirst(4).starts(with: "ftyp".utf8) else { return .notAudio(input.name) }
        return .unsupported(
            input.name,
            reason:
                "an MP4 file with its index at the end cannot be played from \(input.isRemote ? "a server without ranges" : "a pipe"); "
                + "save it as a file and play that")
    }

    /// What a failure of FFmpeg's means for this input.
    func error(_ error: FFmpegError) -> AssetError {
        if interrupter.wasInterrupted { return .interrupted(input.name) }
        if let failure { return failure }
        switch error {
        case .interrupted where interrupter.isOverdue: return .network(input.name, reason: "no answer in time")
        case .notFound, .http(status: 404): return .notFound(input.name)
        case .invalidData, .endOfStream: return notAudio
        case .unsupported: return .unsupported(input.name, reason: error.description)
        default:
            return input.isRemote
                ? .network(input.name, reason: error.description)
                : .unreadable(input.name, reason: error.description)
        }
    }

    /// libavformat's reader for what the first bytes are without doubt; nil where it has to probe.
    private var evidentFormat: String? {
        guard let io, !input.isRemote, descriptor == nil else { return nil }
        var bytes = [UInt8](repeating: 0, count: 12)
        let count = avio_read(io, &bytes, Int32(bytes.count))
        guard avio_seek(io, 0, SEEK_SET) == 0, count == bytes.count else { return nil }
        if bytes.starts(with: "fLaC".utf8) { return "flac" }
        if bytes.starts(with: "OggS".utf8) { return "ogg" }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return "mov" }
        // Other files may begin with such tags too.
        return bytes.starts(with: "ID3".utf8) && PathText.ending(of: input.uri) == "mp3" ? "mp3" : nil
    }

    private func openLocalBytes() -> Int32 {
        if let descriptor {
            io = descriptor.makeContext()
            return io == nil ? tutti_averror(ENOMEM) : 0
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        var callback = interrupter.callback
        return avio_open2(&io, "file:" + input.uri, AVIO_FLAG_READ, &callback, &options)
    }

    private func closeBytes() {
        guard let open = io else { return }
        io = nil
        if descriptor != nil || remote != nil {
            DescriptorInput.free(open)
        } else {
            avio_close(open)
        }
        remote = nil
    }
}
#endif
