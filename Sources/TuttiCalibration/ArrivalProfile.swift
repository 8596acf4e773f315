/// What a room's chirps have in common around the strongest arrival: the median of their responses.
struct ArrivalProfile {
    /// Frames from the strongest arrival to the first one that counts; 0 or negative.
    let firstArrival: Int
    /// The envelope there.
    let level: Double

    /// Seconds before the strongest arrival in which sound may have come straight: 6.9 m less of a way. Further away
    /// lie the images of the loudspeaker's harmonics, 25 ms early.
    private static let before = 0.020
    private static let after = 0.001
    /// An earlier arrival counts down to this part of the strongest one (−14 dB); the filter's side lobes are lower.
    private static let share = 0.2
    /// And down to this multiple of the noise.
    private static let aboveFloor = 4.0
    /// After a true arrival the level falls to this part of it before it rises further.
    private static let dip = 0.75

    /// - Parameter frames: where the chirps' strongest arrivals are.
    init(_ response: ChirpResponse, around frames: [Int]) {
        let start = -Int(Self.before * Double(response.sampleRate))
        let end = Int(Self.after * Double(response.sampleRate))
        let levels = (start...end).map { offset -> Double in
            let values = frames.map { response.level($0 + offset) }.sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        let strongest = levels.indices.max { levels[$0] < levels[$1] } ?? -start
        let limit = max(Self.share * levels[strongest], Self.aboveFloor * Double(response.floor))
        let first = Self.first(in: levels, upTo: strongest, limit: limit)
        firstArrival = first + start
        level = levels[first]
    }

    /// The first maximum at or above `limit` that is followed by a dip, or the strongest.
    private static func first(in levels: [Double], upTo strongest: Int, limit: Double) -> Int {
        var candidate: Int?
        for index in levels.indices where index < strongest {
            if let best = candidate {
                if levels[index] < dip * levels[best] { return best }
                if levels[index] > levels[best] { candidate = index }
            } else if levels[index] >= limit {
                candidate = index
            }
        }
        return strongest
    }
}
