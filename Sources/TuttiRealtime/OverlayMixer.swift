/// Renders the decks of the overlays, whose sound is mixed over the owner's.
///
/// RT after `init`: nothing is allocated, locked, retained or released.
struct OverlayMixer: ~Copyable {
    private struct Pointers {
        let shared: UnsafeMutablePointer<DeckShared>
        let voice: UnsafeMutablePointer<DeckVoice>
    }

    /// The overlays' sound of the last period, where there was any; interleaved stereo.
    let samples: UnsafeMutablePointer<Float>
    private let decks: [(Deck, Deck)]
    private let pointers: UnsafeMutablePointer<Pointers>
    private let count: Int

    /// A mixer of two decks for each overlay, in periods of at most `maximumFrames` frames.
    init(_ decks: [(Deck, Deck)], maximumFrames: Int) {
        precondition(maximumFrames > 0, "a period has frames")
        self.decks = decks
        count = 2 * decks.count
        pointers = .allocate(capacity: max(1, count))
        for (index, deck) in decks.flatMap({ [$0.0, $0.1] }).enumerated() {
            (pointers + index).initialize(to: Pointers(shared: deck.shared, voice: deck.voice))
        }
        samples = .allocate(capacity: 2 * maximumFrames)
        samples.initialize(repeating: 0, count: 2 * maximumFrames)
    }

    deinit {
        pointers.deallocate()
        samples.deallocate()
    }

    /// Makes the period's `samples`.
    ///
    /// - Parameter scratch: room for a period of one deck.
    /// - Returns: where in the period there is sound; without any `samples` are undefined.
    mutating func render(
        _ period: RenderPeriod, scratch: UnsafeMutablePointer<Float>, _ report: inout RenderReport
    ) -> SoundSpan {
        var sound = SoundSpan()
        var isFirst = true
        var index = 0
        while index < count {
            let (shared, voice) = (pointers[index].shared, pointers[index].voice)
            // What befalls an overlay is no figure of the owner's.
            var own = RenderReport()
            if let span = DeckVoice.render(voice, period, shared, into: isFirst ? samples : scratch, &own) {
                if !isFirst { RenderKernel.add(scratch, to: samples, period.frameCount) }
                isFirst = false
                sound.join(span)
                if own.underrunFrames == 0 { report.soundingOverlays |= 1 << UInt8(index / 2 & 7) }
            }
            index += 1
        }
        return sound
    }
}
