package import TuttiCore

/// One datagram of the clock exchange: 64 bytes in both directions, so that both take equally long on the wire.
///
/// | bytes | request | reply |
/// |---|---|---|
/// | 0 – 1 | magic `0x54C7` | same |
/// | 2 | version (high nibble), kind 1 (low nibble) | version, kind 2 |
/// | 3 | 0 | `previousDistance` |
/// | 4 – 7 | sequence number | echoed |
/// | 8 – 15 | timescale id | same |
/// | 16 – 23 | client id | echoed |
/// | 24 – 31 | t1, sender's host ns | echoed |
/// | 32 – 39 | 0 | t2, group ns at which the request arrived |
/// | 40 – 43 | 0 | t3 − t2 in ns |
/// | 44 – 47 | 0 | t3 − t2 of an earlier reply, by the kernel's transmit stamp |
/// | 48 | bit 0: whether there is a descent; bit 1: `descent.isCoarse`; bit 4: `usesSystemClock`; others not read | same, and bit 2: `hasHardwareArrival`; bit 3: `hasHardwareDeparture` |
/// | 49 | `descent.steps` | same |
/// | 50 – 51 | `descent.losses` | same |
/// | 52 – 55 | `descent.leader` | same |
/// | 56 – 59 | `descent.age` | same |
/// | 60 – 63 | 0, not read | same |
///
/// All numbers are big-endian. A member that leads knows the kernel's stamp of a reply only after that reply has left,
/// so it travels in the next one (interleaved mode, RFC 9769).
package struct TimingMessage: Sendable, Equatable {
    /// Which way a message goes.
    package enum Kind: UInt8, Sendable {
        /// From a follower to the leader.
        case request = 1
        /// From the leader back.
        case reply = 2
    }

    /// The size of every message.
    package static let byteCount = 64
    /// The version spoken by this build.
    package static let version: UInt8 = 1
    /// The first two bytes.
    static let magic: UInt16 = 0x54C7
    /// The largest magnitude of a time on the wire: 2⁶¹ ns, 73 years; sums of two never overflow.
    static let maximumNanoseconds: Int64 = 1 << 61
    /// The longest that a leader may hold a request.
    static let maximumHold: UInt32 = 1_000_000_000

    /// Request or reply.
    package var kind: Kind
    /// The group clock asked for.
    package var timescale: TimescaleID
    /// A random number that names the follower.
    package var clientID: UInt64
    /// Counts requests of one follower, from a random start and wrapping.
    package var sequence: UInt32
    /// Host nanoseconds of the follower just before sending; the leader only echoes it.
    package var t1: Int64
    /// Group nanoseconds at which the request arrived at the leader; 0 in a request.
    package var t2: Int64 = 0
    /// Nanoseconds from t2 until the leader sent the reply (user-space estimate), at most one second.
    package var hold: UInt32 = 0
    /// `sequence` minus the sequence number of the earlier reply that `previousHold` is about; 0 when there is none.
    package var previousDistance: UInt8 = 0
    /// Nanoseconds from t2 to the kernel's transmit stamp of that earlier reply.
    package var previousHold: UInt32 = 0
    /// Whether t2 is the stamp of a network interface's hardware.
    package var hasHardwareArrival = false
    /// Whether `previousHold` ends with such a stamp.
    package var hasHardwareDeparture = false
    /// In a request, whether whoever asks, and all who ask that one, go by their hosts' system clocks; in a reply,
    /// whether the group's clock does.
    package var usesSystemClock = false
    /// Where the time of whoever sends the message comes from; nil when that is not known, or from an older program.
    package var descent: ClockDescent?

    /// Group nanoseconds at which the reply was sent, as far as the leader knew when it wrote it.
    package var t3: Int64 { t2 + Int64(hold) }

    /// A request.
    package init(requestOn timescale: TimescaleID, clientID: UInt64, sequence: UInt32, t1: Int64) {
        kind = .request
        self.timescale = timescale
        self.clientID = clientID
        self.sequence = sequence
        self.t1 = t1
    }

    /// The reply to `request`, received at `t2` and sent `hold` later.
    package init(replyTo request: TimingMessage, t2: Int64, hold: UInt32) {
        self = request
        kind = .reply
        self.t2 = t2
        self.hold = hold
        previousDistance = 0
        previousHold = 0
        (hasHardwareArrival, hasHardwareDeparture, usesSystemClock) = (false, false, false)
        descent = nil
    }
}
