import TuttiAssets
import TuttiCore
package import TuttiRooms
package import TuttiSchema
import TuttiSender
package import TuttiStore

/// What is asked of the playlists that a store keeps.
package struct PlaylistEdit: Sendable {
    /// Characters of a name.
    private static let lengths = 1...100
    /// Bytes of a track's place.
    private static let longestAddress = 4_096

    private let store: HouseStore
    private let now: Int64

    /// - Parameter now: in seconds since 1970.
    package init(store: HouseStore, now: Int64) { (self.store, self.now) = (store, now) }

    /// Carries a command out, other than `save`, which needs a queue.
    ///
    /// - Returns: all playlists after that; for `show`, the one with its tracks.
    /// - Throws: `.badOption` for a bad name or place, `.refused` for a playlist that nobody has kept.
    @discardableResult
    package func carryOut(_ command: ControlRequest.PlaylistCommand) throws(SenderError) -> [PlaylistListing] {
        switch command {
        case .list, .save: break
        case .show(let name):
            let listing = try listing(name)
            let inputs = try store.playlist(listing.name) ?? []
            return [
                PlaylistListing(name: listing.name, tracks: inputs.count, changed: listing.changed, inputs: inputs)
            ]
        case .set(let name, let inputs):
            try check(name)
            try check(inputs)
            try store.setPlaylist(try spelled(name), inputs, at: now)
        case .add(let name, let inputs, let index):
            try check(name)
            try check(inputs)
            try edit(try spelled(name), makes: true) { kept throws(SenderError) in
                let index = index ?? kept.count
                try Self.check(index, upTo: kept.count)
                kept.insert(contentsOf: inputs, at: index)
            }
        case .delete(let name, let entries):
            try edit(try listing(name).name) { kept throws(SenderError) in
                for entry in entries { try Self.check(entry, upTo: kept.count - 1) }
                let gone = Set(entries)
                kept = kept.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            }
        case .move(let name, let from, let to):
            try edit(try listing(name).name) { kept throws(SenderError) in
                for entry in [from, to] { try Self.check(entry, upTo: kept.count - 1) }
                kept.insert(kept.remove(at: from), at: to)
            }
        case .rename(let name, let new):
            try check(new)
            try store.renamePlaylist(try listing(name).name, to: new)
        case .remove(let name): try store.removePlaylist(try listing(name).name)
        }
        return try store.playlists()
    }

    /// The playlist of a name, however case and accents are written.
    private func listing(_ name: String) throws(SenderError) -> PlaylistListing {
        let playlists = try store.playlists()
        guard let kept = playlists.first(where: { Names.areSame($0.name, name) }) else {
            throw .unknownPlaylist(name, among: playlists.map(\.name))
        }
        return kept
    }

    /// The name as it is kept, or as it is given.
    private func spelled(_ name: String) throws(SenderError) -> String {
        try store.playlists().first { Names.areSame($0.name, name) }?.name ?? name
    }

    private func edit(
        _ name: String, makes: Bool = false, _ body: (inout [ControlInput]) throws(SenderError) -> Void
    ) throws(SenderError) {
        try store.editPlaylist(name, makes: makes, at: now, body)
    }

    private static func check(_ index: Int, upTo last: Int) throws(SenderError) {
        guard index >= 0, index <= last else {
            throw .refused("the playlist has no track \(index + 1)", exitCode: 3)
        }
    }

    private func check(_ name: String) throws(SenderError) {
        guard Self.lengths.contains(name.count), PeerText.shown(name) == name, !name.allSatisfy(\.isWhitespace) else {
            throw .badOption("a playlist's name has 1 to \(Self.lengths.upperBound) letters, digits and signs")
        }
    }

    private func check(_ inputs: [ControlInput]) throws(SenderError) {
        for input in inputs {
            guard input.uri.utf8.count <= Self.longestAddress else {
                throw .badOption("\(input.uri.prefix(100)): longer than \(Self.longestAddress) bytes")
            }
            let asset = try input.input()
            guard asset.isRemote || asset.uri.hasPrefix("/") || InputName(asset.uri) != nil else {
                throw .badOption(
                    "\(asset.uri.prefix(100)): a playlist has absolute paths, addresses and names such as station:jazz")
            }
            if InputName(asset.uri)?.kind == .playlist {
                throw .badOption("\(asset.uri.prefix(100)): a playlist has no other playlists in it")
            }
        }
    }
}

extension SenderError {
    /// Nobody has kept a playlist of this name; suggests the one that was probably meant.
    static func unknownPlaylist(_ name: String, among playlists: some Sequence<String>) -> SenderError {
        let advice = Names.nearest(to: name, in: playlists).map { "did you mean '\($0)'?" }
        return .refused(
            "\(name): no such playlist; \(advice ?? "`tutti playlist save NAME` keeps a queue")", exitCode: 3)
    }
}
