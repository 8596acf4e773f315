import TuttiAssets
import TuttiCore

/// Night mode: what it has to have heard before a run of sound begins.
extension ItemProducer {
    /// How much of what comes before it hears.
    private static let before = MediaTime(frame: 1, sampleRate: 1)
    /// How much of a track's beginning it hears where nothing comes before.
    private static let beginning = MediaTime(frame: 3, sampleRate: 10)
    private static let readFrames = 8_192

    /// A stage that knows how loud it is where the asset stands: otherwise its first moments would be too loud.
    func primedStage(_ sampleRate: Int, _ asset: Asset?) throws -> NightStage {
        let stage = try NightStage(sampleRate: sampleRate)
        // What cannot be had again is not looked at.
        guard let asset, asset.info.duration != nil, !asset.input.isReadOnce else { return stage }
        let place = asset.currentTime
        let start = max(place - Self.before, .zero)
        var frames = Int((place.isPositive ? place - start : Self.beginning).frame(at: asset.info.sampleRate))
        do {
            try asset.seek(to: start)
            while frames > 0, let block = try asset.read(maximumFrames: min(frames, Self.readFrames)) {
                stage.listen(to: block.samples.map { $0 * gain.gain })
                frames -= block.samples.count / 2
            }
        } catch {
            // It is reported when it is played.
        }
        try asset.seek(to: place)
        return stage
    }
}
