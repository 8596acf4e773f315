/// How bright one picture of a recording is.
package struct LuminanceSample: Sendable, Equatable {
    /// Seconds from the beginning of the recording's sound to the picture.
    package var seconds: Double
    /// Mean over the picture: 0 is black and 1 white, in the recording's own gradation.
    package var luminance: Double

    /// The brightness of a picture.
    package init(seconds: Double, luminance: Double) {
        self.seconds = seconds
        self.luminance = luminance
    }
}
