import TuttiAssets

/// The address of a song that is no more than simulated: `sim:NAME?entry=NUMBER`.
struct SymbolicInput {
    let song: String
    /// Names the entry of a queue, over all queues of the house.
    let entry: UInt32

    init(song: String, entry: UInt32) {
        self.song = song
        self.entry = entry
    }

    /// Reads an address.
    init?(_ uri: String) {
        guard uri.hasPrefix("sim:"), let mark = uri.range(of: "?entry="), let entry = UInt32(uri[mark.upperBound...])
        else { return nil }
        song = String(uri[uri.index(uri.startIndex, offsetBy: 4)..<mark.lowerBound])
        self.entry = entry
    }

    /// The same for a player.
    var asset: AssetInput { AssetInput(uri: "sim:\(song)?entry=\(entry)", title: song) }
}

extension StringProtocol {
    /// Where `text` first occurs.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
