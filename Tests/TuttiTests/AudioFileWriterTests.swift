import Foundation
import Testing
import Tutti

@Suite("Writing sound files")
struct AudioFileWriterTests {
    @Test("what is written is read again, once the file is closed")
    func roundTrip() throws {
        let path = NSTemporaryDirectory() + "tutti-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let settings = AudioFileSettings(.wav, sampleRate: 48_000, sampleFormat: .float32)
        let writer = try AudioFileWriter(forWriting: path, settings: settings)
        let block = PCMBlock(samples: [0.5, -0.5, 1.5, 0], channelCount: 2, sampleRate: 48_000)
        for _ in 0..<1_000 { try writer.write(block) }
        #expect(writer.length == 2_000 && !FileManager.default.fileExists(atPath: path))
        #expect(throws: AudioFileError.otherFormat(sampleRate: 44_100, channelCount: 2)) {
            try writer.write(PCMBlock(samples: [0, 0], channelCount: 2, sampleRate: 44_100))
        }
        try writer.close()
        #expect(throws: AudioFileError.closed(path)) { try writer.write(block) }
        let reader = try AssetReader(path, form: .samples)
        #expect(try reader.next()?.frameCount == 2_000)
        #expect(throws: AudioFileError.exists(path)) { try AudioFileWriter(forWriting: path, settings: settings) }
    }
}
