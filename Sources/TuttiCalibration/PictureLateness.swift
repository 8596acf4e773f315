/// How late a screen's pictures are seen.
package struct PictureLateness: Sendable, Equatable {
    /// Seconds that pictures are seen later than the sound that belongs to them is heard; negative when earlier.
    package var seconds: Double
    /// Standard deviation of a single flash.
    package var spread: Double
    /// How far `seconds` may be off: the standard error, and a quarter of a picture's time, since a camera does not say
    /// when in it light is taken in.
    package var uncertainty: Double
    /// Flashes that `seconds` rests on.
    package var seen: Int
    /// Chirps that were heard.
    package var heard: Int
    /// The recording's pictures a second, usually.
    package var frameRate: Double
}
