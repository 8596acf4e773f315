package import TuttiAssets
package import TuttiCore

/// What the producer is to make: one track of the timeline, or the rest of it.
package struct ProducerItem: Sendable {
    /// The work item's number, which grows; what was made for an older one is dropped.
    package let serial: Int
    package let input: AssetInput
    /// Which of its audio tracks is read.
    package let choice: TrackChoice
    /// Where the track's first frame lies on the timeline, or would.
    package let start: MediaTime
    /// The place in it to begin at.
    package let offset: MediaTime
    /// Where that place lies on the timeline.
    package let begin: MediaTime
    /// Whether it has been made up to `begin`. It goes on there to the frame, whatever the rate of its frames is now.
    package let isRest: Bool
    /// How many seconds of it pass in a second of the timeline.
    package let rate: Double
    /// The crossfade tail of the track before. This track begins where the tail does, which is the place of `start` if
    /// anything of this track has been produced.
    package let head: CrossfadeTail?
    /// The longest crossfade with the next track, in seconds of the timeline: a tail of that length is left to be
    /// produced with it.
    package let crossfade: MediaTime
    /// How loud it is made.
    package let level: TrackLevel
    /// Whether there is less difference between loud and soft.
    package let night: NightMode
    /// How it is played where it is live.
    package var live: LiveOrder?
    /// An input that has been opened already: perhaps this one.
    private(set) var opened: OpenedAsset?

    /// A tail alone.
    package init(_ ending: CrossfadeTail, serial: Int, night: NightMode = NightMode(false)) {
        self.init(
            serial: serial, input: ending.input, choice: ending.choice,
            start: ending.time - ending.place.scaled(by: 1 / ending.rate),
            offset: ending.place, begin: ending.time, rate: ending.rate, head: nil, crossfade: .zero,
            level: .gain(ending.gain), night: night)
    }

    package init(
        serial: Int, input: AssetInput, choice: TrackChoice = .automatic, start: MediaTime, offset: MediaTime,
        begin: MediaTime, isRest: Bool = false, rate: Double,
        head: CrossfadeTail?, crossfade: MediaTime, level: TrackLevel = .gain(1),
        night: NightMode = NightMode(false), opened: OpenedAsset? = nil
    ) {
        precondition(rate > 0, "a track plays at a rate above 0")
        self.serial = serial
        self.input = input
        self.choice = choice
        self.start = start
        self.offset = offset
        self.begin = begin
        self.isRest = isRest
        self.rate = rate
        self.head = head
        self.crossfade = crossfade
        self.level = level
        self.night = night
        self.opened = opened
    }

    /// Whether reading may take long.
    var isSlow: Bool { input.isRemote || input.isReadOnce || head?.input.isRemote ?? false }

    /// Where the tail begins that is left to be produced with the next track; nil when there is none.
    package func tailPlace(of info: AssetInfo) -> MediaTime? {
        guard let place = info.tailPlace(crossfade: crossfade, rate: rate) else { return nil }
        let begin = MediaTime(frame: offset.frame(at: info.sampleRate), sampleRate: info.sampleRate)
        return max(place, begin)
    }

    /// The tail from `place` on, which lies at `time`; nil when nothing is left.
    ///
    /// - Parameter gain: what the track's samples are multiplied with.
    package func ending(
        of info: AssetInfo, from place: MediaTime, at time: MediaTime, gain: Float = 1
    ) -> CrossfadeTail? {
        guard let duration = info.duration, duration > place else { return nil }
        return CrossfadeTail(
            input: input, choice: choice, place: place, time: time, end: time + (duration - place).scaled(by: 1 / rate),
            rate: rate,
            sampleRate: info.sampleRate, crossfade: min(crossfade, duration.scaled(by: 0.5 / rate)), gain: gain)
    }
}
