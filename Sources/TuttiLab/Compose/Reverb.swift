/// A small room: eight delay lines that feed each other through a Householder mirror, dulled as they go.
struct Reverb {
    private static let lengths = [0.0297, 0.0371, 0.0411, 0.0437, 0.0533, 0.0617, 0.0683, 0.0761]
    private static let feedback: Float = 0.8
    private static let damping: Float = 0.35

    private var lines: [[Float]]
    private var places: [Int]
    private var dull = [Float](repeating: 0, count: 8)

    init(sampleRate: Int) {
        lines = Self.lengths.map { [Float](repeating: 0, count: max(1, Int($0 * Double(sampleRate)))) }
        places = [Int](repeating: 0, count: lines.count)
    }

    /// What the room answers to one frame.
    mutating func answer(_ left: Float, _ right: Float) -> (left: Float, right: Float) {
        var sum: Float = 0
        for index in 0..<8 {
            dull[index] += (1 - Self.damping) * (lines[index][places[index]] - dull[index])
            sum += dull[index]
        }
        let mirror = sum / 4
        for index in 0..<8 {
            lines[index][places[index]] = (index % 2 == 0 ? left : right) + Self.feedback * (dull[index] - mirror)
            places[index] = (places[index] + 1) % lines[index].count
        }
        return (dull[0] - dull[2] + dull[4] - dull[6], dull[1] - dull[3] + dull[5] - dull[7])
    }
}
