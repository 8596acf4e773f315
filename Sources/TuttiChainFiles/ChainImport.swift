package import TuttiChain

/// A chain that was read from a file of this program or of another one.
package struct ChainImport: Sendable, Equatable {
    /// Whose file it is.
    package enum Format: String, Sendable, CaseIterable {
        /// An effect in each line.
        case chainText
        /// A chain in YAML or JSON.
        case chainYAML
        /// Filters as Room EQ Wizard exports them.
        case roomEQWizard
        /// A configuration of Equalizer APO; AutoEq's `ParametricEQ.txt` is one.
        case equalizerAPO
        /// A configuration of CamillaDSP, versions 1 to 3.
        case camillaDSP
    }

    package var format: Format
    package var chain: EffectChain

    /// The impulse responses that the chain needs, each once, as the file names them.
    package var impulses: [String] { chain.impulses }

    /// The largest file that is read, in bytes.
    package static let maximumSize = 1 << 18

    /// Reads a file. What is neither taken over nor without an effect is refused.
    ///
    /// - Parameter format: Whose file it is; nil to find out.
    /// - Throws: `ChainError`, with the line for all but the shortest texts.
    package init(parsing text: String, as format: Format? = nil) throws(ChainError) {
        guard text.utf8.count <= Self.maximumSize else {
            throw .syntax(line: 0, "the file is longer than \(Self.maximumSize) bytes")
        }
        // Windows begins files with a byte order mark.
        let text = text.first == "\u{feff}" ? String(text.dropFirst()) : text
        guard let format = format ?? Self.detect(text) else {
            throw .syntax(
                line: 1,
                "this is no chain, and no file of Room EQ Wizard, AutoEq, Equalizer APO or CamillaDSP either")
        }
        self.format = format
        switch format {
        case .chainText: chain = try EffectChain(parsing: text)
        case .chainYAML: chain = try EffectChain(yaml: text)
        case .roomEQWizard, .equalizerAPO:
            var reader = FilterLines(isRoomEQWizard: format == .roomEQWizard)
            chain = try reader.chain(text)
        case .camillaDSP: chain = try CamillaReader.chain(text)
        }
        try chain.validate()
    }

    /// Whose file a text is; nil if nothing tells.
    package static func detect(_ text: String) -> Format? {
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.drop { $0 == "\u{feff}" }.split(maxSplits: 3, whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if line.contains("Filter Settings file") || line.contains("Room EQ V") || first == "Equaliser:" {
                return .roomEQWizard
            }
            if FilterLines.isCommand(line) { return .equalizerAPO }
            if line.first?.isWhitespace == false {
                if ["devices:", "filters:", "mixers:", "processors:", "pipeline:"].contains(first) {
                    return .camillaDSP
                }
                if first.hasPrefix("{") || first.hasPrefix("chain:") || first.hasPrefix("effects:") {
                    return .chainYAML
                }
            }
            if isFirst, Effect.isWord(first.lowercased()) { return .chainText }
            isFirst = false
        }
        return nil
    }
}
