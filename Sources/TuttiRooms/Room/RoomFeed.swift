import TuttiCore

/// Where a room is in what it is sent.
struct RoomFeed {
    /// What it is fed from when it cannot decode the originals, or its link cannot carry them.
    var transcoded: TranscodedTimeline?
    /// The next packet to send; nil until it is found from `resumeAt`.
    var cursor: Int?
    /// The next picture to send; nil until it is found from `resumeAt`.
    var pictureCursor: Int?
    /// The next text above pictures to send; of no meaning while `pictureCursor` is nil.
    var captionCursor = 0
    /// Codings of pictures that it has been said of that the room's screen does not show them.
    var unseen: Set<VideoFormat.Codec> = []
    /// Where on the timeline sending begins when `cursor` is nil.
    var resumeAt = MediaTime.zero
    /// Whether the room's last report is from before a change of what it has to have ready.
    var isOutdated = false
    /// Whether there is more to send than its connection takes.
    var isLoading = false
    /// Whether something may wait on its media connection: it was sent something since the last look, or something
    /// waited then.
    var mayQueue = false
    /// Since when it lacks the audio at the playhead although that was sent.
    var lacksAudioSince: HostTime?

    /// What is sent next is found anew, from `resumeAt`.
    mutating func lookAnew() { (cursor, pictureCursor) = (nil, nil) }

    /// What is sent next begins at `time`.
    mutating func begin(at time: MediaTime) {
        lookAnew()
        resumeAt = time
    }

    /// Nanoseconds that it may lack audio which is on its way before it gets it again.
    static let gapTimeout: Int64 = 1_500_000_000
}
