import TuttiCore
import TuttiSchema

/// Playlists as other players read them.
enum PlaylistText {
    /// An M3U8 file of tracks, and how many could not be named in it: stations and parts of the library by their names.
    /// Of a file with several tracks, the whole file stands there once.
    static func m3u8(_ inputs: [ControlInput]) -> (text: String, leftOut: Int) {
        var lines = ["#EXTM3U"]
        var (leftOut, last) = (0, "")
        for input in inputs {
            let isPart = input.start != nil || input.end != nil
            if isPart, input.uri == last { continue }
            last = isPart ? input.uri : ""
            guard InputName(input.uri) == nil, PeerText.shown(input.uri) == input.uri else {
                leftOut += 1
                continue
            }
            let title = [input.artist, isPart ? input.album : input.title].compactMap(\.self).joined(separator: " - ")
            if !title.isEmpty { lines.append("#EXTINF:-1,\(PeerText.shown(title))") }
            lines.append(input.uri)
        }
        return (lines.joined(separator: "\n") + "\n", leftOut)
    }
}
