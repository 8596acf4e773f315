import Glibc
import TuttiAssets
import TuttiCore
import TuttiHost

/// Live sound from a pipe, a socket or a program: raw samples without a header.
final class StreamReader: LiveReader {
    private let descriptor: Int32
    private let format: RawFormat
    private let clock: HostClock
    private let pacing: Pacing
    /// What has to stay while it is read: a program.
    private let held: AnyObject?
    /// Bytes of a frame that is not complete.
    private var rest: [UInt8] = []
    private var lastRead: HostTime?
    private var buffer: [UInt8]

    /// Nanoseconds without a byte after which the rest of a frame will not come: its writer has gone in the middle.
    private static let patience: Int64 = 200_000_000
    /// Seconds that are read at once at most.
    private static let mostAtOnce = 0.1

    /// - Parameter descriptor: open, and does not block; closed with the reader.
    init(_ descriptor: Int32, format: RawFormat, clock: HostClock, held: AnyObject? = nil) {
        self.descriptor = descriptor
        self.format = format
        self.clock = clock
        self.held = held
        pacing = Pacing(sampleRate: format.sampleRate)
        let frames = Int(Double(format.sampleRate) * Self.mostAtOnce)
        buffer = [UInt8](repeating: 0, count: max(1, frames) * format.frameBytes)
    }

    deinit { close(descriptor) }

    var sampleRate: Int { format.sampleRate }
    var bitDepth: Int { format.sample.bitDepth }
    var channelCount: Int { format.channelCount }
    var isUnpaced: Bool { pacing.isUnpaced }

    func timing() -> (time: HostTime, frames: Int64)? { nil }

    func read(into samples: inout [Float], milliseconds: Int32) throws(LiveEnd) -> Int {
        let allowed = pacing.allowance(at: clock.now())
        guard allowed > 0 else {
            // A program that writes faster than it sounds waits until its turn has come.
            usleep(useconds_t(max(0, min(milliseconds, 5))) * 1_000)
            return 0
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return 0 }
        let wanted = min(allowed * format.frameBytes, buffer.count) - rest.count
        guard wanted > 0 else { return 0 }
        let count = Glibc.read(descriptor, &buffer, wanted)
        let now = clock.now()
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return 0 }
            throw .gone(HostError.text(ofErrno: errno))
        }
        if count == 0 { throw .gone("it has ended") }
        if let lastRead, now.nanoseconds(since: lastRead) > Self.patience { rest = [] }
        lastRead = now
        rest += buffer[..<count]
        let frames = rest.count / format.frameBytes
        format.append(rest, frames: frames, to: &samples)
        rest.removeFirst(frames * format.frameBytes)
        pacing.took(frames, at: now, isFull: count == wanted)
        return frames
    }
}

extension RawFormat {
    /// Bytes of a frame.
    var frameBytes: Int { sample.byteCount * channelCount }

    /// Appends frames as stereo floats.
    func append(_ bytes: [UInt8], frames: Int, to samples: inout [Float]) {
        let width = sample.byteCount
        for frame in 0..<min(frames, bytes.count / frameBytes) {
            let first = sample.value(in: bytes, at: frame * frameBytes)
            samples.append(first)
            samples.append(channelCount > 1 ? sample.value(in: bytes, at: frame * frameBytes + width) : first)
        }
    }
}

extension RawFormat.Sample {
    /// Significant bits of a sample.
    var bitDepth: Int {
        switch self {
        case .unsigned8: 8
        case .signed16: 16
        case .signed24: 24
        case .signed32, .float32: 32
        }
    }

    /// The little-endian sample at a place; what is no number is silence.
    fileprivate func value(in bytes: [UInt8], at place: Int) -> Float {
        func word(_ count: Int) -> UInt32 {
            (0..<count).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
        }
        switch self {
        case .unsigned8: return (Float(bytes[place]) - 128) / 128
        case .signed16: return Float(Int16(truncatingIfNeeded: word(2))) / 32_768
        case .signed24: return Float(Int32(bitPattern: word(3) << 8) >> 8) / 8_388_608
        case .signed32: return Float(Int32(bitPattern: word(4))) / 2_147_483_648
        case .float32:
            let value = Float(bitPattern: word(4))
            return value.isFinite ? value : 0
        }
    }
}
