import NIOCore
import TuttiProduction
import TuttiRooms
import TuttiSchema

/// How it ends.
extension Player {
    /// The last frame has played, or there is none.
    func finishTimeline() {
        if configuration.staysAtEnd { return rest() }
        if !failures.isEmpty {
            let what =
                failures.count == 1
                ? "1 input failed or was cut short" : "\(failures.count) inputs failed or were cut short"
            finish(PlayerOutcome(exitCode: 1, message: what))
        } else if group.members.allSatisfy({ !$0.isUp && $0.link != .welcomed }) {
            finish(PlayerOutcome(exitCode: 1, message: "no rooms are left to play in"))
        } else {
            finish(PlayerOutcome(exitCode: 0, message: nil))
        }
    }

    func finish(_ error: SenderError) {
        finish(PlayerOutcome(exitCode: error.exitCode, message: error.description, error: error))
    }

    /// Says goodbye to all rooms, then reports.
    func finish(_ outcome: PlayerOutcome) {
        let reason = outcome.exitCode == 0 ? "playback has ended" : "the sender gave up"
        end(outcome) { $0.leave(reason: reason) }
    }

    /// Is over once the group is.
    func end(_ outcome: PlayerOutcome, _ part: (RoomGroup) -> EventLoopFuture<Void>) {
        guard phase != .finished else { return }
        if recorder != nil { completion.remains = leftover() }
        phase = .finished
        pulse.next?.cancel()
        production.stop()
        pictures.stop()
        captions.stop()
        part(group).whenComplete { _ in self.assumeIsolated { $0.conclude(outcome) } }
    }

    private func conclude(_ outcome: PlayerOutcome) {
        completion.conclude(outcome)
        production.release()
        completion.started()
        emit(.state(.ended))
        emit(.finished(outcome))
        watchers.finish()
        completion.release()
    }
}
