import TuttiCore
import TuttiSchema
import TuttiWire

extension Room {
    func report(origin: MediaTime, rate: Double) -> RoomStatus {
        let link: RoomStatus.State =
            switch link {
            case .connecting, .welcomed: .connecting
            case .refused where isTaken: .taken
            case .down, .refused: .unreachable
            case .up: .preparing
            }
        var report = RoomStatus(name: label, id: session.welcome?.id, address: address.endpoint, state: link)
        guard isUp else {
            report.message = problem?.description
            return report
        }
        report.screen = isScreen ? true : nil
        guard let status else { return report }
        report.take(status)
        report.takeFigures(status)
        report.loaded = status.loaded.rescaled(origin: origin, rate: rate)
        (report.bufferedBytes, report.bitPerfect) = (status.bufferedBytes, status.isBitPerfect)
        report.bitPerfectReason = status.bitPerfectReason
        report.message = status.message.isEmpty ? nil : status.message
        return report
    }
}
