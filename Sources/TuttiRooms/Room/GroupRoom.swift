package import TuttiCore
package import TuttiSchema
package import TuttiWire

/// A room of a group, as its owner sees it: whoever plays a timeline there.
///
/// The targets above this one know rooms by this alone, whatever kind of speaker stands behind one. A kind gives facts:
/// what the room is called, how far it is connected, what it plays and buffers, how loud it is. How it is reached and
/// fed is the kind's own business. `Room` is the kind for Tutti speakers.
///
/// Belongs to its group; used on the group's event loop.
package protocol GroupRoom: AnyObject {
    // MARK: Identity

    /// Its own in its group; never used twice.
    var number: Int { get }
    /// Its name in messages: the speaker's own once that is known.
    var label: String { get }
    /// What it was asked for by, and where its speaker is.
    var address: RoomAddress { get }
    /// The speaker's id, once it has answered.
    var speakerID: String? { get }

    // MARK: Connection

    /// How far it is connected.
    var link: RoomLink { get }
    /// Whether something is there that has not reported yet that it can be played to.
    var isAnswering: Bool { get }
    /// Why it is not up, and the exit code if nothing can be played for that.
    var problem: SenderError? { get }
    /// When its speaker last sent anything.
    var lastHeard: HostTime { get }

    // MARK: Playback

    /// What the speaker reports that it does; nil until it has reported anything.
    var playback: RoomStatus.State? { get }
    /// The audio that it reports to buffer, on the timeline.
    var loaded: [TimeRange] { get }
    /// Seconds of audio that it can buffer; nil until it has answered.
    var bufferSeconds: Double? { get }
    /// Whether it was told to drop audio and has not confirmed that.
    var isFlushing: Bool { get }
    /// Whether its report is from before a change of what it has to have ready.
    var isOutdated: Bool { get }
    /// Whether an instant can be named on its clock.
    var isClockSettled: Bool { get }

    // MARK: Commands

    /// How loud it is.
    var loudness: RoomLoudness { get }

    /// Sets how loud it is, and how loud it would be if the scale had no ends; nil where its volume is set alone.
    func setLoudness(_ level: VolumeCommand, balance: Double?)

    /// Sets how late its output is before correction, in milliseconds of ±5000.
    func setOutputDelay(_ milliseconds: Double)

    /// Gives it another name, which its speaker keeps: 1 … 63 bytes.
    ///
    /// - Throws: `.roomRefused` where the speaker cannot be given one.
    func setName(_ name: String) throws(SenderError)

    /// Plays there though another sender may: a person wants it.
    func takeOver()

    // MARK: An earlier process

    /// What it knows of the playback from an earlier process; nil until it has answered.
    var known: KnownPlayback? { get }
    /// What it buffers from an earlier process and is to keep.
    var kept: [TimeRange] { get }

    /// Tells it clock and timebase, has it drop what is not to stay, and begins to send what it lacks. Nothing happens
    /// unless it has answered.
    ///
    /// - Parameter end: where it was told that the timeline ends, as far as is known here.
    func takeUp(knownEnd end: MediaTime?)

    // MARK: Reports

    /// How it stands, as it is shown.
    ///
    /// - Parameters:
    ///   - origin: where the times shown have their zero.
    ///   - rate: how many seconds of those times pass in a second of the timeline.
    func report(origin: MediaTime, rate: Double) -> RoomStatus

    /// What is written down of it.
    var record: StoredRoom { get }
    /// What was sent to it.
    var traffic: RoomTraffic { get }
}

/// How far a room is connected.
package enum RoomLink: Sendable, Equatable {
    /// Nothing is open; the next attempt is due then.
    case down(retryAt: HostTime)
    /// A connection is coming up, or the speaker's answer is awaited.
    case connecting
    /// The speaker has answered; it cannot be played to yet.
    case welcomed
    /// It can be played to.
    case up
    /// The speaker does not want us, or is not the one that was asked for.
    case refused
}

/// What a room knows of the playback that an earlier process of this sender began there.
package struct KnownPlayback: Sendable, Equatable {
    /// The timebase that it plays on; nil for none.
    package var playhead: Playhead?
    /// The clock that it knows; nil for none.
    package var timescale: TimescaleID?

    package init(playhead: Playhead?, timescale: TimescaleID?) {
        (self.playhead, self.timescale) = (playhead, timescale)
    }
}

/// What was sent to a room, for those who may look inside.
package struct RoomTraffic: Sendable, Equatable {
    /// The generation of its audio.
    package var generation: UInt32 = 0
    /// Payload bytes that were sent on its connection.
    package var sentBytes: UInt64 = 0
    /// Payload bytes that it has granted.
    package var grantedBytes: UInt64 = 0

    package init() {}
}

extension GroupRoom {
    /// Whether it can be played to.
    package var isUp: Bool { link == .up }

    /// Whether a person has asked another sender to play there.
    package var isTaken: Bool {
        guard link == .refused, case .roomTaken = problem else { return false }
        return true
    }

    /// Whether it goes by this name, or its speaker by this id.
    package func isCalled(_ name: String) -> Bool {
        !name.isEmpty && (Names.areSame(label, name) || speakerID == name)
    }

    /// Whether it can start at once, or has a reason of its own not to.
    package var isReady: Bool {
        guard isUp, !isFlushing, !isOutdated, let playback else { return false }
        switch playback {
        case .primed, .paused, .lostDevice: return true
        case .connecting, .unreachable, .taken, .idle, .preparing, .playing, .stalled, .ended: return false
        }
    }

    /// Where sending resumes: the end of what it keeps around `position`, or `position` itself.
    package func resumePoint(at position: MediaTime) -> MediaTime {
        SenderSession.resumePoint(after: kept, playhead: position)
    }

    /// Sets how loud it is; its balance with other rooms stays.
    package func setLoudness(_ level: VolumeCommand) { setLoudness(level, balance: loudness.balance) }
}
