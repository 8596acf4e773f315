import Dispatch
import Glibc
import TuttiAssets
import TuttiCore
import TuttiLibrary
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// The music library and the playlists, as controllers ask for them.
extension House {
    var library: HouseLibrary { configuration.library }

    /// Answers what is asked of the library.
    func answer(
        _ command: ControlRequest.LibraryCommand, _ request: ControlRequest
    ) async throws(SenderError) -> ControlResponse {
        var response = ControlResponse()
        switch command {
        case .favourite(let isFavourite, let ids, let inputs):
            response.library = try await favour(isFavourite, ids, inputs, request)
        case .scan:
            guard library.exists else { throw Self.emptyLibrary }
            guard library.look() else { throw .notNow("nobody follows changes of the music library now") }
        default:
            response.library = try await library.perform { store throws(LibraryError) in
                guard let store else { return try LibraryListing(ofNothing: command) }
                return try store.answer(command)
            }
        }
        return response
    }

    /// Makes tracks favourites, or none.
    private func favour(
        _ isFavourite: Bool, _ ids: [Int64], _ inputs: [ControlInput], _ request: ControlRequest
    ) async throws(SenderError) -> LibraryListing {
        guard library.exists else { throw Self.emptyLibrary }
        var files = try NamedInputs(store: store, library: library).resolve(inputs).map { LibraryFile($0) }
        if ids.isEmpty, inputs.isEmpty {
            guard let item = try await item(of: request) else { throw nothingPlays }
            files = [LibraryFile(path: item.uri, start: item.start)]
        }
        files = await Self.resolved(files)
        guard files.count <= ControlRequest.mostTracks else {
            throw .badOption("at most \(ControlRequest.mostTracks) tracks can be marked at once")
        }
        return try await library.perform { [files] store throws(LibraryError) in
            var listing = LibraryListing()
            listing.tracks = try store?.markFavourites(files, ids: ids, isFavourite)
            return listing
        }
    }

    /// Paths without links, as the library has them. Where a disk does not answer, nothing else waits for it.
    private static func resolved(_ files: [LibraryFile]) async -> [LibraryFile] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: files.map { file in
                        guard let real = realpath(file.path, nil) else { return file }
                        defer { Glibc.free(real) }
                        return LibraryFile(path: String(cString: real), start: file.start)
                    })
            }
        }
    }

    /// What plays in the group that a request means, or waits there.
    private func item(of request: ControlRequest) async throws(SenderError) -> PlayerStatus.Item? {
        if let wanted = request.group.map(Names.fold), playing[wanted] == nil, let queue = stopped[wanted] {
            return PlayerStatus(queue.record, []).item
        }
        let key = try await key(for: request)
        return await playing[key]?.player.status().item
    }

    private static let emptyLibrary = SenderError.refused(
        "the library is empty; `tutti library add FOLDER` fills it", exitCode: 3)

    /// Files of the library have come, gone or changed.
    package func libraryChanged() { watchers.tell(ControlEvent(.changed(.library))) }

    /// Tells how loud inputs were measured to be, from any thread: by the store, or by the library, which knows also files
    /// that were moved since.
    var loudnessLookup: @Sendable (AssetInput) -> TrackLoudness? {
        let (measured, library) = (store.loudnessLookup, library)
        return { input in
            if let loudness = measured(input) { return loudness }
            return try? library.opened()?.measured(input)
        }
    }

    // MARK: Playlists

    /// Answers what is asked of the playlists.
    func answer(
        _ command: ControlRequest.PlaylistCommand, _ request: ControlRequest
    ) async throws(SenderError) -> ControlResponse {
        var response = ControlResponse()
        let edit = PlaylistEdit(store: store, now: Int64(configuration.wallClock()))
        if case .save(let name) = command {
            response.playlists = try edit.carryOut(.set(name, try await queue(of: request)))
        } else {
            response.playlists = try edit.carryOut(command)
        }
        return response
    }

    /// The tracks of the queue that a request means.
    private func queue(of request: ControlRequest) async throws(SenderError) -> [ControlInput] {
        if let wanted = request.group.map(Names.fold), playing[wanted] == nil, let queue = stopped[wanted] {
            return queue.record.queue
        }
        if request.group == nil, playing.isEmpty, let key = latestStopped, let queue = stopped[key] {
            return queue.record.queue
        }
        let key = try await key(for: request)
        guard let player = playing[key]?.player else { throw nothingPlays }
        return await player.inputs()
    }
}

extension PlayerRecord {
    /// The tracks in the order of play.
    fileprivate var queue: [ControlInput] {
        let inputs = Dictionary(entries.map { ($0.id, $0.input) }) { first, _ in first }
        return order.ids.compactMap { inputs[$0].map { ControlInput($0, directory: "/") } }
    }
}

extension LibraryListing {
    /// What a library answers that nobody has made.
    fileprivate init(ofNothing command: ControlRequest.LibraryCommand) throws(LibraryError) {
        self.init()
        switch command {
        case .statistics: statistics = Statistics()
        case .roots: roots = []
        case .search: (names, albums, tracks, more) = ([], [], [], false)
        case .list(let what, _, _):
            more = false
            switch what {
            case .albums: albums = []
            case .artists, .albumArtists, .composers, .genres: names = []
            case .years: years = []
            case .tracks, .added, .played, .favourites: tracks = []
            }
        case .find(let what, _): if what == .albums { albums = [] } else { names = [] }
        case .album(let id): throw .noSuchAlbum(id)
        case .name(let id, _): throw .noSuchName(id)
        case .year: (albums, more) = ([], false)
        case .all: (tracks, more) = ([], false)
        case .files: tracks = []
        case .stickers(.track(let id)), .sticker(let id, _, _): throw .noSuchTrack(id)
        case .stickers(.named): (stickers, more) = ([], false)
        case .favourite, .scan: break
        }
    }
}
