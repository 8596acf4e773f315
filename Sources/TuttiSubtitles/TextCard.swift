package import TuttiCore

extension TextCard {
    /// Characters of a line; more are cut off.
    private static let maximumCharacters = 160

    /// A script's header for a canvas of 1000 units from top to bottom.
    static func style(width: Int, height: Int) -> SubtitleStyle? {
        SubtitleStyle(
            header: """
                [Script Info]
                ScriptType: v4.00+
                PlayResX: \(max(1, 1_000 * width / height))
                PlayResY: 1000
                ScaledBorderAndShadow: yes
                WrapStyle: 0

                [V4+ Styles]
                Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
                Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, \
                MarginL, MarginR, MarginV, Encoding
                Style: Card,sans-serif,64,&H00FFFFFF,&H00FFFFFF,&H60000000,&HA0000000,0,0,0,0,100,100,0,0,1,3,2,1,60,\
                60,60,1

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

                """)
    }

    /// The event that draws the card; nil when there is nothing to be said.
    ///
    /// - Parameters:
    ///   - scale: 1 for the usual size.
    ///   - clip: overrides that cut.
    func event(scale: Double, clip: String = "") -> String? {
        let lines = [(title, 68.0, 1), (artist ?? "", 48.0, 0), (album ?? "", 38.0, 0)].compactMap {
            (text, size, bold) -> String? in
            let line = Self.escaped(text)
            return line.isEmpty ? nil : "{\\fs\(Int(size * scale))\\b\(bold)}" + line
        }
        return lines.isEmpty ? nil : "0,0,Card,,0,0,0,," + clip + lines.joined(separator: "\\N")
    }

    /// The text as it is: with nothing that ASS takes for an override.
    private static func escaped(_ text: String) -> String {
        var shown = PeerText.shown(text)[...]
        while shown.first?.isWhitespace == true { shown.removeFirst() }
        if shown.count > maximumCharacters { shown = shown.prefix(maximumCharacters - 1) + "…" }
        var result = ""
        for character in shown {
            switch character {
            case "{", "}": result += "\\\(character)"
            // Something without a width keeps it apart from the letter that would make it a break.
            case "\\": result += "\\\u{2060}"
            default: result.append(character)
            }
        }
        return result
    }
}

extension SubtitleRenderer {
    /// A card as one tile, on the lower third of the picture; nil when there is nothing to be said, or no font.
    package func tile(of card: TextCard) -> SubtitleTile? {
        let (width, height) = (library.width, library.height)
        guard let style = TextCard.style(width: width, height: height) else { return nil }
        for scale in [1, 0.8, 0.64, 0.5, 0.4] {
            guard let tile = draw(card.event(scale: scale), style) else { return nil }
            if tile.place.y >= 2.0 / 3 { return tile }
        }
        return draw(card.event(scale: 0.3, clip: "{\\clip(0,667,\(1_000 * width / height),1000)}"), style)
    }

    private func draw(_ event: String?, _ style: SubtitleStyle) -> SubtitleTile? {
        guard let event, let script = try? TextScript(style, library) else { return nil }
        script.append(event, start: 0, end: 1)
        return library.draw(script, atMilliseconds: 0, .one, unlessSame: false)?.first
    }
}
