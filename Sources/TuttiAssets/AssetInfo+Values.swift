package import TuttiCore

extension AssetInfo {
    /// A piece in two channels of which these values are known for certain.
    package init(title: String, duration: MediaTime, sampleRate: Int, bitDepth: Int, codec: String) {
        self.init(
            title: title, duration: duration, isDurationExact: true, isDurationDeclared: true, sampleRate: sampleRate,
            channelCount: 2, bitDepth: bitDepth, codec: codec)
    }
}
