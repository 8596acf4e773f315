import Testing
import TuttiCore

@Suite("The brightness of a picture") struct VideoFrameLuminanceTests {
    private func frame(_ format: VideoFrame.PixelFormat, _ planes: [[UInt8]]) throws -> VideoFrame {
        try #require(VideoFrame(pixelFormat: format, width: 2, height: 2, presentationTime: .zero, planes: planes))
    }

    @Test("is the mean of luma, 16 … 235 of 8 bits")
    func videoRange() throws {
        #expect(try frame(.yuv420, [[16, 16, 16, 16], [0], [255]]).meanLuminance == 0)
        #expect(
            try frame(.yuv444, [[235, 235, 235, 235], .init(repeating: 0, count: 4), .init(repeating: 9, count: 4)])
                .meanLuminance == 1)
        #expect(try frame(.nv12, [[16, 235, 16, 235], [128, 128]]).meanLuminance == 0.5)
    }

    @Test("counts ten bits, and the colours of pixels that have no luma")
    func others() throws {
        // 64 and 940 of 1023.
        let luma: [UInt8] = [64, 0, 0xAC, 3, 64, 0, 0xAC, 3]
        #expect(try frame(.yuv420p10, [luma, [0, 2], [0, 2]]).meanLuminance == 0.5)
        #expect(try frame(.gray, [[16, 235, 235, 16]]).meanLuminance == 0.5)
        let white: [UInt8] = [255, 255, 255, 0]
        let black: [UInt8] = [0, 0, 0, 255]
        #expect(try abs(frame(.bgra, [white + black + white + white]).meanLuminance - 0.75) < 1e-12)
    }
}
