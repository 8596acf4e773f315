import ArgumentParser
import TuttiLab

/// `tutti-lab compose`: a piece of music to play where no other may be shipped.
struct ComposeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Writes a short piece of music to a WAV file, the same one every time.")

    @Option(name: .shortAndLong, help: "The WAV file to write.")
    var output: String

    @Option(help: "Its length in seconds, 4 to 3600.")
    var seconds = 20.0

    @Option(help: "The sample rate in Hz, 8000 to 192000.")
    var rate = 48000

    @Option(help: "Bits per sample: 16 or 24.")
    var bits = 16

    func validate() throws {
        guard (4...3600).contains(seconds) else { throw ValidationError("--seconds is 4 to 3600") }
        guard (8000...192_000).contains(rate) else { throw ValidationError("--rate is 8000 to 192000") }
        guard bits == 16 || bits == 24 else { throw ValidationError("--bits is 16 or 24") }
    }

    func run() throws {
        try Piece(seconds: seconds, sampleRate: rate).render().write(to: output, bits: bits)
    }
}
