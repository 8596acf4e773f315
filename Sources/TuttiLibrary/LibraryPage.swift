/// A part of a list.
package struct LibraryPage: Sendable, Equatable {
    /// Entries before it.
    package let offset: Int
    /// Entries of it, at most `LibraryLimits.page`.
    package let limit: Int

    /// A page; numbers that make no sense are brought into range.
    package init(offset: Int = 0, limit: Int = 100) {
        self.offset = max(0, offset)
        self.limit = min(max(1, limit), LibraryLimits.page)
    }
}
