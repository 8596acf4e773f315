import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab tone`: makes sines and measures what became of them.
struct ToneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tone",
        abstract: "Measures a recorded sine: SINAD, harmonics, side-bands, wander; or generates one to play.",
        discussion: """
            A notch of --notch Hz to each side removes the tone; SINAD compares it with the rest from 20 Hz to 20 \
            kHz. The fit of one sine removes only what stays on one frequency and phase. So slow corrections of the \
            speed show in the fit and in the wander, not in the SINAD.
            """)

    @Argument(help: "A WAV file: the recording, or with --generate the file to write.")
    var file: String

    @Option(help: "The tone's frequency, Hz.")
    var frequency: Double

    @Option(help: "Which channel to measure, from 1.")
    var channel = 1

    @Option(help: "Half the notch's width, Hz.")
    var notch = 5.0

    @Option(help: "Seconds to skip after the first sound.")
    var skip = 5.0

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Flag(help: "Write a stereo sine instead of measuring one.")
    var generate = false

    @Option(help: "Sample rate of the file to write, Hz.")
    var rate = 48_000

    @Option(help: "Bits per sample of the file to write, 16 or 24.")
    var bits = 24

    @Option(help: "Length of the file to write, seconds.")
    var seconds = 40.0

    @Option(help: "Level of the file to write, dB below full scale.")
    var level = -0.1

    func validate() throws {
        guard frequency > 0, notch > 0, skip >= 0 else {
            throw ValidationError("--frequency and --notch must be positive, and --skip must not be negative")
        }
        guard [16, 24].contains(bits), (8_000...384_000).contains(rate), (0...3_600).contains(seconds), level <= 0
        else { throw ValidationError("use 16 or 24 bits, 8 to 384 kHz, at most an hour, and a level of at most 0 dB") }
    }

    func run() throws {
        if generate { return try write() }
        let recording = try WaveFile(path: file)
        guard recording.channels.indices.contains(channel - 1) else {
            throw ValidationError("\(file) has only \(recording.channels.count) channels")
        }
        var analysis = ToneAnalysis(frequency: frequency)
        analysis.notch = notch
        analysis.skipped.start = skip
        let report = try analysis.report(recording.channels[channel - 1], sampleRate: recording.sampleRate)
        print(try json ? report.prettyJSON : report.table)
    }

    private func write() throws {
        let amplitude = pow(10, level / 20)
        let sine = (0..<Int(seconds * Double(rate))).map {
            Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)))
        }
        try WaveFile(sampleRate: rate, channels: [sine, sine]).write(to: file, bits: bits)
    }
}
