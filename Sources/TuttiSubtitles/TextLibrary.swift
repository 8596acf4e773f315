import CASS
import TuttiCore

/// libass, with one size of canvas.
final class TextLibrary {
    let library: OpaquePointer
    private let renderer: OpaquePointer
    private(set) var width: Int
    private(set) var height: Int

    /// Glyphs and megabytes of bitmaps that are remembered.
    private static let (maximumGlyphs, maximumBitmapMegabytes): (Int32, Int32) = (4_096, 32)

    /// - Parameters:
    ///   - width: the canvas's, in pixels.
    ///   - height: likewise.
    ///   - fontConfiguration: the path of fontconfig's settings; nil for the system's.
    init(width: Int, height: Int, fontConfiguration: String?) throws(SubtitleError) {
        try Self.check(width, height)
        guard let library = ass_library_init() else { throw .unavailable }
        tutti_ass_silence(library)
        ass_set_extract_fonts(library, 0)
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            throw .unavailable
        }
        (self.library, self.renderer, self.width, self.height) = (library, renderer, width, height)
        ass_set_cache_limits(renderer, Self.maximumGlyphs, Self.maximumBitmapMegabytes)
        setSize()
        ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), fontConfiguration, 1)
    }

    deinit {
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// Draws on a canvas of another size from now on.
    func resize(width: Int, height: Int) throws(SubtitleError) {
        try Self.check(width, height)
        (self.width, self.height) = (width, height)
        setSize()
    }

    /// What a script shows at a time.
    ///
    /// - Parameter unlessSame: whether to give nil for what the call before gave too.
    func draw(
        _ script: TextScript, atMilliseconds time: Int64, _ arrangement: TileCanvas.Arrangement, unlessSame: Bool
    ) -> [SubtitleTile]? {
        var change: Int32 = 2
        let first = ass_render_frame(renderer, script.track, time, &change)
        if unlessSame, change == 0 { return nil }
        return TileCanvas(width: width, height: height).tiles(first, arrangement)
    }

    private func setSize() {
        ass_set_frame_size(renderer, Int32(width), Int32(height))
        ass_set_storage_size(renderer, Int32(width), Int32(height))
    }

    private static func check(_ width: Int, _ height: Int) throws(SubtitleError) {
        let limits = VideoFormat.Limits.sides
        guard limits.contains(width), limits.contains(height), VideoFormat.Limits.pixels.contains(width * height)
        else { throw .size(width: width, height: height) }
    }
}
