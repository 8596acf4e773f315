package import TuttiSchema

/// What is asked of a library through a service.
extension LibraryStore {
    /// Answers a question. Requests that change something are carried out by whoever has the inputs and the folders'
    /// watch; of them this answers nothing.
    ///
    /// - Throws: `.noSuchAlbum`, `.noSuchName`, `.store`.
    package func answer(_ command: ControlRequest.LibraryCommand) throws(LibraryError) -> LibraryListing {
        var listing = LibraryListing()
        switch command {
        case .statistics: listing.statistics = try statistics()
        case .roots: listing.roots = try roots().map { LibraryListing.Root($0) }
        case .search(let words, let span): try search(words, span, &listing)
        case .list(let what, let order, let span): try list(what, order, span, &listing)
        case .find(let what, let text): try find(what, text, &listing)
        case .album(let id):
            listing.tracks = try tracks(ofAlbum: id).map { LibraryListing.Track($0) }
            listing.albums = try album(id).map { [LibraryListing.Album($0)] } ?? []
        case .name(let id, let span):
            guard let name = try name(id) else { throw .noSuchName(id) }
            listing.names = [LibraryListing.Name(name)]
            let albums = try albums(of: id, LibraryPage(span)).map { LibraryListing.Album($0) }
            let tracks = try tracks(of: id, LibraryPage(span)).map { LibraryListing.Track($0) }
            (listing.albums, listing.tracks) = (albums, tracks)
            listing.more = max(albums.count, tracks.count) == LibraryPage(span).limit
        case .year(let year, let span):
            let albums = try albums(ofYear: year, LibraryPage(span)).map { LibraryListing.Album($0) }
            (listing.albums, listing.more) = (albums, albums.count == LibraryPage(span).limit)
        case .all(let id, let limit):
            let limit = LibraryPage(limit: limit).limit
            let tracks = try tracks(after: id, limit: limit).map { LibraryListing.Track($0) }
            (listing.tracks, listing.more) = (tracks, tracks.count == limit)
        case .files(let paths):
            var tracks: [LibraryListing.Track] = []
            for path in paths { tracks += try self.tracks(atPath: path).map { LibraryListing.Track($0) } }
            listing.tracks = tracks
        case .stickers(let place): try stickers(place, &listing)
        case .sticker(let id, let name, let value): try setSticker(of: id, name, to: value)
        case .favourite, .scan: break
        }
        return listing
    }

    private func search(
        _ words: String, _ span: LibrarySpan, _ listing: inout LibraryListing
    ) throws(LibraryError) {
        let page = LibraryPage(span)
        // A search is in the order of what fits best, which has no places to begin at.
        let found = try search(words, limit: min(page.offset + page.limit, LibraryLimits.page))
        listing.names = found.artists.dropFirst(page.offset).prefix(page.limit).map { LibraryListing.Name($0) }
        listing.albums = found.albums.dropFirst(page.offset).prefix(page.limit).map { LibraryListing.Album($0) }
        listing.tracks = found.tracks.dropFirst(page.offset).prefix(page.limit).map { LibraryListing.Track($0) }
        let most = [found.artists.count, found.albums.count, found.tracks.count].max() ?? 0
        listing.more = most == page.offset + page.limit
    }

    private func find(
        _ what: LibraryList, _ text: String, _ listing: inout LibraryListing
    ) throws(LibraryError) {
        let kind: LibraryName.Kind
        switch what {
        case .artists: kind = .artist
        case .albumArtists: kind = .albumArtist
        case .composers: kind = .composer
        case .genres: kind = .genre
        default:
            listing.albums = try albums(called: text).map { LibraryListing.Album($0) }
            return
        }
        listing.names = try name(kind, called: text).map { [LibraryListing.Name($0)] } ?? []
    }

    private func list(
        _ what: LibraryList, _ order: LibraryOrder, _ span: LibrarySpan, _ listing: inout LibraryListing
    ) throws(LibraryError) {
        let page = LibraryPage(span)
        switch what {
        case .albums: listing.albums = try albums(page, by: order.order).map { LibraryListing.Album($0) }
        case .artists: listing.names = try names(.artist, page).map { LibraryListing.Name($0) }
        case .albumArtists: listing.names = try names(.albumArtist, page).map { LibraryListing.Name($0) }
        case .composers: listing.names = try names(.composer, page).map { LibraryListing.Name($0) }
        case .genres: listing.names = try names(.genre, page).map { LibraryListing.Name($0) }
        case .years:
            listing.years = try years(page).map { LibraryListing.Year(year: $0.year, tracks: $0.trackCount) }
        case .tracks: listing.tracks = try tracks(page).map { LibraryListing.Track($0) }
        case .added: listing.tracks = try recentlyAdded(page).map { LibraryListing.Track($0) }
        case .played: listing.tracks = try recentlyPlayed(page).map { LibraryListing.Track($0) }
        case .favourites: listing.tracks = try favourites(page).map { LibraryListing.Track($0) }
        }
        let count = [
            listing.albums?.count, listing.names?.count, listing.years?.count, listing.tracks?.count,
        ].compactMap(\.self).max()
        listing.more = count == page.limit
    }
}

extension LibraryPage {
    package init(_ span: LibrarySpan) { self.init(offset: span.offset, limit: span.limit) }
}
