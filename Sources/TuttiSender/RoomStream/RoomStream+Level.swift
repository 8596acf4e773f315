import TuttiRooms
import TuttiWire

/// How loud the rooms are.
extension RoomStream {
    /// What was asked for.
    struct Level {
        /// Whether anything was.
        var isSet = false
        /// 0 … 100; nil for as loud as each room already is.
        var percent: Double?
        var isMuted = false
        /// Milliseconds of the way there.
        var ramp = 0.0
    }

    /// Sets the rooms' volume to a linear factor. Until another one than 1 is asked for, the rooms are left as loud as
    /// they are; 0 mutes them, and keeps their volume.
    ///
    /// - Parameters:
    ///   - gain: 0 … 1.
    ///   - ramp: milliseconds of the way there.
    package nonisolated func setGain(_ gain: Float, rampMilliseconds ramp: Int) {
        perform { stream in
            stream.level.ramp = Double(ramp)
            stream.level.isMuted = gain <= 0
            stream.level.isSet = stream.level.isSet || gain != 1
            if gain > 0, gain < 1 || stream.level.percent != nil {
                stream.level.percent = VolumeCommand.percent(ofAmplitude: Double(gain))
            }
            stream.levelled = []
            for room in stream.group.members { stream.tellLevel(to: room) }
        }
    }

    /// Tells a room the level if it is another than its own; again when it has been away.
    func tellLevel(to room: any GroupRoom) {
        // Its own is known with its first status.
        guard room.isUp, room.playback != nil else {
            levelled.remove(room.number)
            return
        }
        guard level.isSet, levelled.insert(room.number).inserted else { return }
        let wanted = VolumeCommand(
            percent: level.percent ?? room.loudness.level.percent, isMuted: level.isMuted,
            rampMs: min(level.ramp, WireLimits.rampMs.upperBound))
        guard wanted.percent != room.loudness.level.percent || wanted.isMuted != room.loudness.level.isMuted else {
            return
        }
        room.setLoudness(wanted)
    }
}
