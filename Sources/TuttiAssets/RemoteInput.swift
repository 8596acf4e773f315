#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc
import TuttiFFmpeg

/// Feeds libavformat from an `http(s)://` address: through one connection, and through another one where that breaks.
///
/// A file whose length is known is taken up where it broke, from servers without ranges by reading up to there again. A
/// live stream (one with ICY headers) is joined again when it ends. Everything else is over where the server ends it.
final class RemoteInput {
    private let address: String
    private let name: String
    let interrupter: Interrupter
    let policy: ReconnectPolicy
    private let callback: AVIOInterruptCB
    private let link: UnsafeMutablePointer<tutti_link>

    /// The place of the next byte that is given to libavformat.
    private var position: Int64 = 0
    /// Bytes of the whole; nil where the server does not say.
    private let size: Int64?
    /// Whether the server gives the bytes from any place on.
    let isSeekable: Bool
    /// Whether it is a station that sends without end.
    let isLive: Bool
    /// The first bytes.
    private(set) var beginning: [UInt8] = []
    /// Why nothing more comes; nil while it may.
    private(set) var failure: AssetError?
    /// Whether the medium is still being looked at: then there is one deadline for all, and live streams are not joined
    /// again.
    var isOpening = true

    /// Titles that came, each with the place of the first byte behind it.
    private var titles: [(position: Int64, title: String)] = []
    private var titlePacket: [UInt8] = []
    private static let maximumTitles = 16

    private var attempts = 0
    private var attempt: (position: Int64, time: Int64)

    static let bufferSize: Int32 = 32_768
    private static let beginningLength = 12

    /// Connects.
    init(
        _ input: AssetInput, interrupter: Interrupter, policy: ReconnectPolicy
    ) throws(AssetError) {
        (address, name) = (input.uri, input.name)
        (self.interrupter, self.policy) = (interrupter, policy)
        callback = interrupter.callback
        let inner: UnsafeMutablePointer<AVIOContext>
        switch NetworkOptions.open(input.uri, callback: callback, policy: policy) {
        case .success(let opened): inner = opened
        case .failure(let code):
            if interrupter.wasInterrupted { throw .interrupted(input.name) }
            throw interrupter.isOverdue
                ? .network(input.name, reason: "no answer in time")
                : RemoteFailure.error(code.value, address: input.uri, name: input.name)
        }
        let length = avio_size(inner)
        size = length >= 0 ? length : nil
        isSeekable = inner.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
        isLive = size == nil && Self.option("icy_metadata_headers", of: inner) != nil
        attempt = (0, Interrupter.now())
        link = .allocate(capacity: 1)
        link.initialize(to: tutti_link(owner: nil, inner: inner))
        link.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        disconnect()
        link.deallocate()
    }

    /// Where the server sent us; what a playlist's entries are relative to.
    var location: String { link.pointee.inner.flatMap { Self.option("location", of: $0) } ?? address }

    /// A libavformat input that reads here; it does not keep this object alive. Freed by `DescriptorInput.free`.
    func makeContext() -> UnsafeMutablePointer<AVIOContext>? {
        guard let memory = av_malloc(Int(Self.bufferSize)) else { return nil }
        let context = avio_alloc_context(
            memory.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, link,
            { opaque, buffer, size in
                guard let input = RemoteInput.owner(of: opaque), let buffer else { return tutti_averror(EINVAL) }
                return input.read(into: buffer, size: size)
            }, nil,
            { opaque, offset, whence in
                RemoteInput.owner(of: opaque)?.seek(to: offset, whence: whence) ?? Int64(tutti_averror(EINVAL))
            })
        guard let context else {
            av_free(memory)
            return nil
        }
        context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        tutti_show_inner(context)
        return context
    }

    private static func owner(of opaque: UnsafeMutableRawPointer?) -> RemoteInput? {
        guard let owner = opaque?.assumingMemoryBound(to: tutti_link.self).pointee.owner else { return nil }
        return Unmanaged<RemoteInput>.fromOpaque(owner).takeUnretainedValue()
    }

    /// The value of one of the connection's options; nil for an empty one.
    private static func option(_ name: String, of inner: UnsafeMutablePointer<AVIOContext>) -> String? {
        bytes(of: name, in: inner).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func bytes(of option: String, in inner: UnsafeMutablePointer<AVIOContext>) -> [UInt8]? {
        var value: UnsafeMutablePointer<UInt8>?
        guard av_opt_get(inner, option, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
        defer { av_free(value) }
        let bytes = UnsafeBufferPointer(start: value, count: strnlen(UnsafeRawPointer(value), StreamTitle.maximumBytes))
        return bytes.isEmpty ? nil : Array(bytes)
    }

    // MARK: Reading

    private func read(into buffer: UnsafeMutablePointer<UInt8>, size count: Int32) -> Int32 {
        guard count > 0 else { return tutti_averror(EINVAL) }
        while failure == nil {
            if interrupter.shouldStop { return tutti_averror_exit() }
            let code = link.pointee.inner.map { avio_read_partial($0, buffer, count) } ?? tutti_averror(EIO)
            if code > 0 {
                if position < Self.beginningLength {
                    noteBeginning(UnsafeBufferPointer(start: buffer, count: Int(code)))
                }
                if isLive { noteTitle() }
                position += Int64(code)
                return code
            }
            if interrupter.shouldStop { return tutti_averror_exit() }
            if isEnd(code) { return tutti_averror_eof() }
            reconnect(after: code)
        }
        return interrupter.shouldStop ? tutti_averror_exit() : tutti_averror(EIO)
    }

    private func noteBeginning(_ bytes: UnsafeBufferPointer<UInt8>) {
        beginning = Array((beginning.prefix(Int(position)) + bytes).prefix(Self.beginningLength))
    }

    /// What a station says comes with the bytes behind it, of which libavformat gives none before it was read.
    private func noteTitle() {
        guard let packet = link.pointee.inner.flatMap({ Self.bytes(of: "icy_metadata_packet", in: $0) }),
            packet != titlePacket
        else { return }
        titlePacket = packet
        guard let title = StreamTitle.title(in: packet) else { return }
        titles.append((position, title))
        if titles.count > Self.maximumTitles { titles.removeFirst() }
    }

    /// The title that holds at a place; nil when none is new there.
    ///
    /// - Parameter place: as packets name it; negative where it is not known.
    func takeTitle(at place: Int64) -> String? {
        let reached = titles.prefix { $0.position <= place || place < 0 }
        titles.removeFirst(reached.count)
        return reached.last?.title
    }

    /// Whether there is nothing more where `code` came instead of bytes. Without a length libavformat calls the end of
    /// the connection an I/O error.
    private func isEnd(_ code: Int32) -> Bool {
        if let size { return position >= size }
        return (!isLive || isOpening) && [0, tutti_averror_eof(), tutti_averror(EIO)].contains(code)
    }

    private func seek(to offset: Int64, whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return size ?? Int64(tutti_averror(ENOSYS)) }
        guard isSeekable, whence & ~AVSEEK_FORCE == SEEK_SET, offset >= 0 else { return Int64(tutti_averror(EPIPE)) }
        if let inner = link.pointee.inner, failure == nil, avio_seek(inner, offset, SEEK_SET) == offset {
            position = offset
            return offset
        }
        (failure, position, attempts) = (nil, offset, 0)
        if connect() != nil { reconnect(after: tutti_averror(EIO)) }
        return failure == nil ? offset : Int64(tutti_averror(EIO))
    }

    // MARK: Connections

    private func disconnect() {
        if let inner = link.pointee.inner { avio_close(inner) }
        link.pointee.inner = nil
    }

    /// Tries to go on, or sets `failure`.
    private func reconnect(after code: Int32) {
        guard size != nil || isLive, !RemoteFailure.isFinal(code) else { return fail(because: code) }
        let elapsed = Double(Interrupter.now() - attempt.time) / 1e9
        let isGood = isLive ? elapsed >= policy.goodSeconds : position - attempt.position >= policy.goodBytes
        if isGood { attempts = 0 }
        let pauses = isLive ? policy.livePauses : policy.filePauses
        var last = code
        disconnect()
        while attempts < pauses.count, !RemoteFailure.isFinal(last) || isLive {
            attempts += 1
            guard pause(seconds: pauses[attempts - 1]) else { return }
            guard let failed = connect() else { return }
            last = failed
        }
        fail(because: last)
    }

    /// Connects anew, ready to read at `position`.
    ///
    /// - Returns: the code of a failure.
    private func connect() -> Int32? {
        disconnect()
        if !isOpening { interrupter.allow(seconds: policy.patience) }
        attempt = (position, Interrupter.now())
        let offset = isSeekable && !isLive ? position : 0
        switch NetworkOptions.open(address, callback: callback, policy: policy, offset: offset) {
        case .failure(let code): return code.value
        case .success(let inner):
            link.pointee.inner = inner
            if !isLive, size != avio_size(inner) { return tutti_averror_invalid_data() }
            return isLive || offset > 0 ? nil : skip(inner)
        }
    }

    /// Reads up to the place where the connection before broke.
    private func skip(_ inner: UnsafeMutablePointer<AVIOContext>) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: Int(Self.bufferSize))
        var rest = position
        while rest > 0 {
            if interrupter.shouldStop { return tutti_averror_exit() }
            let code = avio_read_partial(inner, &chunk, Int32(min(rest, Int64(chunk.count))))
            guard code > 0 else { return code == 0 ? tutti_averror_eof() : code }
            rest -= Int64(code)
            if !isOpening { interrupter.allow(seconds: policy.patience) }
        }
        return nil
    }

    /// - Returns: false when there is no reason to wait any longer.
    private func pause(seconds: Double) -> Bool {
        let end = Interrupter.now() + Int64(seconds * 1e9)
        if !isOpening { interrupter.allow(nanoseconds: nil) }
        while Interrupter.now() < end {
            if interrupter.shouldStop { return false }
            usleep(20_000)
        }
        return !interrupter.shouldStop
    }

    private func fail(because code: Int32) {
        guard !interrupter.wasInterrupted else { return }
        if isLive {
            failure = .network(name, reason: "the station stopped sending and did not come back; play it again later")
        } else if code == tutti_averror_invalid_data() {
            failure = .network(name, reason: "the file changed on the server while it was read")
        } else if let size {
            let place = "the server closed the connection after \(position) of \(size) bytes"
            failure = .network(name, reason: attempts > 0 ? "\(place), \(attempts + 1) times" : place)
        } else {
            failure = RemoteFailure.error(code, address: address, name: name)
        }
    }
}
#endif
