import GRDB
package import TuttiAssets
import TuttiCore
import TuttiDatabase
package import TuttiRooms
import TuttiSender

/// How loud files are, as `tutti loudness` has measured.
extension HouseStore {
    /// What was measured of an input; nil when nothing was, or when its file has changed since.
    package func measured(_ input: AssetInput) throws(SenderError) -> MeasuredTrack? {
        guard !input.isRemote, !input.isStandardInput, let file = FileStamp(of: input.uri) else { return nil }
        let row = try read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT * FROM loudness
                    WHERE path = ? AND begin = ? AND finish = ? AND size = ? AND modified = ?
                    """,
                arguments: [file.path, Self.begin(of: input), Self.finish(of: input), file.size, file.modified])
        }
        guard let row, let count: Int = row.value("albumTracks") else { return nil }
        let album = (row.value("album") as String?).map { name in
            MeasuredTrack.Album(
                name: name, trackCount: count,
                figures: MeasuredTrack.Figures(
                    integrated: row.value("albumIntegrated"), range: row.value("albumRange"),
                    peak: row.value("albumPeak")))
        }
        let figures = MeasuredTrack.Figures(
            integrated: row.value("integrated"), range: row.value("range"), peak: row.value("peak"))
        return MeasuredTrack(file: file, figures: figures, album: album)
    }

    /// Remembers what was measured, instead of what was before.
    package func remember(_ tracks: [(input: AssetInput, measured: MeasuredTrack)]) throws(SenderError) {
        try write { db in
            for (input, track) in tracks {
                let album = track.album
                try db.execute(
                    sql: "INSERT OR REPLACE INTO loudness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        track.file.path, Self.begin(of: input), Self.finish(of: input), track.file.size,
                        track.file.modified, track.figures.integrated, track.figures.range, track.figures.peak,
                        album?.name, album?.figures.integrated, album?.figures.range, album?.figures.peak,
                        album?.trackCount ?? 0,
                    ])
            }
        }
    }

    /// Tells how loud inputs were measured to be, from any thread. What cannot be read is not known.
    package var loudnessLookup: @Sendable (AssetInput) -> TrackLoudness? {
        { [self] input in (try? measured(input))?.loudness }
    }

    private static func begin(of input: AssetInput) -> Int64 { input.start.nanoseconds }
    private static func finish(of input: AssetInput) -> Int64 { input.end?.nanoseconds ?? 0 }
}
