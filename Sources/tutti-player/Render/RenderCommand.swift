import ArgumentParser
import TuttiAssets
import TuttiChain
import TuttiCommandLine
import TuttiCore
import TuttiExport
import TuttiHost

/// `tutti render`: files from the audio engine, as fast as they can be made.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Plays tracks through effects into a file, faster than real time.",
        discussion: """
            Reads the inputs one after the other without a gap (with --mix: all at once), sends them through effects, \
            and writes one file. The name of OUT decides what kind of file it is: .wav, .flac, .opus or .m4a (AAC). \
            An input is anything that `tutti play` accepts: a file, a folder, a playlist, an http(s) address, or - for \
            standard input. No room and no service is needed.

            EFFECTS
            The sound goes through the effects in this order, whatever the order of the options: --chain, --eq, \
            --convolve, --reverb, then the gain for --loudness, then the limiter. docs/chains.md explains the words \
            of a chain file. What effects make later is made up for, so OUT begins with the inputs' first frame. \
            Filters leave the length as it is. Reverberation, echoes and convolutions ring on after the end, until \
            they are below -100 dB but no longer than 30 s; --tail sets another limit.

            LEVELS
            --loudness measures the whole output first (EBU R 128), then renders again with the gain that it needs. \
            If the true peak would exceed -1 dBTP (or that of --limit), a limiter is put behind the gain, and the \
            gain is corrected for what the limiter takes away. --limit alone puts a limiter at the end. Without \
            either, what is louder than full scale is cut off, and you are told.

            FORMAT
            Files have two channels. Unless --rate says otherwise, OUT has the highest sample rate of the inputs, or \
            the next one that its format knows. WAV and FLAC get 24 bits, or 16 if all inputs have no more and \
            nothing changes their samples: then OUT has the same samples, bit for bit. Wherever bits are left off, \
            triangular dither is added. Opus and AAC files mark what their encoders add at both ends, so they have \
            the length of the sound. Title, artist, album and track number come from the first input; ReplayGain \
            tags, which would be wrong, are left out. WAV files beyond 4 GiB become RF64.

            OUT is written under a hidden name beside it and gets its name when it is complete. If anything fails, \
            or if you press ^C, nothing is left. The same inputs and options give the same bytes.

            EXAMPLES
              tutti render song.flac -o warm.flac --eq "lowshelf 120 3; peak 3000 -2 1.4"
              tutti render speech.wav -o hall.opus --reverb largeHall:35 --loudness -16
              tutti render side-a/ -o side-a.m4a --bitrate 256 --loudness -14 --limit -1.5
              tutti render song.flac -o room.wav --convolve correction.wav --bits 32f
              tutti render drums.wav bass.wav voice.wav --mix -o demo.flac --limit -1
              tutti render song.flac -o out.flac --chain kitchen.yaml --plot before-after.svg

            EXIT STATUS
              0 done   1 failed, as with a full disk   2 wrong usage, or an error in a chain
              3 no such input, or a damaged one   4 OUT exists, and --force is missing   130 interrupted
            """)

    @Argument(
        help: ArgumentHelp("Files, folders, playlists, addresses, or - for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String]

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The file to write: .wav, .flac, .opus or .m4a.", valueName: "out"), completion: .file())
    var output: String

    @OptionGroup(title: "Effects") var effects: RenderEffects
    @OptionGroup(title: "Format") var format: RenderFormat

    @Flag(help: "Play all inputs at the same time, at full level each.")
    var mix = false

    @Option(
        help: ArgumentHelp(
            "How long reverberation and echoes may ring on after the end, 0 to 600. (default: at most 30)",
            valueName: "seconds"))
    var tail: Double?

    @Option(
        help: ArgumentHelp("Draw waveform and spectrum, before and after, into this file.", valueName: "svg"),
        completion: .file())
    var plot: String?

    @Flag(help: "Replace OUT if it exists.")
    var force = false

    @Flag(help: "Print the result as one line of JSON; see docs/json.md.")
    var json = false

    private static let tails = 0.0...600.0

    func validate() throws {
        guard !inputs.isEmpty else {
            throw ValidationError("name something to render: tutti render song.flac -o out.wav")
        }
        guard tail.map(Self.tails.contains) ?? true else { throw ValidationError("--tail takes 0 to 600 seconds") }
        try format.check(output)
        try effects.check()
    }

    func run() throws {
        let interrupter = Interrupter()
        let signals = StopSignals(StopSignals.ofTerminal) { interrupter.interrupt() }
        defer { withExtendedLifetime(signals) {} }
        let chain = try effects.effectChain()
        let resolved = try Inputs.resolve(inputs, format: format.raw)
        try RenderPaths(inputs: resolved, others: chain.impulses + effects.files, output: output, plot: plot).check()
        do throws(AudioFileError) {
            try SoundFile.check(output, replacing: force)
        } catch {
            throw Failure(error)
        }
        let impulses = try effects.impulses(of: chain)
        do throws(ExportError) {
            let opened = try ExportSession.open(resolved, interrupter: interrupter)
            let plan = RenderPlan(opened, chain: chain, command: self)
            let settings = try plan.settings()
            let source = ExportSource(
                inputs: resolved, isMix: mix, chain: chain, impulses: impulses, sampleRate: settings.sampleRate,
                tail: tail)
            try render(source, opened, settings, interrupter)
        } catch {
            throw Failure(error)
        }
    }

    private func render(
        _ source: ExportSource, _ opened: [ExportInput], _ settings: AudioFileSettings, _ interrupter: Interrupter
    ) throws(ExportError) {
        let progress = RenderProgress(isShown: Terminal.isInteractive && !json)
        let session = try ExportSession(
            source, inputs: opened, levels: effects.levels, interrupter: interrupter, isDrawn: plot != nil,
            onProgress: progress.show)
        let report: ExportReport
        do throws(ExportError) {
            report = try session.run(to: output, settings, replacing: force)
        } catch {
            progress.clear()
            throw error
        }
        progress.clear()
        if let plot, let figure = session.figure {
            do throws(HostError) {
                try AtomicFile.write(Array(figure.svg.utf8), to: plot, mode: 0o644, isDurable: false)
            } catch {
                throw .output(.unwritable(plot, reason: "\(error)"))
            }
        }
        let result = RenderResult(output, settings, report, elapsed: progress.elapsed, rendered: progress.rendered)
        for warning in result.warnings { Terminal.error(warning) }
        if json { Terminal.write(json: result) } else { Terminal.write(result.text) }
    }
}

extension Failure {
    /// Why a file cannot be written.
    fileprivate init(_ error: AudioFileError) {
        switch error {
        case .exists: self.init(error.description, exitCode: 4)
        case .unsupported: self.init(error.description, exitCode: 2)
        case .unwritable, .encoder, .otherFormat, .closed: self.init(error.description)
        }
    }

    fileprivate init(_ error: ExportError) {
        switch error {
        case .input: self.init(error.description, exitCode: 3)
        case .output(let failure): self.init(failure)
        case .tooManyInputs, .chain, .readOnce: self.init(error.description, exitCode: 2)
        case .silent, .engine: self.init(error.description)
        case .interrupted: self.init(error.description, exitCode: 130)
        }
    }
}
