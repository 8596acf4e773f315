import TuttiAssets

/// The address of a song that is no more than simulated: `sim:NAME?entry=NUMBER`.
struct SymbolicInput {
    let song: String
    /// Names the entry of a queue, over all queues of the house.
    let entry: UInt32

    /// The same for a player.
    var asset: AssetInput { AssetInput(uri: "sim:\(song)?entry=\(entry)", title: song) }
}

extension SymbolicInput {
    /// Reads an address.
    init?(_ uri: String) {
        guard uri.hasPrefix("sim:"), let mark = uri.firstRange(of: "?entry="),
            let entry = UInt32(uri[mark.upperBound...])
        else { return nil }
        self.init(song: String(uri[..<mark.lowerBound].dropFirst(4)), entry: entry)
    }
}
