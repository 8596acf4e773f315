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

    /// A room needs this many of its chirps.
    private var quorum: Int { schedule.repeats / 2 + 1 }
    /// Seconds of standard error up to which a figure is good, and up to which it is of use.
    static let goodUncertainty = 0.05e-3
    static let fairUncertainty = 0.2e-3

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
        let finder = ChirpArrivals(response)
        var strongest: [ArrivalFit.Arrival] = []
        for room in 0..<schedule.roomCount {
            let found = finder.strongest(of: room, instants: schedule.instants(ofRoom: room))
            guard found.count >= quorum else { throw .notHeard(room: room, heard: found.count) }
            strongest += found
        }
        let coarse = ArrivalFit(strongest)
        var arrivals: [ArrivalFit.Arrival] = []
        for room in 0..<schedule.roomCount {
            let chirps = strongest.filter { $0.room == room }
            arrivals += finder.first(of: chirps, offset: coarse.offsets[room] ?? 0, rateError: coarse.rateError)
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

    private func frame(at seconds: Double) -> Int { Int((seconds * Double(response.sampleRate)).rounded()) }
}
