import CASS
import TuttiCore

/// A script of libass's: a header, and events.
final class TextScript {
    let style: SubtitleStyle
    private(set) var track: UnsafeMutablePointer<ASS_Track>
    private let library: TextLibrary

    init(_ style: SubtitleStyle, _ library: TextLibrary) throws(SubtitleError) {
        guard let track = ass_new_track(library.library) else { throw .unavailable }
        (self.style, self.track, self.library) = (style, track, library)
        // Decoders number their events anew after each seek.
        ass_set_check_readorder(track, 0)
        var header = Array(style.header.utf8CString)
        ass_process_codec_private(track, &header, Int32(header.count - 1))
    }

    deinit { ass_free_track(track) }

    /// Adds an event, as `SubtitleCue.Content.text` has it.
    func append(_ event: String, start: Int64, end: Int64) {
        var text = Array(event.utf8CString)
        ass_process_chunk(track, &text, Int32(text.count - 1), start, end - start)
    }

    /// Forgets all events.
    func removeAll() { ass_flush_events(track) }
}
