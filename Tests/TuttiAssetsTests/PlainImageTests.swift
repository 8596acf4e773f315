import Testing
import TuttiCodecs
import TuttiCore
import TuttiDecoding

@Suite("Pictures of one colour") struct PlainImageTests {
    @Test("decode to black and to white", arguments: [(16, 16), (256, 144), (50, 18)], [false, true])
    func decode(size: (width: Int, height: Int), isWhite: Bool) throws {
        let format = try #require(VideoFormat(codec: .mjpeg, width: size.width, height: size.height))
        let data = PlainImage.jpeg(width: size.width, height: size.height, isWhite: isWhite)
        let buffer = VideoSampleBuffer(format: format, presentationTime: .zero, isSync: true, data: data)
        let decoder = try Decoders.makeVideo(for: format)
        let frames = try decoder.decode(#require(buffer)) + decoder.finish()
        #expect(frames.count == 1)
        let frame = try #require(frames.first)
        #expect((frame.width, frame.height) == size)
        #expect(frame.meanLuminance == (isWhite ? 1 : 0))
    }
}
