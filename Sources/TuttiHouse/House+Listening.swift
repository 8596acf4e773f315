import Logging
import TuttiControl
import TuttiCore
import TuttiLibrary
import TuttiRooms
package import TuttiSchema
import TuttiSender

/// What of the library was heard, and where long tracks go on.
extension House {
    /// Follows what a group plays.
    func listen(_ status: PlayerStatus, in key: String) {
        remember(listening[key, default: Listening()].take(status))
    }

    /// The group has ended.
    func stopListening(in key: String) {
        if var last = listening.removeValue(forKey: key) { remember(last.end()) }
    }

    private func remember(_ notes: [Listening.Note]) {
        guard !notes.isEmpty, library.exists else { return }
        let (library, now) = (library, Int64(configuration.wallClock()))
        Task {
            do throws(SenderError) {
                try await library.perform { store throws(LibraryError) in
                    guard let store else { return }
                    for note in notes { try store.remember(note, at: now) }
                }
            } catch {
                self.logger.debug("what was heard is not remembered: \(error)")
            }
        }
    }

    /// An order for a long track of the library begins where that was left, unless it says where.
    ///
    /// - Returns: the order, and what a person should know of it.
    package func resumed(_ order: PlayOrder) async -> (order: PlayOrder, notice: String?) {
        guard order.startAt == nil, let first = order.inputs.first, first.uri.hasPrefix("/"),
            library.exists
        else { return (order, nil) }
        let file = LibraryFile(first)
        let track = try? await library.perform { store throws(LibraryError) in
            try store?.track(atPath: file.path, start: file.start)
        }
        // Of a file with several tracks that is played as one, none is resumed.
        guard let track, file.start != nil || track.part == nil, let place = track.resume?.seconds,
            place >= Listening.beginning,
            let duration = track.duration?.seconds, duration >= Listening.long, place <= duration - Listening.ending
        else { return (order, nil) }
        var order = order
        order.startAt = "\(Int(place))"
        let time = StatusTime.text(Double(Int(place)))
        return (order, "\(track.title): resumes at \(time)")
    }
}

extension LibraryStore {
    /// Remembers what was heard; of files that are not in the library, nothing.
    fileprivate func remember(_ note: Listening.Note, at now: Int64) throws(LibraryError) {
        switch note {
        case .played(let file):
            if let track = try track(atPath: file.path, start: file.start) { try notePlayed(track.id, at: now) }
        case .place(let file, let seconds):
            guard let track = try track(atPath: file.path, start: file.start) else { return }
            let place = seconds.flatMap { MediaTime(seconds: $0, preferredTimescale: 1_000) }
            guard place != track.resume else { return }
            try setResume(track.id, at: place)
        }
    }
}
