package import TuttiCore

/// Draws subtitles: texts through libass, with the fonts that fontconfig finds, and images as they are.
///
/// It holds what it is given until that is removed, or until there is too much of it: then what ended first goes first.
/// Times count in whole milliseconds, as ASS has them. Without fonts there are no texts, and everything else is as ever.
///
/// Used by one thread at a time.
package final class SubtitleRenderer {
    /// Texts that are held.
    package static let maximumTexts = 20_000
    /// Bytes of texts that are held.
    package static let maximumTextBytes = 8 << 20
    /// Bytes of images that are held.
    package static let maximumImageBytes = 32 << 20
    /// Styles that are held: films that follow each other have their own.
    package static let maximumStyles = 4

    /// How long a picture of texts that move is good for, in milliseconds.
    private static let frameMilliseconds: Int64 = 33

    private struct Image {
        let span: Range<Int64>
        let content: SubtitleImage
        /// Made when it is first shown.
        var tile: SubtitleTile?
    }

    /// For cards.
    let library: TextLibrary
    private let fontConfiguration: String?
    private var scripts: [HeldScript] = []
    private var images: [Image] = []
    private var imageByteCount = 0

    /// A renderer without cues.
    ///
    /// - Parameters:
    ///   - width: of the picture that the subtitles are drawn above, in the screen's pixels.
    ///   - height: likewise.
    ///   - fontConfiguration: the path of fontconfig's settings; nil for the system's.
    /// - Throws: `.size` for a picture outside of `VideoFormat.Limits`, `.unavailable` when libass does not start.
    package init(width: Int, height: Int, fontConfiguration: String? = nil) throws(SubtitleError) {
        self.fontConfiguration = fontConfiguration
        library = try TextLibrary(width: width, height: height, fontConfiguration: fontConfiguration)
    }

    /// Draws above a picture of another size from now on.
    ///
    /// - Throws: `.size`, and nothing changes.
    package func resize(width: Int, height: Int) throws(SubtitleError) {
        guard (width, height) != (library.width, library.height) else { return }
        try library.resize(width: width, height: height)
        for script in scripts { try script.resize(width: width, height: height) }
    }

    /// Adds a cue. One that is there already is not added again.
    ///
    /// - Parameter style: what a text refers to; without one it is left out.
    package func append(_ cue: SubtitleCue, style: SubtitleStyle? = nil) {
        let (start, end) = (Self.milliseconds(cue.start), Self.milliseconds(cue.end))
        let span = start..<max(end, start + 1)
        switch cue.content {
        case .text(let text):
            guard let style, let script = script(style) else { return }
            script.append(text, span)
            trimTexts()
        case .image(let image):
            guard !images.contains(where: { $0.span == span && $0.content == image }) else { return }
            images.removeAll { $0.span.lowerBound == span.lowerBound && $0.content == image }
            images.append(Image(span: span, content: image))
            imageByteCount = images.reduce(0) { $0 + $1.content.bgra.count }
            trimImages()
        }
    }

    /// Ends what is shown at a media time there, and forgets what comes later: another track plays from then on.
    package func end(at time: MediaTime) {
        let time = Self.milliseconds(time)
        for script in scripts { script.end(at: time) }
        images = images.filter { $0.span.lowerBound < time }.map { image in
            let span = image.span.lowerBound..<min(image.span.upperBound, time)
            return Image(span: span, content: image.content, tile: image.tile)
        }
        imageByteCount = images.reduce(0) { $0 + $1.content.bgra.count }
    }

    /// Forgets all cues.
    package func removeAll() { (scripts, images, imageByteCount) = ([], [], 0) }

    /// What is to be seen at a media time.
    package func picture(at time: MediaTime) -> SubtitlePicture {
        let now = Self.milliseconds(time)
        var tiles: [SubtitleTile] = []
        var next = Int64.max
        for index in images.indices {
            let span = images[index].span
            if span.contains(now) {
                if images[index].tile == nil { images[index].tile = SubtitleTile(images[index].content) }
                if let tile = images[index].tile { tiles.append(tile) }
            }
            next = min(next, span.next(after: now))
        }
        for script in scripts {
            let (isActive, moves, change) = script.state(at: now)
            next = min(next, change, moves ? now + Self.frameMilliseconds : .max)
            if isActive { tiles += script.draw(atMilliseconds: now) }
        }
        let change = next == .max ? nil : MediaTime(value: next, timescale: 1_000)
        return SubtitlePicture(tiles: tiles, nextChange: change)
    }

    private func script(_ style: SubtitleStyle) -> HeldScript? {
        if let script = scripts.first(where: { $0.style == style }) { return script }
        if scripts.count >= Self.maximumStyles { scripts.removeFirst() }
        let own = try? TextLibrary(
            width: library.width, height: library.height, fontConfiguration: fontConfiguration)
        guard let own, let script = try? HeldScript(style, own) else { return nil }
        scripts.append(script)
        return script
    }

    private func trimTexts() {
        let (count, bytes) = scripts.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.byteCount) }
        guard count > Self.maximumTexts || bytes > Self.maximumTextBytes else { return }
        if scripts.count > 1 { scripts.removeFirst() } else { scripts.first?.removeFirstQuarter() }
    }

    private func trimImages() {
        while imageByteCount > Self.maximumImageBytes,
            let first = images.indices.min(by: { images[$0].span.upperBound < images[$1].span.upperBound })
        {
            imageByteCount -= images.remove(at: first).content.bgra.count
        }
    }

    private static func milliseconds(_ time: MediaTime) -> Int64 { time.converted(to: 1_000, rounding: .down).value }
}

extension Range<Int64> {
    /// The first of its ends behind a place; the largest number for none.
    func next(after place: Int64) -> Int64 { place < lowerBound ? lowerBound : place < upperBound ? upperBound : .max }
}

extension SubtitleTile {
    fileprivate init?(_ image: SubtitleImage) {
        let frame = VideoFrame(
            pixelFormat: .bgra, width: image.width, height: image.height, presentationTime: .zero, planes: [image.bgra])
        guard let frame else { return nil }
        self.init(image: frame, place: image.place)
    }
}
