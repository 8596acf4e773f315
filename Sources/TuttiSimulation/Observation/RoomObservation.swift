/// A room at one instant.
package struct RoomObservation: Sendable, Equatable, Codable {
    package var name: String
    /// Whether its process is there and runs, and its host is awake.
    package var isRunning: Bool
    /// How often its process has been started.
    package var incarnation: Int
    /// Whether its card is there.
    package var isPlugged: Bool
    /// What the speaker says that it does, as in `SpeakerStatus.State`.
    package var state: String
    /// Names the sender whose it is; nil when it is nobody's.
    package var owner: String?

    /// The newest timebase that it was told.
    package var timebase: TimebaseObservation?
    /// Whether sound is due: a timebase that runs has begun, and the programme is not over.
    package var isDue: Bool
    /// Whether it holds what is due and the second behind that, or all there is: with less, one that has broken off
    /// waits.
    package var holdsDue = true
    /// What played since the observation before, and counted so far.
    package var truth = RoomTruth()

    /// What it holds of the programme, in order.
    package var loaded: [MediaSpan] = []
    /// Which of the sender's cuts it has followed.
    package var generation: UInt32 = 0
    /// Payload bytes that it holds, and how many it has said it has room for.
    package var bufferedBytes: Int64 = 0
    package var bufferBytes: Int64 = 0

    /// Its group clock; nil when it knows none.
    package var clock: ClockObservation?
    /// Nanoseconds that a frame to it and its answer would wait behind others on its link.
    package var queueing: Int64 = 0
    /// 0 … 100.
    package var volume: Double = 100
    package var isMuted = false

    /// A room.
    package init(
        name: String, isRunning: Bool, incarnation: Int, isPlugged: Bool, state: String, owner: String? = nil,
        timebase: TimebaseObservation? = nil, isDue: Bool = false, clock: ClockObservation? = nil
    ) {
        self.name = name
        self.isRunning = isRunning
        self.incarnation = incarnation
        self.isPlugged = isPlugged
        self.state = state
        self.owner = owner
        self.timebase = timebase
        self.isDue = isDue
        self.clock = clock
    }
}
