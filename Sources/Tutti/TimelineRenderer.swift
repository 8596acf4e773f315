import TuttiCore
import TuttiPlayback

/// What follows a synchronizer's timeline.
protocol TimelineRenderer: AnyObject, Sendable {
    var clock: PlaybackClock { get }
    /// How long before its instant the renderer wants to know of a line that follows a running one, in ns.
    var handoverLead: Int64 { get }
    /// How long before its instant a command must be known for the renderer to keep to it, in ns.
    func lead(forRate rate: Double) -> Int64
    /// Begins to follow `timeline`, from a media time on; nil for wherever it stands.
    func attach(to timeline: HostTimeline, from start: MediaTime?) throws(PlaybackError)
    /// Lets go. What is held stays.
    func detach()
    /// Follows the synchronizer's line; `news` is what is not known yet of it.
    func follow(_ timeline: HostTimeline, news: [Timebase])
    /// Stops at a media time; gives the instant of that, nil when it is not reached by what is known.
    func stop(at time: MediaTime) -> HostTime?
}

extension AudioRenderer: TimelineRenderer {}
