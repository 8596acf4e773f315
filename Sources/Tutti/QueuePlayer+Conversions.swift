import Glibc
import TuttiCore
import TuttiHost
import TuttiProduction
package import TuttiRooms
import TuttiSchema
package import TuttiSender
package import TuttiSpeaker
import TuttiTrust

// What the library shows, and what it is inside. Nowhere else do the two meet.

extension PlayerItem {
    /// An entry for this item in the queue of `player`.
    func queueItem(in player: Player) -> QueueItem {
        belong(to: player)
        return QueueItem(input, listener: self)
    }
}

extension QueuePlayerError {
    package init(_ error: SenderError) {
        switch error {
        case .badRoom, .badOption, .badRecord, .noSuchTrack: self = .invalid(error.description)
        // The programs' own words for these name their commands.
        case .noSuchEntry(let number, let count): self = .invalid("no such item: \(number) (the queue has \(count))")
        case .noSuchGroup(let name), .notPlaying(let name, _): self = .invalid("\(name): no such group")
        case .noSuchSchedule(let number): self = .invalid("\(number): no such schedule")
        case .severalPlaying: self = .invalid("several groups play")
        case .roomNotFound, .roomUnreachable, .roomSlow, .roomRefused, .roomTaken: self = .room(error.description)
        case .noSuchRoom(let name): self = .room("\(name): no such room is playing")
        case .itemNotInQueue, .noSuchEntryID: self = .notInQueue
        case .itemInQueue: self = .alreadyInQueue
        case .nothingPlayable, .givenUp: self = .nothingToPlay
        case .nothingPlaying: self = .ended
        case .notNow(let reason): self = .notNow(reason)
        case .alreadyPlaying: self = .system("something is already playing")
        case .refused, .system: self = .system(error.description)
        }
    }

    package init(_ error: SpeakerError) {
        switch error {
        case .device(let reason), .mixer(let reason), .unhealthy(let reason): self = .output(reason)
        case .stateUnwritable(let path, let reason): self = .system("cannot store state in \(path): \(reason)")
        case .portInUse(let port): self = .system("port \(port) is in use")
        case .cannotListen, .trust: self = .system(error.description)
        }
    }

    /// What went wrong, if something did.
    init?(_ outcome: PlayerOutcome) {
        if let error = outcome.error {
            self.init(error)
        } else if outcome.exitCode != 0 {
            self = .incomplete(outcome.message ?? "not everything was played")
        } else {
            return nil
        }
    }

    /// The exit code of a program that ends for this reason.
    package var exitCode: Int32 {
        switch self {
        case .invalid: 2
        case .nothingToPlay, .room, .output: 3
        case .ended: 5
        case .notInQueue, .alreadyInQueue, .notNow, .incomplete, .system: 1
        }
    }
}

extension QueuePlayerEvent {
    /// Nil for what happens to a service's players only, which a later process takes up.
    package init?(_ notice: PlayerNotice) {
        switch notice {
        case .roomMissing(let room, let error): self = .roomMissing(room, reason: error.reason)
        case .roomLate(let room): self = .roomLate(room)
        case .givenUp(let failures): self = .gaveUp(failures: failures)
        case .pictures(let reason): self = .picturesFailed(reason: reason)
        case .standardInputLost, .roomsRanOut, .tracks, .said: return nil
        }
    }
}

extension QueuePlayer.TimeControlStatus {
    init(_ state: PlayerStatus.State) {
        switch state {
        case .starting, .buffering: self = .waitingToPlay
        case .playing: self = .playing
        case .paused, .ended, .stopped: self = .paused
        }
    }
}

extension QueuePlayer.Configuration {
    /// Where things are kept.
    var folder: String {
        let program = CommandLine.arguments.first?.split(separator: "/").last ?? "program"
        return stateDirectory
            ?? StatePaths(environment: ProcessEnvironment.current).stateDirectory + "/players/" + program
    }

    /// The place in the household of this user's senders.
    private func trust() throws(SenderError) -> Membership? {
        try speaksInTheClear ? nil : Membership.ofUser(stateDirectory: stateDirectory)
    }

    /// - Throws: `invalid`, `system` when the identity cannot be kept.
    func playerConfiguration() throws(QueuePlayerError) -> PlayerConfiguration {
        guard PlayerConfiguration.rates.contains(defaultRate) else { throw .invalid("a rate is from 0.5 to 2") }
        guard (-60...20).contains(gain) else { throw .invalid("a gain is from -60 to 20 dB") }
        do {
            let identity = if let identity { identity } else { try SenderIdentity.load(from: folder, trust: trust()) }
            var encoding = try encoding()
            encoding.gain = Float(pow(10, gain / 20))
            var configuration = PlayerConfiguration(
                inputs: [], rooms: [], encoding: encoding, allowsMissingRooms: allowsMissingRooms,
                identity: isAnnouncement ? identity.forAnnouncement : identity, clock: clock)
            configuration.rate = defaultRate
            configuration.crossfade = try MediaTime(crossfade: crossfade)
            (configuration.normalization, configuration.loudness) = (normalization, loudness)
            configuration.reference = reference
            configuration.tracks = tracks
            configuration.isAnnouncement = isAnnouncement
            configuration.staysAtEnd = staysInRooms
            configuration.parts = parts
            configuration.opened = opened
            return configuration
        } catch {
            throw QueuePlayerError(error)
        }
    }

    private func encoding() throws(SenderError) -> EncodingOptions {
        switch codec {
        case .flac: try EncodingOptions(codec: .flac)
        case .opus(let bitrate): try EncodingOptions(codec: .opus, bitrate: bitrate)
        case .pcm: try EncodingOptions(codec: .pcm)
        case .original: try .original
        }
    }
}

extension PlayerRoom {
    init(_ status: RoomStatus) {
        // Speakers say these, and may say anything.
        func time(_ microseconds: Double?) -> Duration? {
            microseconds.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }.map { .nanoseconds($0) }
        }
        name = status.name
        address = status.address
        state = State(status.state)
        volume = status.volume.map { $0 / 100 }
        isMuted = status.muted
        isLikelyToKeepUp = status.likelyToKeepUp
        stallCount = status.stalls
        underrunCount = status.xruns
        syncError = time(status.syncErrorUs)
        syncErrorP99 = time(status.syncErrorP99Us)
        clockSigma = time(status.clockOffsetSigmaUs)
        clockDrift = status.clockDriftPpm
        deviceDrift = status.dacPpm
        roundTrip = time(status.rttUs)
        codec = status.codec
        format = status.format
        device = status.device
        bufferedBytes = status.bufferedBytes.map { Int(clamping: $0) }
        problem = status.message
    }
}

extension PlayerRoom.State {
    init(_ state: RoomStatus.State) {
        self =
            switch state {
            case .connecting: .connecting
            case .unreachable: .unreachable
            case .idle, .preparing, .primed, .taken: .preparing
            case .playing: .playing
            case .paused: .paused
            case .stalled: .stalled
            case .ended: .ended
            case .lostDevice: .deviceLost
            }
    }
}
