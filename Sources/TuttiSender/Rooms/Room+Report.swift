import TuttiCore
import TuttiWire

extension Room {
    /// How the room stands, as it is shown.
    ///
    /// - Parameters:
    ///   - origin: where the times shown have their zero, in seconds of the programme.
    ///   - rate: how many seconds of those times pass in a second of the programme.
    func report(origin: Double, rate: Double) -> RoomStatus {
        let link: String =
            switch link {
            case .connecting, .welcomed: "connecting"
            case .refused where isTaken: "taken"
            case .down, .refused: "unreachable"
            case .up: "preparing"
            }
        let status = isUp ? self.status : nil
        let problem = status?.message ?? ""
        return RoomStatus(
            name: label, id: session.welcome?.id, address: address.endpoint,
            state: status?.state.rawValue ?? link, volume: status?.volume, muted: status?.isMuted,
            announcing: status?.isAnnouncing, outputDelayMs: status?.outputDelayMs,
            loaded: status?.loaded.map { $0.map { ($0 - origin) * rate } } ?? [],
            likelyToKeepUp: status?.isLikelyToKeepUp ?? false, stalls: status?.stalls ?? 0, xruns: status?.xruns ?? 0,
            syncErrorUs: status?.syncErrorUs, syncErrorP99Us: status?.syncErrorP99Us,
            clockOffsetSigmaUs: status?.clockOffsetSigmaUs, clockDriftPpm: status?.clockDriftPpm,
            clockDriftSigmaPpm: status?.clockDriftSigmaPpm, dacPpm: status?.dacPpm, dacSigmaPpm: status?.dacSigmaPpm,
            rttUs: status?.rttUs, stamps: status?.leastStamps, stampsForward: status?.forwardStamps?.rawValue,
            stampsReturn: status?.returnStamps?.rawValue, systemClock: status?.systemClock, codec: status?.codec,
            format: status?.format, bufferedBytes: status?.bufferedBytes, bitPerfect: status?.isBitPerfect,
            bitPerfectReason: status?.bitPerfectReason, device: status?.device,
            message: problem.isEmpty ? (isUp ? nil : self.problem?.description) : problem)
    }
}
