/// How a screen is set up.
package struct ScreenSettings: Sendable, Equatable {
    /// The window's title.
    package var title = "Tutti"
    /// All of a display, and no mouse pointer there.
    package var isFullScreen = false
    /// Which display, counted from 1; nil for the system's choice.
    package var display: Int?
    /// The window's size in pixels, where it is none of the full screen.
    package var (width, height) = (1_280, 720)
    /// How long after a swap the display shows the picture, in ns: what it takes to process it. 0 … 1 s.
    package var displayLatency: Int64 = 0

    /// A window.
    package init() {}
}
