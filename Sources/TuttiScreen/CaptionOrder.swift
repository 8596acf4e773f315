package import TuttiCore

/// What a screen is asked of texts.
package enum CaptionOrder: Sendable {
    case insert(Caption)
    case flush(MediaTime?)

    /// What it takes to hold it, in bytes.
    var heldBytes: Int {
        guard case .insert(.cue(let cue, let style)) = self else { return 64 }
        switch cue.content {
        case .text(let text): return text.utf8.count + (style?.header.utf8.count ?? 0)
        case .image(let image): return image.bgra.count
        }
    }
}
