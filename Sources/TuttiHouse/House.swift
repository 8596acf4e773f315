import Logging
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// All that one sender plays: a player for each group of rooms, kept in the store so that the next house goes on with
/// them.
///
/// What changes which players there are, and in which rooms, is done one after the other in the order in which it was
/// asked for. What is asked of one player goes straight to it.
package actor House {
    /// A group that plays.
    struct Playing {
        /// Tells one player of a group from the next.
        let serial: Int
        let player: Player
        let rows: PlayerRows
        /// What it was asked to play last.
        var order: PlayOrder?
        /// Whether it began at an appointed time, as loud as was wanted for that.
        var isAlarm = false
        /// Whether its queue is kept when it stops; not when another one takes its place.
        var keepsQueue = true
        /// Ends with the player.
        var end: Task<Void, Never>?
    }

    let configuration: HouseConfiguration
    /// What plays, by the group's name as `Names` folds it.
    var playing: [String: Playing] = [:]
    /// The groups' names as people write them, by the same.
    var names: [String: String] = [:]
    /// What does not play, and can be resumed, likewise.
    var stopped: [String: Stopped] = [:]
    /// The rooms as they were stored last.
    var known: [String: HouseStore.KnownRoom] = [:]
    /// What is to happen later, by number.
    var schedules: [Int: ScheduleRecord] = [:]
    /// The times of schedules that are being carried out.
    var underway: [Int: Int64] = [:]
    /// The times for which it has been checked whether schedules will be heard.
    var checked: [Int: Int64] = [:]
    /// Whether this is a command that does one thing in place of a service that is gone.
    var isVisiting = false
    /// Whether the rooms are left as they are, and what becomes of the players is nothing to remember.
    var isLeaving = false
    /// Wakes whoever waits for the next schedule.
    var alarm: Task<Void, Never>?
    /// Keeps the rooms on one clock, again and again.
    var houseClock: HouseClock?
    var clockKeeper: Task<Void, Never>?
    /// When all rooms were looked at for that last.
    var clockLookedAt: HostTime?
    /// Tells rooms whom the household has revoked.
    var trustKeeper: Task<Void, Never>?
    /// Those who watch all that happens here.
    var watchers = HouseWatchers()
    /// What of each group's tracks was heard, by the group's name.
    var listening: [String: Listening] = [:]
    /// How rooms stand in which nothing plays.
    let readings = RoomReadings()
    private var serial = 0
    private var turn: Task<Void, Never>?

    /// A house in which nothing plays yet.
    package init(_ configuration: HouseConfiguration) { self.configuration = configuration }

    var store: HouseStore { configuration.store }
    var logger: Logger { configuration.logger }

    /// Goes on with what the store knows of: what played, and what is to happen later.
    package func start() async {
        for remark in store.remarks { logger.warning("\(remark)") }
        store.onTrouble { [logger] line in logger.warning("\(line)") }
        do throws(SenderError) {
            try remind()
            try await restore { _ in true }
            putBackLevels()
        } catch {
            logger.error("\(error)")
        }
        wake()
        keepClock()
        keepTrust()
    }

    /// Reads what the store knows of rooms and schedules.
    func remind() throws(SenderError) {
        for room in try store.rooms() { known[Names.fold(room.name)] = room }
        schedules = try store.schedules()
    }

    /// Leaves the rooms as they are: they play on from what they hold, and the next house goes on with them.
    package func leave() async {
        isLeaving = true
        alarm?.cancel()
        trustKeeper?.cancel()
        await leaveClock()
        for group in playing.values { await group.player.detach() }
        library.close()
        store.close()
    }

    /// How many groups play.
    package var count: Int { playing.count }

    func nextSerial() -> Int {
        serial += 1
        return serial
    }

    /// Does something when all that was asked for before is done.
    func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(SenderError) -> Value
    ) async throws(SenderError) -> Value {
        let before = turn
        let task = Task {
            await before?.value
            return await Result(catching: body)
        }
        turn = Task { _ = await task.value }
        return try await task.value.get()
    }
}
