import Foundation
import Synchronization
import Testing
import TuttiAssets
import TuttiCore
import TuttiScan
import TuttiStore

/// Measuring files, and remembering it.
@Suite struct LoudnessScanTests {
    /// What a scan told.
    private struct Told {
        var tracks: [String: (MeasuredTrack, isKnown: Bool)] = [:]
        var albums: [String: (MeasuredTrack.Album, isKnown: Bool)] = [:]
        var failures: [String] = []
        var last: LoudnessScan.Progress?
    }

    private let folder: ScanFolder
    private let store: HouseStore

    init() throws {
        folder = try ScanFolder()
        store = try HouseStore(directory: folder.path + "/state")
    }

    private func scan(_ paths: [String]) -> Told {
        let told = Mutex(Told())
        LoudnessScan(paths.map { AssetInput(uri: $0) }, store: store, threads: 2).run { event in
            told.withLock { told in
                switch event {
                case .track(let input, let track, let isKnown): told.tracks[input.uri] = (track, isKnown)
                case .album(let album, _, let isKnown): told.albums[album.name] = (album, isKnown)
                case .failed(_, let message): told.failures.append(message)
                case .progress(let progress): told.last = progress
                }
            }
        }
        return told.withLock { $0 }
    }

    @Test func tonesAreAsLoudAsTheyAreMade() throws {
        let soft = try folder.add("soft.wav", ToneWave(level: -30, seconds: 12, album: "Duo"))
        let loud = try folder.add("loud.wav", ToneWave(level: -10, seconds: 12, album: "Duo"))
        let lone = try folder.add("lone.wav", ToneWave(level: -20, seconds: 5, album: nil))
        let told = scan([soft, loud, lone])
        for (path, level) in [(soft, -30.0), (loud, -10), (lone, -20)] {
            let track = try #require(told.tracks[path])
            #expect(!track.isKnown)
            #expect(abs(try #require(track.0.figures.integrated) - level) < 0.1)
            #expect(abs(try #require(track.0.figures.peak) - level) < 0.1)
        }
        // The soft half lies 20 dB below the other: the relative gate leaves it out.
        let album = try #require(told.albums["Duo"])
        #expect(told.albums.count == 1 && album.0.trackCount == 2)
        #expect(abs(try #require(album.0.figures.integrated) - -10) < 0.1)
        #expect(told.tracks[lone]?.0.album == nil)
        #expect(told.failures == [] && told.last?.done == 3 && told.last?.total == 3)
        #expect(abs((told.last?.seconds ?? 0) - 29) < 0.01)
    }

    @Test func whatHasNotChangedIsNotMeasuredAgain() throws {
        let paths = try ["a", "b", "c"].map {
            try folder.add($0 + ".wav", ToneWave(level: -20, seconds: 2, album: "Trio"))
        }
        _ = scan(paths)
        let again = scan(paths)
        #expect(again.tracks.values.allSatisfy(\.isKnown) && again.tracks.count == 3)
        #expect(again.albums["Trio"]?.isKnown == true && again.last == nil)
        // One track of an album that is known is known.
        #expect(scan([paths[1]]).tracks[paths[1]]?.isKnown == true)
        // Where one has changed, the album has.
        _ = try folder.add("b.wav", ToneWave(level: -10, seconds: 2.5, album: "Trio"))
        let changed = scan(paths)
        #expect(changed.tracks.values.allSatisfy { !$0.isKnown })
        #expect(abs(try #require(changed.tracks[paths[1]]?.0.figures.integrated) - -10) < 0.1)
        // So it is where one is new.
        let fourth = try folder.add("d.wav", ToneWave(level: -20, seconds: 2, album: "Trio"))
        #expect(scan(paths + [fourth]).albums["Trio"]?.0.trackCount == 4)
        #expect(scan(paths).albums["Trio"]?.0.trackCount == 4)
    }

    @Test func whatCannotBeReadIsToldAndTheRestIsMeasured() throws {
        let good = try folder.add("good.wav", ToneWave(level: -20, seconds: 2))
        let bad = folder.path + "/bad.wav"
        try Data("no sound".utf8).write(to: URL(filePath: bad))
        let told = scan([bad, folder.path + "/none.wav", "http://127.0.0.1:1/x", good, good, "/dev/null"])
        #expect(told.tracks.keys.sorted() == [good])
        #expect(told.failures.count == 4, "\(told.failures)")
        #expect(scan([good, bad]).tracks[good]?.isKnown == true)
    }

    @Test func silenceHasNoLoudness() throws {
        let path = try folder.add("silence.wav", ToneWave(level: -200, seconds: 2))
        let track = try #require(scan([path]).tracks[path])
        #expect(track.0.figures.integrated == nil && track.0.loudness == TrackLoudness())
        #expect(scan([path]).tracks[path]?.isKnown == true)
    }
}
