extension BenchCase {
    /// Many rooms: twelve of them have cards and are measured, the others play into nothing beside the sender.
    static let scale: [BenchCase] = [12, 40, 100, 200].map { count in
        BenchCase(
            "scale-\(count)", "\(count) rooms, twelve of them with cards", rooms: wired(12),
            marks: [p99(10, goal: 3), BenchMark(.sound, 3), BenchMark(.sender, 0.05 * Double(count))]
        ).with {
            $0.crowd = count - $0.rooms.count
            // Rooms share a clock before anybody plays; and to meet it takes two hundred rooms of one machine what two
            // hundred machines have.
            $0.acquaintance = 45
            $0.isOptIn = true
        }
    }

    /// Whether it is one of these.
    var isScale: Bool { Self.scale.contains { $0.name == name } }
}
