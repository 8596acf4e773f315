import NIOCore
import TuttiHost

/// Pictures of what plays, in the sizes that were asked for.
///
/// Another program makes them, one at a time: a damaged or hostile picture harms neither the music nor this server.
package actor ArtworkCache {
    /// Makes a picture: the path of a file and a side in pixels become a JPEG's bytes, nil when there is none.
    package typealias Maker = @Sendable (_ path: String, _ size: Int) async -> [UInt8]?

    /// A picture as it is sent.
    package struct Picture: Sendable {
        package let bytes: [UInt8]
        /// Changes with the content.
        package let tag: String
    }

    private struct Key: Hashable {
        let path: String
        let size: Int
    }

    private struct Entry {
        let picture: Picture?
        let made: NIODeadline

        var isFresh: Bool { NIODeadline.now() - made < (picture == nil ? ArtworkCache.ageOfNone : ArtworkCache.age) }
    }

    /// The sides of pictures that are made, in pixels. Whoever asks for each number in turn does not have each made.
    package static let sizes = [80, 160, 320, 640, 1_280]
    /// Bytes and number of what is kept, that there is no picture included.
    package static let (mostBytes, mostEntries) = (16 << 20, 256)
    /// Bytes of one picture, and seconds that making it may take.
    private static let (mostOfOne, patience) = (4 << 20, 10.0)
    /// Pictures that wait to be made: a shelf asks for some at a time. More are as if there were none, for now.
    package static let mostWaiting = 128
    /// How long a file is believed not to have changed, and to have no picture: that may have failed for once.
    private static let (age, ageOfNone) = (TimeAmount.minutes(5), TimeAmount.seconds(20))

    private let make: Maker
    private var entries: [Key: Entry] = [:]
    /// The keys of all entries, the oldest first.
    private var order: [Key] = []
    private var bytes = 0
    private var running: [Key: Task<Picture?, Never>] = [:]
    private var last: Task<Picture?, Never>?

    /// A cache of what `make` makes.
    package init(_ make: @escaping Maker) { self.make = make }

    /// A cache of what `tutti artwork` makes.
    package init(player: String) {
        self.init { path, size in
            await ChildProgram.output(
                of: [player, "artwork", "--size", "\(size)", "--", path], limit: Self.mostOfOne, within: Self.patience)
        }
    }

    /// The picture of a file; nil when it has none.
    ///
    /// - Parameter size: its longer side; the next larger of `sizes` is taken, or the largest.
    package func picture(ofFile path: String, size: Int) async -> Picture? {
        let size = Self.sizes.first { $0 >= size } ?? Self.sizes[Self.sizes.count - 1]
        let key = Key(path: path, size: size)
        if let entry = entries[key], entry.isFresh { return entry.picture }
        if let task = running[key] { return await task.value }
        guard running.count < Self.mostWaiting else { return nil }
        let task = Task { [make, last] in
            _ = await last?.value
            let bytes = await make(path, size)
            return bytes.flatMap { $0.isEmpty ? nil : Picture(bytes: $0, tag: ContentTag.of($0)) }
        }
        (running[key], last) = (task, task)
        let picture = await task.value
        running[key] = nil
        keep(Entry(picture: picture, made: .now()), for: key)
        return picture
    }

    private func keep(_ entry: Entry, for key: Key) {
        drop(key)
        entries[key] = entry
        order.append(key)
        bytes += entry.picture?.bytes.count ?? 0
        while bytes > Self.mostBytes || order.count > Self.mostEntries, let oldest = order.first { drop(oldest) }
    }

    private func drop(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        order.removeAll { $0 == key }
        bytes -= entry.picture?.bytes.count ?? 0
    }
}
