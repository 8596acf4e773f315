import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// Nothing but what goes wrong, for a program that should be done soon.
struct TroubleLines: View {
    func show(_ event: ControlEvent.Kind) {
        switch event {
        case .itemFailed(_, _, let message, _): Terminal.error(message)
        case .notice(let notice): Terminal.error(notice)
        case .room(let name, let change, let message) where !message.isEmpty:
            Terminal.error("\(name): \(change): \(message)")
        case .room, .item, .stalled, .state, .progress, .changed, .finished: break
        }
    }
}
