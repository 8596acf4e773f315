import Glibc

/// Finds the chirps of a pattern in a recording.
struct ChirpArrivals {
    /// dB that a chirp must stand above the noise to count: noise alone does not reach that.
    static let threshold = 14.0
    /// How much weaker than the median a chirp may arrive.
    private static let usualShare = 0.5
    /// How much weaker than the strongest arrival the first one may be.
    private static let weakest = 0.1

    private let response: ChirpResponse
    private let pattern: ChirpPattern

    init(_ response: ChirpResponse) {
        self.response = response
        pattern = ChirpPattern(response)
    }

    /// Each chirp's strongest arrival near the place of the room's pattern, where it stands above the noise.
    ///
    /// - Parameter instants: when the room's chirps were played, in seconds.
    func strongest(of room: Int, instants: [Double]) -> [ArrivalFit.Arrival] {
        guard let place = pattern.place(of: instants) else { return [] }
        let limit = Double(response.floor) * pow(10, Self.threshold / 20)
        return instants.compactMap { instant in
            let window =
                frame(
                    at: instant + place - ChirpResponseWindow.around)..<frame(
                    at: instant + place + ChirpResponseWindow.around)
            guard let peak = response.peak(in: window), response.level(peak) >= limit else { return nil }
            return ArrivalFit.Arrival(room: room, played: instant, heard: seconds(response.refined(peak)))
        }
    }

    /// The same chirps' first arrivals.
    func first(of chirps: [ArrivalFit.Arrival], offset: Double, rateError: Double) -> [ArrivalFit.Arrival] {
        let expected = chirps.map { (1 + rateError) * $0.played + offset }
        let profile = ArrivalProfile(response, around: expected.map { frame(at: $0) })
        let lead = seconds(Double(profile.firstArrival))
        let strengths = chirps.map { response.level(frame(at: $0.heard)) }.sorted()
        let usual = strengths.isEmpty ? 0 : strengths[strengths.count / 2]
        return zip(chirps, expected).compactMap { chirp, expected in
            let place = frame(at: expected + lead)
            let reach = max(2, frame(at: ChirpResponseWindow.refinement))
            // One that is much weaker than usual is something else: the chirp itself did not come in time.
            guard let peak = response.peak(in: place - reach..<place + reach + 1),
                response.level(peak) >= max(profile.level * Self.usualShare, usual * Self.weakest)
            else { return nil }
            return ArrivalFit.Arrival(room: chirp.room, played: chirp.played, heard: seconds(response.refined(peak)))
        }
    }

    private func frame(at seconds: Double) -> Int { Int((seconds * Double(response.sampleRate)).rounded()) }
    private func seconds(_ frames: Double) -> Double { frames / Double(response.sampleRate) }
}

/// Spans in which arrivals are looked for, in seconds.
enum ChirpResponseWindow {
    /// Around the place of the pattern.
    static let around = 0.005
    /// Around the first arrival of the average for that of a single chirp.
    static let refinement = 0.2e-3
}
