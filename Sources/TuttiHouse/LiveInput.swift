package import TuttiAssets

/// A live source that the settings name: `input:NAME` plays it, and it may play by itself once something sounds.
package struct LiveInput: Sendable, Equatable {
    /// What people call it.
    package var name: String
    /// As `LiveAddress` reads it.
    package var uri: String
    /// The group that it plays in as soon as it sounds; nil where it waits to be asked for.
    package var group: String?
    /// Whether it interrupts what plays there; else it waits until nothing does.
    package var interrupts: Bool
    /// Seconds of silence after which it is over.
    package var silence: Double
    /// Where it is read what it plays; nil where nobody says that.
    package var metadata: TagAddress?

    package init(
        name: String, uri: String, group: String? = nil, interrupts: Bool = true, silence: Double = 20,
        metadata: TagAddress? = nil
    ) {
        self.name = name
        self.uri = uri
        self.group = group
        self.interrupts = interrupts
        self.silence = silence
        self.metadata = metadata
    }
}
