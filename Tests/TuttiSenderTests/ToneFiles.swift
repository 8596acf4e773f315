import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiSender

/// Files of one tone that goes on from file to file, encoded with ffmpeg.
final class ToneFiles {
    /// How a file is made.
    struct Coding: Sendable, CustomTestStringConvertible {
        let ending: String
        var options: [String] = []
        var rate = 44_100
        var testDescription: String { ending }
    }

    static let codings = [
        Coding(ending: "mp3", options: ["-c:a", "libmp3lame", "-b:a", "192k"]),
        Coding(ending: "m4a", options: ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"]),
        Coding(ending: "alac.m4a", options: ["-c:a", "alac"]), Coding(ending: "flac"),
        Coding(ending: "opus", options: ["-c:a", "libopus", "-b:a", "192k"], rate: 48_000),
    ]

    private let scratch: Scratch
    private(set) var paths: [String] = []
    /// Where the next file goes on, in seconds.
    private(set) var seconds = 0.0

    static let hertz = 441.0
    static let level = 0.5

    init() throws { scratch = try Scratch() }

    /// What the tone is at an instant.
    static func value(at seconds: Double) -> Double { level * sin(2 * .pi * hertz * seconds) }

    /// The next `frames` of the tone as a file.
    @discardableResult
    func add(_ coding: Coding, frames: Int, isSilent: Bool = false) throws -> String {
        let begin = seconds
        let name = "\(paths.count)"
        let wave = try scratch.wave(
            name + ".in.wav", rate: coding.rate,
            samples: (0..<frames).map { frame in
                isSilent ? 0 : Int16((Self.value(at: begin + Double(frame) / Double(coding.rate)) * 32_767).rounded())
            })
        seconds += Double(frames) / Double(coding.rate)
        let file = "\(scratch.path)/\(name).\(coding.ending)"
        try OutsideTool.run(["ffmpeg", "-v", "error", "-i", wave] + coding.options + [file])
        paths.append(file)
        return file
    }
}
