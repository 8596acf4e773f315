/// The tags of songs that clients are told.
package struct MPDTag: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let artist = Self(rawValue: 1 << 0)
    package static let artistSort = Self(rawValue: 1 << 1)
    package static let album = Self(rawValue: 1 << 2)
    package static let albumSort = Self(rawValue: 1 << 3)
    package static let albumArtist = Self(rawValue: 1 << 4)
    package static let albumArtistSort = Self(rawValue: 1 << 5)
    package static let title = Self(rawValue: 1 << 6)
    package static let track = Self(rawValue: 1 << 7)
    package static let name = Self(rawValue: 1 << 8)
    package static let genre = Self(rawValue: 1 << 9)
    package static let date = Self(rawValue: 1 << 10)
    package static let originalDate = Self(rawValue: 1 << 11)
    package static let composer = Self(rawValue: 1 << 12)
    package static let performer = Self(rawValue: 1 << 13)
    package static let conductor = Self(rawValue: 1 << 14)
    package static let work = Self(rawValue: 1 << 15)
    package static let grouping = Self(rawValue: 1 << 16)
    package static let comment = Self(rawValue: 1 << 17)
    package static let disc = Self(rawValue: 1 << 18)
    package static let label = Self(rawValue: 1 << 19)
    package static let musicBrainzArtist = Self(rawValue: 1 << 20)
    package static let musicBrainzAlbum = Self(rawValue: 1 << 21)
    package static let musicBrainzAlbumArtist = Self(rawValue: 1 << 22)
    package static let musicBrainzTrack = Self(rawValue: 1 << 23)

    /// With the names of the protocol, in the order that answers have them.
    package static let named: [(name: String, tag: Self)] = [
        ("Artist", .artist), ("ArtistSort", .artistSort), ("Album", .album), ("AlbumSort", .albumSort),
        ("AlbumArtist", .albumArtist), ("AlbumArtistSort", .albumArtistSort), ("Title", .title), ("Track", .track),
        ("Name", .name), ("Genre", .genre), ("Date", .date), ("OriginalDate", .originalDate),
        ("Composer", .composer), ("Performer", .performer), ("Conductor", .conductor), ("Work", .work),
        ("Grouping", .grouping), ("Comment", .comment), ("Disc", .disc), ("Label", .label),
        ("MUSICBRAINZ_ARTISTID", .musicBrainzArtist), ("MUSICBRAINZ_ALBUMID", .musicBrainzAlbum),
        ("MUSICBRAINZ_ALBUMARTISTID", .musicBrainzAlbumArtist), ("MUSICBRAINZ_TRACKID", .musicBrainzTrack),
    ]

    /// All there are.
    package static let all = Self(named.map(\.tag))

    /// The tag of a name, whatever its case; nil for none.
    package init?(named name: String) {
        let wanted = name.lowercased()
        guard let known = Self.named.first(where: { $0.name.lowercased() == wanted }) else { return nil }
        self = known.tag
    }

    /// The protocol's name of one tag.
    package var name: String { Self.named.first { $0.tag == self }?.name ?? "" }

    /// What stands in for it in songs that do not have it.
    package var fallback: Self? {
        switch self {
        case .albumArtist, .artistSort: .artist
        case .albumArtistSort: .albumArtist
        case .albumSort: .album
        default: nil
        }
    }
}
