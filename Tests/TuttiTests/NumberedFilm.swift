import Foundation
import TestSupport
import Tutti

/// Films that show the number of each picture, and the way to read it again: three squares of eight grays each.
enum NumberedFilm {
    static let (width, height) = (48, 16)
    /// A sync picture each second, and no other.
    static let h264 = ["-c:v", "libx264", "-crf", "8", "-bf", "3", "-g", "25", "-sc_threshold", "0"]

    /// Makes a film of 25 pictures a second in `folder`, with three between those that others refer to.
    ///
    /// - Parameters:
    ///   - sound: a sound file that goes along; nil for a film without sound.
    ///   - first: the number of the first picture; up to 511 can be told.
    ///   - coding: of the pictures, as ffmpeg has it.
    /// - Returns: its path.
    static func make(
        _ name: String, in folder: String, seconds: Double, sound: String?, first: Int = 0,
        coding: [String] = Self.h264
    ) throws -> String {
        let square = "floor((N+\(first))/pow(8,floor(X/16)))"
        let gray = "geq=lum='40+24*mod(\(square),8)':cb=128:cr=128"
        let pictures = "nullsrc=s=\(width)x\(height):r=25:d=\(seconds),format=yuv420p,\(gray)"
        let path = "\(folder)/\(name)"
        try OutsideTool.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", pictures] + (sound.map { ["-i", $0] } ?? []) + coding
                + ["-c:a", "pcm_s16le", path])
        return path
    }

    /// The number that a picture shows; nil for one that is of no such film.
    static func number(of frame: VideoFrame) -> Int? {
        guard frame.width == width, frame.height == height, frame.pixelFormat == .yuv420 else { return nil }
        return frame.withPlane(0) { plane in
            (0..<3).reduce(0) { number, square in
                let offset = 8 * plane.bytesPerRow + 16 * square + 8
                let luma = Int(plane.bytes.load(fromByteOffset: offset, as: UInt8.self))
                return number + ((luma - 40 + 12) / 24) * (1 << (3 * square))
            }
        }
    }
}

extension VideoScreen {
    /// The number of the film's picture that is seen now; nil for another one or none.
    var number: Int? { seenFrame.flatMap(NumberedFilm.number) }

    /// All of the film's pictures that were, or are to be, seen.
    var numbers: [(number: Int, instant: HostTime)] {
        showings.compactMap { showing in
            showing.frame.flatMap(NumberedFilm.number).map { ($0, showing.instant) }
        }
    }
}
