import Logging
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// What is to happen later.
extension House {
    /// Seconds before a start at which rooms that are idle are connected and filled.
    static let lead = 30.0
    /// The same for rooms that are playing: what they play ends then.
    static let busyLead = 2.0
    /// Seconds by which a start may be late.
    static let tolerance: Int64 = 300
    /// Seconds before a start at which it is checked again whether it will play.
    private static let checkLead = 60.0
    /// Seconds after its time for which a start that fails is tried again, and between two attempts.
    private static let (persistence, pause) = (60.0, 5.0)
    /// Seconds between two looks at the wall clock, which may be set at any time.
    private static let look = 10.0

    /// Makes a schedule.
    func schedule(
        _ order: PlayOrder, _ words: String, as name: String?
    ) async throws(SenderError) -> ControlResponse {
        let (number, problems) = try await add(order, words, as: name)
        var response = ControlResponse()
        response.notices = problems
        response.schedules = listings().filter { $0.number == number }
        return response
    }

    /// Cancels schedules.
    func cancel(_ numbers: [Int]) throws(SenderError) -> ControlResponse {
        try store.removeSchedules(numbers)
        for number in numbers { schedules[number] = nil }
        wake()
        return listed()
    }

    /// All schedules.
    func listed() -> ControlResponse {
        var response = ControlResponse()
        response.schedules = listings()
        return response
    }

    /// - Returns: its number, and what is wrong by now that may be well by then.
    private func add(
        _ order: PlayOrder, _ words: String, as given: String?
    ) async throws(SenderError) -> (Int, [String]) {
        guard let schedule = Schedule(parsing: words) else { throw .badOption("\(words): \(Self.grammar)") }
        try order.check()
        let place = Self.name(of: order, try order.addresses())
        let name = spelled(given ?? place)
        let record = ScheduleRecord(
            when: schedule.text, made: Int64(configuration.wallClock()), group: name, order: order)
        guard next(record) != nil else { throw .badOption("\(words): this time has passed") }
        // At the scheduled time, it is too late to report what is wrong.
        let away = try await book.check(try rooms(of: order))
        try await InputCheck(network: configuration.network).check(try named(order).assets(), areToBePlayed: false)
        let number = try store.addSchedule(record)
        schedules[number] = record
        logger.info("scheduled", metadata: ["schedule": "\(number)", "when": "\(schedule.text)", "group": "\(name)"])
        wake()
        return (number, away.map { "\($0); the alarm will try again" })
    }

    private static let grammar =
        "not a time; use 07:00, mon-fri 07:00, daily 07:00, 2026-12-24 18:00, in 20m or in 1h30m"

    private func listings() -> [ScheduleListing] {
        let listed = schedules.compactMap { number, schedule -> ScheduleListing? in
            guard let order = schedule.order else { return nil }
            return ScheduleListing(
                number: number, when: schedule.when, next: next(schedule).map(Double.init), group: schedule.group,
                order: order, missed: schedule.missed.map(Double.init), problem: schedule.problem)
        }
        return listed.sorted { ($0.next ?? .infinity, $0.number) < ($1.next ?? .infinity, $1.number) }
    }

    /// When a schedule is due next, in seconds since 1970 UTC.
    func next(_ schedule: ScheduleRecord) -> Int64? {
        Schedule(parsing: schedule.when)?.next(after: schedule.done, made: schedule.made, in: configuration.zone)
    }

    // MARK: Waiting

    /// Looks at the schedules again, now and whenever one may be due.
    func wake() {
        alarm?.cancel()
        alarm = Task {
            while !Task.isCancelled {
                let wait = await self.attend()
                try? await Task.sleep(for: .milliseconds(Int64(max(wait, 0.01) * 1_000)))
            }
        }
    }

    /// Does what is due.
    ///
    /// - Returns: seconds until it is worth looking again.
    private func attend() async -> Double {
        let now = configuration.wallClock()
        var wait = Self.look
        for (number, schedule) in schedules {
            guard let time = next(schedule), underway[number] != time else { continue }
            let untilCheck = Double(time) - now - Self.checkLead
            if schedule.order != nil, checked[number] != time {
                if untilCheck > 0 {
                    wait = min(wait, max(untilCheck, 0.05))
                } else {
                    checked[number] = time
                    Task { await self.examine(number, at: time) }
                }
            }
            let ahead = schedule.order == nil ? Self.fadeOut : await isBusy(schedule) ? Self.busyLead : Self.lead
            let left = Double(time) - now - ahead
            if left > 0 {
                wait = min(wait, max(left, 0.05))
            } else {
                underway[number] = time
                Task { await self.carryOut(number, schedule, at: time) }
            }
        }
        return wait
    }

    /// Whether something plays in the rooms, or the group, of a schedule.
    private func isBusy(_ schedule: ScheduleRecord) async -> Bool {
        if playing[Names.fold(schedule.group)] != nil { return true }
        guard !playing.isEmpty, let order = schedule.order, let rooms = try? rooms(of: order) else { return false }
        for group in playing.values {
            let present = await group.player.status().rooms
            if present.contains(where: { room in rooms.contains { $0.isMeant(by: room.name, room.address) } }) {
                return true
            }
        }
        return false
    }

    // MARK: Doing

    private func carryOut(_ number: Int, _ schedule: ScheduleRecord, at time: Int64) async {
        let late = Int64(configuration.wallClock()) - time
        var isMissed = false
        var problem: String?
        if let order = schedule.order, late <= Self.tolerance {
            problem = await play(order, number, schedule, at: time)
            isMissed = problem != nil
        } else if schedule.order == nil {
            await fallAsleep(Names.fold(schedule.group))
        } else {
            logger.warning(
                "missed a start by \(late) s; it was scheduled for \(LocalZone.text(Double(time)))",
                metadata: ["schedule": "\(number)", "group": "\(schedule.group)"])
            isMissed = true
        }
        conclude(number, schedule, time, isMissed: isMissed, problem)
    }

    /// - Returns: why it did not play; nil if it did.
    private func play(
        _ order: PlayOrder, _ number: Int, _ schedule: ScheduleRecord, at time: Int64
    ) async -> String? {
        while true {
            let ahead = Double(time) - configuration.wallClock()
            let start = configuration.clock.now().advanced(byNanoseconds: Int64(ahead * 1e9))
            do throws(SenderError) {
                let plan = try await plan(order, any: true)
                let started = try await inTurn { () async throws(SenderError) in
                    try await self.play(order, plan, as: schedule.group, at: start)
                }
                logger.info("schedule started", metadata: ["schedule": "\(number)", "group": "\(schedule.group)"])
                // From then on, the rooms start without this process.
                guard let outcome = await started.player.started(), outcome.exitCode != 0 else { return nil }
                let reason = outcome.message ?? "playback failed"
                await shout("did not play: \(reason)", number, schedule)
                return reason
            } catch {
                // Better late than never; what plays elsewhere has not been touched.
                if ahead > -Self.persistence {
                    try? await Task.sleep(for: .seconds(Self.pause))
                    guard schedules[number] != nil, !isLeaving else { return nil }
                    continue
                }
                await shout("did not play: \(error)", number, schedule)
                return "\(error)"
            }
        }
    }

    /// Takes note that a schedule has been carried out, or missed.
    private func conclude(
        _ number: Int, _ schedule: ScheduleRecord, _ time: Int64, isMissed: Bool, _ problem: String?
    ) {
        underway[number] = nil
        guard var record = schedules[number] else { return }
        record.done = max(time, Int64(configuration.wallClock()))
        record.missed = isMissed ? time : nil
        record.problem = problem
        let repeats = Schedule(parsing: record.when)?.repeats ?? false
        do throws(SenderError) {
            if repeats || isMissed {
                schedules[number] = record
                try store.updateSchedule(number, record)
            } else {
                schedules[number] = nil
                try store.removeSchedules([number])
            }
        } catch {
            // The store has reported it.
        }
    }
}
