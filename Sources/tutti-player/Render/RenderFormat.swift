import ArgumentParser
import TuttiCore

/// What kind of file `tutti render` writes.
struct RenderFormat: ParsableArguments {
    @Option(
        help: ArgumentHelp("Sample rate of OUT, 8000 to 192000. (default: the highest of the inputs)", valueName: "hz"))
    var rate: Int?

    @Option(help: ArgumentHelp("WAV and FLAC: 16 or 24; WAV also 32f, floats. (default: 24)", valueName: "bits"))
    var bits: String?

    @Option(
        help: ArgumentHelp(
            "Kilobits a second: Opus 16 to 510 (default: 160), AAC 32 to 320 (default: 192).", valueName: "kb/s"))
    var bitrate: Int?

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp(
            "What raw samples on standard input are, such as 48000:16:2.", valueName: "rate:bits:channels"))
    var raw: String?

    /// The kind of file that a name ends with.
    static func container(of path: String) throws -> AudioFileSettings.Container {
        guard let container = AudioFileSettings.Container(path: path) else {
            throw ValidationError("\(path): the name of the output must end with .wav, .flac, .opus or .m4a")
        }
        return container
    }

    /// Checks what needs no file.
    func check(_ output: String) throws {
        let container = try Self.container(of: output)
        if let bits {
            guard container.isLossless else { throw ValidationError("--bits is for .wav and .flac files") }
            guard AudioFileSettings.SampleFormat(rawValue: bits) != nil else {
                throw ValidationError("--bits \(bits): use 16, 24, or 32f for floats")
            }
        }
        if bitrate != nil, container.isLossless { throw ValidationError("--bitrate is for .opus and .m4a files") }
        if let bitrate, !(1...1_000).contains(bitrate) {
            throw ValidationError("--bitrate takes kilobits a second: 16 to 510 for Opus, 32 to 320 for AAC")
        }
        let sampleRate = rate ?? AudioFileSettings.Limits.opusSampleRate
        do throws(AudioFileError) {
            try settings(container, sampleRate: sampleRate, usual: .int24).validate()
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The settings of a file.
    ///
    /// - Parameter usual: samples where no option says which.
    func settings(
        _ container: AudioFileSettings.Container, sampleRate: Int, usual: AudioFileSettings.SampleFormat
    ) -> AudioFileSettings {
        AudioFileSettings(
            container, sampleRate: sampleRate,
            sampleFormat: bits.flatMap(AudioFileSettings.SampleFormat.init(rawValue:)) ?? usual,
            bitRate: bitrate.map { 1_000 * $0 })
    }
}
