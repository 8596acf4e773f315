/// Why bytes are no WAV file that can be read, in a few words.
package struct WAVFault: Error, Sendable, Equatable {
    package let reason: String
}

extension WAVHeader {
    /// Programs that write to a pipe put lengths at or above this where they do not know it.
    private static let unknownLength = 0x7FFF_0000

    /// The size in bytes that a file should have by its first eight; nil for an unknown one or another kind of file.
    package static func promisedSize(_ first: [UInt8]) -> Int64? {
        guard first.count >= 8, text(first, 0) == "RIFF" else { return nil }
        let length = number(first, 4, 4)
        return length == 0 || length >= unknownLength ? nil : Int64(length) + 8
    }

    /// Reads a file: 16, 24 or 32 bit integers or 32 bit floats, 1 to 64 channels.
    ///
    /// - Returns: its header, and where the sound is. Sound that is longer than the file, whose writer was killed, ends
    ///   with it.
    package static func parse(_ bytes: [UInt8]) throws(WAVFault) -> (header: WAVHeader, data: Range<Int>) {
        guard bytes.count >= 12, text(bytes, 0) == "RIFF", text(bytes, 8) == "WAVE" else {
            throw WAVFault(reason: "no RIFF header")
        }
        var header: WAVHeader?
        var at = 12
        while at + 8 <= bytes.count {
            let name = text(bytes, at)
            let size = number(bytes, at + 4, 4)
            let body = at + 8
            if name == "fmt " {
                header = try WAVHeader(bytes, at: body, size: size)
            } else if name == "data" {
                guard let header else { throw WAVFault(reason: "the data comes before its format") }
                return (header, body..<min(bytes.count, body + size))
            }
            at = body + size + (size & 1)
        }
        throw WAVFault(reason: "no data")
    }

    private init(_ bytes: [UInt8], at: Int, size: Int) throws(WAVFault) {
        guard size >= 16, at + size <= bytes.count else { throw WAVFault(reason: "the format is too short") }
        var kind = Self.number(bytes, at, 2)
        if kind == Self.extended, size >= 26 { kind = Self.number(bytes, at + 24, 2) }
        let channelCount = Self.number(bytes, at + 2, 2)
        let sampleRate = Self.number(bytes, at + 4, 4)
        let bits = Self.number(bytes, at + 14, 2)
        guard (1...64).contains(channelCount), (1000...1_000_000).contains(sampleRate) else {
            throw WAVFault(reason: "\(channelCount) channels at \(sampleRate) Hz")
        }
        let layout: SampleLayout
        switch (kind, bits) {
        case (Self.floats, 32): layout = .float32
        case (Self.integers, 16): layout = .int16
        case (Self.integers, 24): layout = .int24
        case (Self.integers, 32): layout = .int32
        default: throw WAVFault(reason: "\(bits)-bit samples of kind \(kind)")
        }
        self.init(sampleRate: sampleRate, channelCount: channelCount, layout: layout)
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        guard at + count <= bytes.count else { return 0 }
        return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    private static func text(_ bytes: [UInt8], _ at: Int) -> String {
        at + 4 <= bytes.count ? String(decoding: bytes[at..<at + 4], as: UTF8.self) : ""
    }
}
