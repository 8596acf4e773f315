package import TuttiCore

extension AssetInfo {
    /// A piece in two channels of which these values are known for certain.
    package init(title: String, duration: MediaTime, sampleRate: Int, bitDepth: Int, codec: String) {
        self.init(
            title: title, duration: duration, isDurationExact: true, isDurationDeclared: true, sampleRate: sampleRate,
            channelCount: 2, bitDepth: bitDepth, codec: codec)
    }

    /// Live sound: raw samples, of no length.
    package init(live input: AssetInput, sampleRate: Int, channelCount: Int, bitDepth: Int) {
        self.init(
            title: input.title ?? (try? LiveAddress(input.uri))?.name, artist: input.artist, album: input.album,
            isDurationExact: false,
            isDurationDeclared: false, sampleRate: sampleRate, channelCount: channelCount, bitDepth: bitDepth,
            codec: "pcm", isEndless: true)
    }
}
