import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiStore

/// What the store remembers of loudness.
@Suite struct LoudnessStoreTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/tutti-loudness-\(UUID().uuidString)"
    private let store: HouseStore
    private var song: String { folder + "/song.flac" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try HouseStore(directory: folder + "/state")
        try Data("music".utf8).write(to: URL(filePath: folder + "/song.flac"))
    }

    private func measured(_ integrated: Double?, album: MeasuredTrack.Album? = nil) throws -> MeasuredTrack {
        MeasuredTrack(
            file: try #require(FileStamp(of: song)),
            figures: MeasuredTrack.Figures(integrated: integrated, range: 4, peak: -0.5), album: album)
    }

    @Test func whatWasMeasuredIsKnownUntilTheFileChanges() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let input = AssetInput(uri: song)
        #expect(try store.measured(input) == nil)
        let album = MeasuredTrack.Album(
            name: "Album", trackCount: 3, figures: .init(integrated: -10, range: 5, peak: 0.25))
        let track = try measured(-12, album: album)
        try store.remember([(input, track)])
        #expect(try store.measured(input) == track)
        #expect(
            store.loudnessLookup(input)
                == TrackLoudness(
                    track: .init(integrated: -12, peak: -0.5), album: .init(integrated: -10, peak: 0.25)))
        // By another way, or after a restart.
        try FileManager.default.createSymbolicLink(atPath: folder + "/link.flac", withDestinationPath: song)
        #expect(try store.measured(AssetInput(uri: folder + "/link.flac", title: "Other")) == track)
        store.close()
        #expect(store.loudnessLookup(input) == nil)
        let again = try HouseStore(directory: folder + "/state")
        #expect(try again.measured(input) == track)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: song)
        #expect(try again.measured(input) == nil)
    }

    @Test func aTrackOfACueSheetIsNotItsFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let part = AssetInput(uri: song, start: MediaTime(frame: 1, sampleRate: 1), end: nil)
        try store.remember([(part, try measured(-20))])
        #expect(try store.measured(AssetInput(uri: song)) == nil)
        #expect(try store.measured(part)?.figures.integrated == -20)
        try store.remember([(part, try measured(nil))])
        #expect(store.loudnessLookup(part) == TrackLoudness())
    }

    @Test func addressesPipesAndWhatIsMissingAreNotKnown() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for uri in ["http://host/song.flac", "-", folder, folder + "/none", "", "/dev/null"] {
            #expect(try store.measured(AssetInput(uri: uri)) == nil)
        }
    }
}
