import TuttiCore
import TuttiSimulation

/// Houses that tests share.
enum House {
    static let second: Int64 = 1_000_000_000

    /// Two rooms, one song.
    static let small = Scenario(
        duration: 60 * second, rooms: [RoomPlan(name: "kitchen"), RoomPlan(name: "bath", clockPpm: 20)],
        senders: [SenderPlan(name: "den")], songs: [Song(name: "song", length: 600 * second)],
        groups: [GroupPlan(name: "house", sender: "den", rooms: ["kitchen", "bath"], queue: ["song"])])

    /// Three rooms, songs, and all that may happen to them.
    static let troubled = Scenario(
        duration: 300 * second,
        rooms: [
            RoomPlan(name: "kitchen", clockPpm: -12), RoomPlan(name: "bath", clockPpm: 20),
            RoomPlan(name: "study", link: .wifi, card: Card(ppm: 60, kind: .step1ms)),
        ],
        senders: [SenderPlan(name: "den")],
        songs: [Song(name: "overture", length: 90 * second), Song(name: "aria", length: 45 * second)],
        groups: [
            GroupPlan(
                name: "house", sender: "den", rooms: ["kitchen", "bath", "study"],
                queue: ["overture", "aria", "overture", "aria"], repeats: .all)
        ],
        randomFaults: RandomFaults(every: 20 * second), randomUsers: RandomUsers(every: 10 * second))
}
