package import TuttiSchema

/// A file, or a part of it, as somebody names it who means a track of the library.
package struct LibraryFile: Sendable, Equatable {
    /// Without links.
    package let path: String
    /// Seconds into it where the part begins; nil for the whole of it.
    package let start: Double?

    package init(path: String, start: Double? = nil) { (self.path, self.start) = (path, start) }

    package init(_ input: ControlInput) {
        let start = input.start ?? (input.end == nil ? nil : [0, 1])
        let seconds = start.flatMap { $0.count == 2 && $0[1] > 0 ? Double($0[0]) / Double($0[1]) : nil }
        self.init(path: input.uri, start: seconds)
    }
}
