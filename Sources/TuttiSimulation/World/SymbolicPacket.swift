import TuttiCore

/// What a packet of a simulated programme holds in place of sound: which song, and where in the programme that begins.
struct SymbolicPacket: Equatable {
    /// The song's place in the scenario.
    var song: UInt32
    /// Names the entry of a queue, over all queues of the house.
    var entry: UInt32
    /// Where the song's first frame lies in the programme, or would, in nanoseconds.
    var start: Int64
    /// How many seconds of the song pass in a second of the programme.
    var rate: Double

    /// How many bytes on a wire, and of a room's memory, each byte of a packet stands for.
    static let weight = 64
    /// Bytes of the fields.
    private static let size = 24

    /// The packet's bytes, for sound of so many real ones.
    func encoded(realBytes: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(Self.size, realBytes / Self.weight))
        for word in [UInt64(song) << 32 | UInt64(entry), UInt64(bitPattern: start), rate.bitPattern] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        bytes.append(contentsOf: repeatElement(0, count: max(0, realBytes / Self.weight - Self.size)))
        return bytes
    }
}

extension SymbolicPacket {
    /// What a packet holds; nil when it is none of these.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        let words = stride(from: 0, to: Self.size, by: 8).map { base in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[base + $1]) << UInt64(8 * $1) }
        }
        song = UInt32(truncatingIfNeeded: words[0] >> 32)
        entry = UInt32(truncatingIfNeeded: words[0])
        start = Int64(bitPattern: words[1])
        rate = Double(bitPattern: words[2])
    }
}
