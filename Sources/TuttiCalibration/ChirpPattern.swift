import Glibc

/// Finds where in a recording a room's pattern of chirps lies, coarsely.
struct ChirpPattern {
    /// dB above the floor of the recording, the best of each millisecond and its neighbours.
    private let levels: [Double]
    private let response: ChirpResponse

    /// One loud noise must not outweigh a pattern: levels count up to this, in dB.
    private static let ceiling = 30.0
    /// What lies above counts a little, so that the place is the strongest one and not somewhere in the reverberation.
    private static let excess = 0.05
    /// Milliseconds by which a recorder's clock may spread the pattern to either side.
    private static let slack = 2

    init(_ response: ChirpResponse) {
        self.response = response
        let perBin = Double(response.sampleRate) / 1000
        let bins = Int(Double(response.envelope.count) / perBin)
        let peaks = (0..<max(bins, 0)).map { bin -> Double in
            let range = Int(Double(bin) * perBin)..<Int(Double(bin + 1) * perBin)
            let peak = response.envelope[range].max() ?? 0
            return max(0, 20 * log10(Double(max(peak, response.floor) / response.floor)))
        }
        levels = peaks.indices.map { bin in
            peaks[max(0, bin - Self.slack)...min(peaks.count - 1, bin + Self.slack)].max() ?? 0
        }
    }

    /// Seconds from the schedule's beginning to where it lies in the recording, right to some milliseconds; nil for an
    /// empty recording.
    ///
    /// - Parameter instants: of the pattern's chirps, in seconds, in order.
    func place(of instants: [Double]) -> Double? {
        guard let first = instants.first, let last = instants.last, !levels.isEmpty else { return nil }
        let bins = instants.map { Int(($0 * 1000).rounded()) }
        // Part of the pattern may lie outside of the recording.
        let earliest = -Int(last * 1000)
        let latest = levels.count - Int(first * 1000)
        var best = (score: -1.0, lag: 0)
        for lag in earliest...max(earliest, latest) {
            var score = 0.0
            for bin in bins where levels.indices.contains(bin + lag) {
                let level = levels[bin + lag]
                score += min(level, Self.ceiling) + Self.excess * max(0, level - Self.ceiling)
            }
            if score > best.score { best = (score, lag) }
        }
        return Double(best.lag) / 1000
    }
}
