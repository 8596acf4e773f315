package import TuttiRooms
package import TuttiSchema

/// How rooms stand in which nothing plays, read once for all who ask at about the same time.
///
/// A reading is a visit, of which a speaker takes ten a second from one host. There are as many who ask as there are open
/// pages and programs, and each change has all of them ask.
package actor RoomReadings {
    /// Reads rooms: how each of them stands, nil where it does not answer.
    package typealias Reader = @Sendable ([RoomAddress]) async -> [RoomAddress: RoomStatus]

    private struct Reading {
        let began: ContinuousClock.Instant
        let answers: Task<[RoomAddress: RoomStatus], Never>
    }

    /// For how long a reading is told to others, from its beginning; longer while it is not over.
    private static let age = Duration.milliseconds(500)

    private var readings: [RoomAddress: Reading] = [:]

    /// Nothing has been read.
    package init() {}

    /// How rooms stand, in their order; those that do not answer are left out.
    package func levels(of rooms: [RoomAddress], _ read: @escaping Reader) async -> [RoomStatus] {
        let now = ContinuousClock.now
        readings = readings.filter { now - $0.value.began < Self.age }
        let missing = rooms.filter { readings[$0] == nil }
        if !missing.isEmpty {
            let reading = Reading(began: now, answers: Task { await read(missing) })
            for room in missing { readings[room] = reading }
        }
        let asked = rooms.map { ($0, readings[$0]?.answers) }
        var statuses: [RoomStatus] = []
        for (room, answers) in asked {
            if let status = await answers?.value[room] { statuses.append(status) }
        }
        return statuses
    }

    /// Rooms may stand otherwise than they were read: whoever asks from now on gets a reading of its own.
    package func forget() { readings = [:] }
}
