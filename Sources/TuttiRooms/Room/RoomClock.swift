import TuttiCore
import TuttiHost
import TuttiTiming
import TuttiWire

/// A room's part in the group's clock.
struct RoomClock {
    /// Its clock, when it is not the group's; for announcements alone.
    var own: GroupClock?
    /// Where its speaker answers timing requests; nil while that is not known.
    var address: TuttiHost.SocketAddress?
    /// What it was told of the clock last, on this connection.
    var told: ClockAnnouncement?
    /// What it was told of the reference timebase last, on this connection.
    var toldReference: ReferenceCommand?
    /// When it was told of a clock, having known none.
    var birth: HostTime?
    /// How often it had asked this host for the time when its media connection was open, and when that was.
    var introduction: (count: Int, begin: HostTime)?
    /// Whether it has asked often enough since then to be sent audio.
    var isIntroduced = false

    /// Nanoseconds for which a clock is young: the burst of exchanges, and half as long again.
    private static let youth: Int64 = 2_000_000_000
    /// Nanoseconds for which a room is loaded gently at most while its clock's standard deviation is above so many µs,
    /// which takes a radio some seconds and a cable none; and seconds that it has to buffer for that.
    private static let (longestShyness, sureSigma, shyLead) = (Int64(8_000_000_000), 6.0, 5.0)

    /// How far the room has got to know its clock.
    ///
    /// - Parameters:
    ///   - sigmaUs: its clock's standard deviation by its last report, µs.
    ///   - lead: seconds that it buffers ahead of what plays.
    func acquaintance(sigmaUs: Double?, lead: Double, now: HostTime) -> LinkCare.Acquaintance {
        guard let age = birth.map({ now.nanoseconds(since: $0) }) else { return .long }
        let isSure = sigmaUs.map { $0 <= Self.sureSigma } ?? false
        if age < Self.longestShyness, !isSure, lead >= Self.shyLead { return .shy }
        return age < Self.youth ? .young : .long
    }
}
