import TuttiSimulation

/// A room of the model.
struct ModelRoom {
    let name: String
    var isRunning = true
    var isPlugged = true
    /// Whether it has ever been without its sender while it played.
    private(set) var wasAlone = false
    private(set) var timebase: TimebaseObservation?
    private(set) var loaded: Int64 = 0
    private(set) var place: Int64 = 0
    private var incarnation = 1
    private var generation: UInt32 = 0
    private var played: [PlayedSpan] = []
    private var silentLoaded: Int64 = 0
    private var silentEmpty: Int64 = 0
    private var dropouts = 0
    private var isSounding = false
    private var isDue = false
    private var served = true

    init(_ plan: RoomPlan) { name = plan.name }

    mutating func kill() {
        isRunning = false
        timebase = nil
        loaded = 0
        generation = 0
        isSounding = false
    }

    mutating func restart() {
        guard !isRunning else { return }
        isRunning = true
        incarnation += 1
    }

    mutating func take(_ new: TimebaseObservation?, generation newest: UInt32, cut: Int64) {
        served = true
        timebase = new
        guard generation != newest else { return }
        generation = newest
        loaded = min(loaded, cut)
    }

    mutating func load(to time: Int64) {
        if loaded == 0, place > 0 { loaded = place }
        loaded = max(loaded, time)
    }

    mutating func play(from start: Int64, to end: Int64, timeline: [ModelPiece], bug: PlantedBug?) {
        if isRunning, !served { wasAlone = true }
        served = false
        isDue = timebase.map { $0.rate > 0 && start >= $0.group } ?? false
        guard isRunning, isPlugged, let timebase, isDue else { return isSounding = false }
        place = timebase.media + start - timebase.group
        guard loaded >= place + end - start, bug != .silentWhileLoaded else {
            if bug == .silentWhileLoaded { silentLoaded += 50_000_000 } else { silentEmpty += end - start }
            if isSounding { dropouts += 1 }
            return isSounding = false
        }
        isSounding = true
        guard let piece = timeline.last(where: { $0.media <= place }) else { return }
        let lower = place - (bug == .repeatedSound ? 100_000_000 : 0)
        played.append(
            PlayedSpan(
                at: start, stream: timebase.stream, media: MediaSpan(lower, place + end - start), song: piece.song,
                place: piece.place + lower - piece.media, entry: piece.entry))
        place += end - start
    }

    mutating func observe(clock: ClockObservation, late: Int64) -> RoomObservation {
        var room = RoomObservation(
            name: name, isRunning: isRunning, incarnation: incarnation, isPlugged: isPlugged,
            state: isSounding ? "playing" : "idle", owner: timebase == nil ? nil : "den", timebase: timebase,
            isDue: isDue, clock: clock)
        room.truth.played = played
        if !played.isEmpty { room.truth.lateness = Lateness(last: late, least: late, greatest: late) }
        played = []
        room.truth.silentLoaded = silentLoaded
        room.truth.silentEmpty = silentEmpty
        room.truth.dropouts = dropouts
        room.generation = generation
        room.loaded = loaded > place ? [MediaSpan(place, loaded)] : []
        return room
    }
}
