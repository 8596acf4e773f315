import ArgumentParser
import TuttiAssets
import TuttiChain
import TuttiChainFiles
import TuttiCommandLine
import TuttiEffects
import TuttiExport

/// What `tutti render` does with the sound.
struct RenderEffects: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with a chain of effects; see docs/chains.md.", valueName: "file"),
        completion: .file())
    var chain: String?

    @Option(
        help: ArgumentHelp(
            "Filters: kind, Hz, dB and Q of each, such as \"peak 1000 -3 1.2; lowshelf 80 4; highpass 30\".",
            valueName: "filters"))
    var eq: String?

    @Option(
        help: ArgumentHelp("Convolve with an impulse response from a sound file.", valueName: "file"),
        completion: .file())
    var convolve: String?

    @Option(
        help: ArgumentHelp(
            "Reverberation, 0 to 100 per cent of what is heard, in a mediumHall or another preset: "
                + Reverb.Preset.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "[preset:]percent"))
    var reverb: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Make OUT as loud as this, -60 to -5 LUFS, such as -16.", valueName: "lufs"))
    var loudness: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Let no true peak exceed this, -40 to 0 dBTP, such as -1.", valueName: "dbtp"))
    var limit: Double?

    private static let loudnesses = -60.0...(-5.0)

    /// Checks what needs no file.
    func check() throws {
        if let loudness, !Self.loudnesses.contains(loudness) {
            throw ValidationError("--loudness takes -60 to -5 LUFS")
        }
        if let limit, !Limiter.Limits.ceilings.contains(limit) { throw ValidationError("--limit takes -40 to 0 dBTP") }
        _ = try options()
    }

    /// What the options beside --chain say.
    private func options() throws -> [Effect] {
        var effects: [Effect] = []
        do throws(ChainError) {
            if let eq { effects.append(.equalizer(try EqualizerText(parsing: eq).bands)) }
            if let convolve { effects.append(.convolution(Convolution(impulse: convolve))) }
            if let reverb { effects.append(.reverb(try Self.reverb(reverb))) }
            for effect in effects { try effect.validate() }
        } catch {
            throw ValidationError(error.description)
        }
        return effects
    }

    private static func reverb(_ text: String) throws(ChainError) -> Reverb {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let names = Reverb.Preset.allCases.map(\.rawValue).joined(separator: ", ")
        guard let mix = words.last.flatMap({ NumberText.number($0, .percent) }) else {
            throw .syntax(line: 0, "--reverb \(text): give per cent, 0 to 100, such as 30 or largeHall:30")
        }
        guard words.count == 2 else { return Reverb(wetDryMix: mix) }
        let name = words[0].lowercased().filter { $0 != "-" && $0 != "_" }
        guard let preset = Reverb.Preset.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
            throw .syntax(line: 0, "--reverb \(text): there is no such preset; use \(names)")
        }
        return Reverb(preset, wetDryMix: mix)
    }

    /// Everything that the sound goes through, except for levels.
    func effectChain() throws -> EffectChain {
        var result = EffectChain()
        do throws(ChainError) {
            if let chain { result = try ChainFile.readWithPaths(chain) }
        } catch {
            throw ValidationError(error.description)
        }
        result.effects += try options()
        do throws(ChainError) { try result.validate() } catch { throw ValidationError(error.description) }
        return result
    }

    /// The impulse responses of a chain.
    func impulses(of chain: EffectChain) throws -> [String: ImpulseResponse] {
        var impulses: [String: ImpulseResponse] = [:]
        for name in chain.impulses { impulses[name] = try ImpulseFile.read(name) }
        return impulses
    }

    /// Files that are read, besides impulse responses.
    var files: [String] { [chain].compactMap(\.self) }

    var levels: ExportSession.Levels { ExportSession.Levels(loudness: loudness, ceiling: limit) }
}
