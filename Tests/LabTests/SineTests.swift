import Foundation
import Testing
import TuttiLab

extension MeasurementTests {
    /// What correction leaves of a tone: a busy machine's clock readings would be in it.
    @Suite("Sines", .enabled(if: LabSite.card.isMet, LabSite.card.comment))
    struct SineTests {
        @Test(
            "a corrected sine stays a sine, from both families of rates to both, in 24 and in 16 bits",
            .timeLimit(.minutes(2)), arguments: [(997.0, 44_100), (10_000, 48_000)])
        func sines(frequency: Double, rate: Int) throws {
            let folder = try LabSite.folder("sine-\(Int(frequency))")
            let file = "\(folder)/tone.wav"
            let sine = (0..<rate * 14).map { Float(0.9885 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
            try WaveFile(sampleRate: rate, channels: [sine, sine]).write(to: file, bits: 24)
            let rooms = [
                try QualityRoom("int32", in: folder, format: "S32_LE", rate: 48_000, port: 7_731),
                try QualityRoom("packed24", in: folder, format: "S24_3LE", rate: 44_100, port: 7_732),
                try QualityRoom("int16", in: folder, format: "S16_LE", rate: 48_000, port: 7_733),
            ]
            defer { for room in rooms { room.stop() } }
            #expect(try QualityRoom.play(file, in: rooms, folder: folder).wait(seconds: 40) == .exited(code: 0))
            for room in rooms {
                room.stop()
                let recording = try WaveFile(path: room.recording)
                var analysis = ToneAnalysis(frequency: frequency)
                analysis.skipped.start = 1
                for channel in recording.channels {
                    let report = try analysis.report(channel, sampleRate: recording.sampleRate)
                    // Undisturbed it is 94 dB and 130 to 140: a busy machine's clock readings cost some.
                    #expect(report.sinad >= (room.name == "int16" ? 90 : 105), "\(room.name): \(report.sinad) dB")
                    #expect(report.strongestSideBand.decibels < -100, "\(room.name): \(report.strongestSideBand)")
                    #expect(
                        abs(report.frequency * 1.00008 / frequency - 1) < 1e-6, "\(room.name) is at the right speed")
                }
            }
        }
    }
}
