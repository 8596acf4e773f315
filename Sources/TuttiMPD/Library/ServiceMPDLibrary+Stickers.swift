import TuttiRemote
import TuttiSchema

/// Notes of clients, which the service's library keeps with its tracks.
extension ServiceMPDLibrary {
    package func stickers(of path: String) throws(MPDFault) -> [(name: String, value: String)] {
        let listing = try ask(.stickers(.track(try id(of: path))))
        return (listing?.stickers ?? []).map { ($0.name, $0.value) }
    }

    package func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault) {
        _ = try ask(.sticker(id: try id(of: path), name: name, value: value))
    }

    package func stickers(named name: String, in folder: String) throws(MPDFault) -> [(path: String, value: String)] {
        var values: [Int64: String] = [:]
        var last: Int64 = 0
        while true {
            let listing = try ask(.stickers(.named(name, after: last, limit: LibrarySpan.longest)))
            for sticker in listing?.stickers ?? [] { values[sticker.id] = sticker.value }
            // Ids that do not grow would be asked for for ever.
            guard listing?.more == true, let next = listing?.stickers?.last?.id, next > last else { break }
            last = next
        }
        let songs = known?.songs(of: Set(values.keys), in: folder) ?? []
        return songs.compactMap { id, path in values[id].map { (path, $0) } }
    }

    private func id(of path: String) throws(MPDFault) -> Int64 {
        guard let id = known?.id(of: path) else { throw .noSuchSong }
        return id
    }

    private func ask(_ command: ControlRequest.LibraryCommand) throws(MPDFault) -> LibraryListing? {
        do throws(ServiceClient.Failure) {
            return try answer(command)
        } catch .refused(let reason, exitCode: 3) {
            throw MPDFault(.noSuchThing, reason)
        } catch {
            throw MPDFault(.system, error.description)
        }
    }
}
