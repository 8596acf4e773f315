import Foundation
import Testing
import TuttiLab

@Suite("Recordings and logs")
struct AnalysisFileTests {
    @Test("what is written is read back, to the last bit", arguments: [16, 24])
    func roundTrip(bits: Int) throws {
        let scale = Float(1 << (bits - 1))
        let values: [Float] = [0, 0.5, -0.5, -1, (scale - 1) / scale, 1 / scale, -3 / scale]
        let file = WaveFile(sampleRate: 44100, channels: [values, values.reversed()])
        let read = try WaveFile(parsing: file.encoded(bits: bits), path: "x")
        #expect(read.sampleRate == 44100)
        #expect(read.channels == file.channels)
    }

    @Test("a file that cannot be written is named")
    func unwritable() throws {
        let file = WaveFile(sampleRate: 44100, channels: [[0.5]])
        #expect(throws: AnalysisError.unwritable(path: "/nowhere/x.wav")) { try file.write(to: "/nowhere/x.wav") }
    }

    @Test("a header that promises more than the file holds is read as far as it goes")
    func truncated() throws {
        let file = WaveFile(sampleRate: 48000, channels: [[0.25, 0.5, 0.75]])
        let read = try WaveFile(parsing: file.encoded(bits: 16).dropLast(3), path: "x")
        #expect(read.channels == [[0.25]])
    }

    @Test(
        "what is no WAV file says so",
        arguments: ["", "RIFF", "RIFF0000WAVE", "RIFF0000WAVEdata0000", "MThd00000000000000"])
    func notWave(text: String) {
        #expect(throws: AnalysisError.self) { try WaveFile(parsing: Data(text.utf8), path: "x") }
    }

    @Test("a card's log: runs in order, empty ones left out, underruns counted")
    func cardLog() throws {
        let log = """
            {"run":1,"t0_raw_ns":1000,"rate":48000,"ppm":80.000000,"file":"h1.wav","format":"S16_LE","channels":2,"first_frame":0,"frames":            480}
            {"event":"xrun","raw_ns":10001000,"run":1}
            {"run":2,"t0_raw_ns":2000,"rate":48000,"ppm":80.0,"first_frame":480,"frames":0}
            {"event":"forced_xrun","raw_ns":10001000,"run":2}
            {"event":"unplugged","raw_ns":10001000,"until_raw_ns":20000000,"run":2}
            {"run":3,"t0_raw_ns":30000000,"rate":48000,"ppm":80.0,"first_frame":480,"frames":10}
            """
        let truth = try TruthLog(parsing: Data(log.utf8), path: "h1.log")
        #expect(truth.runs.map(\.run) == [1, 3])
        #expect(truth.runs.first?.file == "h1.wav")
        let end = try #require(truth.runs.first).end
        #expect(abs(end - 10_000_200) <= 1)
        #expect(truth.underruns == 2)
    }

    @Test(
        "logs that cannot be true are refused",
        arguments: [
            "", "no json", #"{"run":1}"#, #"{"run":1,"t0_raw_ns":-5,"rate":48000,"ppm":0,"first_frame":0,"frames":5}"#,
            #"{"run":1,"t0_raw_ns":5,"rate":0,"ppm":0,"first_frame":0,"frames":5}"#,
            #"{"run":1,"t0_raw_ns":5,"rate":48000,"ppm":0,"first_frame":-1,"frames":5}"#,
        ])
    func badLog(text: String) {
        #expect(throws: AnalysisError.self) { try TruthLog(parsing: Data(text.utf8), path: "x") }
    }

    @Test("a missing file is named")
    func missing() {
        #expect(throws: AnalysisError.unreadable(path: "/nowhere/h1.log")) {
            try CardRecording(path: "/nowhere/h1.log")
        }
        #expect(AnalysisError.unreadable(path: "/nowhere/h1.log").description == "/nowhere/h1.log: cannot be read")
    }
}
