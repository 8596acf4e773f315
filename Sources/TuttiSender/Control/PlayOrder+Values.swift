import Glibc
package import TuttiAssets
package import TuttiCore
package import TuttiProduction
package import TuttiRooms
import TuttiSchema

/// What the words of a play request mean.
extension PlayOrder {
    /// Checks everything that can be checked without looking at files or rooms.
    ///
    /// - Throws: `SenderError.badOption`, `.badRoom`.
    package func check() throws(SenderError) {
        _ = (try assets(), try addresses(), try encoding(), try start(), try crossfadeTime(), try tracks())
        if rooms.isEmpty, groups.isEmpty { throw .badOption("no room to play in: name a room or a group") }
        if let rate, !PlayerConfiguration.rates.contains(rate) { throw .badOption("a rate is from 0.5 to 2") }
        if let volume, !(0...100).contains(volume) { throw .badOption("a volume is from 0 to 100") }
        if let fade, !(0...600).contains(fade) { throw .badOption("a fade is from 0 to 600 s") }
        if let gain, !(-60...20).contains(gain) { throw .badOption("a gain is from -60 to 20 dB") }
    }

    /// The tracks.
    ///
    /// - Throws: `SenderError.badOption` when there are none, or for standard input.
    package func assets() throws(SenderError) -> [AssetInput] {
        var assets: [AssetInput] = []
        for input in inputs { assets.append(try input.input()) }
        guard !assets.isEmpty else { throw .badOption("nothing to play: name a file, a folder or an address") }
        return assets
    }

    /// The rooms that are named one by one.
    ///
    /// - Throws: `SenderError.badRoom`.
    package func addresses() throws(SenderError) -> [RoomAddress] {
        var addresses: [RoomAddress] = []
        for room in rooms { addresses.append(try RoomAddress(parsing: room)) }
        return addresses
    }

    /// How it travels.
    ///
    /// - Throws: `SenderError.badOption`.
    package func encoding() throws(SenderError) -> EncodingOptions {
        let name = codec ?? "flac"
        var options: EncodingOptions
        if name == EncodingOptions.originalName {
            guard bitrate == nil else { throw .badOption("only the codec opus takes a bit rate") }
            options = try .original
        } else {
            guard let codec = AudioFormat.Codec(rawValue: name) else {
                throw .badOption("\(name): no such codec; use flac, opus, pcm or original")
            }
            options = try EncodingOptions(codec: codec, bitrate: bitrate)
        }
        if let gain { options.gain = Float(pow(10, gain / 20)) }
        return options
    }

    /// Where the first track starts.
    ///
    /// - Throws: `SenderError.badOption`.
    package func start() throws(SenderError) -> MediaTime {
        guard let startAt else { return .zero }
        guard let time = SeekTarget.time(startAt) else {
            throw .badOption("\(startAt): a time is in seconds, M:SS or H:MM:SS")
        }
        return time
    }

    /// The word for no reference room.
    package static let noReference = "none"

    /// The room whose card leads playback time; nil for none.
    ///
    /// - Parameters:
    ///   - rooms: those that it can be.
    ///   - known: the one that the group had.
    /// - Throws: `SenderError.roomNotFound` for one that is not among them.
    package func reference(
        among rooms: [RoomAddress], known: String? = nil
    ) throws(SenderError) -> String? {
        guard let reference else { return known.flatMap { name in rooms.contains { $0.isCalled(name) } ? name : nil } }
        if reference == Self.noReference { return nil }
        guard let room = rooms.first(where: { $0.isCalled(reference) }) else {
            throw .roomNotFound(
                reference, reason: "the reference room must be one of the rooms that play; add it with --room")
        }
        return room.label
    }

    /// Which tracks of films play.
    ///
    /// - Parameter known: what the group had.
    /// - Throws: `SenderError.badOption`.
    package func tracks(known: TrackChoices = TrackChoices()) throws(SenderError) -> TrackChoices {
        do throws(TrackChoiceError) {
            return TrackChoices(
                audio: try audioTrack.map { text throws(TrackChoiceError) in try TrackChoice(parsing: text, of: .audio)
                }
                    ?? known.audio,
                subtitle: try subtitle.map { text throws(TrackChoiceError) in
                    try TrackChoice(parsing: text, of: .subtitle)
                } ?? known.forOtherFilms.subtitle)
        } catch {
            throw .badOption(error.description)
        }
    }

    /// How long a track and the next one overlap.
    ///
    /// - Throws: `SenderError.badOption`.
    package func crossfadeTime() throws(SenderError) -> MediaTime { try MediaTime(crossfade: crossfade ?? 0) }
}
