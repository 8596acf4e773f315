import Glibc

/// Finds out from a recording of a `ChirpSchedule` how late each room is heard.
///
/// The recording may begin at any time and its clock may be up to 500 ppm wrong. What lies between the microphone and
/// the file delays all rooms alike and cancels. In each room the first arrival counts, not the strongest.
package struct Calibration: Sendable {
    /// Numbers that say how a recording was judged.
    package struct Result: Sendable, Equatable {
        /// All rooms in the schedule's order; the reference is 0 s late.
        package var rooms: [RoomLateness]
        /// How much faster the recorder's clock ran than the rooms', in ppm.
        package var recorderPpm: Double
        /// The chirps that this rests on, in the order in which they were played.
        package var chirps: [HeardChirp]
    }

    /// The lowest sample rate, in Hz, that has the chirps' band.
    package static let lowestSampleRate = 20_000
    /// The longest recording that is looked at, in seconds.
    package static let longestRecording = 600.0

    /// dB that a chirp must stand above the noise to count: noise alone does not reach that.
    static let threshold = 14.0
    /// A room needs this many of its chirps.
    private var quorum: Int { schedule.repeats / 2 + 1 }
    /// Seconds of standard error up to which a figure is good, and up to which it is of use.
    static let goodUncertainty = 0.05e-3
    static let fairUncertainty = 0.2e-3

    /// How much weaker than the median a chirp may arrive.
    private static let usualShare = 0.5
    /// How much weaker than the strongest arrival the first one may be.
    private static let weakest = 0.1

    private let response: ChirpResponse
    private let schedule: ChirpSchedule

    /// Looks at a recording.
    ///
    /// - Parameters:
    ///   - samples: one channel, full scale at ±1.
    ///   - reference: the number of the room that the others are compared with.
    /// - Throws: `CalibrationError` when the recording does not tell.
    package static func analyse(
        _ samples: [Float], sampleRate: Int, schedule: ChirpSchedule, reference: Int
    ) throws(CalibrationError) -> Result {
        guard sampleRate >= lowestSampleRate else { throw .sampleRate(sampleRate) }
        let seconds = Double(samples.count) / Double(sampleRate)
        guard seconds >= 1, seconds <= longestRecording else { throw .length(seconds) }
        guard samples.contains(where: { $0 != 0 && $0.isFinite }) else { throw .silent }
        let clean = samples.map { $0.isFinite ? min(max($0, -16), 16) : 0 }
        let calibration = Calibration(
            response: ChirpResponse(samples: clean, sampleRate: sampleRate), schedule: schedule)
        return try calibration.result(reference: reference)
    }

    private func result(reference: Int) throws(CalibrationError) -> Result {
        let pattern = ChirpPattern(response)
        var strongest: [ArrivalFit.Arrival] = []
        for room in 0..<schedule.roomCount {
            let found = strongestArrivals(of: room, pattern)
            guard found.count >= quorum else { throw .notHeard(room: room, heard: found.count) }
            strongest += found
        }
        let coarse = ArrivalFit(strongest)
        var arrivals: [ArrivalFit.Arrival] = []
        for room in 0..<schedule.roomCount {
            let chirps = strongest.filter { $0.room == room }
            arrivals += firstArrivals(of: chirps, offset: coarse.offsets[room] ?? 0, rateError: coarse.rateError)
        }
        let fit = ArrivalFit(arrivals)
        guard let origin = fit.offsets[reference] else { throw .notHeard(room: reference, heard: 0) }
        var rooms: [RoomLateness] = []
        for room in 0..<schedule.roomCount {
            rooms.append(try lateness(of: room, fit: fit, coarse: coarse, origin: origin))
        }
        let ofReference = rooms.indices.contains(reference) ? rooms[reference].uncertainty : 0
        rooms = rooms.map { room in
            var room = room
            let own = room.uncertainty
            room.uncertainty =
                room.room == reference ? own : (own * own + ofReference * ofReference).squareRoot()
            return room
        }
        let chirps = fit.kept.map { arrival in
            HeardChirp(
                room: arrival.room, played: arrival.played,
                late: (fit.error(of: arrival) + (fit.offsets[arrival.room] ?? origin) - origin) / (1 + fit.rateError))
        }
        return Result(
            rooms: rooms, recorderPpm: fit.rateError * 1e6, chirps: chirps.sorted { $0.played < $1.played })
    }

    private func lateness(
        of room: Int, fit: ArrivalFit, coarse: ArrivalFit, origin: Double
    ) throws(CalibrationError) -> RoomLateness {
        let kept = fit.kept.filter { $0.room == room }
        guard kept.count >= quorum, let offset = fit.offsets[room] else {
            throw .unsteady(room: room, milliseconds: coarse.usualError(ofRoom: room) * 1000)
        }
        let squares = kept.reduce(0) { $0 + fit.error(of: $1) * fit.error(of: $1) }
        let spread = (squares / Double(kept.count - 1)).squareRoot()
        let uncertainty = spread / Double(kept.count).squareRoot()
        guard uncertainty <= Self.fairUncertainty else { throw .unsteady(room: room, milliseconds: spread * 1000) }
        let level = kept.map { response.level(frame(at: $0.heard)) }.sorted()[kept.count / 2]
        let isGood = uncertainty <= Self.goodUncertainty && kept.count >= schedule.repeats * 3 / 4
        return RoomLateness(
            room: room, seconds: (offset - origin) / (1 + fit.rateError), spread: spread, uncertainty: uncertainty,
            signalToNoise: 20 * log10(level / Double(response.floor)), heard: kept.count,
            confidence: isGood ? .good : .fair)
    }

    // MARK: Arrivals

    /// Each chirp's strongest arrival near the place of the room's pattern, where it stands above the noise.
    private func strongestArrivals(of room: Int, _ pattern: ChirpPattern) -> [ArrivalFit.Arrival] {
        let instants = schedule.instants(ofRoom: room)
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
    private func firstArrivals(
        of chirps: [ArrivalFit.Arrival], offset: Double, rateError: Double
    ) -> [ArrivalFit.Arrival] {
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
