package import TuttiAssets
import TuttiHost

/// What a live source says that it plays, with its picture as a file. Used by one thread.
package final class TagReader {
    /// What has become of what was said.
    package enum Event: Sendable, Equatable {
        /// This plays; nil for nothing that anybody knows of.
        case says(StreamTags?)
        /// What people should know of it.
        case remark(String)
    }

    private let source: TagSource
    private let pictures: TagPictures?
    private let interrupter: Interrupter
    /// The picture that was fetched from the web last, and its file.
    private var fetched: (address: String, path: String)?
    private var complaint: String?

    /// - Parameters:
    ///   - pictures: where pictures are kept; nil for none.
    ///   - interrupter: stops a picture that is being fetched, from another thread.
    package init(_ address: TagAddress, pictures: TagPictures?, interrupter: Interrupter) {
        source = TagSource(address)
        (self.pictures, self.interrupter) = (pictures, interrupter)
    }

    /// Waits for what is said next, as long as told at most.
    ///
    /// - Parameter report: told what has come of it; before a picture is fetched from the web, too.
    package func read(milliseconds: Int32, _ report: (Event) -> Void) {
        var latest: SaidTags??
        for event in source.read(milliseconds: milliseconds) {
            switch event {
            case .remark(let line): report(.remark(line))
            // What was said before it is over.
            case .says(let tags): latest = .some(tags)
            }
        }
        guard case .some(let said) = latest else { return }
        guard let said else { return report(.says(nil)) }
        var tags = StreamTags(title: said.title, artist: said.artist, album: said.album)
        guard let picture = said.picture, pictures != nil else { return report(.says(tags)) }
        if case .address(let address) = picture, address != fetched?.address { report(.says(tags)) }
        let path = path(of: picture)
        tags.artwork = path.path
        report(.says(tags))
        if let complaint = path.complaint, complaint != self.complaint { report(.remark(complaint)) }
        complaint = path.complaint
    }

    private func path(of picture: SaidTags.Picture) -> (path: String?, complaint: String?) {
        switch picture {
        case .bytes(let bytes):
            return bytes.count > AssetInfo.Artwork.maximumBytes
                ? (nil, AssetInfo.Artwork.tooLarge)
                : keep(AssetInfo.Artwork(bytes), "a picture is neither JPEG, PNG nor WebP; it is left out")
        case .file(let path):
            return keep(
                AssetInfo.Artwork(file: path),
                "\(path): no JPEG, PNG or WebP of \(AssetInfo.Artwork.maximumBytes >> 20) MiB at most that can be read")
        case .address(let address):
            if let fetched, fetched.address == address { return (fetched.path, nil) }
            do throws(AssetError) {
                let picture = try AssetInfo.Artwork.fetch(address, interrupter: interrupter)
                let kept = keep(picture, "\(address): neither JPEG, PNG nor WebP")
                fetched = kept.path.map { (address, $0) }
                return kept
            } catch {
                return (nil, error.description)
            }
        }
    }

    private func keep(_ picture: AssetInfo.Artwork?, _ complaint: String) -> (path: String?, complaint: String?) {
        guard let picture, let pictures else { return (nil, complaint) }
        do throws(HostError) {
            return (try pictures.keep(picture), nil)
        } catch {
            return (nil, error.description)
        }
    }
}
