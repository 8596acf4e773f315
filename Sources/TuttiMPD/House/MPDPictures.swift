import Dispatch
import Synchronization
import TuttiHost

/// Pictures of music files. Another program makes them, one at a time: a damaged or hostile picture harms nothing here.
final class MPDPictures: Sendable {
    /// The longer side, in pixels; bytes of one; seconds that making it may take; how many are kept.
    private static let (side, mostBytes, patience, most) = (1_024, 4 << 20, 10.0, 8)

    private let player: String
    /// The latest last; nil for a file without one.
    private let kept = Mutex<[(path: String, picture: [UInt8]?)]>([])

    init(player: String) { self.player = player }

    /// The picture of a file, JPEG. It blocks until it is made.
    func picture(ofFile path: String) -> [UInt8]? {
        kept.withLock { kept in
            if let known = kept.first(where: { $0.path == path }) { return known.picture }
            let picture = make(path)
            kept.append((path, picture))
            if kept.count > Self.most { kept.removeFirst() }
            return picture
        }
    }

    private func make(_ path: String) -> [UInt8]? {
        let done = DispatchSemaphore(value: 0)
        let arguments = [player, "artwork", "--size", "\(Self.side)", "--", path]
        let made = Made()
        Task {
            let bytes = await ChildProgram.output(of: arguments, limit: Self.mostBytes, within: Self.patience)
            made.picture.withLock { $0 = bytes.flatMap { $0.isEmpty ? nil : $0 } }
            done.signal()
        }
        done.wait()
        return made.picture.withLock(\.self)
    }

    /// What a task has made.
    private final class Made: Sendable {
        let picture = Mutex<[UInt8]?>(nil)
    }
}
