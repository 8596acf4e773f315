import TuttiCore

/// Names of files that others have chosen.
package enum UploadName {
    /// Bytes of a name, and of its ending, at most: file systems take 255.
    package static let (mostBytes, mostEndingBytes) = (160, 16)

    /// A name that is one, for a file in a folder of ours: its last component, without characters that steer, and not
    /// hidden. The ending stays, for it tells people and programs what the file is.
    package static func safe(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let words = PeerText.shown(last).split { $0.isWhitespace }.joined(separator: " ")
        let shown = words.drop { $0 == "." || $0 == " " }
        guard !shown.isEmpty else { return "upload" }
        var (stem, ending) = (shown, Substring())
        if let dot = shown.lastIndex(of: "."), dot != shown.startIndex {
            let rest = shown[dot...]
            if rest.utf8.count <= mostEndingBytes { (stem, ending) = (shown[..<dot], rest) }
        }
        while stem.utf8.count > mostBytes - ending.utf8.count { stem.removeLast() }
        return String(stem.isEmpty ? "upload" + ending : stem + ending)
    }
}
