import Foundation
package import Logging
import Synchronization
package import TuttiHost
package import TuttiRemote
package import TuttiSchema

/// The library of a running service, as clients of MPD browse it.
///
/// A thread of its own keeps a copy: it asks the service when that says that something has changed, and now and then.
/// Clients are answered from the copy; the service is asked for playlists alone.
package final class ServiceMPDLibrary: MPDLibrary {
    /// Seconds between two looks at the service's library that nobody has asked for; after an `update`; while there is
    /// no service.
    private static let (idle, afterUpdate, away) = (60.0, 3.0, 5.0)
    /// A copy is not made again before so many times the seconds that it took.
    private static let rest = 10.0
    /// Seconds that a client waits for the first copy.
    private static let patience = 20.0

    private struct State {
        var catalogue: MPDCatalogue?
        var statistics = LibraryListing.Statistics()
        var job: Int?
        var lastJob = 0
        var wantsLook = true
        /// When a copy may be made again, by the service watch's clock.
        var nextCopy = -1e9
        var tell: (@Sendable ([MPDChange]) -> Void)?
    }

    private let client: ServiceClient
    private let logger: Logger
    private let state = Mutex(State())
    /// Woken for a look, and after each.
    private let condition = NSCondition()

    package init(_ client: ServiceClient, logger: Logger) { (self.client, self.logger) = (client, logger) }

    /// Begins to follow the library.
    ///
    /// - Parameter tell: is told of changes, on any thread.
    /// - Throws: that there are no threads.
    package func start(telling tell: @escaping @Sendable ([MPDChange]) -> Void) throws(HostError) {
        state.withLock { $0.tell = tell }
        _ = try RealtimeThread.spawn(name: "library", priority: nil) { self.follow() }
    }

    /// The service says that something has changed.
    package func changed(_ change: ControlEvent.Change) {
        switch change {
        case .library: look()
        case .playlists: tell([MPDChange(.storedPlaylist)])
        case .groups, .queue, .rooms, .schedules, .stations: break
        }
    }

    private func look() {
        state.withLock { $0.wantsLook = true }
        condition.withLock { condition.broadcast() }
    }

    private func tell(_ changes: [MPDChange]) { state.withLock(\.tell)?(changes) }

    // MARK: Following

    private func follow() {
        while true {
            let job = state.withLock { state in
                state.wantsLook = false
                return state.job
            }
            var pause = read()
            if let job { pause = finish(job) }
            condition.withLock {
                condition.broadcast()
                let until = Date().addingTimeInterval(pause)
                while !state.withLock(\.wantsLook), condition.wait(until: until) {}
            }
        }
    }

    /// A scan takes its time, and says nothing when it has found nothing.
    ///
    /// - Returns: as `read`.
    private func finish(_ job: Int) -> Double {
        let until = Date().addingTimeInterval(Self.afterUpdate)
        condition.withLock { while !state.withLock(\.wantsLook), condition.wait(until: until) {} }
        let pause = read()
        let isOver = state.withLock { state in
            guard state.job == job else { return false }
            state.job = nil
            return true
        }
        if isOver { tell([MPDChange(.update)]) }
        return pause
    }

    /// Reads the library if it is another one.
    ///
    /// - Returns: the seconds until the next look.
    private func read() -> Double {
        guard let now = ask(.statistics)?.statistics else { return Self.away }
        let isKnown = state.withLock { state in
            defer { if state.statistics.revision == now.revision { state.statistics = now } }
            return state.catalogue != nil && state.statistics.revision == now.revision
        }
        guard !isKnown else { return Self.idle }
        // A library that is being filled changes again and again.
        let (began, next) = (ServiceWatch.now, state.withLock(\.nextCopy))
        guard began >= next else { return next - began }
        guard let catalogue = copy() else { return Self.away }
        state.withLock { $0.nextCopy = ServiceWatch.now + Self.rest * (ServiceWatch.now - began) }
        let isFirst = state.withLock { state in
            defer { (state.catalogue, state.statistics) = (catalogue, now) }
            return state.catalogue == nil
        }
        logger.info("the music library is read", metadata: ["songs": "\(catalogue.rows.count)"])
        if !isFirst || !catalogue.rows.isEmpty { tell([MPDChange(.database)]) }
        return Self.idle
    }

    private func copy() -> MPDCatalogue? {
        guard let roots = ask(.roots)?.roots else { return nil }
        var catalogue = MPDCatalogue(roots: roots.map(\.path))
        var last: Int64 = 0
        while true {
            guard let page = ask(.all(after: last, limit: LibrarySpan.longest)), let tracks = page.tracks else {
                return nil
            }
            catalogue.take(tracks)
            // Ids that do not grow would be asked for for ever.
            guard page.more == true, let next = tracks.last?.id, next > last else { break }
            last = next
        }
        catalogue.finish()
        return catalogue
    }

    /// The service's answer to a question about its library.
    func answer(_ command: ControlRequest.LibraryCommand) throws(ServiceClient.Failure) -> LibraryListing? {
        try client.ask(ControlRequest(.library(command))).library
    }

    /// The copy, if there is one yet.
    var known: MPDCatalogue? { state.withLock(\.catalogue) }

    private func ask(_ command: ControlRequest.LibraryCommand) -> LibraryListing? {
        try? client.ask(ControlRequest(.library(command))).library
    }

    /// The copy; what begins to browse waits for the first one.
    private var catalogue: MPDCatalogue? {
        if let known = state.withLock(\.catalogue) { return known }
        let until = Date().addingTimeInterval(Self.patience)
        condition.withLock { while state.withLock({ $0.catalogue == nil }), condition.wait(until: until) {} }
        return state.withLock(\.catalogue)
    }

    // MARK: Browsing

    package func entries(in folder: String) -> [MPDLibraryEntry]? {
        guard let catalogue else { return folder.isEmpty ? [] : nil }
        return catalogue.entries(in: folder)
    }

    package func songs(matching filter: MPDFilter) -> [any MPDTagged] { catalogue?.songs(matching: filter) ?? [] }
    package func song(at path: String) -> MPDSong? { state.withLock(\.catalogue)?.song(at: path) }
    package func song(playing uri: String, start: Double?) -> MPDSong? {
        state.withLock(\.catalogue)?.song(ofFile: uri, start: start)
    }

    package func input(for song: MPDSong) -> ControlInput {
        if let input = state.withLock(\.catalogue)?.input(for: song) { return input }
        return ControlInput(
            uri: song.uri, title: song.tags[.title]?.first, artist: song.tags[.artist]?.joined(separator: "; "),
            album: song.tags[.album]?.first)
    }

    package func statistics() -> MPDLibraryStatistics {
        state.withLock { state in
            var statistics = MPDLibraryStatistics()
            (statistics.artists, statistics.albums) = (state.statistics.artists, state.statistics.albums)
            (statistics.songs, statistics.duration) = (state.statistics.tracks, state.statistics.duration)
            (statistics.updated, statistics.job) = (state.statistics.added, state.job)
            return statistics
        }
    }

    package func update(_ path: String, rescans: Bool) -> Int? {
        guard (try? client.ask(ControlRequest(.library(.scan)))) != nil else { return nil }
        let job = state.withLock { state in
            state.lastJob += 1
            state.job = state.lastJob
            return state.lastJob
        }
        look()
        return job
    }

    // MARK: Playlists

    package func playlists() -> [(name: String, modified: Int64)] {
        let playlists = try? client.ask(ControlRequest(.playlist(.list))).playlists
        return (playlists ?? []).map { ($0.name, $0.changed) }
    }

    package func inputs(ofPlaylist name: String) -> [ControlInput]? {
        (try? client.ask(ControlRequest(.playlist(.show(name)))).playlists)?.first?.inputs
    }

    package func song(for input: ControlInput) -> MPDSong {
        let start = input.start ?? (input.end == nil ? nil : [0, 1])
        if let known = song(playing: input.uri, start: start.flatMap(MPDCatalogue.seconds)) { return known }
        var song = MPDSong(uri: input.uri)
        song.tags[.title] = input.title.map { [$0] }
        song.tags[.artist] = input.artist.map { [$0] }
        song.tags[.album] = input.album.map { [$0] }
        return song
    }
}
