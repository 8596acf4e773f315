package import TuttiAssets
import TuttiCore
package import TuttiRooms
package import TuttiSchema

extension ControlInput {
    /// The input, named so that it is the same one in another working directory.
    ///
    /// - Parameter directory: where relative paths begin.
    package init(_ input: AssetInput, directory: String) {
        let isAbsolute = input.isRemote || input.isLive || input.uri.hasPrefix("/") || InputName(input.uri) != nil
        self.init(
            uri: isAbsolute ? input.uri : directory + "/" + input.uri, title: input.title, artist: input.artist,
            album: input.album, start: input.start.isPositive ? Self.pair(input.start) : nil,
            end: input.end.map(Self.pair))
    }

    /// What the player is to open.
    ///
    /// - Throws: `.badOption` for standard input, which is the player's own, and for places that are none.
    package func input() throws(SenderError) -> AssetInput {
        guard !uri.isEmpty, uri != AssetInput.standardInput else {
            throw .badOption("standard input cannot be queued; use files, folders, playlists or addresses")
        }
        return AssetInput(
            uri: uri, title: title, artist: artist, album: album, start: try start.map(Self.time) ?? .zero,
            end: try end.map(Self.time))
    }

    private static func pair(_ time: MediaTime) -> [Int64] { [time.value, Int64(time.timescale)] }

    private static func time(_ pair: [Int64]) throws(SenderError) -> MediaTime {
        guard pair.count == 2, pair[0] >= 0, let timescale = Int32(exactly: pair[1]),
            let time = MediaTime(value: pair[0], timescale: timescale)
        else { throw .badOption("a place in a file needs a count and a timescale") }
        return time
    }
}
