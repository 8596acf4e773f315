import Foundation
import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiDecoding

extension Workshop {
    /// Pictures that all differ, in a file that ffmpeg makes.
    ///
    /// - Returns: its path.
    @discardableResult
    func film(
        _ name: String, _ options: [String], size: String = "64x48", rate: String = "25", seconds: Double = 3,
        filter: String = ""
    ) throws -> String {
        let source = "testsrc=size=\(size):rate=\(rate):duration=\(seconds)\(filter)"
        try run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source] + options + [name])
        return path(name)
    }

    /// The luma of the pictures of a file as the program ffmpeg decodes them.
    func luma(of name: String, width: Int, height: Int) throws -> [[UInt8]] {
        try run(
            "ffmpeg", "-v", "error", "-y", "-noautorotate", "-i", name, "-map", "0:v:0", "-vsync", "passthrough", "-vf",
            "extractplanes=y", "-f", "rawvideo", "luma.raw")
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("luma.raw")))
        try #require(bytes.count % (width * height) == 0)
        return stride(from: 0, to: bytes.count, by: width * height).map { Array(bytes[$0..<$0 + width * height]) }
    }
}

extension FilmReader {
    /// Everything from here on.
    func readAll() throws -> [VideoSampleBuffer] {
        var buffers: [VideoSampleBuffer] = []
        while let buffer = try next() { buffers.append(buffer) }
        return buffers
    }

    /// The pictures of everything from here on; damaged ones are left out.
    func decodeAll() throws -> [VideoFrame] {
        var decoder: (format: VideoFormat, any VideoDecoder)?
        var frames: [VideoFrame] = []
        while let buffer = try next() {
            if decoder?.format != buffer.format {
                frames += decoder?.1.finish() ?? []
                decoder = (buffer.format, try Decoders.makeVideo(for: buffer.format))
            }
            frames += (try? decoder?.1.decode(buffer)) ?? []
        }
        return frames + (decoder?.1.finish() ?? [])
    }
}

extension VideoFrame {
    /// The first plane, row by row.
    var luma: [UInt8] {
        withPlane(0) { plane in
            (0..<height).flatMap { row in
                UnsafeRawBufferPointer(start: plane.bytes + row * plane.bytesPerRow, count: width)
            }
        }
    }
}
