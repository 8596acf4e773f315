import TuttiAssets
import TuttiCore
import TuttiProduction

/// What a live source says that it plays: shown when the sound is heard that was captured when it was said.
extension Player {
    /// Several times a second, while a live track is made.
    func noteTags() {
        guard let state = live, state.serial == production.serial, let track = timeline.last,
            let board = configuration.tags
        else { return }
        let tags = board.tags(of: track.item.input.uri)
        guard tags != state.tags else { return }
        live?.tags = tags
        // What is captured now lies where the producer has come to; what was said before that is of the first sound.
        let place = state.isAnchored ? state.report?.capture?.media ?? state.begin : state.begin
        timeline.change(track.serial) { $0.note(tags, at: max(place, state.begin)) }
    }
}
