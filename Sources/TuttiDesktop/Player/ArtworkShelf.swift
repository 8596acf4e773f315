/// Which pictures there are of what plays, and which one is made next. One is made at a time.
package struct ArtworkShelf: Sendable {
    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// A picture of this music file is to be made.
        case make(String)
        /// A picture is not needed any more: the path of its file.
        case remove(String)
    }

    /// By music file, the path of its picture; nil where it has none.
    private var pictures: [String: String?] = [:]
    /// All that is known, the oldest first.
    private var order: [String] = []
    private var wanted: Set<String> = []
    private var running: String?

    /// Pictures that are kept, that there is none included; more than there are players.
    package static let most = 2 * PlayerSet.most

    /// Nothing is known yet.
    package init() {}

    /// The file with the picture of a music file, if it has been made.
    package func picture(of file: String) -> String? { pictures[file] ?? nil }

    /// Takes which pictures are wanted now, in place of those from before.
    package mutating func want(_ files: Set<String>) -> [Effect] {
        wanted = files
        return next()
    }

    /// Takes the picture that was made.
    ///
    /// - Parameter picture: the path of its file; nil if there is none.
    package mutating func take(_ picture: String?, of file: String) -> [Effect] {
        running = nil
        pictures[file] = .some(picture)
        order.removeAll { $0 == file }
        order.append(file)
        var effects: [Effect] = []
        while order.count > Self.most, let oldest = order.first(where: { !wanted.contains($0) }) {
            order.removeAll { $0 == oldest }
            if case .some(.some(let path)) = pictures.removeValue(forKey: oldest) { effects.append(.remove(path)) }
        }
        return effects + next()
    }

    private mutating func next() -> [Effect] {
        guard running == nil, let file = wanted.filter({ pictures[$0] == nil }).min() else { return [] }
        running = file
        return [.make(file)]
    }
}
