/// What a screen is told of the texts above its pictures: subtitles, and what plays.
package enum Caption: Sendable, Equatable {
    /// A subtitle is shown; texts refer to the style, and are left out without one.
    case cue(SubtitleCue, style: SubtitleStyle?)
    /// What plays is said, for as long as this lasts on the timeline.
    case card(TextCard, TimeRange)
    /// What is shown at this media time ends there, and what was to be shown later is not.
    case end(MediaTime)
}

/// Shows texts above pictures. Called by one thread at a time, and must not block.
package protocol CaptionSink: AnyObject, Sendable {
    /// Takes one. One that is held already may come again.
    func insert(_ caption: Caption)
    /// Ends what is shown at a media time there, and drops what comes later; everything when nil.
    func flush(from time: MediaTime?)
    /// Says where the stream stands from which instants of this host on, earliest first.
    func follow(_ lines: [PictureLine])
}
