import ArgumentParser
import TuttiCalibration
import TuttiHouse
import TuttiRooms
import TuttiSender

/// The rooms of a calibration, in the order of its schedule.
struct CalibrateRooms {
    /// All of them. In the order of their names: a recording is judged right whatever order they are given in later.
    let addresses: [RoomAddress]
    /// The number of the one that the others are compared with.
    let reference: Int
    /// Metres from each room's loudspeaker to the microphone; 0 if none is given.
    let distances: [Double]
    /// Which of them chirps when.
    let schedule: ChirpSchedule

    /// Metres that sound goes in a second, at 20 °C.
    static let speedOfSound = 343.0
    private static let farthest = 100.0

    /// - Parameter seconds: how long the rooms may chirp; nil for the usual number of chirps.
    /// - Throws: `ValidationError` for fewer than two rooms, too many, or distances of others.
    init(
        named names: [String], groups: [[RoomAddress]], against: String?, distances: [String], seconds: Double? = nil
    ) throws {
        var chosen = try RoomArgument.parse((against.map { [$0] } ?? []) + names) + groups.flatMap { $0 }
        var seen: Set<String> = []
        // A room may be named once more in its group, or without its address.
        chosen = chosen.filter { seen.insert($0.label.lowercased()).inserted }
        guard chosen.count >= 2, let first = chosen.first else {
            throw ValidationError("name two or more rooms: tutti calibrate kitchen --against bath")
        }
        guard chosen.count <= ChirpSchedule.maximumRooms else {
            throw ValidationError("too many rooms: name at most \(ChirpSchedule.maximumRooms)")
        }
        let addresses = chosen.sorted { $0.label.lowercased() < $1.label.lowercased() }
        self.addresses = addresses
        reference = addresses.firstIndex(of: first) ?? 0
        var metres = [Double](repeating: 0, count: addresses.count)
        for text in distances {
            let (name, value) = try Self.distance(text)
            guard let index = addresses.firstIndex(where: { $0.label.lowercased() == name }) else {
                throw ValidationError("\(text): none of the rooms is called \(name)")
            }
            metres[index] = value
        }
        self.distances = metres
        schedule =
            seconds.map { ChirpSchedule(roomCount: addresses.count, seconds: $0) }
            ?? ChirpSchedule(roomCount: addresses.count)
    }

    /// Reads `kitchen=2.5`.
    static func distance(_ text: String) throws(ValidationError) -> (room: String, metres: Double) {
        guard let split = text.lastIndex(of: "="), let value = Double(text[text.index(after: split)...]),
            (0...farthest).contains(value)
        else { throw ValidationError("\(text): a distance is ROOM=METRES, such as kitchen=2.5") }
        return (text[..<split].lowercased(), value)
    }

    /// Finds out whether all rooms are there, and silent unless they may play, before any is touched.
    ///
    /// - Throws: `ProgramFailure` with status 3 for one that does not answer, 4 for one that is being played in.
    func check(mayPlay: Bool) async throws {
        for place in try await PlayerSettings.find(addresses) where place.look.isInUse && !mayPlay {
            throw SenderError.roomRefused(
                place.address.label, reason: "a sender is playing there; stop the music there first")
        }
    }

    /// How messages call a room.
    func name(_ index: Int) -> String { addresses[index].label }

    /// Seconds that sound needs longer from a room than from the reference.
    func flightTime(of index: Int) -> Double { (distances[index] - distances[reference]) / Self.speedOfSound }
}
