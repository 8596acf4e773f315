import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiTiming

/// A member whose host has a system clock, in that host's time, where group time is host time.
private struct VirtualMember {
    static let timescale = TimescaleID(rawValue: 5)

    var clock = SystemClock()
    /// Nanoseconds of the host.
    var now: Int64 = 100_000_000_000
    /// The system clock: ahead by so many ns, and running so much faster.
    var ahead: Int64 = 1_700_000_000_000_000_000
    var rate = 0.0
    var isSynchronised = true
    var isLeading = false
    var isOfAll = true
    /// What the exchanges say: how far they are off, and how sure, ns.
    var (error, sigma) = (0.0, 800.0)
    /// The line in force, and one that a leader led along.
    private(set) var line: ClockEstimate?
    /// The largest step of the line from one look to the next, ns.
    private(set) var largestStep = 0.0
    private var drifted = 0.0

    var host: HostTime { HostTime(nanoseconds: now) }
    var system: Int64 { now + ahead + Int64(drifted.rounded()) }

    private var own: ClockEstimate {
        if isLeading, let line { return line }
        return ClockEstimate(
            timescale: Self.timescale, referenceHost: host, offset: Int64(error), drift: 0, offsetSigma: sigma,
            driftSigma: 1e-9)
    }

    /// How far the line in force is from true group time, ns.
    var off: Double {
        line?.groupNanoseconds(atHostNanoseconds: now, since: now) ?? .nan
    }

    /// Lets so many seconds pass, in looks 50 ms apart.
    mutating func run(_ seconds: Double) {
        for look in 0..<Int(seconds * 20) {
            now += 50_000_000
            drifted += 50_000_000 * rate
            if look % 5 == 0 {
                clock.take(
                    SystemClockReading(
                        host: host, system: system, uncertainty: 40, isSynchronised: isSynchronised,
                        maximumErrorUs: 120, estimatedErrorUs: 30))
            }
            let before = line.map { $0.groupNanoseconds(atHostNanoseconds: now, since: now) }
            line = clock.line(own, isLeading: isLeading, isOfAll: isOfAll, now: host)
            if let before { largestStep = max(largestStep, abs(off - before)) }
        }
    }
}

struct SystemClockTests {
    @Test func isTakenOnceItHasAgreedForAWhile() {
        var member = VirtualMember()
        // Its clock is 20 µs from where the group's leader has its own: that is what it goes by.
        member.ahead += 20_000
        member.run(4)
        #expect(member.clock.report.reason == .waiting)
        member.run(26)
        #expect(member.clock.report.reason == nil)
        #expect(abs(member.off - 20_000) < 1_000)
        #expect(abs((member.clock.report.offsetUs ?? 0) - 20) < 1)
        #expect(member.clock.report.maximumErrorUs == 120 && member.clock.report.estimatedErrorUs == 30)
        #expect(member.largestStep < 1_100)
    }

    @Test func membersOfOneTimeAgreeWhateverTheirExchangesSay() {
        var members = [VirtualMember(), VirtualMember()]
        (members[0].error, members[1].error) = (3_000, -5_000)
        members[1].now += 7_777_777_777
        for index in members.indices { members[index].run(60) }
        #expect(members.allSatisfy { $0.clock.report.reason == nil })
        #expect(abs(members[0].off - members[1].off) < 200)
    }

    @Test(arguments: [30, -250] as [Double]) func aRateIsFollowed(ppm: Double) {
        var member = VirtualMember()
        member.isLeading = true
        member.rate = ppm * 1e-6
        member.run(10)
        member.run(60)
        #expect(abs((member.line?.drift ?? 0) - ppm * 1e-6) < 2.1e-6)
        #expect(member.clock.report.reason == nil)
    }

    @Test func aLeaderComesToWholeMillisecondsAndStaysThere() {
        var member = VirtualMember()
        member.isLeading = true
        member.ahead += 300_000
        member.run(20)
        #expect(!member.clock.isSettled)
        member.run(200)
        #expect(member.clock.isSettled)
        let rest = (member.line?.groupTime(at: member.host).nanoseconds ?? 0) - member.system
        let off = abs(rest % SystemClock.grid)
        #expect(min(off, SystemClock.grid - off) < 500)
        #expect(member.largestStep < 150)
    }

    @Test func aClockIsBegunOnWholeMilliseconds() throws {
        var member = VirtualMember()
        #expect(member.clock.firstOffset(near: 5, now: member.host) == nil)
        member.run(2)
        let offset = try #require(member.clock.firstOffset(near: 123_456_789_012_345, now: member.host))
        #expect(abs(offset - 123_456_789_012_345) <= SystemClock.grid)
        let off = abs((member.now + offset - member.system) % SystemClock.grid)
        #expect(min(off, SystemClock.grid - off) < 200)
    }

    @Test func oneThatIsElsewhereIsNotTaken() {
        var member = VirtualMember()
        member.ahead += 300_000
        member.run(60)
        #expect(member.clock.report.reason == .disagrees)
        #expect(abs(member.off) < 1)
    }

    @Test func oneThatWandersOffIsLeftWithoutAJump() {
        var member = VirtualMember()
        member.run(20)
        #expect(member.clock.report.reason == nil)
        _ = member.clock.takeRemark()
        member.rate = 10e-6
        member.run(40)
        #expect(member.clock.report.reason == .disagrees)
        #expect(member.clock.takeRemark() != nil)
        #expect(member.clock.takeRemark() == nil)
        #expect(member.largestStep < 1_100)
        member.run(30)
        #expect(abs(member.off) < 600)
        // Back in its place it is taken again, but not soon.
        member.rate = 0
        member.ahead -= Int64(40 * 10e3 + 30 * 10e3)
        member.run(50)
        #expect(member.clock.report.reason == .disagrees)
        member.run(40)
        #expect(member.clock.report.reason == nil)
    }

    /// A leap second, and what NTP sets.
    private static let steps: [Int64] = [1_000_000_000, -1_000_000_000, 37_000_000, 260_000, -3_600_000_000_000]

    @Test(arguments: steps, [true, false])
    func aStepMovesNothing(step: Int64, isLeading: Bool) {
        var member = VirtualMember()
        member.isLeading = isLeading
        member.run(30)
        let before = member.off
        member.ahead += step
        member.run(30)
        #expect(member.largestStep < 1_100)
        let isOnGrid = step % SystemClock.grid == 0
        if isOnGrid { #expect(member.clock.report.reason == nil) }
        #expect(abs(member.off - before) < (isOnGrid ? 20 : 70_000))
    }

    @Test func anUnsynchronisedOneIsNeverTaken() {
        var member = VirtualMember()
        member.isSynchronised = false
        member.run(60)
        #expect(member.clock.report.reason == .notSynchronised)
        member.isSynchronised = true
        member.run(20)
        #expect(member.clock.report.reason == nil)
        member.isSynchronised = false
        member.run(1)
        #expect(member.clock.report.reason == .notSynchronised)
        #expect(member.largestStep < 1_100)
    }

    @Test func inAMixedGroupExchangesAloneCount() {
        var member = VirtualMember()
        member.isOfAll = false
        member.ahead += 50_000
        member.run(60)
        #expect(member.clock.report.reason == .mixed)
        #expect(abs(member.off) < 1)
    }

    @Test func oneThatStopsBeingReadIsNotTaken() {
        var member = VirtualMember()
        member.run(20)
        let line = member.line
        let later = HostTime(nanoseconds: member.now + 3_000_000_000)
        if let line { _ = member.clock.line(line, isLeading: false, isOfAll: true, now: later) }
        #expect(member.clock.report.reason == .unsteady)
    }

    @Test func aWideDistanceIsTakenAtOnceAsWithoutASystemClock() {
        var member = VirtualMember()
        member.run(20)
        // A member turns to another leader, half a second away: its own protocol has let that happen.
        member.error = 400_000_000
        member.run(0.2)
        #expect(abs(member.off - 400_000_000) < 1)
    }
}
