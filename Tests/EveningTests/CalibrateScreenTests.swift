import Foundation
import TestSupport
import Testing
import TuttiCalibration

/// The delay of a display through the real programs, with recordings that ffmpeg makes of the pattern.
@Suite("A display's delay", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct CalibrateScreenTests {
    private struct Answer: Decodable {
        let screen: String
        let lateMs: Double
        let uncertaintyMs: Double
        let seen: Int
        let heard: Int
        let stored: Bool
        let outputDelayMs: Double?
        let previousOutputDelayMs: Double?
    }

    /// Films the pattern `late` seconds after its sound. Light is taken in as by an exposure of 12 and a shutter that
    /// rolls for 4 of 16 moments that make up a picture.
    private func film(
        _ name: String, rate: Int, late: Double, in folder: String, _ options: [String] = ["-c:v", "libx264"]
    ) throws {
        try Data(FlashFilm.bytes()).write(to: URL(filePath: folder + "/flashes.mkv"))
        let moments = rate * 16
        let camera =
            "fps=\(moments),scale=64:36,tmix=frames=15:weights=1 2 3 4 4 4 4 4 4 4 4 4 3 2 1,framestep=16,"
            + "setpts=PTS-14/\(moments)/TB,eq=contrast=0.6,noise=alls=6:allf=t"
        try OutsideTool.run(
            [
                "ffmpeg", "-v", "error", "-y", "-itsoffset", "\(0.2 + late)", "-i", "flashes.mkv", "-itsoffset", "0.2",
                "-i", "flashes.mkv", "-map", "0:v", "-map", "1:a", "-vf", camera, "-pix_fmt", "yuv420p", "-fps_mode",
                "passthrough", "-enc_time_base", "1:\(moments)", "-c:a", "aac",
            ] + options + [name], in: URL(filePath: folder))
    }

    private func answer(_ outcome: Programs.Outcome) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }

    @Test("a telephone's recording tells it, and it is set for the screen")
    func recordings() throws {
        let evening = try Evening()
        defer { evening.end() }
        for (name, rate, late, limit) in [("a.mp4", 60, 0.1234, 2.0), ("b.mov", 30, 0.041, 4), ("c.mkv", 60, -0.02, 2)]
        {
            let options = name == "c.mkv" ? ["-c:v", "mpeg4", "-q:v", "4"] : ["-c:v", "libx264"]
            try film(name, rate: rate, late: late, in: evening.folder, options)
            let words = ["calibrate", "--screen", "{bath}", "--recording", "{\(name)}", "--json"]
            let found = try answer(evening.tutti(words))
            #expect(abs(found.lateMs - late * 1_000) <= limit, "\(found)")
            #expect(found.screen == "bath" && found.seen >= 14 && found.heard >= 14 && !found.stored)
        }
        let base = ["calibrate", "--screen", "{bath}", "--recording", "{a.mp4}", "--distance", "kitchen=3.43"]
        let shown = try evening.tutti(base)
        #expect(shown.code == 0 && shown.output.contains("late") && shown.output.contains("nothing saved"), "\(shown)")
        #expect(try evening.tutti("delay", "{bath}", "12").code == 0)
        let stored = try answer(evening.tutti(base + ["--apply", "--json"]))
        #expect(stored.stored && stored.previousOutputDelayMs == 12, "\(stored)")
        // The sound came 10 ms late, so the pictures are as much later than they seem.
        #expect(abs(stored.lateMs - 133.4) <= 2 && abs((stored.outputDelayMs ?? 0) - 12 - stored.lateMs) < 0.11)
        struct Delay: Decodable { let outputDelayMs: Double }
        let delay = try evening.tutti("delay", "{bath}", "--json").output
        #expect(try JSONDecoder().decode(Delay.self, from: Data(delay.utf8)).outputDelayMs == stored.outputDelayMs)
    }

    @Test("what is no such recording is said in one line")
    func complaints() throws {
        let evening = try Evening()
        defer { evening.end() }
        let folder = URL(filePath: evening.folder)
        let black = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x36:r=30:d=14"]
        let grey = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=gray:s=64x36:r=30:d=14"]
        try film("good.mp4", rate: 30, late: 0.05, in: evening.folder)
        let withSound = ["-i", "good.mp4", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-c:a", "copy"]
        try OutsideTool.run(black + withSound + ["black.mp4"], in: folder)
        try OutsideTool.run(grey + withSound + ["grey.mp4"], in: folder)
        try OutsideTool.run(grey + ["-c:v", "libx264", "mute.mp4"], in: folder)
        try OutsideTool.run(["ffmpeg", "-v", "error", "-i", "good.mp4", "-vn", "-c", "copy", "memo.m4a"], in: folder)
        try OutsideTool.run(["ffmpeg", "-v", "error", "-i", "good.mp4", "-t", "3", "short.mp4"], in: folder)
        let quiet = ["ffmpeg", "-v", "error", "-i", "good.mp4", "-af", "volume=0", "-c:v", "copy", "quiet.mp4"]
        try OutsideTool.run(quiet, in: folder)
        for (file, code, text) in [
            ("none.mp4", 3, "no such file"), ("readme.txt", 3, "not an audio file"), ("mute.mp4", 3, "no audio"),
            ("memo.m4a", 3, "no video"), ("short.mp4", 1, "lasts"), ("black.mp4", 1, "too dark"),
            ("grey.mp4", 1, "no flash was seen"), ("quiet.mp4", 1, "silent"),
        ] {
            let outcome = try evening.tutti("calibrate", "--screen", "tv", "--recording", "{\(file)}")
            #expect(outcome.code == code && outcome.errors.contains(text), "\(file): \(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty, "\(file): \(outcome)")
        }
        #expect(try evening.tutti("calibrate", "--screen", "tv").code == 2)
        #expect(try evening.tutti("calibrate", "kitchen", "--screen", "tv", "--apply").code == 2)
        #expect(try evening.tutti("calibrate", "kitchen", "bath", "--apply", "--dry-run").code == 2)
        #expect(try evening.tutti("calibrate", "--screen", "tv", "--recording", "x.mp4", "--yes").code == 2)
    }

    @Test("the pattern is played in the room and on the screen")
    func played() throws {
        let evening = try Evening()
        defer { evening.end() }
        let outcome = try evening.tutti("calibrate", "{kitchen}", "--screen", "{bath}")
        #expect(outcome.code == 0 && outcome.output.contains("film bath"), "\(outcome)")
        #expect(outcome.output.contains("tutti calibrate --screen bath --recording FILE"), "\(outcome)")
    }
}
