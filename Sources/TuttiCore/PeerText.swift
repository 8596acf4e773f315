/// A text that somebody else has chosen, made fit to be shown: in a log, on a terminal, in a message to others.
///
/// Whatever reads texts from the network makes them into one of these first, so nothing behind it needs to think of
/// that: a name cannot end a line of the log and begin another, nor clear a screen, nor turn the direction of what
/// stands beside it.
package enum PeerText {
    /// `text` without characters that steer what shows it.
    package static func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars where !steers(scalar) { result.unicodeScalars.append(scalar) }
        return result
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Marks and embeddings of the direction of writing.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
