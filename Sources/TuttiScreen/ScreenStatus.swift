/// How well a screen shows what it is told.
package struct ScreenStatus: Sendable, Equatable {
    /// What is known of the display's refreshes.
    package var standing = RefreshClock.Standing.learning
    /// Refreshes in a second: learned, or as the display states.
    package var refreshRate: Double = 0
    /// How much returns of swaps scatter about refreshes, in ns.
    package var jitter: Double = 0
    /// Pictures that came to light; that never did; that did at a later refresh than the nearest.
    package var (shownFrames, droppedFrames, lateFrames) = (0, 0, 0)
    /// Pictures that came to light later than planned, since something took too long.
    package var missedRefreshes = 0
    /// Pictures that the display cannot take.
    package var refusedFrames = 0
    /// How far from their instants pictures came to light, as far as the clock can tell.
    package var errors = LightErrors()
}
