import TuttiCodecs
import TuttiCore

/// Writes RIFF/WAVE, and RF64 where the sound is longer than 32 bits count. Tags stand in a `LIST` chunk after the
/// sound, as RIFF's `INFO` names them.
final class WAVFileWriter: SoundFile.Writer {
    private let file: PendingFile
    private let header: WAVHeader
    private let tags: AudioFileSettings.Tags
    private var quantiser: SampleQuantiser?
    private var integers: [Int32] = []
    private var bytes: [UInt8] = []
    private var dataBytes: UInt64 = 0

    init(_ file: PendingFile, _ settings: AudioFileSettings) throws(AudioFileError) {
        self.file = file
        let layout: SampleLayout
        switch settings.sampleFormat {
        case .int16: layout = .int16
        case .int24: layout = .int24
        case .float32: layout = .float32
        }
        header = WAVHeader(sampleRate: settings.sampleRate, channelCount: settings.channelCount, layout: layout)
        tags = settings.tags
        if layout != .float32 {
            quantiser = SampleQuantiser(bitDepth: layout.bitDepth, isDithering: settings.isDithered)
        }
        try writeHeader(trailingBytes: 0)
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws(AudioFileError) {
        guard samples.count > 0 else { return }
        guard quantiser != nil else {
            let place = Int64(WAVHeader.growingByteCount) + Int64(dataBytes)
            try check(file.write(UnsafeRawBufferPointer(samples), at: place))
            dataBytes += UInt64(4 * samples.count)
            return
        }
        if integers.count < samples.count { integers = [Int32](repeating: 0, count: samples.count) }
        quantiser?.quantise(samples, into: &integers)
        let width = header.layout.bytesPerSample
        // The last one of three bytes is written as four.
        if bytes.count < samples.count * width + 1 { bytes = [UInt8](repeating: 0, count: samples.count * width + 1) }
        pack(samples.count, width)
        try append(bytes, count: samples.count * width)
    }

    /// Little-endian bytes of the integers: each is written whole, and the next one over what it has too many.
    private func pack(_ count: Int, _ width: Int) {
        integers.withUnsafeBufferPointer { integers in
            bytes.withUnsafeMutableBytes { bytes in
                if width == 2 {
                    for index in 0..<count {
                        let value = UInt16(truncatingIfNeeded: integers[index]).littleEndian
                        bytes.storeBytes(of: value, toByteOffset: 2 * index, as: UInt16.self)
                    }
                } else {
                    for index in 0..<count {
                        let value = UInt32(bitPattern: integers[index]).littleEndian
                        bytes.storeBytes(of: value, toByteOffset: 3 * index, as: UInt32.self)
                    }
                }
            }
        }
    }

    private func append(_ bytes: [UInt8], count: Int) throws(AudioFileError) {
        try put(bytes, count: count, at: Int64(WAVHeader.growingByteCount) + Int64(dataBytes))
        dataBytes += UInt64(count)
    }

    func finish() throws(AudioFileError) {
        // Chunks begin at even places.
        let trailer = [UInt8](repeating: 0, count: Int(dataBytes % 2)) + Self.list(tags)
        try put(trailer, count: trailer.count, at: Int64(WAVHeader.growingByteCount) + Int64(dataBytes))
        try writeHeader(trailingBytes: UInt64(trailer.count) - dataBytes % 2)
    }

    private func writeHeader(trailingBytes: UInt64) throws(AudioFileError) {
        let start = [UInt8](unsafeUninitializedCapacity: WAVHeader.growingByteCount) { buffer, count in
            header.writeGrowing(
                into: UnsafeMutableRawBufferPointer(buffer), dataBytes: dataBytes, trailingBytes: trailingBytes)
            count = WAVHeader.growingByteCount
        }
        try put(start, count: start.count, at: 0)
    }

    private func put(_ bytes: [UInt8], count: Int, at offset: Int64) throws(AudioFileError) {
        try check(bytes.withUnsafeBytes { file.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: offset) })
    }

    private func check(_ isWritten: Bool) throws(AudioFileError) {
        if !isWritten, let error = file.error { throw error }
    }

    /// A `LIST` chunk with the tags; nothing without any.
    private static func list(_ tags: AudioFileSettings.Tags) -> [UInt8] {
        let fields = [
            ("INAM", tags.title), ("IART", tags.artist), ("IPRD", tags.album), ("IPRT", tags.track.map(String.init)),
        ]
        var body: [UInt8] = []
        for (name, text) in fields {
            guard let text, !text.isEmpty else { continue }
            // A text ends with a zero, and with another one where its length is odd.
            let content = Array(text.utf8.prefix(1 << 16)) + [0]
            body += Array(name.utf8) + number(content.count) + content
            if content.count % 2 == 1 { body.append(0) }
        }
        guard !body.isEmpty else { return [] }
        return Array("LIST".utf8) + number(body.count + 4) + Array("INFO".utf8) + body
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
