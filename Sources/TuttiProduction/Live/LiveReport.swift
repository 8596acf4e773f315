package import TuttiCore
package import TuttiHost

/// How a live source stands, as its producer reports it several times a second.
package struct LiveReport: Sendable, Equatable {
    /// A place on the timeline, and when that was captured; nil before anything lies there.
    package var capture: (media: MediaTime, instant: HostTime)?
    /// How much faster than this host's clock the source runs, as a plain ratio; nil while nobody knows.
    package var slope: Double?
    /// Seconds of silence in the place of what did not come.
    package var missing: Double
    /// Seconds of sound that came too late.
    package var late: Double
    /// Seconds since it sounded.
    package var silence: Double
    /// What people should know of it.
    package var news: [String]

    package init(
        capture: (media: MediaTime, instant: HostTime)? = nil, slope: Double? = nil, missing: Double = 0,
        late: Double = 0, silence: Double = 0,
        news: [String] = []
    ) {
        self.capture = capture
        self.slope = slope
        self.missing = missing
        self.late = late
        self.silence = silence
        self.news = news
    }

    package static func == (left: LiveReport, right: LiveReport) -> Bool {
        left.capture?.media == right.capture?.media && left.capture?.instant == right.capture?.instant
            && left.slope == right.slope && left.missing == right.missing && left.late == right.late
            && left.silence == right.silence && left.news == right.news
    }
}

/// What a live source is to be played with, besides what any track is.
package struct LiveOrder: Sendable {
    /// This host's clock, which captures are stamped by.
    package var clock: HostClock

    package init(clock: HostClock) { self.clock = clock }
}
