package import TuttiCore

/// A chapter of a medium: it ends where the next one begins.
package struct Chapter: Sendable, Hashable, Codable {
    /// Where it begins in the asset.
    package let start: MediaTime
    /// What the medium calls it; nil when it does not.
    package let title: String?

    /// A chapter.
    package init(start: MediaTime, title: String? = nil) { (self.start, self.title) = (start, title) }
}
