import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender

/// The two rooms of a measurement.
struct MeasureRooms {
    /// The one on the left, and the one on the right that is compared with it.
    let addresses: [RoomAddress]
    /// The same for what plays in them, with the rooms' turns and distances.
    let calibration: CalibrateRooms

    /// - Throws: `ValidationError` for a room that is named twice and distances of others, `ProgramFailure` for what is
    ///   no room.
    init(_ names: [String], distances: [String], chirpSeconds: Double?) throws {
        addresses = try RoomArgument.parse(names)
        guard Set(addresses.map { $0.label.lowercased() }).count == 2 else {
            throw ValidationError("a room cannot be measured against itself: name two rooms")
        }
        calibration = try CalibrateRooms(
            named: names, groups: [], against: nil, distances: distances, seconds: chirpSeconds)
    }

    /// How messages call the rooms.
    var first: String { addresses[0].label }
    var second: String { addresses[1].label }

    /// Finds out whether the rooms are there, and fit for what is to be measured, before anything is touched.
    ///
    /// - Throws: `ProgramFailure`, with status 3 for one that does not answer, 4 for one that is in use and has to
    ///   chirp, 5 where music is to be measured and none plays.
    func check(_ signal: MeasureSignal) async throws {
        guard signal == .music else { return try await calibration.check(mayPlay: false) }
        let silent = try await PlayerSettings.find(addresses).filter { !$0.look.isInUse }.map(\.address.label)
        guard silent.isEmpty else {
            let names = silent.joined(separator: " and in ")
            throw Failure(
                "nothing plays in \(names): play music in both rooms, or use --signal noise",
                exitCode: 5)
        }
    }

    /// What the rooms say of themselves; nil for those that do not answer. Whoever plays in them does not notice.
    func statuses() async -> [RoomStatus?] {
        guard let book = try? PlayerSettings.book() else { return addresses.map { _ in nil } }
        return await book.find(addresses).map { result in
            guard case .success(let place) = result else { return nil }
            var status = RoomStatus(place.address, place.look)
            status.addFigures(of: place.look)
            status.loaded = LoadedRanges()
            return status
        }
    }
}
