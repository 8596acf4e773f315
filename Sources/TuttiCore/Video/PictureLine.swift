/// Where a stream stands from an instant on.
package struct PictureLine: Sendable, Equatable {
    /// Seconds of media a second.
    package let rate: Double
    /// Where it stands at the instant.
    package let media: MediaTime
    /// The instant.
    package let instant: HostTime

    package init(rate: Double, media: MediaTime, instant: HostTime) {
        (self.rate, self.media, self.instant) = (rate, media, instant)
    }
}
