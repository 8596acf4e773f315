import Testing
import TuttiCore

@Suite("WAV headers")
struct WAVHeaderTests {
    @Test("what is written is read again, with the place of the sound", arguments: SampleLayout.allCases)
    func wholeFiles(layout: SampleLayout) throws {
        let header = WAVHeader(sampleRate: 44_100, channelCount: 3, layout: layout)
        let bytes = header.bytes(dataBytes: 100) + [UInt8](repeating: 7, count: 100)
        let read = try WAVHeader.parse(bytes)
        #expect(read.data == 44..<144 && WAVHeader.promisedSize(bytes) == Int64(bytes.count))
        // In a file they are integers of 32 bits.
        let expected = layout == .int24in32 ? SampleLayout.int32 : layout
        #expect(read.header == WAVHeader(sampleRate: 44_100, channelCount: 3, layout: expected))
    }

    @Test("a recording's header is read while it grows")
    func growing() throws {
        let header = WAVHeader(sampleRate: 48_000, channelCount: 2, layout: .int24)
        var bytes = [UInt8](repeating: 0, count: WAVHeader.growingByteCount)
        bytes.withUnsafeMutableBytes { header.writeGrowing(into: $0, dataBytes: 60) }
        // Its writer was killed: the sound goes as far as the file.
        let read = try WAVHeader.parse(bytes + [UInt8](repeating: 0, count: 30))
        #expect(read.header == header && read.data == 80..<110)
    }

    @Test("chunks after the sound count for the whole, not for the sound; beyond 4 GiB all is in 64 bits")
    func trailing() {
        let header = WAVHeader(sampleRate: 48_000, channelCount: 2, layout: .int16)
        func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
        }
        var bytes = [UInt8](repeating: 0, count: WAVHeader.growingByteCount)
        bytes.withUnsafeMutableBytes { header.writeGrowing(into: $0, dataBytes: 60, trailingBytes: 20) }
        #expect(number(bytes, 4, 4) == 60 + 20 + 72 && number(bytes, 76, 4) == 60)
        let long: UInt64 = 5 << 30
        bytes.withUnsafeMutableBytes { header.writeGrowing(into: $0, dataBytes: long, trailingBytes: 20) }
        #expect(bytes.starts(with: Array("RF64".utf8)) && number(bytes, 4, 4) == 0xFFFF_FFFF)
        #expect(number(bytes, 20, 8) == long + 20 + 72 && number(bytes, 28, 8) == long)
        #expect(number(bytes, 36, 8) == long / 4 && number(bytes, 76, 4) == 0xFFFF_FFFF)
    }

    @Test("samples lie little-endian, those of a frame beside each other")
    func samples() {
        let file = WAVHeader.file([1, -2, 0x1234, .min], sampleRate: 8_000, channelCount: 2)
        #expect(file.dropFirst(WAVHeader.byteCount).elementsEqual([1, 0, 0xFE, 0xFF, 0x34, 0x12, 0, 0x80]))
    }

    @Test("sound beyond what 32 bits count is written as its most")
    func huge() {
        let header = WAVHeader(sampleRate: 8_000, channelCount: 1, layout: .int16)
        #expect(header.bytes(dataBytes: 1 << 40).suffix(4).allSatisfy { $0 == 0xFF })
    }

    @Test("a size that nobody knew is none", arguments: [0, 0x7FFF_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
    func unknownSize(length: UInt32) {
        let bytes = Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        #expect(WAVHeader.promisedSize(bytes) == nil)
        #expect(WAVHeader.promisedSize(Array(bytes.dropLast())) == nil)
        #expect(WAVHeader.promisedSize(Array("OggS".utf8) + [1, 0, 0, 0]) == nil)
    }

    @Test(
        "what is wrong is said",
        arguments: [
            ("RIFF0000WAVE", "no data"), ("RIFF0000WAVEdata\u{0}\u{0}\u{0}\u{0}", "the data comes before its format"),
            ("RIFF0000WAVEfmt \u{10}\u{0}\u{0}\u{0}1", "the format is too short"), ("MThd00000000", "no RIFF header"),
            ("", "no RIFF header"),
            ("RIFF0000WAVEfmt \u{10}\u{0}\u{0}\u{0}0123456789012345", "channels at"),
        ])
    func faults(text: String, reason: String) throws {
        let fault = try #require(throws: WAVFault.self) { try WAVHeader.parse(Array(text.utf8)) }
        #expect(fault.reason.contains(reason), "\(fault)")
    }
}
