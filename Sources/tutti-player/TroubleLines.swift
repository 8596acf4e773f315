import TuttiCommandLine
import TuttiSender

/// Nothing but what goes wrong, for a program that should be done soon.
struct TroubleLines: View {
    func show(_ event: PlayerEvent) {
        switch event {
        case .itemFailed(_, _, let message, _): Terminal.error(message)
        case .notice(let notice): Terminal.error(notice.description)
        case .room(let name, let state, let message) where !message.isEmpty:
            Terminal.error("\(name): \(state): \(message)")
        case .room, .item, .stalled, .state, .progress, .finished: break
        }
    }

    func finish() {}
}
