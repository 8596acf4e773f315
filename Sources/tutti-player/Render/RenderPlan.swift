import TuttiAssets
import TuttiChain
import TuttiCore
import TuttiExport

/// The output's settings, once it is known what the inputs are.
struct RenderPlan {
    private let inputs: [ExportInput]
    private let chain: EffectChain
    private let command: RenderCommand

    init(_ inputs: [ExportInput], chain: EffectChain, command: RenderCommand) {
        (self.inputs, self.chain, self.command) = (inputs, chain, command)
    }

    /// - Throws: `.output` where the container has no such sound.
    func settings() throws(ExportError) -> AudioFileSettings {
        let container = AudioFileSettings.Container(path: command.output) ?? .wav
        let rate = command.format.rate ?? Self.rate(container, inputs.map(\.info.sampleRate).max() ?? 48_000)
        let deepest = inputs.map(\.info.bitDepth).max() ?? 24
        let isChanged = isChanged(at: rate)
        var settings = command.format.settings(
            container, sampleRate: rate, usual: !isChanged && deepest <= 16 ? .int16 : .int24)
        let bits = settings.sampleFormat == .int16 ? 16 : 24
        settings.isDithered = isChanged || deepest > bits
        if let info = inputs.first?.info {
            settings.tags = AudioFileSettings.Tags(
                title: info.title, artist: info.artist, album: info.album, track: info.track)
        }
        do throws(AudioFileError) { try settings.validate() } catch { throw .output(error) }
        return settings
    }

    /// The container's rate for sound of `rate`: the same or the next higher one that it has.
    private static func rate(_ container: AudioFileSettings.Container, _ rate: Int) -> Int {
        switch container {
        case .wav, .flac: rate
        case .opus: AudioFileSettings.Limits.opusSampleRate
        case .m4a:
            AudioFileSettings.Limits.aacSampleRates.first { $0 >= rate } ?? AudioFileSettings.Limits.aacSampleRates
                .max()
                ?? rate
        }
    }

    /// Codings whose samples are integers.
    private static let lossless: Set<String> = ["flac", "alac", "wavpack", "ape", "tta"]

    /// Whether samples are other ones than those of the inputs.
    private func isChanged(at rate: Int) -> Bool {
        let isMixed = command.mix && inputs.count > 1
        let hasLevels = command.effects.loudness != nil || command.effects.limit != nil
        return isMixed || hasLevels || !chain.effects.isEmpty
            || inputs.contains { input in
                let codec = input.info.codec
                return input.info.sampleRate != rate || !(codec.hasPrefix("pcm_") || Self.lossless.contains(codec))
            }
    }
}
