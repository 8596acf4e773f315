package import TuttiClock
package import TuttiCore
package import TuttiPlayback
import TuttiProduction
package import TuttiRooms
package import TuttiTiming
import TuttiWire

/// A player as one sees it who may look inside: for simulations.
package struct PlayerInspection: Sendable {
    /// A room.
    package struct Room: Sendable {
        /// As it was asked for.
        package let name: String
        package let isUp: Bool
        package let generation: UInt32
        /// Payload bytes sent on its media connection, and those that it has granted.
        package let sentBytes: UInt64
        package let grantedBytes: UInt64
        /// How loud it is to be, 0 … 100; nil while it has not said how loud it is.
        package let volume: Double?
        /// Counts with `volume`.
        package let isMuted: Bool
    }

    package let queue: PlayQueue<QueueItem>
    package let isPlaying: Bool
    package let isFinished: Bool
    /// How long a track and the next one overlap.
    package let crossfade: MediaTime
    package let rate: Double
    package let stream: UInt32
    /// The timebase that the rooms are told.
    package let playhead: Playhead
    /// Payload bytes held for the rooms.
    package let logBytes: Int
    package let rooms: [Room]
    /// Where it stands in the group clock, and the clock fit in force.
    package let standing: GroupClock.Standing?
    package let clock: ClockEstimate?
}

extension Player {
    /// How it stands now.
    package func inspect() -> PlayerInspection {
        follow()
        let isToPlay = phase == .filling(thenPlay: true) || phase == .connecting && playsOnceReady
        return PlayerInspection(
            queue: queue, isPlaying: phase == .playing || isToPlay, isFinished: phase == .finished,
            crossfade: scheduling.crossfade, rate: scheduling.rate, stream: group.streamID, playhead: playhead,
            logBytes: group.log.byteCount,
            rooms: group.members.map { room in
                PlayerInspection.Room(
                    name: room.address.name, isUp: room.isUp, generation: room.traffic.generation,
                    sentBytes: room.traffic.sentBytes, grantedBytes: room.traffic.grantedBytes,
                    volume: room.loudness.isKnown ? room.loudness.level.percent : nil,
                    isMuted: room.loudness.level.isMuted)
            }, standing: group.clock.standing, clock: group.clock.estimates.read())
    }
}
