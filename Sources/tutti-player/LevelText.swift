import TuttiCommandLine
import TuttiCore
import TuttiSchema
import TuttiSender

/// How loud rooms are, in words.
enum LevelText {
    /// Writes a line for each room: `kitchen 40`, `bath muted`, `den 60 (its limit)`.
    static func write(_ rooms: [RoomStatus], of name: String?, showsMute: Bool) {
        // One room alone is the one that was meant, whatever it was called.
        for room in rooms where rooms.count == 1 || name.map({ Names.areSame($0, room.name) }) ?? true {
            guard let level = room.level(showsMute: showsMute) else { continue }
            Terminal.write("\(room.name) \(level)\n")
        }
    }
}
